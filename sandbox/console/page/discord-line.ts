import type { APIApplicationCommand, APIApplicationCommandBasicOption } from 'discord-api-types/v10'

/** A command as it is used: with its subcommand in the name. */
export interface Usable {
  name: string
  about: string
  options: APIApplicationCommandBasicOption[]
}

/** All that can be used, subcommands each by themselves. */
export function usables(commands: readonly APIApplicationCommand[]): Usable[] {
  return commands
    .filter((command) => command.type === 1)
    .flatMap((command) => unfold(command.name, command.description, command.options ?? []))
    .sort((a, b) => a.name.localeCompare(b.name))
}

type Options = NonNullable<APIApplicationCommand['options']>

function unfold(name: string, about: string, options: Options): Usable[] {
  const nested = options.filter((option) => option.type === 1 || option.type === 2)
  if (nested.length > 0)
    return nested.flatMap((option) =>
      unfold(`${name} ${option.name}`, option.description, option.options ?? []),
    )
  const basic = options.filter((option) => option.type !== 1 && option.type !== 2)
  return [{ name, about, options: basic }]
}

/**
 * Reads a typed line such as `/assets status:live 20`: named values by their name, the others fill
 * the required options in order (the last one takes the rest) or, without such, the optional ones.
 */
export function readLine(
  line: string,
  commands: readonly Usable[],
): { command: Usable; values: Record<string, string> } | undefined {
  const text = line.trim().replace(/^\//, '')
  const command = commands
    .filter(({ name }) => text === name || text.startsWith(`${name} `))
    .sort((a, b) => b.name.length - a.name.length)[0]
  if (command === undefined) return undefined
  const values: Record<string, string> = {}
  const loose: string[] = []
  for (const [, name, quoted, bare, alone] of text
    .slice(command.name.length)
    .matchAll(/(?:([^\s:"]+):)?(?:"([^"]*)"|(\S+))|(\S+)/g)) {
    const value = quoted ?? bare ?? alone ?? ''
    if (name === undefined) loose.push(value)
    else if (command.options.some((option) => option.name === name)) values[name] = value
    else loose.push(`${name}:${value}`)
  }
  place(command, loose, values)
  return { command, values }
}

function place(command: Usable, loose: string[], values: Record<string, string>): void {
  const open = command.options.filter((option) => values[option.name] === undefined)
  const required = open.filter((option) => option.required === true)
  const targets = required.length > 0 ? required : open
  for (const [index, option] of targets.entries()) {
    const last = index === targets.length - 1
    const value = last ? loose.splice(0).join(' ') : loose.shift()
    if (value !== undefined && value !== '') values[option.name] = value
  }
}
