import Big from 'big.js'
import { z } from 'zod'
import { figuresOf } from '../../api/figures.ts'
import { decimal, type Money, type MoneyField, type Units } from '../../api/units.ts'
import { soldBlocks, worthFields } from '../../views/facts.ts'
import { amount, changePercent, exactly, price as priceNumber } from '../../views/number.ts'
import { moneyText, priceText } from '../../views/token.ts'
import { storable, storedJson, storedObject, trimmedAssetSchema } from '../asset.ts'
import { type AssetEvent, assetEventViews, type Headline } from './asset-view.ts'
import {
  type AlertKind,
  aboutAsset,
  type ComparedFigure,
  hour,
  integerIn,
  type RuleDetected,
  type RulePoll,
  type RuleWithMemory,
  ranges,
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
  /** The option `move`: a change in percent, up or down, from the value of the last notification. */
  z.strictObject({ moves: integerIn(ranges.move) }),
])
type Setting = z.output<typeof setting>

const money = z.object({ amount: z.string().max(120), currency: z.enum(['usd', 'numeraire']) })
const body = z.object({
  kind: z.string(),
  asset: trimmedAssetSchema,
  value: money,
  /** The value compared with: the threshold, or the value of the last notification. */
  reference: money,
  direction: z.enum(['up', 'down']),
  /** Whether it crossed the threshold of `above` or `below`, or changed by the percentage of `move`. */
  by: z.enum(['crossing', 'movement']),
})
type Body = z.output<typeof body>

interface FigureKind extends Pick<AlertKind, 'id' | 'label' | 'inFollowButton'> {
  figure: Omit<ComparedFigure, 'of'> & {
    key: 'price' | 'marketCap' | 'volume24h' | 'liquidity'
    /** The field of the API that says whether the figure is in dollars. */
    field: MoneyField
    /** Writes an amount without its currency. */
    number(amount: string): string
  }
  /** Writes an option near the current value, or as an example if that is unknown. */
  example(near: (factor: string) => string | undefined): string
}

/** The price of one asset. */
export const price = figureKind({
  id: 'price',
  label: '💲 Price',
  inFollowButton: true,
  figure: {
    key: 'price',
    field: 'pool_price',
    name: 'price',
    title: 'Price',
    text: priceText,
    number: priceNumber,
  },
  example: (near) => `above:${near('1.5') ?? '0.5'}`,
})

/** The market cap of one asset. */
export const mcap = figureKind({
  id: 'mcap',
  label: '🏦 Market cap',
  inFollowButton: false,
  figure: {
    key: 'marketCap',
    field: 'pool_market_cap',
    name: 'market cap',
    title: 'Market cap',
    text: moneyText,
    number: amount,
  },
  example: (near) => `below:${near('0.75') ?? '2.5m'}`,
})

