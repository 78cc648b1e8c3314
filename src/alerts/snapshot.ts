import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Asset } from '../api/schema.ts'
import { chunks } from '../core/text.ts'
import type { Store, WatchedAssetsTable } from '../db/schema.ts'
import { deleteInBatches, idRanges } from '../db/sql.ts'
import {
  type AssetState,
  historySchema,
  type Phase,
  type Point,
  parseState,
  stateJson,
  storedJson,
  type TrimmedAsset,
  trimmedAssetSchema,
} from './asset.ts'
import { day, minute } from './kinds/kind.ts'
import { type Kind, kindNamed } from './kinds/list.ts'

/** An asset as it was last observed. */
export interface WatchedAsset {
  chain: number
  phase: Phase
  asset: TrimmedAsset
  /** Oldest first. */
  history: readonly Point[]
  /** Unix seconds of the last observed change. */
  updatedAt: number
}

/** A row of the snapshot, parsed. */
export interface StoredAsset {
  /** Undefined if this version can't parse it: the asset counts as never seen. */
  state: AssetState | undefined
  history: readonly Point[]
  updatedAt: number
}

/** Why an asset is followed. */
export interface FollowedAsset {
  /** The kinds of the rules that name it. */
  kinds: Kind[]
  /** Whether one of them names the chain, too. */
  isHere: boolean
  /** Whether a message about it is edited soon. */
  isShown: boolean
}

/** The assets of a chain in a phase. */
type Group = Pick<WatchedAssetsTable, 'chain' | 'phase'>

/** Rows per statement: databases limit its parameters. */
const batchSize = 100
export const overPhases: readonly Phase[] = ['graduated', 'ended', 'gone']
const retentionDays = 30
const maxAssets = 200_000
/** Messages whose assets are read before they are edited: as many as both platforms' edits of a minute. */
const maxShown = 600

/** The snapshot: the last observed state of every asset. */
export class WatchedAssets {
  readonly #store: Store
  /** Parsed rows by their text: each poll reads most of them again, unchanged. */
  readonly #parsed = new LRUCache<string, StoredAsset>({ max: 1000 })

  readonly #trimmed = new WeakMap<Asset, TrimmedAsset>()

  constructor(store: Store) {
    this.#store = store
  }

  /** The fields of an asset that are stored; computed once per object. */
  trimmed(asset: Asset): TrimmedAsset {
    const trimmed = this.#trimmed.get(asset) ?? trimmedAssetSchema.parse(asset)
    this.#trimmed.set(asset, trimmed)
    return trimmed
  }

  /** @param asset its address, in any case */
  async find(chain: number, asset: string): Promise<WatchedAsset | undefined> {
    const row = await this.#store
      .selectFrom('watched_assets')
      .selectAll()
      .where('chain', '=', chain)
      .where('asset', '=', asset.toLowerCase())
      .executeTakeFirst()
    return row && watchedAsset(chain, parseRow(row))
  }

  /** A chain's assets in a phase that changed since a unix second, last changed first, at most `limit`. */
  async ofPhase(
    chain: number,
    phase: Phase,
    { since = 0, limit }: { since?: number; limit: number },
  ): Promise<WatchedAsset[]> {
    const rows = await this.#store
      .selectFrom('watched_assets')
      .select('asset')
      .where('chain', '=', chain)
      .where('phase', '=', phase)
      .where('updated_at_s', '>=', since)
      .orderBy('updated_at_s', 'desc')
      .limit(limit)
      .execute()
    const found = await this.read(
      chain,
      rows.map(({ asset }) => asset),
    )
    return rows.flatMap(({ asset }) => watchedAsset(chain, found.get(asset)) ?? [])
  }

