import leven from 'leven'
import { UserError } from '../errors.ts'
import type { Locale } from './catalogue.ts'
import { harmless } from './text.ts'
import { type List, type Message, type Text, t, type View } from './view.ts'

/** The platforms by the names that the database, the log and the metrics have for them. */
export type PlatformName = 'telegram' | 'discord'

/** A value that a parameter can take, and its label in lists that people choose from. */
export interface Choice<T = Text> {
  value: string
  label: T
  /** The word that people type, if it is another than the value. */
  word?: string
}

/**
 * One parameter of a command: how it is described, parsed and completed. The typed arguments, Discord's options,
 * Telegram's `name:value`, autocomplete and the /help text all derive from it.
 */
export interface Param<T, S> {
  about: Text
  /** A value as a person would type it; also shown if the value is missing. */
  example: string
  required: boolean
  /** Filled in by the platform: the chat in which the command was sent, if the answer goes to another chat. */
  chat?: boolean
  /** Filled in by the platform: the chat in which a button was pressed, if the answer goes to another chat. */
  otherChat?: boolean
  integer?: { min: number; max: number }
  /** The id of one of the chat's roles, on platforms that have roles; /help leaves it out elsewhere. */
  role?: boolean
  /** Only of use where messages in groups reach the bot: left out elsewhere. */
  groupText?: boolean
  choices?: (services: S) => readonly Choice[]
  /** @throws UserError that says what to type instead */
  parse(raw: string, services: S): T
  complete?(typed: string, services: S): Promise<readonly Choice[]>
}

type Params<S> = Readonly<Record<string, Param<unknown, S>>>

export type Arguments<P> = { [K in keyof P]: P[K] extends Param<infer T, never> ? T : never }

/** A platform as commands and alerts have to know it: what it can do, and the texts that name its rights. */
export interface Platform {
  name: PlatformName
  /** Text that is no command reaches the bot in private chats. */
  textInput: boolean
  /** Messages in groups that are no commands reach the bot, if its privacy mode is off or it is an administrator. */
  groupText: boolean
  /** An answer in a group can be shown to one person; if not, such an answer goes to the person's private chat. */
  ephemeralAnswers: boolean
  /** Private chats show `View.picker`. */
  chatPicker: boolean
  /** `View.form` opens a form; elsewhere people type an answer. */
  forms: boolean
  /** Every value is typed behind the name of its option, and without quotes: it extends to the next option. */
  namedOptions: boolean
  texts: {
    /** Says who may change a chat's alerts. */
    onlyManagers: Message
    /** The same to somebody else who tries. */
    notManager: Message
    /** Says what ends a pause of a chat's alerts. */
    managerResumes: Message
    /** The first message in a chat that was set up from a private one. */
    alertsBegun: Message
    /** The chat can't be set up: the bot is not in it, or the person does not manage it. */
    notManaged: Message
    /** The bot may not write in the chat. */
    cantPost: Message
    /** The bot can't see who manages the chat. */
    managersUnseen: Message
  }
}

/** The user who sent a command, and the chat. `chat` is the user's id if there is no chat. Ids are the platform's own. */
export interface Context {
  platform: Platform
  user: string
  chat: string
  /** Only this user reads the answer. */
  ephemeral: boolean
  /** The chat is the user's private chat with the bot. */
  isPrivate: boolean
  /** The forum topic in which it was sent. */
  thread?: string
  /** The bot is no member of the chat: a person brought it along, and it can answer there and write nothing by itself. */
  isGuest?: boolean
  /** Sent in the chat's own name (a channel's post, an anonymous administrator), which only its administrators can do. */
  asChat?: boolean
  /** Its words are somebody else's: it is forwarded, or another bot made it. */
  isQuoted?: boolean
  /** The language of the answer. */
  locale: Locale
  /** Links that add the bot to a chat of the person's, in private chats and where the bot is a guest. */
  invitations?: { group?: string; channel?: string; server?: string }
  /** The id of the update, which its platform may bring twice: a draft remembers those that changed it. */
  update?: string
}

/** Whether what people write here without a command can reach the bot. */
export function readsText({ platform, isPrivate }: Context): boolean {
  return platform.textInput && (isPrivate || platform.groupText)
}

/** The id of the chat for what is kept of it: that of the person for their private chat, which platforms call by several ids. */
export function ownChat({
  user,
  chat,
  isPrivate,
}: Pick<Context, 'user' | 'chat' | 'isPrivate'>): string {
  return isPrivate ? user : chat
}

