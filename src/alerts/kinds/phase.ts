import { z } from 'zod'
import { unixTime } from '../../api/asset.ts'
import { type Figures, figuresOf } from '../../api/figures.ts'
import type { Asset, ListStatus } from '../../api/schema.ts'
import type { Units } from '../../api/units.ts'
import { chainById } from '../../chain/chains.ts'
import type { Block, Picture, View } from '../../core/view.ts'
import { proceedsFields, soldBlocks, worthFields } from '../../views/facts.ts'
import { progressPercent } from '../../views/number.ts'
import { type Phase, type TrimmedAsset, trimmedAssetSchema } from '../asset.ts'
import {
  assetEventViews,
  assetView,
  type Headline,
  timeAhead,
  timeDetail,
  worthDetail,
} from './asset-view.ts'
import {
  type AlertKind,
  type AssetPoll,
  aboutAsset,
  day,
  type Subject,
  usefulUntil,
} from './kind.ts'

const headlines: Readonly<Record<Phase, Headline>> = {
  incoming: { mark: '🕒', words: 'Coming up', tone: 'neutral' },
  live: { mark: '🟢', words: 'Live now', tone: 'good' },
  graduated: { mark: '🎓', words: 'Graduated', tone: 'good' },
  ended: { mark: '⏹️', words: 'Ended', tone: 'neutral' },
  gone: { mark: '⏹️', words: 'No longer listed', tone: 'neutral' },
}

const noSetting = z.strictObject({})
type NoSetting = z.output<typeof noSetting>

/** The members that the kinds about the beginning of a phase share: nothing can be set. */
function phaseKind<Id extends ListStatus>(id: Id, verb: string) {
  return {
    id,
    inFollowButton: true,
    assets: 'either',
    setting: noSetting,
    options: [],
    settingFrom: (): NoSetting => ({}),
    optionsFrom: () => ({}),
    presets: () => [],
    settingText: () => '',
    ruleText: (_: NoSetting, { name, on, filter }: Subject) =>
      name === undefined ? `Every auction that ${verb}${filter}` : `${name} ${verb}${on}`,
    body: z.object({ kind: z.literal(id), asset: trimmedAssetSchema }),
  } as const
}

/** The event of an asset that entered a phase at `began`, by its own timestamps, and is useful until `end`. */
function phaseEvent(
  { chain, asset, now }: AssetPoll,
  kind: ListStatus,
  began: number | undefined,
  end: (at: number) => number,
) {
  const about = aboutAsset({ chain, asset })
  const at = Math.min(now, began ?? now)
  const key = `${kind}:${chain}:${about.asset}`
  return { event: { ...about, key, at, usefulUntil: end(at), body: { kind, asset } } }
}

/** Unix seconds at which a graduated asset graduated; undefined if the API gives no time. */
export function graduatedAt(asset: Asset, { migratedAt }: Figures): number | undefined {
  return (
    migratedAt ??
    unixTime(asset.asset_migration_timestamp) ??
    unixTime(asset.auction_pool?.pool_migration_timestamp)
  )
}

type PhaseBody<Id extends ListStatus> = { kind: Id; asset: TrimmedAsset }

export const live: AlertKind<NoSetting, PhaseBody<'live'>> = {
  ...phaseKind('live', 'goes live'),
  label: '🟢 Live',
  about: 'an auction goes live',
  example: () => 'category:builder-coin chain:base',
  isOver: (phase) => phase === 'live' || phase === 'graduated' || phase === 'ended',
  detection: {
    from: 'asset',
    detect(poll) {
      const { startsAt, endsAt } = poll.figures
      return poll.entered === 'live'
        ? phaseEvent(poll, 'live', startsAt, () => usefulUntil(endsAt, poll.now))
        : {}
    },
  },
  view: ({ body, ...event }) => liveView({ ...event, asset: body.asset, phase: 'live' }),
  line: assetEventViews<PhaseBody<'live'>>({
    headline: () => headlines.live,
    blocks: () => [],
    detail({ body: { asset }, chain, units, now }) {
      const figures = figuresOf(asset, units)
      const { progress = '0' } = figures
      return [
        ...worthDetail(asset, figures, chain),
        ...(progress === '0' ? [] : [` · ${progressPercent(progress)} sold`]),
        ...(progress === '1' ? [] : timeDetail('ends', figures.endsAt, now)),
      ]
    },
  }).line,
  rank: () => 2,
}

