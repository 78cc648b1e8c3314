import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { baseToken } from '../api/asset.ts'
import type { Fence } from '../db/leases.ts'
import type { Store, WatchedAssetsTable } from '../db/schema.ts'
import { storedJson } from './asset.ts'
import { lockDeliveries } from './chats.ts'
import type { Event, EventBody } from './kinds/kind.ts'
import { kindNamed, kinds } from './kinds/list.ts'
import { addDeliveries } from './outbox.ts'
import { ruleOf } from './rule.ts'
import { upsertAssets } from './snapshot.ts'
import { type MemoryChange, type Subscription, storeMemory } from './subscriptions.ts'

/** Events, and the state that keeps them from being detected again: stored in one transaction. */
export interface ChangeSet {
  /** The asset's new row in the snapshot. */
  asset?: WatchedAssetsTable
  /** The rule's new memory. If the old one is no longer stored, the change set is discarded. */
  memory?: MemoryChange
  events: readonly Event[]
}

interface CommitParts {
  store: Store
  fence: Fence
  /** Unix seconds. */
  now: number
}

/** Limits per transaction, whichever is reached first: SQLite blocks the whole process while one runs. */
const maxPerTransaction = { deliveries: 2000, events: 20 }
/** Change sets without events that are stored in one transaction. */
const quietBatchSize = 100

/**
 * Stores change sets, those with events first, in transactions short enough not to delay answers to people. Returns how
 * many deliveries were added. If a transaction fails, the rest is not stored and the next poll detects it again.
 */
export async function commit(
  parts: CommitParts,
  changeSets: readonly ChangeSet[],
): Promise<number> {
  const withEvents = changeSets.filter(({ events }) => events.length > 0)
  const withoutEvents = changeSets.filter(({ events }) => events.length === 0)
  let deliveries = 0
  for (let from = 0; from < withEvents.length; ) {
    const stored = await storeWithEvents(parts, withEvents.slice(from))
    deliveries += stored.deliveries
    from += stored.changeSets
    await yieldToOthers()
  }
  for (let from = 0; from < withoutEvents.length; from += quietBatchSize) {
    await storeWithoutEvents(parts, withoutEvents.slice(from, from + quietBatchSize))
    await yieldToOthers()
  }
  return deliveries
}

/** Stores as many change sets as one transaction may have. */
function storeWithEvents(
  { store, fence, now }: CommitParts,
  changeSets: readonly ChangeSet[],
): Promise<{ changeSets: number; deliveries: number }> {
  return store.transaction().execute(async (tx) => {
    await fence(tx)
    await lockDeliveries(tx)
    const stored = { changeSets: 0, deliveries: 0, events: 0 }
    for (const { asset, memory, events } of changeSets) {
      stored.changeSets += 1
      if (asset) await upsertAssets(tx, [asset])
      if (memory && !(await storeMemory(tx, memory))) continue
      stored.deliveries += (await enqueue(tx, events, now)).deliveries
      stored.events += events.length
      const { deliveries, events: max } = maxPerTransaction
      if (stored.deliveries >= deliveries || stored.events >= max) break
    }
    return stored
  })
}

function storeWithoutEvents(
  { store, fence }: CommitParts,
  changeSets: readonly ChangeSet[],
): Promise<void> {
  return store.transaction().execute(async (tx) => {
    await fence(tx)
    await upsertAssets(
      tx,
      changeSets.flatMap(({ asset }) => asset ?? []),
    )
    for (const { memory } of changeSets) if (memory) await storeMemory(tx, memory)
  })
}

/**
 * Stores events in the caller's transaction, together with the state they were detected by. Events whose key is stored
 * already are skipped; for each new one a waiting delivery is added per subscribed chat that is neither paused nor
 * muted at `now` (unix seconds). Returns how many of each were added. If others may write concurrently, the caller must
 * hold the lock (`lockDeliveries`).
 */
export async function enqueue(
  tx: Store,
  events: readonly Event[],
  now: number,
): Promise<{ events: number; deliveries: number }> {
  const added = { events: 0, deliveries: 0 }
  for (const event of events) {
    const id = await insertEvent(tx, event)
    if (id === undefined) continue
    added.events += 1
    const rules = await matchingRules(tx, event)
    added.deliveries += await addDeliveries(tx, id, rules, now)
  }
  return added
}

/** Stores an event; returns its id, or undefined if its key is stored already. */
async function insertEvent(tx: Store, event: Event): Promise<number | undefined> {
  const row = await tx
    .insertInto('news')
    .values({
      key: event.key,
      kind: event.body.kind,
      chain: event.chain,
      asset: event.asset.toLowerCase(),
      // Rules are called filters in the database.
      body: JSON.stringify({ ...event.body, filter: event.rule }),
      at: event.at,
      useful_until: event.usefulUntil,
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Ids of the rules that match the event. */
async function matchingRules(tx: Store, event: Event): Promise<number[]> {
  const rows = await candidates(tx, event)
  const matching = rows.filter((row) => {
    const rule = ruleOf(row)
    return rule !== undefined && matches({ id: row.id, rule }, event)
  })
  return matching.map(({ id }) => id)
}

/**
 * The event's own rule, or those of its kind whose scope includes its asset: each combination of "this value" and "any"
 * is one index seek.
 */
async function candidates(tx: Store, { chain, asset, rule, body }: Event) {
  const { asset: about } = body
  if (rule !== undefined) {
    return tx.selectFrom('filters').selectAll().where('id', '=', rule).execute()
  }
  if (about === undefined) return []
  return tx
    .selectFrom('filters')
    .selectAll()
    .where('kind', '=', body.kind)
    .where('asset', 'in', thisOrAny(asset))
    .where('creator', 'in', thisOrAny(baseToken(about)?.token_creator_address))
    .where('numeraire', 'in', thisOrAny(about.asset_numeraire_address))
    .where('category', 'in', ['', ...categoriesOf(about.asset_categories)])
    .where('chain', 'in', [0, chain])
    .execute()
}

function thisOrAny(address: string | undefined): string[] {
  return ['', (address ?? '').toWellFormed().toLowerCase()]
}

function categoriesOf(categories: readonly string[] | undefined): string[] {
  return (categories ?? []).map((category) => category.toWellFormed())
}

/** Whether a rule matches an event by its kind and setting; `candidates` has checked the scope. */
export function matches({ id, rule }: Subscription, event: Pick<Event, 'rule' | 'body'>): boolean {
  if (rule.kind !== event.body.kind) return false
  const { detection } = kinds[rule.kind]
  if (detection.from === 'asset-and-settings') return detection.matches(rule.setting, event.body)
  return detection.from === 'asset' || event.rule === id
}

/** An event as it was stored. */
export interface StoredEvent extends Omit<Event, 'body' | 'rule'> {
  id: number
  /** Undefined if it was pruned, or if this version can't parse it. */
  body: EventBody | undefined
}

/** Reads events by id, oldest first; those that don't exist are left out. */
export async function readEvents(store: Store, ids: readonly number[]): Promise<StoredEvent[]> {
  if (ids.length === 0) return []
  const rows = await store
    .selectFrom('news')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  return rows.map(({ id, key, kind, chain, asset, at, useful_until, body }) => ({
    id,
    key,
    chain,
    asset,
    at,
    usefulUntil: useful_until,
    body: readBody(kind, body),
  }))
}

/** Parses what is stored of an event (JSON); undefined if this version can't. */
export function readBody(kindId: string, body: string): EventBody | undefined {
  const kind = kindNamed(kindId)
  return kind && kinds[kind].body.safeParse(storedJson(body)).data
}
