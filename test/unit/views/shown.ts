import { plainText } from '../../../src/core/catalogue.ts'
import type { Block, Button, View } from '../../../src/core/view.ts'

/** A view as lines of plain text, in the order in which people read it. */
export function shown(view: View): string[] {
  return [plainText(view.title), ...view.blocks.flatMap(lines)]
}

/** Labels of the buttons with what they do, row by row. */
export function controls(view: View): string[][] {
  return (view.buttons ?? []).map((row) =>
    row.map((button) => `${plainText(button.label)} ${target(button)}`),
  )
}

function lines(block: Block): string[] {
  switch (block.kind) {
    case 'text':
      return [plainText(block.spans)]
    case 'copy':
      return [block.text]
    case 'details':
      return block.lines.map((line) => `(${plainText(line)})`)
    case 'lines':
      return block.lines.map((line) => plainText(line))
    case 'fields':
      // A localised label has its colon already.
      return block.fields.map(
        ([label, value]) => `${plainText(label).replace(/:$/u, '')}: ${plainText(value)}`,
      )
    case 'progress':
      return [`${plainText(block.label)} [${block.ratio}]`]
    case 'list':
      return block.items.map(
        ({ spans, open }, index) =>
          `${block.first + index}. ${plainText(spans)} [${plainText(open.label)}: ${open.line}]`,
      )
  }
}

function target(button: Button): string {
  if ('url' in button) return button.url
  if ('copy' in button) return `copies ${button.copy}`
  return button.opens ? `+${button.line}` : button.line
}
