const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A stranger's words as one line of at most `most` characters, without any that are unseen or turn the line around. */
export function clean(words: string, most: number): string {
  const line = words
    .slice(0, most * 16)
    .replaceAll(/[\p{Cf}\p{Co}\p{Cs}]/gu, '')
    .replaceAll(/[\s\p{Cc}\p{Z}]+/gu, ' ')
    .trim()
  const characters = [...graphemes.segment(line)].map(({ segment }) => segment)
  if (characters.length <= most) return line
  return `${characters.slice(0, most - 1).join('')}…`
}

/** Words in which what is not seen is written out, so that two that differ never look the same. */
export function visible(words: string): string {
  const shown = words
    .slice(0, 200)
    .replaceAll(/(?! )[\p{C}\p{Z}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16) ?? ''}}`)
  return words.length > 200 ? `${shown}…` : shown
}

/** Digits in groups of three. */
export function grouped(digits: string): string {
  return digits.replaceAll(/\B(?=(?:\d{3})+$)/gu, ',')
}