/** Shows an interim view while the answer is being made; the answer replaces it. Never rejects. */
export type ShowProgress<T = Text> = (view: View<T>) => Promise<void>

/** A card offered while a person types the bot's name and a term in any chat. */
export interface InlineHit<T = Text> {
  id: string
  title: T
  about: T
  image?: string
  view: View<T>
}

/** The text of /help about a command, beside its options. */
export interface Guide {
  /** An instructive line: the value of the first parameter, and the options after it. */
  example: readonly [first: string, options: string]
  /** Values of the first parameter, and what each is for. */
  values: readonly (readonly [value: string, about: Text])[]
}

interface Spec<S, P extends Params<S>> {
  name: string
  about: Text
  params: P
  /** Only the user may read the answers: in a group, Telegram links to the private chat and Discord hides them. */
  ephemeral?: boolean
  /**
   * A menu or help, which is of no use to others: shown to the user alone where the platform can do that in place, and to all
   * elsewhere.
   */
  forAsker?: boolean
  /** Run by buttons only: not in any menu. */
  unlisted?: boolean
  /** The text after its name is the value of its one parameter, as it was typed. */
  verbatim?: boolean
  /** The people who may use it; for all others there is no such command. */
  isFor?(context: Context, services: S): boolean
  /** Who sees the command in the platform's menu: everybody, private chats only, or group administrators. */
  audience?: 'private' | 'managers'
  guide?(platform: Platform): Guide
  /**
   * The parameters that are options of their own where options have names, if not all are. The others are typed in the first
   * one, which takes the rest of the line: `/alerts do:add live chain:base`.
   */
  listedOptions?: readonly string[]
  /** In a private chat, a message with more than its name is input for the conversation, with the files beside it. */
  takesInput?: boolean
  /** Whether this line changes stored state: such a line is confirmed first if it came by a link. */
  mutates?(line: ParsedLine): boolean
  run(args: Arguments<P>, services: S, context: Context, show: ShowProgress): Promise<View>
  inline?(term: string, services: S): Promise<InlineHit[]>
}

/** A command as the dispatcher sees it: `run` takes the raw values of a line and parses them itself. */
export interface Command<S> extends Omit<Spec<S, Params<S>>, 'run'> {
  run(line: ParsedLine, services: S, context: Context, show: ShowProgress): Promise<View>
}

/**
 * Makes the function that defines commands which use the services S.
 * @example
 *   const command = commandDefiner<Services>()
 *   const search = command({
 *     name: 'search',
 *     about: 'Find tokens',
 *     params: { term: text('Name or symbol', 'otter') },
 *     run: async ({ term }, services) => searchView(await services.api.search(term)),
 *   })
 */
export function commandDefiner<S>() {
  return <const P extends Params<S>>(spec: Spec<S, P>): Command<S> => ({
    ...spec,
    run: async (line, services, context, show) =>
      spec.run(parseArguments(spec.name, spec.params, line, services), services, context, show),
  })
}

/** A command lacks a value that it needs. */
export class MissingValue extends UserError {}

function parseArguments<S, P extends Params<S>>(
  command: string,
  params: P,
  line: ParsedLine,
  services: S,
): Arguments<P> {
  const raw = rawValues(command, params, line)
  const names = Object.keys(params)
  const entries = Object.entries(params).map(([name, param]) => {
    const value = raw.get(name)
    if (value !== undefined)
      return [name, parseValue(name, names[0], () => param.parse(value, services))]
    if (!param.required) return [name, undefined]
    throw new MissingValue(
      t('command-needs', {
        command: { code: `/${command}` },
        what: param.about,
        example: { code: `/${command} ${param.example}` },
      }),
    )
  })
  // Object.fromEntries loses the names; each entry came from its own parameter's parse.
  return Object.fromEntries(entries) as Arguments<P>
}

/** Puts the option's name before a refusal, except for the first one, which people type without its name. */
function parseValue<T>(name: string, first: string | undefined, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof UserError) || name === first) throw error
    throw new UserError(
      t('command-option-refused', { option: { code: `${name}:` }, why: error.spans }),
      {
        cause: error,
      },
    )
  }
}

