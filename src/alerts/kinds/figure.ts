import Big from 'big.js'
import { z } from 'zod'
import { figuresOf } from '../../api/figures.ts'
import { decimal, type Money, type MoneyField } from '../../api/units.ts'
import type { Locale } from '../../core/catalogue.ts'
import {
  amount,
  changePercent,
  inDollars,
  percent,
  price as priceNumber,
} from '../../core/number.ts'
import {
  type Arg,
  type Field,
  type Figure,
  type Message,
  type Span,
  type Text,
  t,
} from '../../core/view.ts'
import { UserError } from '../../errors.ts'
import { soldBlocks, worthFields } from '../../views/facts.ts'
import { moneyText, priceText } from '../../views/money.ts'
import { parseAmount, positive } from '../amount.ts'
import { storable, storedJson, trimmedAssetSchema } from '../asset.ts'
import { type AssetEvent, assetEventViews, type Headline } from './asset-view.ts'
import {
  type AlertKind,
  aboutAsset,
  type ComparedFigure,
  hour,
  integerIn,
  limitText,
  type RuleDetected,
  type RulePoll,
  type RuleWithMemory,
  ranges,
} from './kind.ts'

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

interface FigureKind extends Pick<AlertKind, 'id' | 'label' | 'about' | 'inFollowButton'> {
  figure: Omit<ComparedFigure, 'of'> & {
    key: 'price' | 'marketCap'
    /** The field of the API by whose unit limits are worded: in dollars or in the quote token. */
    field: MoneyField
    /** Whether a card's picture shows it: a message with a picture does not say it again. */
    isPictured: boolean
    /** Writes an amount without its currency. */
    number(amount: string): Figure
  }
  texts: FigureTexts
  /** Writes an option near the current value, or as an example if that is unknown. */
  example(near: (factor: string) => string | undefined): string
}

/** The texts of a kind that name its figure. */
interface FigureTexts {
  /** The label of the figure in a message. */
  field: Message
  /** The label of a form, and what it asks for. */
  set: Message
  ask(value: Span, change: Span): Message
  /** Rules. */
  moves(name: Text, change: Arg): Message
  above(name: Text, limit: Arg): Message
  below(name: Text, limit: Arg): Message
  /** Rules on a button. */
  shortMoves(change: Arg): Message
  shortAbove(limit: Arg): Message
  shortBelow(limit: Arg): Message
  /** Headlines of events; `rose` and `fell` are for a change that is unknown. */
  roseAbove(limit: Arg, token: Span): Message
  fellBelow(limit: Arg, token: Span): Message
  moved(change: Arg, token: Span): Message
  rose(token: Span): Message
  fell(token: Span): Message
}

/** The price of one asset. */
export const price = figureKind({
  id: 'price',
  label: t('alerts-kind-price'),
  about: t('alerts-about-price'),
  inFollowButton: true,
  figure: {
    key: 'price',
    field: 'pool_price',
    isPictured: true,
    text: priceText,
    number: priceNumber,
  },
  texts: {
    field: t('asset-price'),
    set: t('alerts-set-price'),
    ask: (value, change) => t('alerts-ask-price', { value, change }),
    moves: (name, change) => t('alerts-rule-price-moves', { name, change }),
    above: (name, limit) => t('alerts-rule-price-above', { name, limit }),
    below: (name, limit) => t('alerts-rule-price-below', { name, limit }),
    shortMoves: (change) => t('alerts-short-price-moves', { change }),
    shortAbove: (limit) => t('alerts-short-price-above', { limit }),
    shortBelow: (limit) => t('alerts-short-price-below', { limit }),
    roseAbove: (limit, token) => t('alerts-price-above', { limit, token }),
    fellBelow: (limit, token) => t('alerts-price-below', { limit, token }),
    moved: (change, token) => t('alerts-price-moved', { change, token }),
    rose: (token) => t('alerts-price-rose', { token }),
    fell: (token) => t('alerts-price-fell', { token }),
  },
  example: (near) => `above:${near('1.5') ?? '0.5'}`,
})

