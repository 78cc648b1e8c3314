import { plain } from '../chain/airlock/calldata.ts'
import type { Effects } from '../chain/airlock/effects.ts'
import { type Message, type Span, t } from '../core/view.ts'
import { feesRows, viewOfShares } from './table/fees.ts'
import { priceRows, proceedsRows } from './table/sale.ts'
import { controlRows, supplyRows } from './table/token.ts'
import type { RowGroup, Viewpoint } from './table/value.ts'

// The table of what a launch does. The review shows what was asked; the chat and the signing page show next to it what
// the payload does. A row is a plain JSON value, its words, and a comparison of two values. To add an effect, add an
// entry to the rows of its group.

const definitions = {
  ...supplyRows,
  ...priceRows,
  ...feesRows,
  ...proceedsRows,
  ...controlRows,
} as const

/**
 * `same`: as asked. `unasked`: nothing was asked. `different`: not as asked. `unusual`: nothing was asked, and it is not
 * what people expect. `different` and `unusual` make a payload "Not verified".
 */
type RowState = 'same' | 'unasked' | 'different' | 'unusual'

export interface Row {
  /** Rows that are no effect of the payload itself have keys of their own. */
  key: RowKey | 'gas' | 'metadata' | 'picture' | 'stranger' | 'taken'
  group: RowGroup
  label: Message
  /** The payload's effect; absent at the review, before it is built. Accounts are code, with their whole address. */
  does?: Span
  asked?: Span
  state: RowState
  /** Why it is unusual or not as asked. */
  why?: Message
  /** Whether the deviation comes from the template instead of an answer. */
  changed?: true
  /** Whether a rehearsal on the chain showed the same. */
  rehearsed?: boolean
  /** Whether to show it first although it is as asked. */
  first?: boolean
}

export type RowKey = keyof typeof definitions
const keys = Object.keys(definitions).filter((key): key is RowKey => key in definitions)

/**
 * The values that were asked for, by row: the template's pinned values and the person's answers. JSON, as in a file of templates; null:
 * the row must not exist; absent: nothing was asked.
 */
export type Asked = Partial<Record<RowKey, unknown>>

/**
 * Parses a template's pinned values.
 * @returns the asked rows, or the first wrong key and its fault
 */
export function readAsked(values: Record<string, unknown>): { asked: Asked } | { wrong: string } {
  for (const [key, value] of Object.entries(values)) {
    if (!isRowKey(key)) return { wrong: `there is no row ${key}; there are ${keys.join(', ')}` }
    if (value !== null && !definitions[key].schema.safeParse(value).success) {
      return { wrong: `${key} has another form` }
    }
  }
  return { asked: values }
}

function isRowKey(key: string): key is RowKey {
  return Object.hasOwn(definitions, key)
}

/** Returns a payload's values as a template would pin them; null for rows that it doesn't have. */
export function valuesOf(effects: Effects, view: Viewpoint): Asked {
  return Object.fromEntries(keys.map((key) => [key, definitions[key].read(effects, view) ?? null]))
}

/**
 * Makes the review's rows of what is asked; rows to read first come first.
 * @param later rows to mention even if nothing is asked: only the payload says what they are
 */
export function askedRows(
  asked: Asked,
  viewpoint: Viewpoint,
  later: readonly RowKey[] = [],
): Row[] {
  const view = withSafeSymbol(viewpoint)
  const rows = keys.flatMap((key): Row[] => {
    const value = asked[key]
    const { group, label, text, isShownFirst } = definitions[key]
    if (value === undefined && later.includes(key)) {
      return [{ key, group, label, asked: t('terms-later'), state: 'unasked' }]
    }
    if (value === undefined || value === null) return []
    const row: Row = { key, group, label, asked: text(value, view), state: 'unasked' }
    return [isShownFirst(value) ? { ...row, first: true } : row]
  })
  return firstOnes(rows)
}

/** Makes a payload's table; deviations and rows to read first come first. */
export function tableOf(effects: Effects, asked: Asked, viewpoint: Viewpoint): Row[] {
  const { quote, ...rest } = withSafeSymbol(viewpoint)
  const view = { ...rest, quote: { ...quote, address: effects.quote } }
  const rows = keys.flatMap((key): Row[] => {
    const row = rowOf(key, effects, asked, view)
    if (!row) return []
    const { read, isShownFirst } = definitions[key]
    const value = read(effects, view)
    return [value !== undefined && isShownFirst(value) ? { ...row, first: true } : row]
  })
  return firstOnes(rows)
}

