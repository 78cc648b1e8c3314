import { countCharacters, firstUnseen, strayLetter } from '../../core/text.ts'
import { UserError } from '../../errors.ts'
import { refuseSecret } from './secrets.ts'

/** Constraints of a text. */
export interface TextLimits {
  /** Its name in error messages. */
  what: string
  /** Graphemes. */
  max: number
  /** In UTF-8: one grapheme can be arbitrarily long. */
  maxBytes: number
  /** Whether several lines are allowed. */
  lines?: boolean
  /** Whether it is a name: then it must be no link, and each word must use one alphabet. */
  names?: boolean
}

const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const controls = /\p{Cc}/u
const lineBreaks = /\r\n?|[\u0085\u2028\u2029]/gu
const spaces = /[^\S\n]+|[\p{Z}\u2800]+/gu

/**
 * Trims a text and collapses its spaces.
 * @throws UserError if it is empty, too long, or has invisible characters or ones that change the text around them
 */
export function readText(raw: string, limits: TextLimits): string {
  const unified = raw.replaceAll(lineBreaks, '\n').trim()
  refuseSecret(unified)
  refuseHidden(unified, limits)
  const text = unified
    .replaceAll(spaces, ' ')
    .replaceAll(/ ?\n ?/gu, '\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim()
  if (text === '') throw new UserError(`${limits.what} needs characters that can be seen.`)
  refuseAddress(text, limits)
  refuseLong(text, limits)
  if (limits.names) refuseDisguise(text, limits)
  return text
}

/**
 * Rejects characters that people can't see.
 * @throws UserError that names the first one
 */
function refuseHidden(text: string, { what, lines }: TextLimits): void {
  if (!lines && text.includes('\n')) {
    throw new UserError(`${what} is one line, without a line break.`)
  }
  const control = controls.exec(text.replaceAll('\n', ''))?.[0]
  if (control !== undefined) {
    const name = control === '\t' ? 'a tab' : 'a control character'
    throw new UserError(`There is ${name} (${codeOf(control)}) in it. Type it again without.`)
  }
  const context = turning.exec(text)?.[0]
  if (context !== undefined) {
    throw new UserError(
      `There is a character in it that turns the direction of writing (${codeOf(context)}). Type it again without.`,
    )
  }
  const unseen = firstUnseen(text)
  if (unseen !== undefined) {
    throw new UserError(
      `There is a character in it that nobody sees (${codeOf(unseen)}). Type it again without.`,
    )
  }
  if (/(?:^|[\s\p{Z}\u2800])\p{M}|\p{M}{4}/u.test(text)) {
    throw new UserError(
      'There are accents in it without a letter, or too many on one. Leave them out.',
    )
  }
}

function refuseLong(text: string, { what, max, maxBytes }: TextLimits): void {
  // No platform sends texts this long, so an exact count doesn't matter.
  const count = text.length > 10_000 ? text.length : countCharacters(text)
  if (count > max) {
    throw new UserError(`${what} has at most ${max} characters; this has ${count}.`)
  }
  if (Buffer.byteLength(text) > maxBytes) {
    throw new UserError(`${what} takes up too much room (over ${maxBytes} bytes). Use fewer emoji.`)
  }
}

function refuseAddress(text: string, { what }: TextLimits): void {
  if (!/^0x[0-9a-f]{20,}$/iu.test(text)) return
  throw new UserError(
    `That is an address. ${what} is asked for now; addresses are asked for further on.`,
  )
}

const link = /:\/\/|(?:^|\s)www\.|(?:^|[\s/.])(?:[a-z0-9-]+\.)+[a-z]{2,}\/\S/iu
/**
 * Rejects disguised names.
 * @throws UserError if a name is a link, or mixes alphabets so that it reads like another
 */
function refuseDisguise(text: string, { what }: TextLimits): void {
  if (link.test(text)) {
    throw new UserError(`${what} is no link. Links are asked for further on.`)
  }
  const stray = strayLetter(text)
  if (stray === undefined) return
  const { letter, script } = stray
  const article = /^A/u.test(script) ? 'an' : 'a'
  throw new UserError(
    `“${letter}” (${codeOf(letter)}) is ${article} ${script} letter in a word of Latin ones. Write each word in one alphabet.`,
  )
}

function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
