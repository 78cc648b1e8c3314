const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

// A joiner between two emoji makes one picture of them; between letters of these scripts it is spelling.
const scripts =
  'Arabic Syriac Mongolian Bengali Devanagari Gujarati Gurmukhi Kannada Khmer Malayalam Oriya Sinhala Tamil Telugu'
const letter = `[[${scripts.replaceAll(/\w+ ?/gu, (name) => `\\p{Script=${name.trim()}}`)}]--\\p{Cf}]`
const joiners =
  '(?<=\\p{Extended_Pictographic}[\\u{fe0f}\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic})' +
  `|(?<=${letter})[\\u200c\\u200d](?=${letter})`
// Only what has two looks, or more, is told by such a character which one is meant.
const looks =
  '(?<=\\p{Extended_Pictographic}[\\u{1f3fb}-\\u{1f3ff}]?)[\\ufe0e\\ufe0f]' +
  '|(?<=[0-9#*])\\ufe0f(?=\\u20e3)' +
  '|(?<=\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]' +
  '|(?<=\\p{Ideographic})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]'
// Format characters (bidi controls, zero-width, tags), lone surrogates, private use, and letters that draw nothing.
const unseen = new RegExp(
  `(${joiners}|${looks}|\\p{RGI_Emoji_Tag_Sequence})` +
    '|[\\p{Cf}\\p{Cs}\\p{Co}\\p{Variation_Selector}\\p{Noncharacter_Code_Point}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u3164\\uffa0]',
  'gv',
)
const strayMarks = /(?<=^|[\s\p{Cc}\p{Z}\u2800])\p{M}+/gu
const stackedMarks = /(\p{M}{3})\p{M}+/gu
const spaces = /[\s\p{Cc}\p{Z}\u2800]+/gu

/**
 * Text by strangers as one line without anything that acts on its surroundings: control, bidi and invisible
 * characters go, every run of white space becomes one space, combining marks with nothing to sit on go and towers of
 * them are cut to three. Emoji sequences and the joiners that scripts need stay whole.
 */
export function harmless(text: string): string {
  return text
    .replace(unseen, (_, kept: string | undefined) => kept ?? '')
    .replace(strayMarks, '')
    .replace(spaces, ' ')
    .replace(stackedMarks, '$1')
}

/** The first character that `harmless` takes out because nobody sees it; undefined where there is none. */
export function firstUnseen(text: string): string | undefined {
  for (const [found, kept] of text.matchAll(unseen)) {
    if (kept === undefined) return found
  }
  return undefined
}

/** How many characters people see. */
export function countCharacters(text: string): number {
  return [...graphemes.segment(text)].length
}

/**
 * At most `most` characters as people count them, and at most twice as many UTF-16 units, for one character can be
 * arbitrarily long; a cut is marked with an ellipsis, which counts as one.
 */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  if (most < 1) return ''
  // Half a pair at the end would look like a character of its own.
  const window = text.slice(0, most * 2).replace(/[\ud800-\udbff]$/, '')
  let lastFit = 0
  let count = 0
  for (const { index } of graphemes.segment(window)) {
    if (count < most) lastFit = index
    count += 1
    if (count > most) break
  }
  if (count <= most && window.length === text.length) return text
  return ended(window.slice(0, lastFit))
}

/** At most `most` UTF-16 units, cut between characters as people count them: for limits of the platforms. */
export function shortenUnits(text: string, most: number): string {
  if (text.length <= most) return text
  if (most < 1) return ''
  // The character in the place of the ellipsis has to go, as a whole.
  const gone = graphemes.segment(text.slice(0, most + 1)).containing(most - 1)
  return ended(text.slice(0, gone?.index ?? 0))
}

function ended(text: string): string {
  return `${text.toWellFormed().trimEnd()}…`
}

/** The items in order, in rows of at most `size`. */
export function chunks<T>(items: readonly T[], size: number): T[][] {
  const rows: T[][] = []
  for (let at = 0; at < items.length; at += size) rows.push(items.slice(at, at + size))
  return rows
}

const cells = 10

/** From here on the first cell is nearer to the truth than none. */
const firstCell = 0.05

/** Ten cells for a ratio of 0 to 1. Rounded down, so that a full bar means all of it; the first comes from 5 % on. */
export function progressBar(ratio: number): string {
  const bounded = Math.min(1, Math.max(0, ratio))
  const full = Math.max(bounded < firstCell ? 0 : 1, Math.floor(bounded * cells))
  return '▰'.repeat(full) + '▱'.repeat(cells - full)
}
