const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Shortens untrusted text to one line of at most `max` graphemes, without invisible characters or ones that change the
 * direction. Wallets' browsers may be too old for what `core/text.ts` does.
 */
export function clean(words: string, max: number): string {
  const line = words
    .slice(0, max * 16)
    .replaceAll(/[\p{Cf}\p{Co}\p{Cs}]/gu, '')
    .replaceAll(/[\s\p{Cc}\p{Z}]+/gu, ' ')
    .trim()
  const characters = Array.from(graphemes.segment(line), ({ segment }) => segment)
  if (characters.length <= max) return line
  return `${characters.slice(0, max - 1).join('')}…`
}

/** Escapes invisible characters, so that different texts never look the same. */
export function visible(words: string): string {
  const shown = words
    .slice(0, 200)
    .replaceAll(/(?! )[\p{C}\p{Z}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16) ?? ''}}`)
  return words.length > 200 ? `${shown}…` : shown
}
