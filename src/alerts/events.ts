import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { z } from 'zod'
import { baseToken } from '../api/asset.ts'
import { chunks } from '../core/text.ts'
import type { Fence } from '../db/leases.ts'
import type { Store, WatchedAssetsTable } from '../db/schema.ts'
import { isSqlite } from '../db/sql.ts'
import type { Logger } from '../log.ts'
import { addAnnouncement, announcement } from './announcements.ts'
import { reachedSchema, storedJson } from './asset.ts'
import { lockDeliveries } from './chats.ts'
import { type Event, type EventBody, hasReached, isNamed, type Scope } from './kinds/kind.ts'
import { kindNamed, kinds } from './kinds/list.ts'
import { type AddedDeliveries, addDeliveries } from './outbox.ts'
import { chainsOfAny, ruleOf } from './rule.ts'
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
  /** The ids of the bot's chains. */
  chains: readonly number[]
  /** Unix seconds. */
  now: number
  log: Logger
}

/**
 * Maximum deliveries in a transaction. SQLite blocks the whole process while one runs. PostgreSQL only holds up writers to
 * the same chats, and small transactions cost twice the processor time of large ones there.
 */
const maxDeliveries = { sqlite: 1000, postgres: 20_000 }
/** Maximum events in a transaction. */
const maxEvents = 20
/** Change sets without events that are stored in one transaction. */
const quietBatchSize = 100
/** Maximum events of one commit that are logged each by itself, unless the log has what is for debugging. */
const maxLoggedEvents = 100

/**
 * Stores change sets, those with events first, in transactions short enough not to delay answers to people. Returns how
 * many deliveries were added. If a transaction fails, the rest is not stored: the next poll detects it again, or adds
 * the deliveries of an event that is stored already.
 */
export async function commit(
  parts: CommitParts,
  changeSets: readonly ChangeSet[],
): Promise<number> {
  const withEvents = changeSets.filter(({ events }) => events.length > 0)
  const withoutEvents = changeSets.filter(({ events }) => events.length === 0)
  const logged = new EventLog(parts.log)
  // A process that ended may have left events without some of their deliveries.
  let deliveries = await addMissingDeliveries(parts, logged)
  for (let from = 0; from < withEvents.length; ) {
    const stored = await storeWithEvents(parts, withEvents.slice(from))
    for (const event of stored.added) logged.found(event)
    await yieldToOthers()
    deliveries += stored.deliveries + (await addMissingDeliveries(parts, logged))
    from += stored.changeSets
  }
  for (const batch of chunks(withoutEvents, quietBatchSize)) {
    await storeWithoutEvents(parts, batch)
    await yieldToOthers()
  }
  return deliveries
}

/** Logs events once they are stored: one line when it is found, and one more if its deliveries take several transactions. */
class EventLog {
  readonly #log: Logger
  readonly #unfinished = new Map<number, AddedDeliveries>()
  #count = 0

  constructor(log: Logger) {
    this.#log = log
  }

  found({ id, event, deliveries, silent, isLate, isComplete }: AddedEvent): void {
    const { chain, asset, rule, body } = event
    const about = {
      event: id,
      kind: body.kind,
      ...(chain !== 0 && { chain }),
      ...(asset !== '' && { asset: asset.toLowerCase() }),
      ...(rule !== undefined && { rule }),
    }
    this.#count += 1
    const level = this.#count > maxLoggedEvents ? 'debug' : 'info'
    if (isLate) this.#log[level](about, 'an event was found too late to be of use')
    else if (isComplete) this.#log[level]({ ...about, deliveries, silent }, 'an event was found')
    else {
      this.#unfinished.set(id, { deliveries, silent })
      this.#log[level](about, 'an event was found: its deliveries are being stored')
    }
  }

  /** All deliveries are stored, of which these were added since it was found. */
  completed(id: number, { deliveries, silent }: AddedDeliveries): void {
    const first = this.#unfinished.get(id)
    const all = {
      deliveries: deliveries + (first?.deliveries ?? 0),
      silent: silent + (first?.silent ?? 0),
    }
    this.#log.info({ event: id, ...all }, 'the deliveries of an event are stored')
  }
}

