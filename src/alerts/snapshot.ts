import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { type ListStatus, listStatuses } from '../api/status.ts'
import type { Money } from '../api/units.ts'
import type { Store, WatchedAssetsTable } from '../db/schema.ts'
import { type BriefAsset, briefAssetSchema } from './event.ts'

/** An asset as it was when it was last looked at. */
export interface WatchedAsset {
  chain: number
  phase: Phase
  asset: BriefAsset
  /** Oldest first. */
  history: readonly Point[]
  /** Unix seconds of the last change that was seen. */
  updatedAt: number
}

/** A row of the snapshot as the watcher keeps it. */
export interface Kept {
  /** Undefined where this version can't read it: the asset counts as never seen. */
  state: AssetState | undefined
  history: readonly Point[]
  updatedAt: number
}

/** A row of the snapshot that is to be written. */
export interface AssetChange {
  row: WatchedAssetsTable
  /** When the row in whose place it goes was written (its `updated_at`); undefined where there was none. */
  before: number | undefined
}

/** Parameters of one statement are bounded. */
const together = 100
const hour = 3_600
const day = 86_400
const keptDays = 30
const maxKept = 200_000

/** The snapshot: what every asset that was ever seen looked like when it was last looked at. */
export class WatchedAssets {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** @param asset its address, in any case */
  async find(chain: number, asset: string): Promise<WatchedAsset | undefined> {
    const row = await this.#store
      .selectFrom('watched_assets')
      .selectAll()
      .where('chain', '=', chain)
      .where('asset', '=', asset.toLowerCase())
      .executeTakeFirst()
    return row && watched(row)
  }

  /** A chain's assets in a phase, the last changed first: at most `most`, changed since a unix second. */
  async ofPhase(
    chain: number,
    phase: Phase,
    { since = 0, most }: { since?: number; most: number },
  ): Promise<WatchedAsset[]> {
    const rows = await this.#store
      .selectFrom('watched_assets')
      .selectAll()
      .where('chain', '=', chain)
      .where('phase', '=', phase)
      .where('updated_at', '>=', since)
      .orderBy('updated_at', 'desc')
      .limit(most)
      .execute()
    const found: WatchedAsset[] = []
    for (const [index, row] of rows.entries()) {
      if (index % together === 0) await setImmediate()
      const each = watched(row)
      if (each) found.push(each)
    }
    return found
  }