  /**
   * The assets that rules with subscribers name, on this chain or without naming one, and those of messages that are edited
   * within a minute, by lower-case address.
   * @param now unix seconds
   */
  async followed(chain: number, now: number): Promise<Map<string, FollowedAsset>> {
    const found = new Map<string, FollowedAsset>()
    const about = (asset: string) => {
      const followed = found.get(asset) ?? { kinds: [], isHere: false, isShown: false }
      found.set(asset, followed)
      return followed
    }
    for await (const { from, to } of idRanges(this.#store, 'rules')) {
      const rows = await this.#store
        .selectFrom('rules')
        .select(['asset', 'kind', 'rules.chain'])
        .where('id', '>', from)
        .where('id', '<=', to)
        .where('asset', '<>', '')
        .where('rules.chain', 'in', [0, chain])
        .where((row) =>
          row.exists(
            row
              .selectFrom('subscriptions')
              .select('subscriptions.chat_id')
              .whereRef('subscriptions.rule_id', '=', 'rules.id'),
          ),
        )
        .execute()
      for (const { asset, kind, chain: on } of rows) {
        const followed = about(asset)
        followed.isHere ||= on === chain
        const known = kindNamed(kind)
        if (known && !followed.kinds.includes(known)) followed.kinds.push(known)
      }
    }
    const shown = await this.#store
      .selectFrom('live_messages')
      .select('asset')
      .where('due_at_s', '<=', now + minute)
      .where('chain', '=', chain)
      .where('over_at_s', 'is', null)
      .orderBy('due_at_s')
      .limit(maxShown)
      .execute()
    for (const { asset } of shown) about(asset).isShown = true
    return found
  }

  /** The addresses of a chain's assets in a phase, in lower case. */
  async ofChain(chain: number, phase: Phase): Promise<string[]> {
    const rows = await this.#store
      .selectFrom('watched_assets')
      .select('asset')
      .where('chain', '=', chain)
      .where('phase', '=', phase)
      .execute()
    return rows.map(({ asset }) => asset)
  }

  /** The stored state of these assets, by lower-case address; those never seen are absent. */
  async read(chain: number, assets: readonly string[]): Promise<Map<string, StoredAsset>> {
    const found = new Map<string, StoredAsset>()
    for (const batch of chunks(assets, batchSize)) {
      const rows = await this.#store
        .selectFrom('watched_assets')
        .selectAll()
        .where('chain', '=', chain)
        .where('asset', 'in', batch)
        .execute()
      for (const row of rows) found.set(row.asset, this.#parse(row))
      // SQLite answers synchronously: give other work a turn.
      await yieldToOthers()
    }
    return found
  }

  #parse(row: WatchedAssetsTable): StoredAsset {
    const text = `${row.phase} ${row.updated_at_s} ${row.body} ${row.history}`
    const stored = this.#parsed.get(text) ?? parseRow(row)
    this.#parsed.set(text, stored)
    return stored
  }

  /**
   * Deletes assets that ended or disappeared 30 days ago, and beyond 200,000 those that changed longest ago; never
   * incoming or live ones. Returns how many. An asset that comes back is not notified again: the key of its event is
   * stored, or its timestamps are too old.
   */
  async prune(now: number): Promise<number> {
    const groups: Group[] = []
    let count = 0
    let surplus = -maxAssets
    for (const chain of await chainsWithAssets(this.#store)) {
      for (const phase of overPhases) {
        const group = { chain, phase }
        groups.push(group)
        if (phase !== 'graduated') {
          count += await deleteInBatches(
            (limit) => this.#deleteOld(group, now - retentionDays * day, limit),
            batchSize,
          )
        }
        await yieldToOthers()
        surplus += await this.#count(group)
      }
    }
    for (; surplus > 0; surplus -= batchSize) {
      await yieldToOthers()
      count += await this.#deleteOldest(groups, Math.min(surplus, batchSize))
    }
    return count
  }

  async #count({ chain, phase }: Group): Promise<number> {
    const { count } = await this.#store
      .selectFrom('watched_assets')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('chain', '=', chain)
      .where('phase', '=', phase)
      .executeTakeFirstOrThrow()
    return count
  }

  #deleteOld({ chain, phase }: Group, before: number, limit: number) {
    const old = this.#store
      .selectFrom('watched_assets')
      .select('asset')
      .where('chain', '=', chain)
      .where('phase', '=', phase)
      .where('updated_at_s', '<', before)
      .limit(limit)
    return this.#store
      .deleteFrom('watched_assets')
      .where('chain', '=', chain)
      .where('asset', 'in', old)
      .executeTakeFirstOrThrow()
  }

