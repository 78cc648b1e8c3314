import { type Block, type Button, plainSpans, type View } from '../../../src/core/view.ts'

/** A view as lines of plain text, in the order in which people read it. */
export function shown(view: View): string[] {
  return [plainSpans(view.title), ...view.blocks.flatMap(lines)]
}

/** Labels of the buttons with what they do, row by row. */
export function controls(view: View): string[][] {
  return (view.buttons ?? []).map((row) => row.map((button) => `${button.label} ${target(button)}`))
}

function lines(block: Block): string[] {
  switch (block.kind) {
    case 'text':
      return [plainSpans(block.spans)]
    case 'fields':
      return block.fields.map(([label, value]) => `${label}: ${plainSpans(value)}`)
    case 'progress':
      return [`${block.label} [${block.ratio}]`]
    case 'list':
      return block.items.map(
        ({ spans, open }, index) =>
          `${block.first + index}. ${plainSpans(spans)} [${open.label}: ${open.line}]`,
      )
  }
}

function target(button: Button): string {
  if ('url' in button) return button.url
  return button.opens ? `+${button.line}` : button.line
}
