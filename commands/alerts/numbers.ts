import { parseAmount } from '../../src/alerts/amount.ts'
import type { Kind } from '../../src/alerts/rule.ts'
import { kindNamed } from '../../src/alerts/rules.ts'
import type { LineOptions } from '../../src/alerts/views/rule.ts'
import { UserError } from '../../src/errors.ts'

const number = /^\$?(?:\d[\d.]*|\.\d+)(?:e[+-]?\d+|%|[hkmb]|min|[ap]m|:\d\d)?$/iu

/** Whether a word is a number, as people also write it behind a kind without the name of its option. */
export function isNumber(word: string): boolean {
  return number.test(word)
}

/** Whether a kind is set to one. */
export function takesNumber(kind: Kind): boolean {
  return !['live', 'incoming', 'graduated'].includes(kind)
}

/** The options that the numbers among `words` were meant for: those of the kind before each. */
export function settingsMeant(
  words: readonly string[],
  { percent = [] }: { percent?: readonly number[] | undefined },
): LineOptions {
  const numbers = new Map<Kind, string[]>()
  let kind = words.flatMap((word) => kindNamed(word) ?? []).find(takesNumber)
  for (const word of words) {
    const named = kindNamed(word)
    if (named && takesNumber(named)) kind = named
    if (kind && isNumber(word)) numbers.set(kind, [...(numbers.get(kind) ?? []), word])
  }
  const settings = [...numbers].map(([each, typed]) => settingMeant(each, typed, percent))
  return Object.assign({}, ...settings)
}

/** Where a number does not fit, one that does stands in as an example. */
function settingMeant(
  kind: Kind,
  typed: readonly string[],
  percent: readonly number[],
): LineOptions {
  const [first = ''] = typed
  const whole = Number.parseInt(first.replace('$', ''), 10)
  if (kind === 'progress') {
    const all = [...percent, ...typed.map((each) => Number.parseInt(each, 10))]
    return { percent: all.filter((each) => isWithin(each, 1, 100)).join(',') || '25,50,100' }
  }
  if (kind === 'ending')
    return { minutes: within(whole * (/h$/iu.test(first) ? 60 : 1), 5, 1440, 30) }
  if (kind === 'digest') return { hour: within(whole + (/pm$/iu.test(first) ? 12 : 0), 0, 23, 9) }
  if (first.endsWith('%')) return { move: within(whole, 1, 1000, 10) }
  return { above: amountMeant(typed) ?? (kind === 'price' ? '0.5' : '2.5m') }
}

function within(value: number, least: number, most: number, otherwise: number): number {
  return isWithin(value, least, most) ? value : otherwise
}

function isWithin(value: number, least: number, most: number): boolean {
  return value >= least && value <= most
}

function amountMeant(typed: readonly string[]): string | undefined {
  const [first = ''] = typed
  const isThousands = /^\$?\d{1,3}(?:,\d{3})+$/u.test(typed.join(','))
  try {
    return parseAmount(isThousands ? typed.join('') : first)
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}