/** A kind about one figure of an asset: it rises above a value, falls below it, or changes by a percentage. */
function figureKind({ figure, example, ...shown }: FigureKind): AlertKind<Setting, Body> {
  const { key, title } = figure
  const valueText = (value: Money, { chain, body: { asset } }: AssetEvent<Body>) =>
    figure.text(value, chain, asset.asset_numeraire_address)
  const limitText = (limit: string, units: Units) =>
    units[figure.field].startsWith('usd')
      ? `$${exactly(limit)}`
      : `${exactly(limit)} of its quote token`
  return {
    ...shown,
    about: `the ${figure.name} of one asset moves, or crosses a value`,
    assets: 'one',
    figure: { ...figure, of: (figures) => figures[key] },
    setting,
    options: ['above', 'below', 'move'],
    settingFrom({ above, below, move = 10 }) {
      if (above !== undefined) return { above }
      return below === undefined ? { moves: move } : { below }
    },
    optionsFrom: (rule) => ('moves' in rule ? { move: rule.moves } : rule),
    presets: (current) => [
      ...[5, 10, 25, 50].map((move) => ({ label: `${move} %`, options: { move } })),
      ...near(current, ['1.25', '2']).map((above) => ({
        label: `▲ ${sign(current)}${figure.number(above)}`,
        options: { above },
      })),
      ...near(current, ['0.8', '0.5']).map((below) => ({
        label: `▼ ${sign(current)}${figure.number(below)}`,
        options: { below },
      })),
    ],
    example: (current) => example((factor) => near(current, [factor])[0]),
    ruleText(rule, { name = 'An asset', on, units }) {
      const what = `${name}’s ${figure.name}`
      if ('moves' in rule) return `${what} moves by ${rule.moves} %${on}`
      const { verb, limit } = thresholdOf(rule)
      return `${what} ${verb} ${limitText(limit, units)}${on}`
    },
    settingText(rule, units) {
      if ('moves' in rule) return ` ± ${rule.moves} %`
      const { side, limit } = thresholdOf(rule)
      return ` ${side} ${limitText(limit, units)}`
    },
    remark(rule, { figures, chain, numeraire }) {
      const current = figures[key]
      if (current === undefined || 'moves' in rule) return undefined
      const threshold = thresholdOf(rule)
      if (isBefore(threshold, current)) return undefined
      const shown = figure.text(current, chain, numeraire)
      const { side, back } = threshold
      return {
        text: `It is ${shown} now, ${side} that already: you hear of it when it has ${back}`,
      }
    },
    isOver: (phase) => phase === 'ended',
    detection: {
      from: 'rule-memory',
      detect: (rule, poll) => detect(shown.id, rule, storable(poll.figures[key]), poll),
    },
    body,
    ...assetEventViews<Body>({
      headline: (event) => headline(title, event.body, (value) => valueText(value, event)),
      blocks(event) {
        const { body, chain, units } = event
        const figures = figuresOf(body.asset, units)
        const change = changeBetween(body.reference, body.value)
        const since =
          body.by === 'movement' && change !== undefined
            ? `  ${change} from ${valueText(body.reference, event)}`
            : ''
        const others = worthFields(body.asset, { ...figures, [key]: undefined }, chain)
        return [
          {
            kind: 'fields',
            fields: [[title, [{ bold: valueText(body.value, event) }, since]], ...others],
          },
          ...soldBlocks(figures.pool === 'auction' ? figures.progress : undefined),
        ]
      },
      detail: (event) => [` · now ${valueText(event.body.value, event)}`],
    }),
  }
}

/** The value times each factor, to two significant digits; without those that a rule can't store. */
function near(value: Money | undefined, factors: readonly string[]): string[] {
  const current = decimal(value?.amount)
  if (!current?.gt(0)) return []
  return factors
    .map((factor) => new Big(current.times(factor).toPrecision(2)).toFixed())
    .filter((each) => each.length <= 40)
}

function sign(value: Money | undefined): string {
  return value?.currency === 'usd' ? '$' : ''
}