  /**
   * At most `most` of the chain's graduated assets whose price or market cap somebody follows, by lower-case address:
   * those after `last`, then from the first. One that was never seen is there where the chain is named.
   */
  async followed(chain: number, { last, most }: { last: string; most: number }): Promise<string[]> {
    const after = await this.#followed(chain, ['>', last], most)
    if (after.length === most) return after
    return [...after, ...(await this.#followed(chain, ['<=', last], most - after.length))]
  }

  async #followed(chain: number, [side, last]: ['>' | '<=', string], most: number) {
    const found = new Set<string>()
    // By kind: so the index gives them in order, and no more are read than are wanted.
    for (const kind of ['price', 'mcap']) {
      const rows = await this.#store
        .selectFrom('filters')
        .leftJoin('watched_assets', (join) =>
          join
            .onRef('watched_assets.asset', '=', 'filters.asset')
            .on('watched_assets.chain', '=', chain),
        )
        .select('filters.asset')
        .distinct()
        .where('filters.kind', '=', kind)
        .where('filters.asset', side, last)
        .where('filters.chain', 'in', [0, chain])
        .where((row) =>
          row.or([
            row('phase', '=', 'graduated'),
            row.and([row('phase', 'is', null), row('filters.chain', '=', chain)]),
          ]),
        )
        .where((row) =>
          row.exists(
            row
              .selectFrom('follows')
              .select('follows.destination')
              .whereRef('follows.filter', '=', 'filters.id'),
          ),
        )
        .orderBy('filters.asset')
        .limit(most)
        .execute()
      for (const { asset } of rows) found.add(asset)
    }
    return [...found].sort().slice(0, most)
  }

  /** What is kept of a chain's incoming and live assets, by lower-case address. */
  async open(chain: number): Promise<Map<string, Kept>> {
    const rows = await this.#store
      .selectFrom('watched_assets')
      .select('asset')
      .where('chain', '=', chain)
      .where('phase', 'in', ['incoming', 'live'])
      .execute()
    return this.known(
      chain,
      rows.map(({ asset }) => asset),
    )
  }

  /** What is kept of these assets, by lower-case address; those that were never seen are absent. */
  async known(chain: number, assets: readonly string[]): Promise<Map<string, Kept>> {
    const found = new Map<string, Kept>()
    for (let index = 0; index < assets.length; index += together) {
      const rows = await this.#store
        .selectFrom('watched_assets')
        .selectAll()
        .where('chain', '=', chain)
        .where('asset', 'in', assets.slice(index, index + together))
        .execute()
      for (const row of rows) found.set(row.asset, read(row))
      // The database answers at once: without a pause people would wait for all of it.
      await setImmediate()
    }
    return found
  }

  /**
   * Forgets what ended or went over 30 days ago, and of too many those that changed longest ago, but none that is
   * incoming or live. Returns how many went. One that comes back is no news: its key or its times tell.
   */
  async prune(now: number): Promise<number> {
    const overflow = this.#store
      .selectFrom('watched_assets')
      .select(['chain', 'asset'])
      .where('phase', 'not in', ['incoming', 'live'])
      .orderBy('updated_at', 'desc')
      // SQLite takes no offset alone, PostgreSQL no limit below zero.
      .limit(1_000_000_000)
      .offset(maxKept)
    const old = await this.#store
      .deleteFrom('watched_assets')
      .where('phase', 'in', ['ended', 'gone'])
      .where('updated_at', '<', now - keptDays * day)
      .executeTakeFirst()
    const surplus = await this.#store
      .deleteFrom('watched_assets')
      .where((row) =>
        row(row.refTuple('chain', 'asset'), 'in', overflow.$asTuple('chain', 'asset')),
      )
      .executeTakeFirst()
    return Number(old.numDeletedRows + surplus.numDeletedRows)
  }
}

/** What is written of an asset. */
export function assetRow(
  chain: number,
  asset: string,
  { state, history, updatedAt }: Kept & { state: AssetState },
): WatchedAssetsTable {
  return {
    chain,
    asset,
    phase: state.phase,
    body: bodyOf(state),
    history: JSON.stringify(history),
    updated_at: updatedAt,
  }
}

/** The time to write at: never that of the row before, by which one tells whether it is still there. */
export function writtenAt(now: number, before: number | undefined): number {
  // A time further ahead is of a clock that was set back since.
  return before !== undefined && before >= now && before < now + hour ? before + 1 : now
}

/**
 * Writes rows of the snapshot where those that they follow are still there: of two who looked at the same the later one
 * would undo what is known else, and it would be told again. Returns how many were written.
 */
export async function upsertAssets(tx: Store, changes: readonly AssetChange[]): Promise<number> {
  let written = 0
  for (let index = 0; index < changes.length; index += together) {
    const some = changes.slice(index, index + together)
    const { numInsertedOrUpdatedRows = 0n } = await tx
      .insertInto('watched_assets')
      .values(some.map(({ row }) => row))
      .onConflict((conflict) =>
        conflict
          .columns(['chain', 'asset'])
          .doUpdateSet(({ ref }) => ({
            phase: ref('excluded.phase'),
            body: ref('excluded.body'),
            history: ref('excluded.history'),
            updated_at: ref('excluded.updated_at'),
          }))
          .where((known) => known.or(some.flatMap(followed).map((row) => known.and(row)))),
      )
      .executeTakeFirst()
    written += Number(numInsertedOrUpdatedRows)
  }
  return written
}

/** The row that is to be there for another to go in its place. */
function followed({ row: { chain, asset }, before }: AssetChange) {
  if (before === undefined) return []
  return [
    {
      'watched_assets.chain': chain,
      'watched_assets.asset': asset,
      'watched_assets.updated_at': before,
    },
  ]
}

/** Whether there is nothing to write. */
export function isSameState(one: AssetState, other: AssetState): boolean {
  return one.phase === other.phase && bodyOf(one) === bodyOf(other)
}

function bodyOf({ asset, told, progress, ending, misses }: AssetState): string {
  return JSON.stringify({ asset, told, progress, ending, misses })
}

function watched(row: WatchedAssetsTable): WatchedAsset | undefined {
  const { state, history, updatedAt } = read(row)
  if (!state) return undefined
  return { chain: row.chain, phase: state.phase, asset: state.asset, history, updatedAt }
}

function read({ phase, body, history, updated_at }: WatchedAssetsTable): Kept {
  const state = stateSchema.safeParse(storedJson(body)).data
  const known = phases.find((each) => each === phase)
  return {
    state: state && known && { ...state, phase: known },
    history: historySchema.safeParse(storedJson(history)).data ?? [],
    updatedAt: updated_at,
  }
}

/** Where an asset is in its life, as the interface tells it; `gone` where it knows the asset no more. */
const phases = [...listStatuses, 'ended', 'gone'] as const
export type Phase = (typeof phases)[number]

/** What is kept of an asset beside its phase, to tell news from what was known. */
const stateSchema = z.object({
  /** As the interface gave it last. */
  asset: briefAssetSchema,
  /** The phases that are never told again: they were told, or were there before anybody asked. */
  told: z.array(z.enum(listStatuses)),
  /** The largest share sold that was ever seen, 0 to 1; absent until it is known. */
  progress: z.string().optional(),
  /** The end that is counted down to. */
  ending: z
    .object({
      endsAt: z.number(),
      /** The fewest to it that were seen. */
      minutes: z.number(),
      /** Whether anything was told of it. */
      told: z.boolean().optional(),
      /** How often it was counted down to anew after it was told of, and when (unix seconds) that was last. */
      anew: z.object({ count: z.number(), at: z.number() }).optional(),
    })
    .optional(),
  /** How often in a row the interface did not know it. */
  misses: z.number(),
})

/** An asset of the snapshot. */
export interface AssetState extends z.output<typeof stateSchema> {
  phase: Phase
}

/** How an asset was seen: in a list, or asked for by itself. */
export interface Seen {
  by: ListStatus | 'itself'
  asset: BriefAsset
}

/** What a look came to for one asset; `absence` where the interface does not know it. */
export type Observation = Seen | { by: 'absence' }

/** News and histories hold no longer numbers; only an interface gone wrong gives one. */
const maxDigits = 120

/** The amount as it can be stored; absent where it is no sensible length. */
export function storable(money: Money | undefined): Money | undefined {
  return money && money.amount.length <= maxDigits ? money : undefined
}

/** A ratio as it can be stored: cut, so that a share is never more than it was. */
export function storableShare(share: string | undefined): string | undefined {
  return share?.slice(0, maxDigits)
}

/** What a text of the database says; undefined where it is no JSON. Whoever asks checks what it is. */
export function storedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A point of an asset's recorded course; price in dollars (or the numeraire) and progress 0 to 1 as decimals. */
const pointSchema = z.object({
  at: z.number(),
  price: z.string().max(120).optional(),
  progress: z.string().max(120).optional(),
})
export type Point = z.output<typeof pointSchema>

/** Oldest first. */
export const historySchema = z.array(pointSchema)
