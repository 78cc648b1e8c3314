import { z } from 'zod'
import { unixTime } from '../../api/asset.ts'
import { type Figures, figuresOf } from '../../api/figures.ts'
import type { Asset, ListStatus } from '../../api/schema.ts'
import type { Units } from '../../api/units.ts'
import { chainById } from '../../chain/chains.ts'
import { progressPercent } from '../../core/number.ts'
import { type Block, type Message, type Picture, type Text, t, type View } from '../../core/view.ts'
import { proceedsFields, soldBlocks, worthFields } from '../../views/facts.ts'
import { chainName } from '../../views/token.ts'
import { type Phase, type TrimmedAsset, trimmedAssetSchema } from '../asset.ts'
import {
  assetEventViews,
  assetView,
  capDetail,
  endDetail,
  type Headline,
  soldDetail,
  timeAhead,
} from './asset-view.ts'
import {
  type AlertKind,
  type AssetPoll,
  aboutAsset,
  day,
  minimums,
  type Subject,
  usefulUntil,
} from './kind.ts'

const headlines: Readonly<Record<Phase, Headline>> = {
  incoming: { text: (token) => t('alerts-incoming', { token }), tone: 'neutral' },
  live: { text: (token) => t('alerts-live', { token }), tone: 'good' },
  graduated: { text: (token) => t('alerts-graduated', { token }), tone: 'good' },
  ended: { text: (token) => t('alerts-ended', { token }), tone: 'neutral' },
  gone: { text: (token) => t('alerts-gone', { token }), tone: 'neutral' },
}

const noSetting = z.strictObject({})
type NoSetting = z.output<typeof noSetting>

/** The texts of a kind about the beginning of a phase. */
interface PhaseTexts {
  label: Message
  about: Message
  /** A rule about every auction, and one about one asset. */
  any: Message
  one(name: Text): Message
}

/** The members that the kinds about the beginning of a phase share: nothing can be set. */
function phaseKind<Id extends ListStatus>(id: Id, { label, about, any, one }: PhaseTexts) {
  return {
    id,
    label,
    about,
    inFollowButton: true,
    assets: 'either',
    minimums,
    setting: noSetting,
    options: [],
    settingFrom: (): NoSetting => ({}),
    optionsFrom: () => ({}),
    presets: () => [],
    shortText: () => label,
    ruleText: (_: NoSetting, { name }: Subject) => (name === undefined ? any : one(name)),
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
  ...phaseKind('live', {
    label: t('alerts-kind-live'),
    about: t('alerts-about-live'),
    any: t('alerts-rule-live'),
    one: (name) => t('alerts-rule-live-one', { name }),
  }),
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
    details({ body: { asset }, chain, units, now }) {
      const figures = figuresOf(asset, units)
      const { progress = '0' } = figures
      return [
        ...capDetail(asset, figures, chain),
        ...(progress === '0' ? [] : [soldDetail(progress)]),
        ...(progress === '1' ? [] : endDetail(figures.endsAt, now)),
      ]
    },
  }).line,
  rank: () => 2,
}

export const incoming: AlertKind<NoSetting, PhaseBody<'incoming'>> = {
  ...phaseKind('incoming', {
    label: t('alerts-kind-incoming'),
    about: t('alerts-about-incoming'),
    any: t('alerts-rule-incoming'),
    one: (name) => t('alerts-rule-incoming-one', { name }),
  }),
  word: 'upcoming',
  inFollowButton: false,
  // Nothing is raised before the start.
  minimums: ['mcap'],
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
      {
        kind: 'fields',
        fields: timeAhead(t('asset-starts'), figuresOf(asset, units).startsAt, now),
      },
    ],
    details({ body: { asset }, chain, units, now }) {
      const figures = figuresOf(asset, units)
      return [...capDetail(asset, figures, chain), ...startDetail(figures.startsAt, now)]
    },
    opensList: true,
  }),
  rank: () => 5,
}

function startDetail(time: number | undefined, now: number): Text[] {
  if (time === undefined || time <= now) return []
  return [t('alerts-detail-starts', { time: { time, as: 'relative' } })]
}

export const graduated: AlertKind<NoSetting, PhaseBody<'graduated'>> = {
  ...phaseKind('graduated', {
    label: t('alerts-kind-graduated'),
    about: t('alerts-about-graduated'),
    any: t('alerts-rule-graduated'),
    one: (name) => t('alerts-rule-graduated-one', { name }),
  }),
  example: () => 'category:builder-coin',
  never: ({ chain }) =>
    chain.neverGraduates ? t('alerts-never-graduates', { chain: chainName(chain) }) : undefined,
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
    details: ({ body: { asset }, chain, units }) =>
      capDetail(asset, figuresOf(asset, units), chain),
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
  const ends = figures.progress === '1' ? [] : timeAhead(t('asset-ends'), figures.endsAt, now)
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
  const text = outcome(phase, progress)
  // If it graduated without selling out, this says no more than the title.
  const isPictured = phase === 'graduated' && progress !== '1'
  return text === undefined ? [] : [{ kind: 'text', isPictured, spans: [{ bold: text }] }]
}

/** Returns the outcome of the auction; undefined while it is not over. */
function outcome(phase: Phase, progress: string | undefined): Text | undefined {
  if (phase === 'graduated') {
    return progress === '1' ? t('alerts-outcome-sold-out') : t('alerts-outcome-graduated')
  }
  if (phase === 'ended') {
    return progress === undefined
      ? t('alerts-outcome-ended')
      : t('alerts-outcome-ended-at', { share: progressPercent(progress) })
  }
  return phase === 'gone' ? t('alerts-outcome-gone') : undefined
}