function headline(title: string, body: Body, text: (value: Money) => string): Headline {
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

/** The memory of a rule, stored between polls. */
const memory = storedObject(
  {
    /** The value at the last notification, or the first one observed. */
    value: z.object({ amount: z.string(), currency: z.enum(['usd', 'numeraire']) }),
    /** Whether the value is on the side from which it can cross the threshold. */
    canCross: z.boolean(),
    /** Unix seconds of the last notification; 0 if there was none. */
    notifiedAt: z.number(),
    /** The number of notifications so far. */
    count: z.number(),
  },
  { canCross: 'armed', notifiedAt: 'toldAt' },
)
type Memory = z.output<typeof memory.schema>
/** By chain id: one address can belong to different assets on several chains. */
const memoriesSchema = z.record(z.string(), memory.schema)

/** Minimum seconds between two notifications of one rule. */
const cooldown = 600
/** To cross again, the value must first go back past the threshold by this share of it. */
const hysteresis = '0.02'

/**
 * Compares a value with a rule's memory. An event results if the value crossed the threshold or changed far enough. The
 * first value, one in another currency, and an unknown one result in none.
 */
function detect(
  kind: string,
  rule: RuleWithMemory<Setting>,
  value: Money | undefined,
  { chain, now, asset }: RulePoll,
): RuleDetected {
  if (value === undefined) return { memory: rule.memory }
  const memories = memoriesSchema.safeParse(storedJson(rule.memory)).data ?? {}
  const before = memories[chain]
  const { after, change } =
    before?.value.currency === value.currency
      ? compare(before, rule.setting, value, now)
      : { after: firstMemory(before, rule.setting, value) }
  const json = memoriesJson({ ...memories, [chain]: after })
  if (!change) return { memory: json }
  const event = {
    ...aboutAsset({ chain, asset }),
    // With the time, because `count` restarts if nobody was subscribed for a while.
    key: `${kind}:${rule.id}:${chain}:${after.count}:${now}`,
    rule: rule.id,
    at: now,
    usefulUntil: now + hour,
    body: { kind, asset, ...change },
  }
  return { memory: json, event }
}

function memoriesJson(memories: Readonly<Record<string, Memory>>): string {
  const stored = Object.entries(memories).map(([chain, each]) => [chain, memory.toStored(each)])
  return JSON.stringify(Object.fromEntries(stored))
}

function firstMemory(before: Memory | undefined, rule: Setting, value: Money): Memory {
  const { notifiedAt, count } = before ?? { notifiedAt: 0, count: 0 }
  const canCross = !('moves' in rule) && isBefore(thresholdOf(rule), value)
  return { value, canCross, notifiedAt, count }
}

/** The memory after a value, and the change that is to be notified. */
interface Step {
  after: Memory
  change?: Pick<Body, 'value' | 'reference' | 'direction' | 'by'>
}

function compare(before: Memory, rule: Setting, value: Money, now: number): Step {
  return 'moves' in rule
    ? compareWithLast(rule.moves, before, value, now)
    : compareWithThreshold(thresholdOf(rule), before, value, now)
}

function compareWithThreshold(
  threshold: Threshold,
  before: Memory,
  value: Money,
  now: number,
): Step {
  const canCross = before.canCross || isFarBefore(threshold, value)
  if (!canCross || isBefore(threshold, value) || !isCooledDown(before, now)) {
    return { after: { ...before, canCross } }
  }
  const { limit, direction } = threshold
  const reference = { amount: limit, currency: value.currency }
  return {
    after: { value, canCross: false, notifiedAt: now, count: before.count + 1 },
    change: { value, reference, direction, by: 'crossing' },
  }
}

function compareWithLast(percent: number, before: Memory, value: Money, now: number): Step {
  const from = Big(before.value.amount)
  // A percentage of zero is undefined: start from the first value above it.
  if (from.eq(0)) return { after: { ...before, value } }
  const difference = Big(value.amount).minus(from)
  const isFarEnough = difference.abs().times(100).gte(from.times(percent))
  if (!isFarEnough || !isCooledDown(before, now)) return { after: before }
  const direction = difference.gt(0) ? 'up' : 'down'
  return {
    after: { ...before, value, notifiedAt: now, count: before.count + 1 },
    change: { value, reference: before.value, direction, by: 'movement' },
  }
}

type Threshold = ReturnType<typeof thresholdOf>

/** The threshold of a rule, and its parts of sentences. */
function thresholdOf(rule: Exclude<Setting, { moves: number }>) {
  return 'above' in rule
    ? ({
        limit: rule.above,
        direction: 'up',
        side: 'above',
        verb: 'rises above',
        back: 'fallen below and rises again',
      } as const)
    : ({
        limit: rule.below,
        direction: 'down',
        side: 'below',
        verb: 'falls below',
        back: 'risen above and falls again',
      } as const)
}

/** Whether a value has not crossed the threshold yet. */
function isBefore({ direction, limit }: Threshold, { amount: value }: Money): boolean {
  return direction === 'up' ? Big(value).lt(limit) : Big(value).gt(limit)
}

/** Whether a value went back far enough to cross the threshold again. */
function isFarBefore({ direction, limit }: Threshold, { amount: value }: Money): boolean {
  return direction === 'up'
    ? Big(value).lte(Big(limit).times(Big(1).minus(hysteresis)))
    : Big(value).gte(Big(limit).times(Big(1).plus(hysteresis)))
}

/** Whether the cooldown is over. A timestamp in the future means the clock was set back; ignore it. */
function isCooledDown({ notifiedAt }: Memory, now: number): boolean {
  return now >= notifiedAt + cooldown || now < notifiedAt
}
