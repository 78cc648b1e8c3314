import Big from 'big.js'
import { z } from 'zod'
import type { Figures } from '../api/figures.ts'
import type { Money } from '../api/units.ts'
import type { EventBodyOf } from './event.ts'
import { storable, storedJson } from './snapshot.ts'
import type { MovementFilter } from './subscriptions.ts'

/** The state of a filter between polls, as stored. */
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
interface NotifiedMovement
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
export function comparedValue(kind: MovementFilter['kind'], facts: Figures): Money | undefined {
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
): { memory: string; moved: NotifiedMovement | undefined } {
  if (value === undefined) return { memory, moved: undefined }
  const memories = memoriesOf(memory)
  const previous = memories[chain]
  const { next, moved } =
    previous?.value.currency === value.currency
      ? compare(previous, setting, value, now)
      : { next: firstMemory(previous, setting, value), moved: undefined }
  return { memory: JSON.stringify({ ...memories, [chain]: next }), moved }
}

interface Step {
  next: Memory
  moved: NotifiedMovement | undefined
}

function firstMemory(
  previous: Memory | undefined,
  setting: Filter['setting'],
  value: Money,
): Memory {
  const { toldAt, count } = previous ?? { toldAt: 0, count: 0 }
  return { value, armed: isBefore(setting, value), toldAt, count }
}

function compare(previous: Memory, setting: Filter['setting'], value: Money, now: number): Step {
  return 'moves' in setting
    ? movedBy(setting.moves, previous, value, now)
    : crossed(setting, previous, value, now)
}

function crossed(mark: Mark, previous: Memory, value: Money, now: number): Step {
  const armed = previous.armed || isRearmed(mark, value)
  if (!armed || isBefore(mark, value) || !isCooledDown(previous, now)) {
    return { next: { ...previous, armed }, moved: undefined }
  }
  const count = previous.count + 1
  const moved: NotifiedMovement = {
    value,
    reference: { amount: 'above' in mark ? mark.above : mark.below, currency: value.currency },
    direction: 'above' in mark ? 'up' : 'down',
    by: 'crossing',
    count,
  }
  return { next: { value, armed: false, toldAt: now, count }, moved }
}

function movedBy(percent: number, previous: Memory, value: Money, now: number): Step {
  const from = Big(previous.value.amount)
  // A percentage of zero is undefined: start from the first value above it.
  if (from.eq(0)) return { next: { ...previous, value }, moved: undefined }
  const change = Big(value.amount).minus(from)
  const isFarEnough = change.abs().times(100).gte(from.times(percent))
  if (!isFarEnough || !isCooledDown(previous, now)) return { next: previous, moved: undefined }
  const count = previous.count + 1
  const moved: NotifiedMovement = {
    value,
    reference: previous.value,
    direction: change.gt(0) ? 'up' : 'down',
    by: 'movement',
    count,
  }
  return { next: { ...previous, value, toldAt: now, count }, moved }
}

/** Whether a value has not crossed the mark yet. */
function isBefore(setting: Filter['setting'], { amount }: Money): boolean {
  if ('above' in setting) return Big(amount).lt(setting.above)
  return 'below' in setting && Big(amount).gt(setting.below)
}

/** Whether a value went back far enough to cross the mark again. */
function isRearmed(mark: Mark, { amount }: Money): boolean {
  return 'above' in mark
    ? Big(amount).lte(Big(mark.above).times(Big(1).minus(hysteresis)))
    : Big(amount).gte(Big(mark.below).times(Big(1).plus(hysteresis)))
}

/** Whether the cooldown is over. A timestamp in the future means the clock was set back; ignore it. */
function isCooledDown({ toldAt }: Memory, now: number): boolean {
  return now >= toldAt + cooldown || now < toldAt
}

function memoriesOf(memory: string): Record<string, Memory> {
  return memoriesSchema.safeParse(storedJson(memory)).data ?? {}
}