  /** Deletes those assets of all groups that changed longest ago. */
  async #deleteOldest(groups: readonly Group[], limit: number): Promise<number> {
    const candidates: Pick<WatchedAssetsTable, 'chain' | 'asset' | 'updated_at_s'>[] = []
    for (const { chain, phase } of groups) {
      // A group at a time: the index has each in this order.
      const oldest = this.#store
        .selectFrom('watched_assets')
        .select(['chain', 'asset', 'updated_at_s'])
        .where('chain', '=', chain)
        .where('phase', '=', phase)
        .orderBy('updated_at_s')
        .limit(limit)
      candidates.push(...(await oldest.execute()))
    }
    const oldest = candidates
      .toSorted((one, other) => one.updated_at_s - other.updated_at_s)
      .slice(0, limit)
    const { numDeletedRows } = await this.#store
      .deleteFrom('watched_assets')
      .where((row) => row.or(oldest.map(({ chain, asset }) => row.and({ chain, asset }))))
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  }
}

/** The chains of which assets are stored, each found by one step in the index. */
export async function chainsWithAssets(store: Store): Promise<number[]> {
  const chains: number[] = []
  for (;;) {
    const row = await store
      .selectFrom('watched_assets')
      .select((each) => each.fn.min<number | null>('chain').as('next'))
      .where('chain', '>', chains.at(-1) ?? 0)
      .executeTakeFirst()
    if (!row?.next) return chains
    chains.push(row.next)
  }
}

/** The row to write for an asset. */
export function assetRow(
  chain: number,
  asset: string,
  { state, history, updatedAt }: StoredAsset & { state: AssetState },
): WatchedAssetsTable {
  return {
    chain,
    asset,
    phase: state.phase,
    body: stateJson(state),
    history: JSON.stringify(history),
    updated_at_s: updatedAt,
  }
}

/** Writes rows of the snapshot. */
export async function upsertAssets(tx: Store, rows: readonly WatchedAssetsTable[]): Promise<void> {
  for (const batch of chunks(rows, batchSize)) {
    await tx
      .insertInto('watched_assets')
      .values(batch)
      .onConflict((conflict) =>
        conflict.columns(['chain', 'asset']).doUpdateSet(({ ref }) => ({
          phase: ref('excluded.phase'),
          body: ref('excluded.body'),
          history: ref('excluded.history'),
          updated_at_s: ref('excluded.updated_at_s'),
        })),
      )
      .execute()
  }
}

/** A new row of the snapshot, and the `updatedAt` of the one that it was compared with; undefined if there was none. */
export interface AssetChange {
  row: WatchedAssetsTable
  before: number | undefined
}

/** Writes a row of the snapshot; false if it is no longer the one that the new one was compared with. */
export async function storeAsset(tx: Store, { row, before }: AssetChange): Promise<boolean> {
  const { chain, asset, ...changed } = row
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('watched_assets')
    .values(row)
    .onConflict((conflict) => {
      const columns = conflict.columns(['chain', 'asset'])
      return before === undefined
        ? columns.doNothing()
        : columns.doUpdateSet(changed).where('watched_assets.updated_at_s', '=', before)
    })
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Whether two states are stored as the same row. */
export function isSameState(one: AssetState, other: AssetState): boolean {
  return one.phase === other.phase && stateJson(one) === stateJson(other)
}

/** Undefined if there is no such asset, or if this version can't parse it. */
function watchedAsset(chain: number, stored: StoredAsset | undefined): WatchedAsset | undefined {
  if (!stored?.state) return undefined
  const { state, history, updatedAt } = stored
  return { chain, phase: state.phase, asset: state.asset, history, updatedAt }
}

function parseRow({ phase, body, history, updated_at_s }: WatchedAssetsTable): StoredAsset {
  return {
    state: parseState(phase, body),
    history: historySchema.safeParse(storedJson(history)).data ?? [],
    updatedAt: updated_at_s,
  }
}
