import Big from 'big.js'
import { z } from 'zod'
import { figures } from '../../api/figures.ts'
import { decimal, type Money, type MoneyField, type Units } from '../../api/units.ts'
import { soldBlocks, worthFields } from '../../views/facts.ts'
import { amount, changePercent, exactly, price as priceNumber } from '../../views/number.ts'
import { moneyText, priceText } from '../../views/token.ts'
import { briefAssetSchema, storable, storedJson } from '../asset.ts'
import { type AssetEvent, assetEventViews, type Headline } from './asset-view.ts'
import {
  type AlertKind,
  aboutAsset,
  type ComparedFigure,
  type EventBody,
  hour,
  type Preset,
  type RuleDetected,
  type RuleInUse,
  type RulePoll,
} from './kind.ts'

/** A plain decimal above zero, in US dollars (in the quote token if the API gives no dollars). */
const positive = z
  .string()
  .max(40)
  .regex(/^\d+(?:\.\d+)?$/u)
  .transform((text) => new Big(text).toFixed())

const setting = z.union([
  z.strictObject({ above: positive }),
  z.strictObject({ below: positive }),
  /** Percent, up or down, from the value of the last notification. */
  z.strictObject({ moves: z.int().min(1).max(1000) }),
])
type Setting = z.output<typeof setting>
type Threshold = Exclude<Setting, { moves: number }>

const money = z.object({ amount: z.string().max(120), currency: z.enum(['usd', 'numeraire']) })
const body = z.object({
  kind: z.string(),
  asset: briefAssetSchema,
  filter: z.number(),
  value: money,
  /** The value compared with: the threshold, or the value of the last notification. */
  reference: money,
  direction: z.enum(['up', 'down']),
  /** Whether it crossed a threshold, or moved by a percentage. */
  by: z.enum(['crossing', 'movement']),
})
type Body = z.output<typeof body>
type Movement = Pick<Body, 'value' | 'reference' | 'direction' | 'by'>

interface FigureKind {
  id: string
  label: string
  about: string
  isDefault: boolean
  figure: ComparedFigure
  /** Writes an amount without its currency. */
  number(amount: string): string
  /** The field that says whether the figure is in dollars. */
  unit: MoneyField
  /** Writes an option near a value; without one, as an example. */
  example(near: (factor: string) => string | undefined): string
}

/** A kind about one figure of an asset: it rises above a value, falls below it, or moves by a percentage. */
function figureKind(parts: FigureKind): AlertKind<Setting, Body> {
  const { id, figure } = parts
  const { title } = figure
  const value = (shown: Money, { chain, body: { asset } }: AssetEvent<Body>) =>
    figure.text(shown, chain, asset.asset_numeraire_address)
  const threshold = (text: string, units: Units) =>
    units[parts.unit].startsWith('usd')
      ? `$${exactly(text)}`
      : `${exactly(text)} of its quote token`
  return {
    ...parts,
    assets: 'one',
    setting,
    options: ['above', 'below', 'move'],
    settingFrom({ above, below, move = 10 }) {
      if (above !== undefined) return { above }
      return below === undefined ? { moves: move } : { below }
    },
    optionsFrom: (rule) => ('moves' in rule ? { move: rule.moves } : rule),
    presets: (now) => [
      ...[5, 10, 25, 50].map((move) => ({ label: `${move} %`, options: { move } })),
      ...near(now, ['1.25', '2']).map((above) => preset('▲', now, parts.number, { above })),
      ...near(now, ['0.8', '0.5']).map((below) => preset('▼', now, parts.number, { below })),
    ],
    example: (now) => parts.example((factor) => near(now, [factor])[0]),
    ruleText(rule, { name = 'An asset', on, units }) {
      const what = `${name}’s ${figure.name}`
      if ('moves' in rule) return `${what} moves by ${rule.moves} %${on}`
      return 'above' in rule
        ? `${what} rises above ${threshold(rule.above, units)}${on}`
        : `${what} falls below ${threshold(rule.below, units)}${on}`
    },
    settingText(rule, units) {
      if ('moves' in rule) return ` ± ${rule.moves} %`
      return 'above' in rule
        ? ` above ${threshold(rule.above, units)}`
        : ` below ${threshold(rule.below, units)}`
    },
    remark(rule, { figures: facts, chain, numeraire }) {
      const now = figure.of(facts)
      if (now === undefined || 'moves' in rule || isBefore(rule, now)) return undefined
      const [side, back] =
        'above' in rule
          ? ['above', 'fallen below and rises again']
          : ['below', 'risen above and falls again']
      const shown = figure.text(now, chain, numeraire)
      return {
        text: `It is ${shown} now, ${side} that already: you hear of it when it has ${back}`,
      }
    },
    isOver: (phase) => phase === 'ended',
    detection: {
      by: 'rule',
      detect: (rule, poll) => detect(id, rule, storable(figure.of(poll.figures)), poll),
    },
    body,
    ...assetEventViews<Body>({
      headline: (event) => headline(title, event.body, (shown) => value(shown, event)),
      blocks(event) {
        const { body: moved, chain, units } = event
        const facts = figures(moved.asset, units)
        const change = changeBetween(moved.reference, moved.value)
        const since =
          moved.by === 'movement' && change !== undefined
            ? `  ${change} from ${value(moved.reference, event)}`
            : ''
        const others = worthFields(moved.asset, facts, chain).filter(([label]) => label !== title)
        return [
          {
            kind: 'fields',
            fields: [[title, [{ bold: value(moved.value, event) }, since]], ...others],
          },
          ...soldBlocks(facts.pool === 'auction' ? facts.progress : undefined),
        ]
      },
      detail: (event) => [` · now ${value(event.body.value, event)}`],
    }),
  }
}

