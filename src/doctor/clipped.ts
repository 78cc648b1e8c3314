/**
 * A text of at most so many characters, the last of them … where it is cut. Names and answers are written by strangers: no
 * control character of theirs may reach a terminal.
 */
export function clipped(text: string, most: number): string {
  const plain = [...text.replace(/\p{C}/gu, '')]
  return plain.length <= most ? plain.join('') : `${plain.slice(0, most - 1).join('')}…`
}
