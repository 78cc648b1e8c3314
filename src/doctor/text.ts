/** A titled part of what is printed. */
export interface Section {
  title: string
  lines: readonly string[]
}

/** Joins sections, with an empty line between them. */
export function sectionsText(sections: readonly Section[]): string {
  const texts = sections.map(({ title, lines }) => [title, ...lines].join('\n'))
  return `${texts.join('\n\n')}\n`
}

/**
 * Cuts a text to this many characters, ending in … if cut, and removes control characters, because names and answers
 * are untrusted.
 */
export function clipped(text: string, max: number): string {
  const plain = [...withoutControls(text)]
  return plain.length <= max ? plain.join('') : `${plain.slice(0, max - 1).join('')}…`
}

/** Breaks a text into lines of at most this many columns, indented by two, the later ones by `hanging` more. */
export function wrapText(text: string, hanging = 0, columns = 80): string[] {
  const width = columns - 4
  const lines = new RegExp(`\\S{${width}}|.{1,${width}}(?:\\s|$)`, 'gu')
  return (withoutControls(text).match(lines) ?? []).map(
    (line, index) => `  ${index > 0 ? ' '.repeat(hanging) : ''}${line.trim()}`,
  )
}

/** Removes invisible characters, which could act on a terminal. */
function withoutControls(text: string): string {
  return text.replaceAll(/\p{C}/gu, '')
}