/** Collects the raw values by name; bare words are the value of the first parameter. */
function rawValues<S>(command: string, params: Params<S>, line: ParsedLine): Map<string, string> {
  const names = Object.keys(params)
  const [first] = names
  for (const name of line.named.keys()) {
    if (names.includes(name)) continue
    const shown = names.filter((each) => !params[each]?.chat)
    throw unknownOption(command, name, shown)
  }
  const raw = new Map(line.named)
  if (line.bare === '' || first === undefined) return raw
  // The chat is the platform's to fill in, not the user's to type.
  if (params[first]?.chat) {
    throw new UserError(t('command-no-values', { command: { code: `/${command}` } }))
  }
  if (raw.has(first)) {
    throw new UserError(
      t('command-value-twice', { option: { code: `${first}:` }, typed: line.bare }),
    )
  }
  return raw.set(first, line.bare)
}

function unknownOption(command: string, name: string, names: string[]): UserError {
  const near = nearest(name, names)
  const about = { command: { code: `/${command}` }, option: name }
  if (names.length === 0) return new UserError(t('command-takes-no-options', { ...about }))
  const options = listed(names.map((each) => `${each}:`))
  if (near === undefined) return new UserError(t('command-option-unknown', { ...about, options }))
  const meant = { code: `${near}:` }
  return new UserError(t('command-option-misspelt', { ...about, options, meant }))
}

/** Refuses a command that is none of `names`. */
export function unknownCommand(name: string, names: readonly string[]): UserError {
  const near = nearest(name, names)
  const help = { code: '/help' }
  if (near === undefined) return new UserError(t('command-unknown', { name, help }))
  return new UserError(t('command-misspelt', { name, help, meant: { code: `/${near}` } }))
}

/** The one of `names` that `typed` is probably a typo of; undefined if none is near. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const maxDistance = typed.length <= 4 ? 1 : typed.length <= 8 ? 2 : 3
  const starts = names.find((name) => typed.length >= 3 && name.startsWith(typed))
  if (starts !== undefined) return starts
  const ranked = names
    .map((name) => ({ name, distance: leven(typed, name, { maxDistance: maxDistance + 1 }) }))
    .sort((one, other) => one.distance - other.distance)
  const [best] = ranked
  return best && best.distance <= maxDistance ? best.name : undefined
}

/** Free text: one line of at most `maxLength` UTF-16 units. */
export function text<S>(about: Text, example: string, maxLength = 200): Param<string, S> {
  return {
    about,
    example,
    required: true,
    parse: (raw) => {
      const value = raw.trim()
      if (value === '') throw new UserError(t('command-text-empty', { example: { code: example } }))
      if (value.length > maxLength) {
        throw new UserError(t('command-text-too-long', { length: value.length, max: maxLength }))
      }
      return value
    },
  }
}

/** A whole number from `min` to `max`, inclusive. */
export function integer<S>(about: Text, min: number, max: number): Param<number, S> {
  return {
    about,
    example: String(min),
    required: true,
    integer: { min, max },
    parse: (raw) => {
      const value = /^[+-]?\d{1,15}$/u.test(raw) ? Number(raw) : Number.NaN
      if (value >= min && value <= max) return value
      throw new UserError(t('command-number-range', { typed: raw, min, max }))
    },
  }
}

/** One of a fixed list of values. */
export function oneOf<const V extends string, S>(
  about: Text,
  choices: readonly (Choice & { value: V })[],
): Param<V, S> {
  const [first] = choices
  return {
    about,
    example: first?.value ?? '',
    required: true,
    choices: () => choices,
    parse: (raw) => {
      const typed = raw.toLowerCase()
      const found = choices.find(
        ({ value, word }) => value.toLowerCase() === typed || word === typed,
      )
      if (found) return found.value
      throw new UserError(
        t('command-choice-unknown', {
          typed: raw,
          choices: listed(choices.map(wordOf)),
        }),
      )
    },
  }
}

/** The text that people type for a value. */
export function wordOf({ value, word = value }: Choice): string {
  return word
}

/** Values to choose from, as they are typed: `all, live or graduated`. */
export function listed(values: readonly string[]): List {
  return { list: values.map((value) => ({ code: value })), as: 'or' }
}

/** The same parameter, not required. */
export function optional<T, S>(param: Param<T, S>): Param<T | undefined, S> {
  return { ...param, required: false }
}

/** The parts of a command line: `search "moon otter" chain:base` has a name, bare words and named values. */
interface ParsedLine {
  name: string
  bare: string
  named: Map<string, string>
}

/** Longer lines (in UTF-16 units) are refused unparsed; Telegram's own limit for a message is 4096. */
const maxLine = 1000

