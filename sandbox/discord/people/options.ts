import {
  type APIApplicationCommand,
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  type APIAttachment,
  type APIInteractionDataResolvedGuildMember,
  type APIRole,
  type APIUser,
  ApplicationCommandOptionType,
} from 'discord-api-types/v10'
import type { World } from '../world.ts'
import { ClientRefusal } from './refused.ts'

/** What a person typed into a command's options, by option name. Files are given by their upload's id. */
export type OptionValues = Readonly<Record<string, string | number | boolean>>

const T = ApplicationCommandOptionType

/** One option as an interaction carries it. */
interface SentOption {
  name: string
  type: number
  value?: string | number | boolean
  focused?: boolean
  options?: SentOption[]
}

/** A command or subcommand that was found by its full name, such as `alerts add`. */
interface FoundCommand {
  command: APIApplicationCommand
  /** Subcommand group and subcommand, outermost first. */
  path: { name: string; type: number }[]
  options: APIApplicationCommandBasicOption[]
}

function isBasic(option: APIApplicationCommandOption): option is APIApplicationCommandBasicOption {
  return option.type !== T.Subcommand && option.type !== T.SubcommandGroup
}

/** Finds what a full name stands for; a command with subcommands cannot be used by itself. */
export function findCommand(
  commands: readonly APIApplicationCommand[],
  fullName: string,
): FoundCommand {
  const [name, ...rest] = fullName.split(' ')
  const command = commands.find((each) => each.name === name && each.type === 1)
  if (command === undefined) throw new ClientRefusal(`There is no command /${name}.`)
  const path: FoundCommand['path'] = []
  let options = command.options ?? []
  for (const part of rest) {
    const next = options.find((option) => option.name === part && !isBasic(option))
    if (next === undefined || isBasic(next))
      throw new ClientRefusal(`/${name} has no subcommand ${part}.`)
    path.push({ name: part, type: next.type })
    options = next.options ?? []
  }
  if (options.some((option) => !isBasic(option)))
    throw new ClientRefusal(`/${fullName} needs a subcommand.`)
  return { command, path, options: options.filter(isBasic) }
}

/** JSON of an interaction's `data`, after the checks the Discord app makes before it sends a command. */
export function commandData(
  world: World,
  channelId: string,
  found: FoundCommand,
  values: OptionValues,
  focused?: string,
): string {
  const unknown = Object.keys(values).find((name) => !found.options.some((o) => o.name === name))
  if (unknown !== undefined) throw new ClientRefusal(`There is no option ${unknown}.`)
  const sent = found.options.flatMap((option) => {
    const value = values[option.name]
    if (option.name === focused)
      return [{ name: option.name, type: option.type, value: value ?? '', focused: true }]
    if (value !== undefined)
      return [{ name: option.name, type: option.type, value: check(option, value) }]
    if (option.required && focused === undefined)
      throw new ClientRefusal(`The option ${option.name} is required.`)
    return []
  })
  const nested = found.path.reduceRight<SentOption[]>(
    (options, part) => [{ ...part, options }],
    sent,
  )
  const { command } = found
  const resolved = resolve(
    world,
    channelId,
    sent.flatMap(({ type, value }) => (type >= T.User && type !== T.Number ? [String(value)] : [])),
  )
  return JSON.stringify({
    id: command.id,
    name: command.name,
    type: command.type,
    ...(command.guild_id === undefined ? {} : { guild_id: command.guild_id }),
    ...(nested.length === 0 ? {} : { options: nested }),
    ...(resolved === undefined ? {} : { resolved }),
  })
}

function check(
  option: APIApplicationCommandBasicOption,
  value: string | number | boolean,
): string | number | boolean {
  switch (option.type) {
    case T.String:
      return checkText(option, String(value))
    case T.Integer:
    case T.Number:
      return checkNumber(option, Number(value))
    case T.Boolean:
      if (value === true || value === 'true') return true
      if (value === false || value === 'false') return false
      throw new ClientRefusal(`The option ${option.name} is true or false.`)
    default:
      return String(value)
  }
}

type TextOption = Extract<APIApplicationCommandBasicOption, { type: 3 }>
type NumberOption = Extract<APIApplicationCommandBasicOption, { type: 4 | 10 }>

function checkText(option: TextOption, value: string): string {
  if (option.choices !== undefined && option.choices.length > 0)
    return chosen(option.choices, value)
  const max = option.max_length ?? 6000
  const min = option.min_length ?? 0
  if (value === '') throw new ClientRefusal(`The option ${option.name} is empty.`)
  if (value.length < min || value.length > max)
    throw new ClientRefusal(`The option ${option.name} must have ${min} to ${max} characters.`)
  return value
}

function checkNumber(option: NumberOption, value: number): number {
  if (option.choices !== undefined && option.choices.length > 0)
    return Number(chosen(option.choices, value))
  const whole = option.type === T.Number || Number.isInteger(value)
  if (!Number.isFinite(value) || !whole)
    throw new ClientRefusal(`The option ${option.name} must be a number.`)
  const { min_value: min = -Infinity, max_value: max = Infinity } = option
  if (value < min || value > max)
    throw new ClientRefusal(`The option ${option.name} must be from ${min} to ${max}.`)
  return value
}

function chosen<V extends string | number>(
  choices: readonly { name: string; value: V }[],
  given: V,
): V {
  const found = choices.find((choice) => choice.value === given || choice.name === String(given))
  if (found === undefined) throw new ClientRefusal(`${String(given)} is none of the choices.`)
  return found.value
}

/** The objects behind the ids in an interaction's options or values. */
interface Resolved {
  users?: Record<string, APIUser>
  members?: Record<string, APIInteractionDataResolvedGuildMember>
  roles?: Record<string, APIRole>
  channels?: Record<string, object>
  attachments?: Record<string, APIAttachment>
}

/** Looks ids up among people, roles, channels and uploads; undefined when none is known. */
export function resolve(
  world: World,
  channelId: string,
  ids: readonly string[],
): Resolved | undefined {
  if (ids.length === 0) return undefined
  const resolved: Resolved = {}
  for (const id of ids) resolveOne(world, channelId, id, resolved)
  return Object.keys(resolved).length === 0 ? undefined : resolved
}

function resolveOne(world: World, channelId: string, id: string, into: Resolved): void {
  const user = world.users.get(id)
  if (user !== undefined) into.users = { ...into.users, [id]: user }
  const member = world.members.get(id)
  if (member !== undefined && world.room(channelId).guildId !== undefined) {
    const { user: _, deaf: __, mute: ___, ...partial } = member
    const permissions = String(world.permissions(id, channelId))
    into.members = { ...into.members, [id]: { ...partial, permissions } }
  }
  const role = world.roles.find((each) => each.id === id)
  if (role !== undefined) into.roles = { ...into.roles, [id]: role }
  const channel = world.rooms.get(id)?.channel
  if (channel !== undefined) into.channels = { ...into.channels, [id]: channel }
  const file = world.files.get(id)
  if (file !== undefined) into.attachments = { ...into.attachments, [id]: file.attachment }
}
