import { z } from 'zod'
import type { Figures } from '../api/figures.ts'
import {
  assetSchema,
  auctionPoolSchema,
  baseTokenSchema,
  graduationPoolSchema,
  type ListStatus,
  listStatuses,
  marketDataSchema,
  nested,
  shownText,
} from '../api/schema.ts'
import type { Money } from '../api/units.ts'

const token = nested(
  baseTokenSchema
    .pick({ token_image_public_url: true, token_creator_address: true })
    // Longer than anything that is shown of them.
    .extend({
      token_name: shownText(200),
      token_symbol: shownText(100),
      token_description: shownText(500),
      token_uri_data: nested(z.object({ name: shownText(200), description: shownText(500) })),
    }),
)

const poolFields = {
  pool_address: true,
  pool_current_price: true,
  pool_current_sqrt_price: true,
  pool_current_tick: true,
  pool_current_market_cap: true,
  pool_migration_timestamp: true,
} as const
const market = nested(
  marketDataSchema.pick({
    pool_price: true,
    pool_market_cap: true,
    pool_price_change_24h: true,
  }),
)

/**
 * The fields of an asset that alerts compare and show. Everything else is left out: third parties write it without a
 * limit, and tens of thousands of assets are stored and held in memory.
 */
export const trimmedAssetSchema = assetSchema.extend({
  auction_pool: nested(
    auctionPoolSchema
      .pick({
        ...poolFields,
        pool_id: true,
        pool_current_total_proceeds: true,
        pool_current_total_tokens_sold: true,
        pool_current_sale_progress_percentage: true,
        pool_config_num_tokens_to_sell: true,
        pool_config_starting_time: true,
        pool_config_ending_time: true,
      })
      .extend({ pool_market_data: market, base_token: token }),
  ),
  graduation_pool: nested(
    graduationPoolSchema.pick(poolFields).extend({ pool_market_data: market, base_token: token }),
  ),
})
export type TrimmedAsset = z.output<typeof trimmedAssetSchema>

/** The phases of an asset by the API; `gone` if the API no longer knows the asset. */
const phases = [...listStatuses, 'ended', 'gone'] as const
export type Phase = (typeof phases)[number]

/** The countdown to an auction's end. */
const countdownSchema = z.object({
  endsAt: z.number(),
  /** The lowest number of minutes to the end that was observed. */
  minutes: z.number(),
  /** Whether this countdown has produced an event. */
  wasNotified: z.boolean().optional(),
  /** The number of restarts of the countdown after a notification, and the time of the last (unix seconds). */
  restarts: z.object({ count: z.number(), at: z.number() }).optional(),
})
export type Countdown = z.output<typeof countdownSchema>

/** Figures of an asset of which rules can ask for the least: plain decimals; absent while unknown. */
export const reachedSchema = z.object({
  mcap: z.string().max(120).optional(),
  raised: z.string().max(120).optional(),
})
export type Reached = z.output<typeof reachedSchema>

/** All of an asset's state but its phase, which has a column of its own. */
const stateSchema = z.object({
  /** The asset in the API's last answer. */
  asset: trimmedAssetSchema,
  /** Phases that produce no event any more: they were notified, or passed before the asset was first seen. */
  pastPhases: z.array(z.enum(listStatuses)).readonly(),
  /** The largest share sold ever observed, 0 to 1; absent while unknown. */
  progress: z.string().optional(),
  ending: countdownSchema.optional(),
  /** The highest figures ever observed in this phase. */
  highest: reachedSchema.optional(),
  /** The number of times in a row that the API did not know the asset. */
  absences: z.number(),
})
/** The state of an asset, to detect events. */
export type AssetState = z.output<typeof stateSchema> & { phase: Phase }

/** Parses a stored state; undefined if this version can't. */
export function parseState(phase: string, body: string): AssetState | undefined {
  const stored = stateSchema.safeParse(storedJson(body)).data
  const knownPhase = phases.find((each) => each === phase)
  return stored && knownPhase && { ...stored, phase: knownPhase }
}

/** The JSON to store of a state. Its fields have one order, because states are compared by this text. */
export function stateJson(state: AssetState): string {
  const { asset, pastPhases, progress, ending, highest, absences } = state
  const { endsAt, minutes, wasNotified, restarts } = ending ?? {}
  const countdown = ending && { endsAt, minutes, wasNotified, restarts }
  return JSON.stringify({ asset, pastPhases, progress, ending: countdown, highest, absences })
}

/** A point of an asset's history: `at` in unix seconds, the price and progress (0 to 1) as decimals. */
const pointSchema = z.object({
  at: z.number(),
  price: z.string().max(120).optional(),
  /** Set if the price is in quote tokens, not in dollars. All prices of a history are in one currency. */
  isInQuote: z.literal(true).optional(),
  progress: z.string().max(120).optional(),
})
export type Point = z.output<typeof pointSchema>

/** Oldest first. */
export const historySchema = z.array(pointSchema)

/** Seconds between two points of a history. */
export const minPointGap = 60
/** More points can't be distinguished on a card. */
const maxPoints = 96

/**
 * The history of an asset with its current figures: at most one point a minute, and only if a figure changed. Beyond
 * the maximum every second point of the older half is removed, so that the history stays complete and is finest at its
 * end.
 */
export function withPoint(
  history: readonly Point[],
  figures: Pick<Figures, 'price' | 'progress'>,
  now: number,
): readonly Point[] {
  const last = history.at(-1)
  const isInQuote = figures.price?.currency === 'numeraire' || undefined
  const before = history.findLast((point) => point.price !== undefined)
  // Until the bot has learned what a quote token is worth, as after a start, a history in dollars has no new prices.
  const isUnknown = before !== undefined && isInQuote && !before.isInQuote
  const price = isUnknown ? last?.price : storable(figures.price)?.amount
  const progress = storableShare(figures.progress)
  const isAnew = before?.isInQuote && !isInQuote && price !== undefined
  if (price === undefined && progress === undefined) return history
  if (last?.price === price && last?.progress === progress) return history
  if (last && now - last.at < minPointGap) return history
  const point = { at: now, price, progress, ...(isInQuote && !isUnknown && { isInQuote }) }
  return thinned([...(isAnew ? [] : history), point])
}

function thinned(points: Point[]): Point[] {
  if (points.length <= maxPoints) return points
  const middle = Math.floor(points.length / 2)
  return points.filter((_, index) => index >= middle || index % 2 === 0)
}

/** An asset that the API knows: found in a list, or fetched by its address. */
export interface FoundAsset {
  source: ListStatus | 'fetch'
  asset: TrimmedAsset
}

/** The result of a poll for one asset; the source is `none` if the API does not know it. */
export type Observation = FoundAsset | { source: 'none' }

/** Maximum length of stored numbers; only a faulty API exceeds it. */
const maxDigits = 120

/** The amount if it can be stored; undefined if it is too long. */
export function storable(money: Money | undefined): Money | undefined {
  return money && money.amount.length <= maxDigits ? money : undefined
}

/** A ratio as it can be stored: cut, not rounded, so that a share never grows. */
export function storableShare(share: string | undefined): string | undefined {
  return share?.slice(0, maxDigits)
}

/** Parses a stored JSON text; undefined if it is invalid. The caller must validate the value. */
export function storedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