const token =
  /\s*(?:(?<key>[a-z_]{1,32}):(?!\/\/)\s*)?(?:"(?<quoted>(?:[^"\\]|\\.)*)"(?=\s|$)|(?<plain>\S*))/iuy

/**
 * Parses a command line (without a slash). Words without a name are joined by spaces; a value or a bare word in double
 * quotes may hold anything, with `\"` and `\\` for those two characters.
 * @throws UserError if an option is given twice or without a value
 * @example
 *   parseLine('search "moon otter" chain:base')
 *   // { name: 'search', bare: 'moon otter', named: Map { 'chain' => 'base' } }
 */
export function parseLine(line: string): ParsedLine {
  if (line.length > maxLine) {
    throw new UserError(t('command-line-too-long', { max: maxLine }))
  }
  const [name = ''] = line.trimStart().split(/\s/u, 1)
  const rest = line.trimStart().slice(name.length).trimEnd()
  const bare: string[] = []
  const named = new Map<string, string>()
  token.lastIndex = 0
  while (token.lastIndex < rest.length) {
    const groups = token.exec(rest)?.groups
    if (!groups) break
    const { key, quoted, plain } = groups
    const value = quoted === undefined ? (plain ?? '') : quoted.replaceAll(/\\(.)/gu, '$1')
    if (key === undefined) bare.push(value)
    else setOnce(named, key.toLowerCase(), value)
  }
  return { name: name.toLowerCase(), bare: bare.join(' '), named }
}

function setOnce(named: Map<string, string>, key: string, value: string): void {
  const option = { code: `${key}:` }
  if (value === '') throw new UserError(t('command-option-empty', { option }))
  if (named.has(key)) throw new UserError(t('command-option-twice', { option }))
  named.set(key, value)
}

/**
 * Formats a line so that `parseLine` gives the same parts back. `bare` is the value of the first parameter; values that
 * are undefined or empty are left out.
 * @example
 *   formatLine('search', 'moon otter', { chain: 8453 }) // 'search "moon otter" chain:8453'
 *   formatLine('top', undefined, { chain: 8453 }) // 'top chain:8453'
 */
export function formatLine(
  name: string,
  bare: string | undefined,
  named: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const parts = [name]
  if (bare !== undefined && bare !== '') parts.push(quoteIfNeeded(bare))
  for (const [key, value] of Object.entries(named)) {
    if (value !== undefined && value !== '') parts.push(`${key}:${quoteIfNeeded(String(value))}`)
  }
  return parts.join(' ')
}

