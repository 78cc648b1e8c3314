const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

// Joiners that are kept: between two emoji, which they combine into one, and between letters of these scripts.
const scripts =
  'Arabic Syriac Mongolian Bengali Devanagari Gujarati Gurmukhi Kannada Khmer Malayalam Oriya Sinhala Tamil Telugu'
const letter = `[[${scripts.replaceAll(/\w+ ?/gu, (name) => `\\p{Script=${name.trim()}}`)}]--\\p{Cf}]`
const joiners =
  '(?<=\\p{Extended_Pictographic}[\\u{fe0f}\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic})' +
  `|(?<=${letter})[\\u200c\\u200d](?=${letter})`
// Variation selectors that are kept: after characters that have variants.
const variationSelectors =
  '(?<=\\p{Extended_Pictographic}[\\u{1f3fb}-\\u{1f3ff}]?)[\\ufe0e\\ufe0f]' +
  '|(?<=[0-9#*])\\ufe0f(?=\\u20e3)' +
  '|(?<=\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]' +
  '|(?<=\\p{Ideographic})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]'
// Group 1 is what is kept. The rest is removed: format characters (bidi controls, zero-width, tags), lone surrogates,
// private use, and letters that draw nothing.
const invisible = new RegExp(
  `(${joiners}|${variationSelectors}|\\p{RGI_Emoji_Tag_Sequence})` +
    '|[\\p{Cf}\\p{Cs}\\p{Co}\\p{Variation_Selector}\\p{Noncharacter_Code_Point}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u3164\\uffa0]',
  'gv',
)
const strayMarks = /(?<=^|[\s\p{Cc}\p{Z}\u2800])\p{M}+/gu
const stackedMarks = /(\p{M}{3})\p{M}+/gu
const spaces = /[\s\p{Cc}\p{Z}\u2800]+/gu

/**
 * Makes text by strangers safe to show within other text, on one line: removes control, bidi and invisible characters,
 * turns each run of white space into one space, removes combining marks without a base, and cuts stacks of marks to
 * three. Emoji sequences and the joiners that scripts need are kept.
 */
export function harmless(text: string): string {
  return text
    .replace(invisible, (_, kept: string | undefined) => kept ?? '')
    .replace(strayMarks, '')
    .replace(spaces, ' ')
    .replace(stackedMarks, '$1')
}

/** The first invisible character that `harmless` removes; undefined if there is none. */
export function firstUnseen(text: string): string | undefined {
  for (const [found, kept] of text.matchAll(invisible)) {
    if (kept === undefined) return found
  }
  return undefined
}

/** Number of characters as people count them (grapheme clusters). */
export function countCharacters(text: string): number {
  return [...graphemes.segment(text)].length
}

/**
 * Shortens a text to at most `max` grapheme clusters, and at most `2 * max` UTF-16 units, since one cluster can be
 * arbitrarily long. A cut ends with an ellipsis, which counts as one.
 * @example
 *   shorten('Moon Otter', 6) // 'Moon…'
 */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  if (max < 1) return ''
  // Half a surrogate pair at the end would count as a character.
  const window = text.slice(0, max * 2).replace(/[\ud800-\udbff]$/, '')
  let lastFit = 0
  let count = 0
  for (const { index } of graphemes.segment(window)) {
    if (count < max) lastFit = index
    count += 1
    if (count > max) break
  }
  if (count <= max && window.length === text.length) return text
  return withEllipsis(window.slice(0, lastFit))
}

/** Shortens a text to at most `max` UTF-16 units, cut between grapheme clusters: for limits of the platforms. */
export function shortenUnits(text: string, max: number): string {
  if (text.length <= max) return text
  if (max < 1) return ''
  // The ellipsis replaces the whole cluster at its position.
  const replaced = graphemes.segment(text.slice(0, max + 1)).containing(max - 1)
  return withEllipsis(text.slice(0, replaced?.index ?? 0))
}

function withEllipsis(text: string): string {
  return `${text.toWellFormed().trimEnd()}…`
}

/** Splits items into rows of at most `size`. */
export function chunks<T>(items: readonly T[], size: number): T[][] {
  const rows: T[][] = []
  for (let at = 0; at < items.length; at += size) rows.push(items.slice(at, at + size))
  return rows
}

const cells = 10

/** The ratio from which the first cell is full: half a cell. */
const firstCellFrom = 0.05

/** A bar of ten cells for a ratio of 0 to 1. Rounded down, so that a full bar means 1; the first cell is full from 0.05 on. */
export function progressBar(ratio: number): string {
  const bounded = Math.min(1, Math.max(0, ratio))
  const full = Math.max(bounded < firstCellFrom ? 0 : 1, Math.floor(bounded * cells))
  return '▰'.repeat(full) + '▱'.repeat(cells - full)
}