/** The market cap of one asset. */
export const mcap = figureKind({
  id: 'mcap',
  label: t('alerts-kind-mcap'),
  about: t('alerts-about-mcap'),
  inFollowButton: false,
  figure: {
    key: 'marketCap',
    field: 'pool_market_cap',
    isPictured: true,
    text: moneyText,
    number: amount,
  },
  texts: {
    field: t('asset-market-cap'),
    set: t('alerts-set-mcap'),
    ask: (value, change) => t('alerts-ask-mcap', { value, change }),
    moves: (name, change) => t('alerts-rule-mcap-moves', { name, change }),
    above: (name, limit) => t('alerts-rule-mcap-above', { name, limit }),
    below: (name, limit) => t('alerts-rule-mcap-below', { name, limit }),
    shortMoves: (change) => t('alerts-short-mcap-moves', { change }),
    shortAbove: (limit) => t('alerts-short-mcap-above', { limit }),
    shortBelow: (limit) => t('alerts-short-mcap-below', { limit }),
    roseAbove: (limit, token) => t('alerts-mcap-above', { limit, token }),
    fellBelow: (limit, token) => t('alerts-mcap-below', { limit, token }),
    moved: (change, token) => t('alerts-mcap-moved', { change, token }),
    rose: (token) => t('alerts-mcap-rose', { token }),
    fell: (token) => t('alerts-mcap-fell', { token }),
  },
  example: (near) => `below:${near('0.75') ?? '2.5m'}`,
})

/** A kind about one figure of an asset: it rises above a value, falls below it, or changes by a percentage. */
function figureKind({ figure, texts, example, ...shown }: FigureKind): AlertKind<Setting, Body> {
  const { key, isPictured } = figure
  const valueText = (value: Money, { chain, body: { asset } }: AssetEvent<Body>) =>
    figure.text(value, chain, asset)
  const preset = (current: Money | undefined, value: string): Figure => {
    const number = figure.number(value)
    return current?.currency === 'usd' ? inDollars(number) : number
  }
  return {
    ...shown,
    assets: 'one',
    minimums: [],
    figure: { ...figure, of: (figures) => figures[key] },
    setting,
    options: ['above', 'below', 'move'],
    settingFrom({ above, below, move = 10 }) {
      if (above !== undefined) return { above }
      return below === undefined ? { moves: move } : { below }
    },
    optionsFrom: (rule) => ('moves' in rule ? { move: rule.moves } : rule),
    presets: (current) => [
      ...[5, 10, 25, 50].map((move) => ({ label: percent(move), options: { move } })),
      ...near(current, ['1.25', '2']).map((above) => ({
        label: t('alerts-preset-above', { value: preset(current, above) }),
        options: { above },
      })),
      ...near(current, ['0.8', '0.5']).map((below) => ({
        label: t('alerts-preset-below', { value: preset(current, below) }),
        options: { below },
      })),
    ],
    example: (current) => example((factor) => near(current, [factor])[0]),
    ruleText(rule, { name = t('alerts-some-token'), units }) {
      if ('moves' in rule) return texts.moves(name, percent(rule.moves))
      return 'above' in rule
        ? texts.above(name, limitText(rule.above, figure.field, units))
        : texts.below(name, limitText(rule.below, figure.field, units))
    },
    shortText(rule, units) {
      if ('moves' in rule) return texts.shortMoves(percent(rule.moves))
      return 'above' in rule
        ? texts.shortAbove(limitText(rule.above, figure.field, units))
        : texts.shortBelow(limitText(rule.below, figure.field, units))
    },
    typed: {
      label: texts.set,
      ask(current) {
        const [, value] = example((factor) => near(current, [factor])[0]).split(':')
        return texts.ask({ code: value ?? '' }, { code: '10%' })
      },
      options: typedOptions,
    },
    remark(rule, { figures, chain, quoted }) {
      const current = figures[key]
      if (current === undefined) return { text: t('alerts-value-unknown', { name: texts.field }) }
      if ('moves' in rule) return undefined
      if (isBefore(thresholdOf(rule), current)) return undefined
      const value = figure.text(current, chain, quoted)
      return {
        text:
          'above' in rule
            ? t('alerts-already-above', { value })
            : t('alerts-already-below', { value }),
      }
    },
    isOver: (phase) => phase === 'ended',
    detection: {
      from: 'rule-memory',
      detect: (rule, poll) => detect(shown.id, rule, storable(poll.figures[key]), poll),
    },
    body,
    ...assetEventViews<Body>({
      headline: (event) => headline(texts, event.body, valueText(event.body.reference, event)),
      blocks(event) {
        const { body, chain, units } = event
        const figures = figuresOf(body.asset, units)
        const value: Span = { bold: valueText(body.value, event) }
        const change = changeBetween(body.reference, body.value)
        const isMovement = body.by === 'movement' && change !== undefined
        const shownValue: Span[] = isMovement
          ? [
              t('alerts-value-changed', {
                value,
                change: changePercent(change),
                before: valueText(body.reference, event),
              }),
            ]
          : [value]
        const others = worthFields(body.asset, { ...figures, [key]: undefined }, chain)
        const field: Field = [texts.field, shownValue, isPictured && !isMovement]
        return [
          { kind: 'fields', fields: [field, ...others] },
          ...soldBlocks(figures.pool === 'auction' ? figures.progress : undefined),
        ]
      },
      details: (event) => [t('alerts-detail-now', { value: valueText(event.body.value, event) })],
    }),
  }
}

