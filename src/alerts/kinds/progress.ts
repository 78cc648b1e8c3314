import Big from 'big.js'
import { z } from 'zod'
import { figuresOf } from '../../api/figures.ts'
import { decimal } from '../../api/units.ts'
import { conjunction } from '../../core/text.ts'
import { proceedsFields, soldBlocks, worthFields } from '../../views/facts.ts'
import { progressPercent } from '../../views/number.ts'
import { storableShare, trimmedAssetSchema } from '../asset.ts'
import { assetEventViews, type Headline, timeAhead, timeDetail, worthDetail } from './asset-view.ts'
import {
  type AlertKind,
  type AssetPoll,
  aboutAsset,
  type Detected,
  day,
  usefulUntil,
} from './kind.ts'

/** Percent sold, ascending, without duplicates. */
const setting = z.strictObject({
  percents: z
    .array(z.int().min(1).max(100))
    .min(1)
    .max(20)
    .transform((all) => [...new Set(all)].sort((one, other) => one - other)),
})
type Setting = z.output<typeof setting>

const share = z.string().max(120)
const body = z.object({
  kind: z.literal('progress'),
  asset: trimmedAssetSchema,
  /** Shares sold in the last stored state and now, 0 to 1. */
  from: share,
  to: share,
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
  label: '📈 Progress',
  about: 'so much of an auction is sold',
  assets: 'either',
  inFollowButton: true,
  setting,
  options: ['percent'],
  settingFrom: ({ percent = defaultPercents }) => ({ percents: [...percent] }),
  optionsFrom: ({ percents }) => ({ percent: percents }),
  presets: () =>
    presets.map((percent) => ({ label: `${abbreviated(percent)} %`, options: { percent } })),
  example: () => 'percent:10,50,100',
  ruleText: ({ percents }, { name, on, filter }) =>
    `${conjunction(percents.map(String))} % sold of ${name === undefined ? `any auction${filter}` : name + on}`,
  settingText: ({ percents }) => ` ${percents.join(', ')} %`,
  remark({ percents }, { figures: { progress: share } }) {
    if (share === undefined) return undefined
    const sold = Big(share).times(100)
    if (percents.some((percent) => sold.lt(percent))) return undefined
    const larger = defaultPercents.filter((percent) => sold.lt(percent))
    return {
      text: `${sold.round(0, Big.roundDown)} % of it is sold already, so this can tell nothing`,
      instead: larger.length > 0 ? { percent: larger } : undefined,
    }
  },
  isOver: (phase) => phase === 'graduated' || phase === 'ended',
  detection: {
    by: 'settings',
    detector(settings) {
      const percents = [...new Set(settings.flatMap(({ percents: each }) => each))]
      return (poll) => detectProgress(poll, percents)
    },
    matches({ percents }, { from, to }) {
      const [before, now] = [decimal(from)?.times(100), decimal(to)?.times(100)]
      if (before === undefined || now === undefined) return false
      return percents.some((percent) => before.lt(percent) && now.gte(percent))
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
        ...(to === '1' ? [] : timeAhead('Ends', figures.endsAt, now)),
      ]
      return [...soldBlocks(to), { kind: 'fields', fields }]
    },
    detail({ body: { asset, to }, chain, units, now }) {
      const figures = figuresOf(asset, units)
      const isSoldOut = to === '1' || figures.progress === '1'
      return [
        ...worthDetail(asset, figures, chain),
        ...(isSoldOut ? [] : timeDetail('ends', figures.endsAt, now)),
      ]
    },
  }),
  // Of two the one with the larger share; selling out is nearly as important as graduating.
  rank: ({ to }) => (to === '1' ? 1 : 5 - Number(to)),
}

/**
 * At most one event, for all percentages that were crossed since the largest share ever seen. A share that falls back
 * and rises again produces no event.
 */
function detectProgress(poll: AssetPoll, percents: readonly number[]): Detected {
  const { chain, now, asset, phase, figures } = poll
  const known = poll.before ? poll.before.progress : firstShare(poll)
  const sold = storableShare(figures.progress)
  if (sold === undefined || phase === 'incoming') return { state: { progress: known } }
  const state = { progress: sold }
  if (known === undefined) return { state }
  if (Big(sold).lte(known)) return { state: { progress: known } }
  const crossed = percents.filter((each) => Big(known).lt(each / 100) && Big(sold).gte(each / 100))
  // After the sale has ended only selling out is worth an event.
  const isRelevant = phase === 'live' || (phase === 'graduated' && Big(sold).gte(1))
  if (crossed.length === 0 || !isRelevant) return { state }
  const about = aboutAsset({ chain, asset })
  const event = {
    ...about,
    key: `progress:${chain}:${about.asset}:${Math.max(...crossed)}`,
    at: now,
    usefulUntil: usefulUntil(phase === 'live' ? figures.endsAt : now + day, now),
    body: { kind: 'progress', asset, from: known, to: sold },
  }
  return { state, event }
}

/** The share to compare with: "0" if the auction was announced or its start is being notified, else unknown. */
function firstShare({ phase, isSeenUnderWay }: AssetPoll): string | undefined {
  return phase === 'incoming' || !isSeenUnderWay ? '0' : undefined
}

function headline(sold: string): Headline {
  if (sold === '1') return { mark: '✅', words: 'Sold out', tone: 'good' }
  return { mark: '📈', words: `${progressPercent(sold)} sold`, tone: 'good' }
}

function abbreviated(values: readonly number[]): string {
  return values.length > 4
    ? `${values.slice(0, 2).join(', ')} … ${values.at(-1)}`
    : values.join(', ')
}
