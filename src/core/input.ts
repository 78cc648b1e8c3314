import { formatLine, parseLine } from './command.ts'
import type { MenuEntry } from './dispatch.ts'
import { harmless } from './text.ts'

/**
 * What a message is: a command (`addressed` if followed by our name), a bare address, a command for another bot
 * ("elsewhere"), or other text ("words"). `line` is the command line that it stands for.
 */
export type Reading =
  | { kind: 'command'; name: string; line: string; addressed: boolean }
  | { kind: 'address'; line: string }
  | { kind: 'elsewhere' }
  | { kind: 'words'; line: string }

const command = /^\/(?<name>[a-z0-9_]{1,64})(?:@(?<bot>[a-z0-9_]{1,64}))?(?=\s|$)(?<rest>.*)$/isu
const bareAddress = /^0x[0-9a-z]{8,}$/iu
/** The command that answers other text. */
const welcome = 'start'

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
  const groups = command.exec(trimmed)?.groups
  if (groups) {
    const { name = '', bot, rest = '' } = groups
    const addressed = bot?.toLowerCase() === ourName.toLowerCase()
    if (bot !== undefined && !addressed) return { kind: 'elsewhere' }
    return { kind: 'command', name: name.toLowerCase(), line: name + rest, addressed }
  }
  // Anything else after a slash is answered as an unknown command.
  return trimmed.startsWith('/')
    ? { kind: 'command', name: '', line: trimmed.slice(1), addressed: false }
    : { kind: 'words', line: welcome }
}

/**
 * Removes the option that says in which chat a command was sent from a line that a person typed. Only the platform may
 * set it: otherwise people could have the bot write in chats where they may not.
 */
export function withoutChatOption(line: string, menu: readonly MenuEntry[]): string {
  return setChatOption(line, menu, undefined)
}

/** Adds the chat in which the command was sent, if the command has an option for it. */
export function withChatOption(line: string, menu: readonly MenuEntry[], chat: string): string {
  return setChatOption(line, menu, chat)
}

/** The menu entry of the command that a line begins with. */
export function menuEntry(menu: readonly MenuEntry[], line: string): MenuEntry | undefined {
  const [typed = ''] = line.trimStart().split(/\s/u, 1)
  return menu.find(({ name }) => name === typed.toLowerCase())
}

function setChatOption(line: string, menu: readonly MenuEntry[], chat: string | undefined): string {
  const entry = menuEntry(menu, line)
  const option = entry?.options.find((each) => each.chat)?.name
  if (entry === undefined || option === undefined) return line
  try {
    const { bare, named } = parseLine(line)
    if (chat === undefined && !named.has(option)) return line
    return formatLine(entry.name, bare, { ...Object.fromEntries(named), [option]: chat })
  } catch {
    // An invalid line is refused when it is run.
    return line
  }
}
