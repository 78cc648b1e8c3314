import Big from 'big.js'
import { z } from 'zod'
import { figuresOf } from '../../api/figures.ts'
import { decimal } from '../../api/units.ts'
import { percent, progressPercent } from '../../core/number.ts'
import { type Span, type Text, t } from '../../core/view.ts'
import { proceedsFields, soldBlocks, worthFields } from '../../views/facts.ts'
import { storableShare, trimmedAssetSchema } from '../asset.ts'
import { assetEventViews, capDetail, endDetail, type Headline, timeAhead } from './asset-view.ts'
import {
  type AlertKind,
  type AssetPoll,
  aboutAsset,
  type Detected,
  day,
  integerIn,
  maxPercents,
  minimums,
  ranges,
  usefulUntil,
} from './kind.ts'

/** Percent sold, ascending, without duplicates. */
const setting = z.strictObject({
  percents: z
    .array(integerIn(ranges.percent))
    .min(1)
    .max(maxPercents)
    .transform((all) => [...new Set(all)].sort((one, other) => one - other)),
})
type Setting = z.output<typeof setting>

/** A share sold, 0 to 1. */
const shareSold = z.string().max(120)
const body = z.object({
  kind: z.literal('progress'),
  asset: trimmedAssetSchema,
  /** In the last stored state, and now. */
  from: shareSold,
  to: shareSold,
})
type Body = z.output<typeof body>

const defaultPercents: readonly number[] = [25, 50, 75, 90, 100]
const presets = [
  defaultPercents,
  [10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
  [50, 100],
  [100],
] as const

/** So much of an auction is sold. */
export const progress: AlertKind<Setting, Body> = {
  id: 'progress',
  label: t('alerts-kind-progress'),
  about: t('alerts-about-progress'),
  assets: 'either',
  minimums,
  inFollowButton: true,
  setting,
  options: ['percent'],
  settingFrom: ({ percent: all = defaultPercents }) => ({ percents: [...all] }),
  optionsFrom: ({ percents }) => ({ percent: percents }),
  presets: () => presets.map((all) => ({ label: abbreviated(all), options: { percent: all } })),
  example: () => 'percent:10,50,100',
  ruleText({ percents }, { name }) {
    const shares = { list: percents.map(percent), as: 'and' } as const
    return name === undefined
      ? t('alerts-rule-progress', { shares })
      : t('alerts-rule-progress-one', { name, shares })
  },
  shortText: ({ percents }) => t('alerts-short-progress', { shares: separated(percents) }),
  typed: {
    label: t('alerts-set-progress'),
    ask: () => t('alerts-ask-progress', { example: { code: '25, 50, 100' } }),
    options: (text) => ({ percent: text }),
  },
  remark({ percents }, { figures }) {
    if (figures.progress === undefined) return undefined
    const sold = Big(figures.progress).times(100)
    if (percents.some((each) => sold.lt(each))) return undefined
    const larger = defaultPercents.filter((each) => sold.lt(each))
    return {
      text: t('alerts-already-sold', { share: progressPercent(figures.progress) }),
      instead: larger.length > 0 ? { percent: larger } : undefined,
    }
  },
  isOver: (phase) => phase === 'graduated' || phase === 'ended',
  detection: {
    from: 'asset-and-settings',
    detector(settings) {
      const percents = [...new Set(settings.flatMap(({ percents: each }) => each))]
      return (poll) => detectProgress(poll, percents)
    },
    matches({ percents }, { from, to }) {
      const [before, now] = [decimal(from), decimal(to)]
      if (before === undefined || now === undefined) return false
      return crossed(before, now, percents).length > 0
    },
  },
  body,
  ...assetEventViews<Body>({
    headline: ({ body: { to } }) => headline(to),
    blocks({ body: { asset, to }, chain, units, now }) {
      const figures = figuresOf(asset, units)
      const fields = [
        ...worthFields(asset, figures, chain),
        ...proceedsFields(asset, figures, chain),
        ...(to === '1' ? [] : timeAhead(t('asset-ends'), figures.endsAt, now)),
      ]
      return [...soldBlocks(to), { kind: 'fields', fields }]
    },
    details({ body: { asset, to }, chain, units, now }) {
      const figures = figuresOf(asset, units)
      const isSoldOut = to === '1' || figures.progress === '1'
      return [
        ...capDetail(asset, figures, chain),
        ...(isSoldOut ? [] : endDetail(figures.endsAt, now)),
      ]
    },
  }),
  // A larger share is more important; selling out is nearly as important as graduating.
  rank: ({ to }) => (to === '1' ? 1 : 5 - Number(to)),
}

/**
 * At most one event, for all percentages that were crossed since the largest share ever seen. A share that falls back
 * and rises again produces no event.
 */
function detectProgress(poll: AssetPoll, percents: readonly number[]): Detected {
  const { chain, now, asset, phase, figures } = poll
  const known = poll.before ? poll.before.progress : firstKnown(poll)
  const sold = storableShare(figures.progress)
  if (sold === undefined || phase === 'incoming') return { state: { progress: known } }
  const state = { progress: sold }
  if (known === undefined) return { state }
  if (Big(sold).lte(known)) return { state: { progress: known } }
  const reached = crossed(Big(known), Big(sold), percents)
  // After the sale has ended only selling out is worth an event.
  const isRelevant = phase === 'live' || (phase === 'graduated' && Big(sold).gte(1))
  if (reached.length === 0 || !isRelevant) return { state }
  const about = aboutAsset({ chain, asset })
  const event = {
    ...about,
    key: `progress:${chain}:${about.asset}:${Math.max(...reached)}`,
    at: now,
    usefulUntil: usefulUntil(phase === 'live' ? figures.endsAt : now + day, now),
    body: { kind: 'progress', asset, from: known, to: sold },
  }
  return { state, event }
}

/** The percentages that lie between two shares sold: above the first, and not above the second. */
function crossed(from: Big, to: Big, percents: readonly number[]): number[] {
  return percents.filter((each) => from.times(100).lt(each) && to.times(100).gte(each))
}

/** The share sold to compare with: "0" if the auction was announced or its start is being notified, else unknown. */
function firstKnown({ phase, isFirstSeenLate }: AssetPoll): string | undefined {
  return phase === 'incoming' || !isFirstSeenLate ? '0' : undefined
}

function headline(sold: string): Headline {
  if (sold === '1') return { text: (token) => t('alerts-sold-out', { token }), tone: 'good' }
  const share = progressPercent(sold)
  return { text: (token) => t('alerts-progress', { share, token }), tone: 'good' }
}

/** Percentages for a button: `25%, 50%`. */
function separated(values: readonly number[]): Span[] {
  return values.flatMap((each, index) => (index === 0 ? [percent(each)] : [', ', percent(each)]))
}

function abbreviated(values: readonly number[]): Text {
  const [last = 0] = values.slice(-1)
  return values.length > 4
    ? t('alerts-preset-percents', { first: separated(values.slice(0, 2)), last: percent(last) })
    : t('alerts-preset-percents-all', { all: separated(values) })
}