const typedSide = /^(?:(?<up>>|above|over|▲)|(?<down><|below|under|▼)):? *(?<value>\S.*)$/iu
const typedMove = /^[+\-±]? *(?<move>\d+) ?%$/u

/** A percentage is a change, an amount a mark: above what is more than the present value, or below what is less. */
function typedOptions(
  text: string,
  { current, locale }: { current?: Money | undefined; locale: Locale },
): Record<string, string> {
  const { move } = typedMove.exec(text)?.groups ?? {}
  if (move !== undefined) return { move }
  const { up, value = text } = typedSide.exec(text)?.groups ?? {}
  const limit = parseAmount(value, locale)
  if (value !== text) return up === undefined ? { below: limit } : { above: limit }
  const present = decimal(current?.amount)
  if (present === undefined) {
    throw new UserError(
      t('alerts-ask-side', { above: { code: `> ${value}` }, below: { code: `< ${value}` } }),
    )
  }
  return present.lt(limit) ? { above: limit } : { below: limit }
}

/** The value times each factor, to two significant digits; without those that a rule can't store. */
function near(value: Money | undefined, factors: readonly string[]): string[] {
  const current = decimal(value?.amount)
  if (!current?.gt(0)) return []
  return factors
    .map((factor) => new Big(current.times(factor).toPrecision(2)).toFixed())
    .filter((each) => each.length <= 40)
}

function headline(texts: FigureTexts, body: Body, reference: Text): Headline {
  const isUp = body.direction === 'up'
  const tone = isUp ? 'good' : 'neutral'
  if (body.by === 'crossing') {
    const crossed = isUp ? texts.roseAbove : texts.fellBelow
    return { text: (token) => crossed(reference, token), tone }
  }
  const ratio = changeBetween(body.reference, body.value)
  if (ratio === undefined) return { text: isUp ? texts.rose : texts.fell, tone }
  return { text: (token) => texts.moved(changePercent(ratio), token), tone }
}

/** The change between two amounts as a ratio; undefined if they can't be compared. */
function changeBetween(before: Money, after: Money): string | undefined {
  const [from, to] = [decimal(before.amount), decimal(after.amount)]
  if (!from?.gt(0) || !to || before.currency !== after.currency) return undefined
  return to.minus(from).div(from).toFixed()
}

/** The memory of a rule, stored between polls. */
const memorySchema = z.object({
  /** The value at the last notification, or the first one observed. */
  value: z.object({ amount: z.string(), currency: z.enum(['usd', 'numeraire']) }),
  /** Whether the value is on the side from which it can cross the threshold. */
  canCross: z.boolean(),
  /** Unix seconds of the last notification; 0 if there was none. */
  notifiedAt: z.number(),
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
  const json = JSON.stringify({ ...memories, [chain]: after })
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

function thresholdOf(rule: Exclude<Setting, { moves: number }>) {
  return 'above' in rule
    ? ({ limit: rule.above, direction: 'up' } as const)
    : ({ limit: rule.below, direction: 'down' } as const)
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

/** Whether the cooldown is over. */
function isCooledDown({ notifiedAt }: Memory, now: number): boolean {
  return now >= notifiedAt + cooldown
}
