const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

// A joiner between two emoji makes one picture of them; between letters of these scripts it is spelling.
const joiners =
  '(?<=\\p{Extended_Pictographic}[\\u{fe0f}\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic})' +
  '|(?<=[\\p{Script=Arabic}\\p{Script=Devanagari}])[\\u200c\\u200d](?=[\\p{Script=Arabic}\\p{Script=Devanagari}])'
// Format characters (bidi controls, zero-width, tags), lone surrogates, private use, and letters that draw nothing.
const unseen = new RegExp(
  `(${joiners})|[\\p{Cf}\\p{Cs}\\p{Co}\\p{Noncharacter_Code_Point}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u3164\\uffa0]`,
  'gu',
)
const stackedMarks = /(\p{M}{3})\p{M}+/gu
const spaces = /[\s\p{Cc}\p{Z}\u2800]+/gu

/**
 * Text by strangers as one line without anything that acts on its surroundings: control, bidi and invisible
 * characters go, every run of white space becomes one space, and towers of combining marks are cut to three.
 * Emoji sequences and the joiners that scripts need stay whole.
 */
export function harmless(text: string): string {
  return text
    .replace(unseen, (_, joiner: string | undefined) => joiner ?? '')
    .replace(spaces, ' ')
    .replace(stackedMarks, '$1')
}

/** At most `most` characters as people count them; a cut is marked with an ellipsis, which counts as one. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  // One grapheme can be arbitrarily long; a window keeps the work bounded.
  const window = text.slice(0, most * 32)
  let lastFit = 0
  let count = 0
  for (const { index } of graphemes.segment(window)) {
    if (count === most - 1) lastFit = index
    count += 1
    if (count > most) break
  }
  if (count <= most && window.length === text.length) return text
  return `${window.slice(0, lastFit).toWellFormed().trimEnd()}…`
}

/** At most `most` UTF-16 units, cut between characters as people count them: for limits of the platforms. */
export function shortenUnits(text: string, most: number): string {
  if (text.length <= most) return text
  for (let characters = most; characters > 0; ) {
    const shorter = shorten(text, characters)
    if (shorter.length <= most) return shorter
    characters = Math.min(characters - 1, Math.floor((characters * most) / shorter.length))
  }
  return ''
}