export const incoming: AlertKind<NoSetting, PhaseBody<'incoming'>> = {
  ...phaseKind('incoming', 'is announced'),
  inFollowButton: false,
  label: '🕒 Incoming',
  about: 'an auction is announced',
  example: () => 'category:product-coin',
  isOver: (phase) => phase !== 'gone',
  detection: {
    from: 'asset',
    detect(poll) {
      const { createdAt, startsAt } = poll.figures
      return poll.entered === 'incoming'
        ? phaseEvent(poll, 'incoming', createdAt, () => usefulUntil(startsAt, poll.now))
        : {}
    },
  },
  ...assetEventViews<PhaseBody<'incoming'>>({
    headline: () => headlines.incoming,
    blocks: ({ body: { asset }, units, now }) => [
      { kind: 'fields', fields: timeAhead('Starts', figuresOf(asset, units).startsAt, now) },
    ],
    detail({ body: { asset }, chain, units, now }) {
      const figures = figuresOf(asset, units)
      return [...worthDetail(asset, figures, chain), ...timeDetail('starts', figures.startsAt, now)]
    },
    opensList: true,
  }),
  rank: () => 5,
}

export const graduated: AlertKind<NoSetting, PhaseBody<'graduated'>> = {
  ...phaseKind('graduated', 'graduates'),
  label: '🎓 Graduated',
  about: 'an auction graduates',
  example: () => 'category:builder-coin',
  isOver: (phase) => phase === 'graduated',
  detection: {
    from: 'asset',
    detect(poll) {
      const at = graduatedAt(poll.asset, poll.figures)
      return poll.entered === 'graduated'
        ? phaseEvent(poll, 'graduated', at, (since) => since + day)
        : {}
    },
  },
  ...assetEventViews<PhaseBody<'graduated'>>({
    headline: () => headlines.graduated,
    blocks: ({ body: { asset }, chain, units }) => [
      { kind: 'fields', fields: worthFields(asset, figuresOf(asset, units), chain) },
    ],
    detail: ({ body: { asset }, chain, units }) =>
      worthDetail(asset, figuresOf(asset, units), chain),
  }),
  rank: () => 0,
}

interface LiveViewParts {
  asset: Asset
  chain: number
  units: Units
  /** Unix seconds. */
  now: number
  phase: Phase
  picture?: Picture | undefined
}

/** The message of a `live` alert: progress and time left while the auction is live, then its outcome. */
export function liveView({ asset, units, now, phase, picture, ...parts }: LiveViewParts): View {
  const chain = chainById(parts.chain)
  const figures = figuresOf(asset, units)
  const isOpen = phase === 'live' || phase === 'incoming'
  const ends = figures.progress === '1' ? [] : timeAhead('Ends', figures.endsAt, now)
  const fields = [
    ...worthFields(asset, figures, chain),
    ...proceedsFields(asset, figures, chain),
    ...(isOpen ? ends : []),
  ]
  const view = assetView({
    asset,
    chain,
    headline: headlines[phase],
    blocks: [
      ...outcomeBlocks(phase, figures.progress),
      ...(showsShare(phase, figures.progress) ? soldBlocks(figures.progress) : []),
      { kind: 'fields', fields: phase === 'gone' ? [] : fields },
    ],
    opensList: isOpen,
  })
  return picture ? { ...view, picture } : view
}

/** Whether the share sold is shown. Once the auction is over only a full one means anything beside the outcome. */
function showsShare(phase: Phase, progress: string | undefined): boolean {
  return phase === 'graduated' ? progress === '1' : phase !== 'gone'
}

function outcomeBlocks(phase: Phase, progress: string | undefined): Block[] {
  const words = outcome(phase, progress)
  return words === undefined ? [] : [{ kind: 'text', spans: [{ bold: words }] }]
}

/** Returns the outcome of the auction; undefined while it is not over. */
function outcome(phase: Phase, progress: string | undefined): string | undefined {
  const at = progress === undefined ? '' : ` at ${progressPercent(progress)}`
  if (phase === 'graduated') {
    return progress === '1' ? 'Sold out and graduated.' : 'The auction is over: it graduated.'
  }
  if (phase === 'ended') return `Ended without graduating${at}.`
  return phase === 'gone' ? 'The data source does not list it any more.' : undefined
}