/** Stores as many change sets as one transaction may have. */
function storeWithEvents(
  { store, fence, chains, now }: CommitParts,
  changeSets: readonly ChangeSet[],
): Promise<{ changeSets: number; deliveries: number; added: AddedEvent[] }> {
  return store.transaction().execute(async (tx) => {
    await fence(tx)
    await lockDeliveries(tx)
    const added: AddedEvent[] = []
    const stored = { changeSets: 0, deliveries: 0, events: 0, added }
    // Those of chats that are muted or paused are written, too.
    let rows = 0
    for (const { asset, memory, events } of changeSets) {
      stored.changeSets += 1
      if (asset) await upsertAssets(tx, [asset])
      if (memory && !(await storeMemory(tx, memory))) continue
      const left = maxDeliveriesOf(store) - rows
      const enqueued = await enqueue(tx, events, { chains, now, max: left })
      stored.deliveries += enqueued.deliveries
      rows += enqueued.added.reduce((sum, each) => sum + each.deliveries + each.silent, 0)
      added.push(...enqueued.added)
      stored.events += events.length
      if (rows >= maxDeliveriesOf(store) || stored.events >= maxEvents) break
    }
    return stored
  })
}

function maxDeliveriesOf(store: Store): number {
  return maxDeliveries[isSqlite(store) ? 'sqlite' : 'postgres']
}

/**
 * Adds the missing deliveries of events (rows of `events`), in slices with a transaction each. Up to which chat they were
 * added is stored in the event's row, so that after a crash another process goes on from there. Returns how many were added.
 */
async function addMissingDeliveries(
  { store, fence, chains, now }: CommitParts,
  logged: EventLog,
): Promise<number> {
  let deliveries = 0
  for (;;) {
    const row = await store
      .selectFrom('events')
      .selectAll()
      .where('slices_after', 'is not', null)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (row === undefined) return deliveries
    // A version that can't read an event can't notify of it either.
    const body = readBody(row.kind, row.body)
    const { rule, reached } = matchedBy(row.body)
    const rules = body ? await matchingRules(store, { ...row, rule, reached, body }, chains) : []
    const ofEvent = { deliveries: 0, silent: 0 }
    for (let isComplete = false; !isComplete; ) {
      await yieldToOthers()
      isComplete = await store.transaction().execute(async (tx) => {
        await fence(tx)
        await lockDeliveries(tx)
        const stored = await tx
          .selectFrom('events')
          .select('slices_after')
          .where('id', '=', row.id)
          .executeTakeFirst()
        const after = stored?.slices_after ?? undefined
        // Another process was faster.
        if (after === undefined) return true
        const max = maxDeliveriesOf(store)
        const added =
          row.kind === announcement.id
            ? await addAnnouncement(tx, row.id, { after, max }, now)
            : await addDeliveries(tx, row.id, { rules, after, max }, now)
        await storeNext(tx, row.id, added.next)
        ofEvent.deliveries += added.deliveries
        ofEvent.silent += added.silent
        return added.next === undefined
      })
    }
    deliveries += ofEvent.deliveries
    logged.completed(row.id, ofEvent)
  }
}

/** The part of an event's stored body by which rules are matched: its own rule, and figures. */
const matchedSchema = z.object({
  rule: z.number().optional(),
  reached: z.object({ now: reachedSchema, before: reachedSchema.optional() }).optional(),
})

/** What an event's stored body says beside its kind's own fields: by it rules are matched. */
function matchedBy(body: string): Pick<MatchedEvent, 'rule' | 'reached'> {
  const { rule, reached } = matchedSchema.safeParse(storedJson(body)).data ?? {}
  return { rule, reached }
}

