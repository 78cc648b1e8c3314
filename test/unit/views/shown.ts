import { plainText } from '../../../src/core/catalogue.ts'
import type { Block, Button, Span, Text, View } from '../../../src/core/view.ts'

/** A text as people read it, to whom a no-break space is a space. */
export function read(text: Text | readonly Span[]): string {
  return plainText(text).replaceAll('\u00a0', ' ')
}

/** A view as lines of plain text, in the order in which people read it. */
export function shown(view: View): string[] {
  return [read(view.title), ...view.blocks.flatMap(lines)]
}

/** Labels of the buttons with what they do, row by row. */
export function controls(view: View): string[][] {
  return (view.buttons ?? []).map((row) =>
    row.map((button) => `${read(button.label)} ${target(button)}`),
  )
}

function lines(block: Block): string[] {
  switch (block.kind) {
    case 'text':
      return [read(block.spans)]
    case 'copy':
      return [block.text]
    case 'details':
      return block.lines.map((line) => `(${read(line)})`)
    case 'lines':
      return block.lines.map((line) => read(line))
    case 'fields':
      // A localised label has its colon already.
      return block.fields.map(
        ([label, value]) => `${read(label).replace(/:$/u, '')}: ${read(value)}`,
      )
    case 'progress':
      return [`${read(block.label)} [${block.ratio}]`]
    case 'list':
      return block.items.map(
        ({ spans, open }, index) =>
          `${block.first + index}. ${read(spans)} [${read(open.label)}: ${open.line}]`,
      )
  }
}

function target(button: Button): string {
  if ('url' in button) return button.url
  if ('copy' in button) return `copies ${button.copy}`
  return button.asNew ? `+${button.line}` : button.line
}