function quoteIfNeeded(value: string): string {
  return /^(?!\/\/)[^\s":\\]+$/u.test(value) ? value : `"${value.replaceAll(/[\\"]/gu, '\\$&')}"`
}

/** A command line, parsed once: rights, logs and dispatch look at this. */
export interface ParsedCommand {
  /** As it can be sent again. */
  line: string
  /** The command's name as it was typed, in lower case. */
  name: string
  /** There is such a command. */
  isKnown: boolean
  /** It is in the menu; others are run by buttons only. */
  isListed: boolean
  /** Only the user who sent it may read the answers. */
  ephemeral: boolean
  /** Nobody else needs the answers: shown to the user alone on platforms with `ephemeralAnswers`. */
  forAsker: boolean
  /** In a private chat, the text after its name is input for the conversation. */
  takesInput: boolean
  /** It changes stored state: if it came by a link, it is confirmed first. */
  mutates: boolean
  /** The option for the chat in which it was sent, if the command has one. */
  chatOption: string | undefined
  /** The option for another chat that it is about, if the command has one. */
  otherChatOption: string | undefined
  /** The values, or why they can't be read. */
  values: ParsedLine | UserError
}

/** Parses a line; invalid ones are refused when they are run. */
export function parseCommand(
  line: string,
  commands: readonly Pick<
    Command<never>,
    | 'name'
    | 'params'
    | 'ephemeral'
    | 'forAsker'
    | 'unlisted'
    | 'verbatim'
    | 'takesInput'
    | 'mutates'
  >[],
): ParsedCommand {
  const [typed = ''] = line.trimStart().split(/\s/u, 1)
  const name = typed.toLowerCase()
  const command = commands.find((each) => each.name === name)
  const values = command?.verbatim
    ? { name, bare: line.trimStart().slice(typed.length).trim(), named: new Map<string, string>() }
    : valuesOf(line)
  const params = Object.entries(command?.params ?? {})
  return {
    line,
    name,
    isKnown: command !== undefined,
    isListed: command !== undefined && !command.unlisted,
    ephemeral: command?.ephemeral ?? false,
    forAsker: command?.forAsker ?? false,
    takesInput: command?.takesInput ?? false,
    mutates: (!(values instanceof UserError) && command?.mutates?.(values)) || false,
    chatOption: params.find(([, { chat }]) => chat)?.[0],
    otherChatOption: params.find(([, { otherChat }]) => otherChat)?.[0],
    values,
  }
}

function valuesOf(line: string): ParsedLine | UserError {
  try {
    return parseLine(line)
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
}

/**
 * Removes the option for the chat in which a command was sent, from what a person typed. Only the platform may set it:
 * otherwise people could have the bot write in chats where they may not.
 */
export function withoutChatOption(command: ParsedCommand): ParsedCommand {
  const { chatOption, name, values } = command
  if (chatOption === undefined || values instanceof UserError || !values.named.has(chatOption)) {
    return command
  }
  const named = new Map(values.named)
  named.delete(chatOption)
  const line = formatLine(name, values.bare, Object.fromEntries(named))
  return { ...command, line, values: { ...values, named } }
}

/** The line with the chat in which it was sent, if its command has an option for it. */
export function lineFromChat(command: ParsedCommand, chat: string): string {
  const { chatOption, line, values } = withoutChatOption(command)
  if (chatOption === undefined || values instanceof UserError) return line
  return formatLine(line, undefined, { [chatOption]: chat })
}

/** The line made to be about another chat, if its command can be and it names none. */
export function lineAboutChat(
  { line, otherChatOption, values }: ParsedCommand,
  chat: string,
): string {
  if (otherChatOption === undefined || values instanceof UserError) return line
  if (values.named.has(otherChatOption)) return line
  return formatLine(line, undefined, { [otherChatOption]: chat })
}

/**
 * A message as it is understood: a command (`addressed` if followed by our name), a bare address, a command for another bot
 * ("elsewhere"), or other text ("words"), which is searched for. `line` is the command line that it stands for.
 */
export type Reading =
  | { kind: 'command'; name: string; line: string; addressed: boolean }
  | { kind: 'address'; line: string }
  | { kind: 'elsewhere' }
  | { kind: 'words'; line: string }

const slashCommand =
  /^\/(?<name>[a-z0-9_]{1,64})(?:@(?<bot>[a-z0-9_]{1,64}))?(?=\s|$)(?<rest>.*)$/isu
const bareAddress = /^0x[0-9a-z]{8,}$/iu
/** An address among other words. */
const addressInside = /(?<![0-9a-z])0x[0-9a-f]{40}(?![0-9a-z])/iu
/** The command that answers input that is no search, such as a file. */
const welcome = 'start'
/** Longer text is no name. */
const maxSearched = 100

/**
 * Reads a message; `ourName` is the name that may follow a command.
 * @example
 *   readMessage('/asset@our_bot OTTER', 'our_bot')
 *   // { kind: 'command', name: 'asset', line: 'asset OTTER', addressed: true }
 */
export function readMessage(text: string, ourName: string): Reading {
  // Text copied from an answer of ours contains word joiners, which keep Telegram from making links of it.
  const trimmed = harmless(text).trim()
  if (bareAddress.test(trimmed)) return { kind: 'address', line: `asset ${trimmed}` }
  const groups = slashCommand.exec(trimmed)?.groups
  if (groups) {
    const { name = '', bot, rest = '' } = groups
    const addressed = bot?.toLowerCase() === ourName.toLowerCase()
    if (bot !== undefined && !addressed) return { kind: 'elsewhere' }
    return { kind: 'command', name: name.toLowerCase(), line: name + rest, addressed }
  }
  const inside = addressInside.exec(trimmed)
  if (inside && !trimmed.startsWith('/')) return { kind: 'words', line: `asset ${inside[0]}` }
  // Anything else after a slash is answered as an unknown command.
  return trimmed.startsWith('/')
    ? { kind: 'command', name: '', line: trimmed.slice(1), addressed: false }
    : { kind: 'words', line: isSearch(trimmed) ? formatLine('asset', trimmed) : welcome }
}

/** Whether a text can be a name or a symbol: it has a letter or digit, and is short. */
function isSearch(text: string): boolean {
  return text.length <= maxSearched && /[\p{L}\p{N}]/u.test(text)
}
