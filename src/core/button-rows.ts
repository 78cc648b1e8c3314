import { LRUCache } from 'lru-cache'
import { graphemesOf } from './text.ts'

/** Limits of a row of buttons on a platform. */
interface RowLimits {
  /** Maximum buttons. */
  max: number
  /** Maximum width of all buttons, in columns of text; any by default. Buttons of a row are equally wide. */
  columns?: number
}

/**
 * Splits buttons that belong together into as few rows as their labels allow, of nearly equal length, so that none is left
 * alone below a full row.
 * @example
 *   balancedRows(sixButtons, { max: 5 }) // three and three
 */
export function balancedRows<T extends { label: string }>(
  buttons: readonly T[],
  limits: RowLimits,
): T[][] {
  for (let count = 1; count < buttons.length; count += 1) {
    const rows = inRows(buttons, count)
    if (rows.every((row) => fits(row, limits))) return rows
  }
  return buttons.map((button) => [button])
}

/** The first rows are the longer ones. */
function inRows<T>(buttons: readonly T[], count: number): T[][] {
  const length = Math.floor(buttons.length / count)
  const longer = buttons.length % count
  return Array.from({ length: count }, (_, row) => {
    const from = row * length + Math.min(row, longer)
    return buttons.slice(from, from + length + (row < longer ? 1 : 0))
  })
}

/** Columns of a button beside those of its label. */
const padding = 2

function fits(row: readonly { label: string }[], { max, columns }: RowLimits): boolean {
  if (row.length > max || columns === undefined) return row.length <= max
  const widest = Math.max(...row.map(({ label }) => columnsOf(label)))
  return (widest + padding) * row.length <= columns
}

const wide =
  /\p{Emoji_Presentation}|\p{Extended_Pictographic}|[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\uff00-\uff60]/u

/** Widths of labels, nearly all of which are our own: to measure them took a third of rendering a card. */
const widths = new LRUCache<string, number>({ max: 1_000 })

/** The width of a text: Chinese, Japanese and Korean letters and emoji are twice as wide as others. */
function columnsOf(text: string): number {
  const cached = widths.get(text)
  if (cached !== undefined) return cached
  const columns = measured(text)
  widths.set(text, columns)
  return columns
}

function measured(text: string): number {
  return [...graphemesOf(text)].reduce((sum, { segment }) => sum + (wide.test(segment) ? 2 : 1), 0)
}
