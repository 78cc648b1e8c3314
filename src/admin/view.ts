import type { Block, Button, View } from '../core/view.ts'
import type { AdminError } from './action.ts'
import type { Done } from './actions.ts'

/** Characters and lines on a page, which both platforms show even if most of them have to be escaped. */
const maxCharacters = 1_500
const maxLines = 25

/** An answer as a message; longer ones have pages. `line` is the line that it answers. */
export function adminView({ lines, confirm }: Done, line: string, page: number): View {
  const pages = pagesOf(lines)
  const shown = Math.min(Math.max(1, page), pages.length)
  const turns: Button[] = [
    ...(shown > 1 ? [{ label: 'Back', line: `admin page:${shown - 1} ${line}` }] : []),
    ...(shown < pages.length ? [{ label: 'Next', line: `admin page:${shown + 1} ${line}` }] : []),
  ]
  const question: Block[] = confirm ? [{ kind: 'text', spans: [{ bold: confirm.question }] }] : []
  const doing: Button[] = confirm
    ? [{ label: 'Yes, do it', line: `admin ${confirm.line}`, look: 'danger' }]
    : []
  return {
    title: [{ bold: pages.length > 1 ? `${shown} of ${pages.length}` : 'Administration' }],
    blocks: [{ kind: 'lines', lines: (pages[shown - 1] ?? []).map((each) => [each]) }, ...question],
    buttons: [turns, doing].filter((row) => row.length > 0),
  }
}

export function problemView({ message }: AdminError): View {
  return {
    title: [],
    tone: 'warn',
    blocks: [{ kind: 'lines', lines: message.split('\n').map((each) => [each]) }],
  }
}

function pagesOf(lines: readonly string[]): string[][] {
  const pages: string[][] = [[]]
  let characters = 0
  for (const line of lines) {
    const last = pages.at(-1) ?? []
    if (last.length > 0 && (last.length >= maxLines || characters + line.length > maxCharacters)) {
      pages.push([line])
      characters = line.length
    } else {
      last.push(line)
      characters += line.length
    }
  }
  return pages
}
