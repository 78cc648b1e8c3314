/** What a person wrote: a command line, or words that are none. */
export type Reading = { kind: 'line'; line: string } | { kind: 'words' } | { kind: 'elsewhere' }

const command = /^\/(?<name>[a-z0-9_]{1,64})(?:@(?<bot>[a-z0-9_]{1,64}))?(?=\s|$)(?<rest>.*)$/isu
const bareAddress = /^0x[0-9a-z]{8,}$/iu

/**
 * Reads a message: `/asset@our_bot OTTER` and a bare address are command lines, a command for another bot is not for
 * us, and anything else is words.
 */
export function readMessage(text: string, ourName: string): Reading {
  const trimmed = text.trim()
  if (bareAddress.test(trimmed)) return { kind: 'line', line: `asset ${trimmed}` }
  const groups = command.exec(trimmed)?.groups
  if (!groups) {
    // A slash alone, or one before something odd, was still meant as a command.
    return trimmed.startsWith('/') ? { kind: 'line', line: trimmed.slice(1) } : { kind: 'words' }
  }
  const { name = '', bot, rest = '' } = groups
  if (bot !== undefined && bot.toLowerCase() !== ourName.toLowerCase()) return { kind: 'elsewhere' }
  return { kind: 'line', line: `${name}${rest}` }
}