/** The price of one asset. */
export const price = figureKind({
  id: 'price',
  label: '💲 Price',
  about: 'the price of one asset moves, or crosses a value',
  isDefault: true,
  figure: { name: 'price', title: 'Price', of: ({ price: money }) => money, text: priceText },
  number: priceNumber,
  unit: 'pool_price',
  example: (near) => `above:${near('1.5') ?? '0.5'}`,
})

/** The market cap of one asset. */
export const mcap = figureKind({
  id: 'mcap',
  label: '🏦 Market cap',
  about: 'the same of its market cap',
  isDefault: false,
  figure: {
    name: 'market cap',
    title: 'Market cap',
    of: ({ marketCap }) => marketCap,
    text: moneyText,
  },
  number: amount,
  unit: 'pool_market_cap',
  example: (near) => `below:${near('0.75') ?? '2.5m'}`,
})

/** The value times each factor, to two significant digits; without those that a rule can't store. */
function near(value: Money | undefined, factors: readonly string[]): string[] {
  const now = decimal(value?.amount)
  if (!now?.gt(0)) return []
  return factors
    .map((factor) => new Big(now.times(factor).toPrecision(2)).toFixed())
    .filter((each) => each.length <= 40)
}

function preset(
  mark: string,
  now: Money | undefined,
  write: (amount: string) => string,
  options: { above?: string; below?: string },
): Preset {
  const sign = now?.currency === 'usd' ? '$' : ''
  return { label: `${mark} ${sign}${write(options.above ?? options.below ?? '')}`, options }
}

function headline(title: string, body: Body, text: (money: Money) => string): Headline {
  const isUp = body.direction === 'up'
  const [mark, tone] = isUp ? (['▲', 'good'] as const) : (['▼', 'neutral'] as const)
  if (body.by === 'crossing') {
    return { mark, words: `${title} ${isUp ? 'above' : 'below'} ${text(body.reference)}`, tone }
  }
  const change = changeBetween(body.reference, body.value)?.replace(/^[▲▼] /u, '')
  const words = [title, isUp ? 'up' : 'down', change].filter(Boolean).join(' ')
  return { mark, words, tone }
}

/** The change between two amounts, such as `▲ 12.4 %`; undefined if they can't be compared. */
function changeBetween(before: Money, after: Money): string | undefined {
  const [from, to] = [decimal(before.amount), decimal(after.amount)]
  if (!from?.gt(0) || !to || before.currency !== after.currency) return undefined
  return changePercent(to.minus(from).div(from).toFixed())
}

/** The state of a rule between polls, as stored. */
const memorySchema = z.object({
  /** The value at the last notification, or the first one observed. */
  value: z.object({ amount: z.string(), currency: z.enum(['usd', 'numeraire']) }),
  /** Whether the value is on the side from which it can cross the threshold. */
  armed: z.boolean(),
  /** Unix seconds of the last notification; 0 if there was none. */
  toldAt: z.number(),
  /** The number of notifications so far. */
  count: z.number(),
})
type Memory = z.output<typeof memorySchema>
/** By chain id: one address can belong to different assets on several chains. */
const memoriesSchema = z.record(z.string(), memorySchema)

