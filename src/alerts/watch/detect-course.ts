import Big from 'big.js'
import type { Asset } from '../../api/schema.ts'
import type { News } from '../news.ts'
import type { AssetState, Phase } from '../state.ts'

/** An auction in a look at it. */
export interface Course {
  chain: number
  /** Unix seconds. */
  now: number
  asset: Asset
  phase: Phase
  endsAt: number | undefined
  /** It is seen for the first time, and what it has come through by now is not told. */
  isMet: boolean
}

/** What is known after a look, and what of it is news. */
interface Change<Memory> {
  after: Memory
  news: News[]
}

type Ending = NonNullable<AssetState['ending']>

const minute = 60
const day = 86_400
/** Seconds for which what is live or incoming is told though its end or start is over by our clock. */
export const grace = 900
/** Minutes to an end that was never looked at: more than anybody can ask for, so that it has passed all that it may. */
const beyond = 1441
/** Seconds by which an end has to move for it to be counted down to anew. */
const moved = 600
/** Of one that was told of: seconds from one time to the next, and how often at most. An end that jitters is told of for ever else. */
const anewAfter = 3600
const mostAnew = 3

/**
 * One piece of news for all the percentages in use that were passed since the largest share that was ever seen
 * (`known`): a share that falls back and comes again is no news.
 */
export function progressNews(
  { chain, now, asset, phase, endsAt }: Course,
  known: string | undefined,
  share: string | undefined,
  percents: readonly number[],
): Change<string | undefined> {
  if (share === undefined || phase === 'incoming') return { after: known, news: [] }
  if (known === undefined) return { after: share, news: [] }
  if (Big(share).lte(known)) return { after: known, news: [] }
  const passed = percents.filter((each) => Big(known).lt(each / 100) && Big(share).gte(each / 100))
  // Of a sale that is over only that it sold out is worth telling.
  const isTold = phase === 'live' || (phase === 'graduated' && Big(share).gte(1))
  if (passed.length === 0 || !isTold) return { after: share, news: [] }
  const until = (phase === 'live' ? endsAt : undefined) ?? now + day
  const address = asset.asset_address.toLowerCase()
  const news: News = {
    key: `progress:${chain}:${address}:${Math.max(...passed)}`,
    chain,
    asset: address,
    at: now,
    usefulUntil: until > now ? until : now + grace,
    body: { kind: 'progress', asset, from: known, to: share },
  }
  return { after: share, news: [news] }
}

/**
 * One piece of news for all the minutes in use that were passed since the end was last looked at. An end that moves away
 * is counted down to anew from where it is then. While the interface calls an auction live whose end is over by our
 * clock, nothing is concluded; once it is over by both, what was not told comes too late, to be counted as such.
 */
export function endingNews(
  { chain, now, asset, phase, endsAt, isMet }: Course,
  known: AssetState['ending'],
  minutes: readonly number[],
): Change<AssetState['ending']> {
  if (endsAt === undefined) return { after: known, news: [] }
  const isOver = endsAt <= now
  if (phase === 'live' ? isOver : !isOver || known === undefined) return { after: known, news: [] }
  const left = isOver ? 0 : Math.ceil((endsAt - now) / minute)
  if (isMet) return { after: { endsAt, minutes: left }, news: [] }
  const anew = known && movedAway(known, endsAt, now)
  if (anew) return { after: { ...anew, minutes: left }, news: [] }
  const before = known ?? { endsAt, minutes: beyond }
  // Counted down to is the earliest of ends that moved by little: its key must not change with each of them.
  const after = {
    ...before,
    endsAt: Math.min(endsAt, before.endsAt),
    minutes: Math.min(left, before.minutes),
  }
  const passed = minutes.filter((each) => left <= each && each < before.minutes)
  if (passed.length === 0) return { after, news: [] }
  const address = asset.asset_address.toLowerCase()
  const news: News = {
    key: `ending:${chain}:${address}:${after.endsAt}:${Math.min(...passed)}`,
    chain,
    asset: address,
    at: now,
    usefulUntil: endsAt,
    body: { kind: 'ending', asset, fromMinutes: before.minutes, minutes: left, endsAt },
  }
  return { after: { ...after, told: true }, news: [news] }
}

/** An end that moved away, where it may be counted down to anew. A time to come is of a clock that was set back since. */
function movedAway(
  known: Ending,
  endsAt: number,
  now: number,
): Omit<Ending, 'minutes'> | undefined {
  const { told, anew } = known
  if (endsAt <= known.endsAt + moved) return undefined
  if (!told) return { endsAt, anew }
  const { count, at } = anew ?? { count: 0, at: 0 }
  const mayBe = count < mostAnew && (now >= at + anewAfter || now < at)
  return mayBe ? { endsAt, anew: { count: count + 1, at: now } } : undefined
}
