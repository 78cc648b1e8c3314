import Big from 'big.js'
import { z } from 'zod'
import type { Figures } from '../api/figures.ts'
import type { Money } from '../api/units.ts'
import type { EventBodyOf } from './event.ts'
import { storable, storedJson } from './snapshot.ts'
import type { MovementFilter } from './subscriptions.ts'

/** What is stored of a filter between polls. */
const memorySchema = z.object({
  /** The value at the last notification, or the first one observed. */
  value: z.object({ amount: z.string(), currency: z.enum(['usd', 'numeraire']) }),
  /** Whether the value is on the side from which it can cross the mark. */
  armed: z.boolean(),
  /** Unix seconds of the last notification; 0 if there was none. */
  toldAt: z.number(),
  /** How many notifications there were. */
  count: z.number(),
})
type Memory = z.output<typeof memorySchema>
/** By chain id: one address can belong to different assets on several chains. */
const memoriesSchema = z.record(z.string(), memorySchema)

/** A movement to notify of; `count` makes its key unique within the filter. */
interface Moved
  extends Pick<EventBodyOf<'price' | 'mcap'>, 'value' | 'reference' | 'direction' | 'by'> {
  count: number
}

type Filter = Pick<MovementFilter, 'setting' | 'memory'>
type Mark = Exclude<MovementFilter['setting'], { moves: number }>

/** Minimum seconds between two notifications of one filter. */
const cooldown = 600
/** To cross again, the value must first go back past the mark by this share of it. */
const hysteresis = '0.02'

/** The figure that a filter of this kind compares; undefined if it is unknown. */
export function followedValue(kind: MovementFilter['kind'], facts: Figures): Money | undefined {
  return storable(kind === 'price' ? facts.price : facts.marketCap)
}

/**
 * Compares a value with a filter's memory. Returns the new memory and, if the value crossed the mark or moved far
 * enough, the movement to notify of. The first value, one in another currency, and an unknown one produce none.
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
  // A percentage of zero is undefined: start from the first value above it.
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

/** Whether a value has not crossed the mark yet. */
function isBefore(setting: Filter['setting'], { amount }: Money): boolean {
  if ('above' in setting) return Big(amount).lt(setting.above)
  return 'below' in setting && Big(amount).gt(setting.below)
}

/** Whether a value went back far enough to cross the mark again. */
function isBack(mark: Mark, { amount }: Money): boolean {
  return 'above' in mark
    ? Big(amount).lte(Big(mark.above).times(Big(1).minus(hysteresis)))
    : Big(amount).gte(Big(mark.below).times(Big(1).plus(hysteresis)))
}

/** Whether the cooldown is over. A timestamp in the future means the clock was set back; ignore it. */
function isCool({ toldAt }: Memory, now: number): boolean {
  return now >= toldAt + cooldown || now < toldAt
}

function remembered(memory: string): Record<string, Memory> {
  return memoriesSchema.safeParse(storedJson(memory)).data ?? {}
}
