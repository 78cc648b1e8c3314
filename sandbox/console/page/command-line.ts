import type { APIApplicationCommand, APIApplicationCommandBasicOption } from 'discord-api-types/v10'

type Option = APIApplicationCommandBasicOption

/** A slash command as it is used: with its subcommand in the name. */
export interface Usable {
  name: string
  about: string
  options: Option[]
}

/** All that can be used, subcommands each by themselves. */
export function usables(commands: readonly APIApplicationCommand[]): Usable[] {
  return commands.flatMap(unfold).sort((a, b) => a.name.localeCompare(b.name))
}

function unfold({ name, description: about, options = [] }: APIApplicationCommand): Usable[] {
  const subcommands = options.filter((option) => option.type === 1)
  if (subcommands.length === 0)
    return [{ name, about, options: options.filter((each) => each.type !== 1 && each.type !== 2) }]
  return subcommands.map((each) => ({
    name: `${name} ${each.name}`,
    about: each.description,
    options: each.options ?? [],
  }))
}

/**
 * Reads a typed line such as `/assets status:live 20`: named values by their name, a text with all its words; the
 * others fill the required options in order or, without such, the optional ones: a text takes all that is left.
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
  return { command, values: valuesOf(text.slice(command.name.length), command) }
}

function valuesOf(text: string, command: Usable): Record<string, string> {
  const values: Record<string, string> = {}
  const loose: string[] = []
  let open: string | undefined
  for (const [, name, quoted, bare, alone] of text.matchAll(
    /(?:([^\s:"]+):)?(?:"([^"]*)"|(\S+))|(\S+)/g,
  )) {
    const value = quoted ?? bare ?? alone ?? ''
    const option = command.options.find((each) => each.name === name)
    if (option) {
      values[option.name] = value
      const isWhole = quoted !== undefined || !isFreeText(option) || needsMore(command, values)
      open = isWhole ? undefined : option.name
    } else if (name === undefined && open !== undefined) values[open] += ` ${value}`
    else loose.push(name === undefined ? value : `${name}:${value}`)
  }
  placeLoose(command, loose, values)
  return values
}

/** Words without a name belong to what the command can't do without. */
export function needsMore(command: Usable, values: Readonly<Record<string, string>>): boolean {
  return command.options.some(({ name, required }) => required && values[name] === undefined)
}

/** As in Discord's own box, such an option takes all words up to the next one's name. */
function isFreeText(option: Option): boolean {
  return option.type === 3 && !('choices' in option && option.choices)
}

function placeLoose(command: Usable, loose: string[], values: Record<string, string>): void {
  const open = command.options.filter((option) => values[option.name] === undefined)
  const required = open.filter((option) => option.required === true)
  const targets = required.length > 0 ? required : open
  for (const [index, option] of targets.entries()) {
    const isLast = index === targets.length - 1
    const takesAll = isLast || (required.length === 0 && isFreeText(option))
    const value = takesAll ? loose.splice(0).join(' ') : loose.shift()
    if (value !== undefined && value !== '') values[option.name] = value
  }
}