/** Minimum seconds between two notifications of one rule. */
const cooldown = 600
/** To cross again, the value must first go back past the threshold by this share of it. */
const hysteresis = '0.02'

/**
 * Compares a value with a rule's memory. An event results if the value crossed the threshold or moved far enough. The
 * first value, one in another currency, and an unknown one result in none.
 */
function detect(
  kind: string,
  rule: RuleInUse<Setting>,
  value: Money | undefined,
  { chain, now, asset }: RulePoll,
): RuleDetected {
  if (value === undefined) return { memory: rule.memory }
  const memories = memoriesSchema.safeParse(storedJson(rule.memory)).data ?? {}
  const previous = memories[chain]
  const { next, moved } =
    previous?.value.currency === value.currency
      ? compare(previous, rule.setting, value, now)
      : { next: firstMemory(previous, rule.setting, value) }
  const memory = JSON.stringify({ ...memories, [chain]: next })
  if (!moved) return { memory }
  const event = {
    ...aboutAsset({ chain, asset }),
    // With the time, because `count` restarts if nobody was subscribed for a while.
    key: `${kind}:${rule.id}:${chain}:${next.count}:${now}`,
    at: now,
    usefulUntil: now + hour,
    body: { kind, asset, filter: rule.id, ...moved } satisfies EventBody,
  }
  return { memory, event }
}

interface Step {
  next: Memory
  moved?: Movement
}

function firstMemory(previous: Memory | undefined, rule: Setting, value: Money): Memory {
  const { toldAt, count } = previous ?? { toldAt: 0, count: 0 }
  return { value, armed: !('moves' in rule) && isBefore(rule, value), toldAt, count }
}

function compare(previous: Memory, rule: Setting, value: Money, now: number): Step {
  return 'moves' in rule
    ? movedBy(rule.moves, previous, value, now)
    : crossed(rule, previous, value, now)
}

function crossed(threshold: Threshold, previous: Memory, value: Money, now: number): Step {
  const armed = previous.armed || isRearmed(threshold, value)
  if (!armed || isBefore(threshold, value) || !isCooledDown(previous, now)) {
    return { next: { ...previous, armed } }
  }
  const [limit, direction] =
    'above' in threshold ? ([threshold.above, 'up'] as const) : ([threshold.below, 'down'] as const)
  return {
    next: { value, armed: false, toldAt: now, count: previous.count + 1 },
    moved: {
      value,
      reference: { amount: limit, currency: value.currency },
      direction,
      by: 'crossing',
    },
  }
}

function movedBy(percent: number, previous: Memory, value: Money, now: number): Step {
  const from = Big(previous.value.amount)
  // A percentage of zero is undefined: start from the first value above it.
  if (from.eq(0)) return { next: { ...previous, value } }
  const change = Big(value.amount).minus(from)
  const isFarEnough = change.abs().times(100).gte(from.times(percent))
  if (!isFarEnough || !isCooledDown(previous, now)) return { next: previous }
  return {
    next: { ...previous, value, toldAt: now, count: previous.count + 1 },
    moved: {
      value,
      reference: previous.value,
      direction: change.gt(0) ? 'up' : 'down',
      by: 'movement',
    },
  }
}

/** Whether a value has not crossed the threshold yet. */
function isBefore(threshold: Threshold, { amount: value }: Money): boolean {
  return 'above' in threshold ? Big(value).lt(threshold.above) : Big(value).gt(threshold.below)
}

/** Whether a value went back far enough to cross the threshold again. */
function isRearmed(threshold: Threshold, { amount: value }: Money): boolean {
  return 'above' in threshold
    ? Big(value).lte(Big(threshold.above).times(Big(1).minus(hysteresis)))
    : Big(value).gte(Big(threshold.below).times(Big(1).plus(hysteresis)))
}

/** Whether the cooldown is over. A timestamp in the future means the clock was set back; ignore it. */
function isCooledDown({ toldAt }: Memory, now: number): boolean {
  return now >= toldAt + cooldown || now < toldAt
}