function firstOnes(rows: readonly Row[]): Row[] {
  return [...rows.filter(isAlarming), ...rows.filter((row) => !isAlarming(row))]
}

/** Returns whether a row belongs before all others. */
function isAlarming(row: Row): boolean {
  return isDeviation(row) || row.first === true
}

/** Max characters of a token's symbol that are shown; anybody can make a token with a longer one. */
const maxSymbol = 20

/** Removes invisible characters from the quote token's symbol, and shortens it. */
function withSafeSymbol({ quote, ...view }: Viewpoint): Viewpoint {
  const symbol = plain([...quote.symbol.slice(0, 2 * maxSymbol)].slice(0, maxSymbol).join(''))
  return { ...view, quote: { ...quote, symbol } }
}

/** A titled part of the table: `first` are the alarming rows. */
export interface Section {
  group: 'first' | RowGroup
  title: Message
  rows: readonly Row[]
}

const titles: Readonly<Record<RowGroup, Message>> = {
  Supply: t('terms-group-supply'),
  Price: t('terms-group-price'),
  Fees: t('terms-group-fees'),
  Proceeds: t('terms-group-raised'),
  Control: t('terms-group-control'),
  Cost: t('terms-group-cost'),
}
const groups: readonly RowGroup[] = ['Supply', 'Price', 'Fees', 'Proceeds', 'Control', 'Cost']

/** Groups the table as it is shown everywhere: alarming rows first, then by topic. Empty sections are left out. */
export function sectionsOf(rows: readonly Row[]): Section[] {
  const calm = rows.filter((row) => !isAlarming(row))
  const sections: Section[] = [
    { group: 'first', title: t('terms-first'), rows: rows.filter(isAlarming) },
    ...groups.map((group) => ({
      group,
      title: titles[group],
      rows: calm.filter((row) => row.group === group),
    })),
  ]
  return sections.filter(({ rows }) => rows.length > 0)
}

/** Returns the mark after a row that is no deviation; undefined if nothing was asked and nothing rehearsed. */
export function markOf({ state, rehearsed }: Row): Message | undefined {
  if (state === 'same') return rehearsed ? t('terms-mark-same-simulated') : t('terms-mark-same')
  return rehearsed ? t('terms-mark-simulated') : undefined
}

/** Explains the marks of a table, and why some of its rows have none. */
export function marksWords(rows: readonly Row[]): Message {
  const isRehearsed = rows.some(({ rehearsed }) => rehearsed)
  const marks = isRehearsed ? t('terms-marks-simulated') : t('terms-marks')
  const hasBare = rows.some((row) => isRowKey(row.key) && !isDeviation(row) && !markOf(row))
  return hasBare ? t('terms-marks-none', { marks }) : marks
}

/** Returns whether a row makes the payload "Not verified". */
export function isDeviation({ state }: Pick<Row, 'state'>): boolean {
  return state === 'different' || state === 'unusual'
}

function rowOf(key: RowKey, effects: Effects, asked: Asked, view: Viewpoint): Row | undefined {
  const { group, label, read, text, isSame, unusualReason, leavesOpen } = definitions[key]
  const value = read(effects, view)
  const expected = asked[key]
  if (value === undefined) {
    if (expected === undefined || expected === null || isNothing(expected)) return undefined
    return { key, group, label, does: none, asked: text(expected, view), state: 'different' }
  }
  const isShares = key === 'shares' || key === 'laterShares'
  const named = isShares ? viewOfShares(expected, value, view, effects) : view
  const does = text(value, named, effects)
  if (expected === null) return { key, group, label, does, asked: none, state: 'different' }
  if (expected === undefined) {
    const why = unusualReason(value, view, effects)
    return {
      key,
      group,
      label,
      does,
      state: why === undefined ? 'unasked' : 'unusual',
      ...(why !== undefined && { why }),
    }
  }
  const row = { key, group, label, does, asked: text(expected, view) }
  if (!isSame(expected, value, view, effects)) return { ...row, state: 'different' }
  const why = leavesOpen(expected) ? unusualReason(value, view, effects) : undefined
  return why === undefined ? { ...row, state: 'same' } : { ...row, state: 'unusual', why }
}

const none = t('terms-none')

function isNothing(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