/** Stores the chat after which deliveries of an event are still to be added; undefined if there is none. */
async function storeNext(tx: Store, event: number, next: number | undefined): Promise<void> {
  await tx
    .updateTable('events')
    .set({ slices_after: next ?? null })
    .where('id', '=', event)
    .execute()
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

/** An event that was stored, with the deliveries that were stored beside it. */
interface AddedEvent extends AddedDeliveries {
  id: number
  event: Event
  isLate: boolean
  /** Whether it has all its deliveries. */
  isComplete: boolean
}

/**
 * Stores events in the caller's transaction, together with the state they were detected by. Events whose key is stored
 * already are skipped. Each new one gets a delivery for each subscribed chat, as `addDeliveries` says; one that is of no use any
 * more at `now` (unix seconds) gets none. After `max` deliveries no more are added: `addMissingDeliveries` does that later.
 * Returns the new events, and how many deliveries wait. If others may write concurrently, the caller must hold the lock
 * (`lockDeliveries`).
 */
export async function enqueue(
  tx: Store,
  events: readonly Event[],
  { chains, now, max = maxDeliveriesOf(tx) }: EnqueueParts,
): Promise<{ added: AddedEvent[]; deliveries: number }> {
  const added: AddedEvent[] = []
  let left = max
  for (const event of events) {
    const id = await insertEvent(tx, event, now)
    if (id === undefined) continue
    const isLate = event.usefulUntil <= now
    const none = { deliveries: 0, silent: 0, next: isLate ? undefined : 0 }
    const rules = isLate ? [] : await matchingRules(tx, event, chains)
    const { deliveries, silent, next } =
      isLate || left <= 0 ? none : await addDeliveries(tx, id, { rules, after: 0, max: left }, now)
    if (next !== undefined) await storeNext(tx, id, next)
    left -= deliveries + silent
    added.push({ id, event, deliveries, silent, isLate, isComplete: next === undefined })
  }
  const deliveries = added.reduce((sum, each) => sum + each.deliveries, 0)
  return { added, deliveries }
}

interface EnqueueParts extends Pick<CommitParts, 'chains' | 'now'> {
  max?: number
}

/** Stores an event; returns its id, or undefined if its key is stored already. */
async function insertEvent(tx: Store, event: Event, now: number): Promise<number | undefined> {
  const row = await tx
    .insertInto('events')
    .values({
      key: event.key,
      kind: event.body.kind,
      chain: event.chain,
      asset: event.asset.toLowerCase(),
      body: JSON.stringify({ ...event.body, rule: event.rule, reached: event.reached }),
      happened_at_s: event.at,
      found_at_s: now,
      useful_until_s: event.usefulUntil,
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

type MatchedEvent = Pick<Event, 'chain' | 'asset' | 'body' | 'reached'> & {
  rule?: number | undefined
}

/** Ids of the rules that match the event. */
async function matchingRules(
  tx: Store,
  event: MatchedEvent,
  chains: readonly number[],
): Promise<number[]> {
  const rows = await candidates(tx, event, chainsOfAny(chains)(event.chain))
  const matching = rows.filter((row) => {
    const rule = ruleOf(row)
    return rule !== undefined && matches({ id: row.id, rule }, event)
  })
  return matching.map(({ id }) => id)
}

/**
 * The event's own rule, or those of its kind whose scope includes its asset: each combination of "this value" and "any"
 * is one index seek. A rule without a chain is about the event's if `isAny`.
 */
async function candidates(tx: Store, { chain, asset, rule, body }: MatchedEvent, isAny: boolean) {
  const { asset: about } = body
  if (rule !== undefined) {
    return tx.selectFrom('rules').selectAll().where('id', '=', rule).execute()
  }
  if (about === undefined) return []
  return tx
    .selectFrom('rules')
    .selectAll()
    .where('kind', '=', body.kind)
    .where('asset', 'in', thisOrAny(asset))
    .where('creator', 'in', thisOrAny(baseToken(about)?.token_creator_address))
    .where('numeraire', 'in', thisOrAny(about.asset_numeraire_address))
    .where('category', 'in', ['', ...categoriesOf(about.asset_categories)])
    .where('chain', 'in', isAny ? [0, chain] : [chain])
    .execute()
}

function thisOrAny(address: string | undefined): string[] {
  return ['', (address ?? '').toWellFormed().toLowerCase()]
}

function categoriesOf(categories: readonly string[] | undefined): string[] {
  return (categories ?? []).map((category) => category.toWellFormed())
}

/** Whether a rule matches an event by its kind, setting, part of a name and minimums; `candidates` has checked the rest of the scope. */
export function matches(
  { id, rule }: Subscription,
  event: Pick<MatchedEvent, 'rule' | 'body' | 'reached'>,
): boolean {
  if (rule.kind !== event.body.kind) return false
  if (event.body.asset && !isNamed(rule.scope, event.body.asset)) return false
  if (event.body.asset && !isReached(rule.scope, event.reached)) return false
  const { detection } = kinds[rule.kind]
  if (detection.from === 'asset-and-settings') return detection.matches(rule.setting, event.body)
  return detection.from === 'asset' || event.rule === id
}

/** Whether the event comes with what a scope asks for at least, and not once more. */
function isReached(scope: Scope, { now, before }: NonNullable<Event['reached']> = { now: {} }) {
  return hasReached(scope, now) && (before === undefined || !hasReached(scope, before))
}

/** An event as it was stored. */
export interface StoredEvent extends Omit<Event, 'body' | 'rule' | 'reached'> {
  id: number
  /** Undefined if it was pruned, or if this version can't parse it. */
  body: EventBody | undefined
}

/** Reads events by id, oldest first; those that don't exist are left out. */
export async function readEvents(store: Store, ids: readonly number[]): Promise<StoredEvent[]> {
  if (ids.length === 0) return []
  const rows = await store
    .selectFrom('events')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    key: row.key,
    chain: row.chain,
    asset: row.asset,
    at: row.happened_at_s,
    usefulUntil: row.useful_until_s,
    body: readBody(row.kind, row.body),
  }))
}

/** Parses what is stored of an event (JSON); undefined if this version can't. */
export function readBody(kindId: string, body: string): EventBody | undefined {
  if (kindId === announcement.id) return announcement.body.safeParse(storedJson(body)).data
  const kind = kindNamed(kindId)
  return kind && kinds[kind].body.safeParse(storedJson(body)).data
}
