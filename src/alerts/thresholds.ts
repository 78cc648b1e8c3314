import Big from 'big.js'
import { z } from 'zod'
import type { Figures } from '../api/figures.ts'
import type { Money } from '../api/units.ts'
import type { EventBodyOf } from './event.ts'
import { storable, storedJson } from './snapshot.ts'
import type { MovementFilter } from './subscriptions.ts'

/** What is remembered of a filter between looks. */
const memorySchema = z.object({
  /** Where it was last told, or first seen. */
  value: z.object({ amount: z.string(), currency: z.enum(['usd', 'numeraire']) }),
  /** Whether it is on the side from which it can cross. */
  armed: z.boolean(),
  /** Unix seconds at which it was last told; 0 where it never was. */
  toldAt: z.number(),
  /** How often it was told. */
  count: z.number(),
})
type Memory = z.output<typeof memorySchema>
/** By chain: one address can stand for different assets on several. */
const memoriesSchema = z.record(z.string(), memorySchema)

/** A movement to tell of; `count` tells it from the others of its filter. */
interface Moved
  extends Pick<EventBodyOf<'price' | 'mcap'>, 'value' | 'reference' | 'direction' | 'by'> {
  count: number
}

type Filter = Pick<MovementFilter, 'setting' | 'memory'>
type Mark = Exclude<MovementFilter['setting'], { moves: number }>

/** Seconds between two movements of one filter. */
const cooldown = 600
/** A value has to go back past the mark by this share of it before it can cross again. */
const hysteresis = '0.02'

/** The value that a filter of this kind is about. */
export function followedValue(kind: MovementFilter['kind'], facts: Figures): Money | undefined {
  return storable(kind === 'price' ? facts.price : facts.marketCap)
}

/**
 * What became of a value since a filter's followers last heard of it: the memory to keep and, where the value crossed
 * the filter's mark or moved as far as it asks, what to tell. The first look, another currency, and a value that is not
 * known tell nothing.
 */
export function movement(
  { setting, memory }: Filter,
  chain: number,
  value: Money | undefined,
  now: number,
): { memory: string; moved: Moved | undefined } {
  if (value === undefined) return { memory, moved: undefined }
  const memories = remembered(memory)
  const known = memories[chain]
  const { next, moved } =
    known?.value.currency === value.currency
      ? since(known, setting, value, now)
      : { next: begun(known, setting, value), moved: undefined }
  return { memory: JSON.stringify({ ...memories, [chain]: next }), moved }
}

interface Step {
  next: Memory
  moved: Moved | undefined
}

function begun(known: Memory | undefined, setting: Filter['setting'], value: Money): Memory {
  const { toldAt, count } = known ?? { toldAt: 0, count: 0 }
  return { value, armed: isBefore(setting, value), toldAt, count }
}

function since(known: Memory, setting: Filter['setting'], value: Money, now: number): Step {
  return 'moves' in setting
    ? movedBy(setting.moves, known, value, now)
    : crossed(setting, known, value, now)
}

function crossed(mark: Mark, known: Memory, value: Money, now: number): Step {
  const armed = known.armed || isBack(mark, value)
  if (!armed || isBefore(mark, value) || !isCool(known, now)) {
    return { next: { ...known, armed }, moved: undefined }
  }
  const count = known.count + 1
  const moved: Moved = {
    value,
    reference: { amount: 'above' in mark ? mark.above : mark.below, currency: value.currency },
    direction: 'above' in mark ? 'up' : 'down',
    by: 'crossing',
    count,
  }
  return { next: { value, armed: false, toldAt: now, count }, moved }
}

function movedBy(percent: number, known: Memory, value: Money, now: number): Step {
  const from = Big(known.value.amount)
  // Nothing is no share of nothing: it is counted from the first value that is more.
  if (from.eq(0)) return { next: { ...known, value }, moved: undefined }
  const by = Big(value.amount).minus(from)
  const isFar = by.abs().times(100).gte(from.times(percent))
  if (!isFar || !isCool(known, now)) return { next: known, moved: undefined }
  const count = known.count + 1
  const moved: Moved = {
    value,
    reference: known.value,
    direction: by.gt(0) ? 'up' : 'down',
    by: 'movement',
    count,
  }
  return { next: { ...known, value, toldAt: now, count }, moved }
}

/** Whether a value has yet to cross the mark. */
function isBefore(setting: Filter['setting'], { amount }: Money): boolean {
  if ('above' in setting) return Big(amount).lt(setting.above)
  return 'below' in setting && Big(amount).gt(setting.below)
}

/** Whether a value is so far from the mark that it can cross it anew. */
function isBack(mark: Mark, { amount }: Money): boolean {
  return 'above' in mark
    ? Big(amount).lte(Big(mark.above).times(Big(1).minus(hysteresis)))
    : Big(amount).gte(Big(mark.below).times(Big(1).plus(hysteresis)))
}

/** A time to come is of a clock that was set back since. */
function isCool({ toldAt }: Memory, now: number): boolean {
  return now >= toldAt + cooldown || now < toldAt
}

function remembered(memory: string): Record<string, Memory> {
  return memoriesSchema.safeParse(storedJson(memory)).data ?? {}
}
