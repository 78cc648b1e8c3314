/**
 * Cuts a text to this many characters, ending in … if cut, and removes control characters, because names and answers
 * are untrusted.
 */
export function clipped(text: string, max: number): string {
  const plain = [...withoutControls(text)]
  return plain.length <= max ? plain.join('') : `${plain.slice(0, max - 1).join('')}…`
}

/** Removes invisible characters, which could act on a terminal. */
function withoutControls(text: string): string {
  return text.replaceAll(/\p{C}/gu, '')
}

/** Makes a line of cells of fixed widths. */
export function row(...cells: [text: string, columns: number][]): string {
  const texts = cells.map(([text, columns]) => clipped(text, columns).padEnd(columns))
  return `  ${texts.join(' ')}`.trimEnd()
}

/**
 * Breaks a text into lines of at most 80 columns, the later ones indented by `hanging` more. Words that are longer than
 * a line are broken; a line to paste stays whole.
 */
export function wrapText(text: string, hanging = 0): string[] {
  if (/^#?API_/u.test(text)) return [text]
  return wrapped(text, 76).map((line, index) => `  ${index > 0 ? ' '.repeat(hanging) : ''}${line}`)
}

/** Breaks a text into lines of at most this many columns. */
export function wrapped(text: string, columns: number): string[] {
  const lines = new RegExp(`\\S{${columns}}|.{1,${columns}}(?:\\s|$)`, 'gu')
  return (
    withoutControls(text)
      .match(lines)
      ?.map((line) => line.trim()) ?? []
  )
}

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
