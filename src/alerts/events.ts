import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { z } from 'zod'
import { baseToken } from '../api/asset.ts'
import { chunks } from '../core/text.ts'
import type { EventsTable, Store } from '../db/schema.ts'
import type { Logger } from '../log.ts'
import { announcement } from './announcements.ts'
import { reachedSchema, storedJson } from './asset.ts'
import { type ChatRange, lockDeliveries } from './chats.ts'
import { type Event, type EventBody, hasReached, isNamed, type Scope } from './kinds/kind.ts'
import { kindNamed, kinds } from './kinds/list.ts'
import { type AddedDeliveries, addAnnouncement, addDeliveries, ruleBatchSize } from './outbox.ts'
import { chainsOfAny, ruleOf } from './rule.ts'
import { type AssetChange, storeAsset, upsertAssets } from './snapshot.ts'
import { type MemoryChange, type Subscription, storeMemory } from './subscriptions.ts'

// Events as they are stored (`events`), together with their deliveries: found by a poll, matched with rules, and written in the
// transaction of the snapshot that they were found with.

/** Events, and the state that keeps them from being detected again, an asset's or a rule's: stored in one transaction. */
export interface ChangeSet {
  /** The asset's new row in the snapshot. If another process has stored one meanwhile, a change set with events is discarded. */
  asset?: AssetChange
  /** The rule's new memory. If the old one is no longer stored, a change set with events is discarded. */
  memory?: MemoryChange
  events: readonly Event[]
}

interface CommitParts {
  store: Store
  /** The ids of the bot's chains. */
  chains: readonly number[]
  /** Unix seconds. */
  now: number
  log: Logger
}

/** An event that was stored, with the deliveries that were stored beside it. */
interface AddedEvent extends AddedDeliveries {
  id: number
  event: Event
  /** It was found too late to be of use, and has no deliveries. */
  isLate: boolean
  /** Whether it has all its deliveries. */
  isComplete: boolean
}

/**
 * Maximum deliveries in a transaction: SQLite blocks the whole process while one runs, and PostgreSQL holds up writers to
 * the same chats.
 */
const maxDeliveries = 1000
/** Ids of chats in a slice of an event's deliveries. */
const sliceWidth = maxDeliveries
/** Change sets without events that are stored in one transaction. */
const eventlessBatchSize = 100
/** Maximum events of one commit that are logged individually, unless the log's level is debug. */
const maxLoggedEvents = 100
/** All chats. */
const everyChat: ChatRange = { after: 0, last: Number.MAX_SAFE_INTEGER }

/**
 * Stores change sets, those with events first, each in a transaction of its own with the deliveries of its events. Returns
 * how many deliveries were added. If a transaction fails, the rest is not stored: the next poll detects it again.
 */
export async function storeChanges(
  parts: CommitParts,
  changeSets: readonly ChangeSet[],
): Promise<number> {
  const { store, log } = parts
  // An announcement waits for its deliveries, as does an event for very many chats if the process ended meanwhile.
  let deliveries = await addSlices(parts)
  let logged = 0
  for (const changeSet of changeSets.filter(({ events }) => events.length > 0)) {
    const added = await store.transaction().execute((tx) => storeWithEvents(tx, parts, changeSet))
    for (const each of added) {
      logged += 1
      logEvent(log, logged > maxLoggedEvents ? 'debug' : 'info', each)
      deliveries += each.deliveries
    }
    await yieldToOthers()
    if (added.some(({ isComplete }) => !isComplete)) deliveries += await addSlices(parts)
  }
  const withoutEvents = changeSets.filter(({ events }) => events.length === 0)
  for (const batch of chunks(withoutEvents, eventlessBatchSize)) {
    await store.transaction().execute(async (tx) => {
      await upsertAssets(
        tx,
        batch.flatMap(({ asset }) => asset?.row ?? []),
      )
      for (const { memory } of batch) if (memory) await storeMemory(tx, memory)
    })
    await yieldToOthers()
  }
  return deliveries
}

async function storeWithEvents(
  tx: Store,
  parts: CommitParts,
  { asset, memory, events }: ChangeSet,
): Promise<AddedEvent[]> {
  await lockDeliveries(tx)
  if (asset && !(await storeAsset(tx, asset))) return []
  if (memory && !(await storeMemory(tx, memory))) return []
  return storeEvents(tx, events, parts)
}

/**
 * Stores events in the caller's transaction, each with a delivery for each chat that is subscribed to a rule it matches.
 * Events whose key is stored already are skipped. One for more than a thousand chats gets its deliveries later, in slices.
 * Returns the new events. The caller must hold the lock (`lockDeliveries`).
 */
export async function storeEvents(
  tx: Store,
  events: readonly Event[],
  { chains, now }: Pick<CommitParts, 'chains' | 'now'>,
): Promise<AddedEvent[]> {
  const added: AddedEvent[] = []
  for (const event of events) {
    const id = await insertEvent(tx, event, now)
    if (id === undefined) continue
    const isLate = event.usefulUntil <= now
    const rules = isLate ? [] : await matchingRules(tx, event, chains)
    const isComplete = !(await areMany(tx, rules))
    const deliveries = isComplete
      ? await addDeliveries(tx, id, { rules, range: everyChat }, now)
      : { deliveries: 0, silent: 0 }
    if (!isComplete) await continueAfter(tx, id, 0)
    added.push({ id, event, ...deliveries, isLate, isComplete })
  }
  return added
}

function logEvent(
  log: Logger,
  level: 'info' | 'debug',
  { id, event, deliveries, silent, isLate, isComplete }: AddedEvent,
): void {
  const { chain, asset, rule, body } = event
  const about = {
    event: id,
    kind: body.kind,
    ...(chain !== 0 && { chain }),
    ...(asset !== '' && { asset: asset.toLowerCase() }),
    ...(rule !== undefined && { rule }),
  }
  if (isLate) log[level](about, 'an event was found too late to be of use')
  else if (isComplete) log[level]({ ...about, deliveries, silent }, 'an event was found')
  else log[level](about, 'an event was found: its deliveries are being stored')
}

/** Whether rules have more subscriptions than one transaction may have deliveries. */
async function areMany(tx: Store, rules: readonly number[]): Promise<boolean> {
  let count = 0
  for (const batch of chunks(rules, ruleBatchSize)) {
    const found = await tx
      .selectFrom('subscriptions')
      .select('chat_id')
      .where('rule_id', 'in', batch)
      .limit(maxDeliveries + 1)
      .execute()
    count += found.length
  }
  return count > maxDeliveries
}

/** Stores the chat after which deliveries of an event are still to be added; null if it has all. */
async function continueAfter(tx: Store, event: number, chat: number | null): Promise<void> {
  await tx.updateTable('events').set({ slices_after: chat }).where('id', '=', event).execute()
}

/**
 * Adds the missing deliveries of events, in slices of a thousand chats with a transaction each. Up to which chat they were
 * added is stored in the event's row, so that it goes on from there after a crash. Returns how many were added.
 */
async function addSlices({ store, chains, now, log }: CommitParts): Promise<number> {
  let deliveries = 0
  let ofEvent: AddedDeliveries = { deliveries: 0, silent: 0 }
  for (;;) {
    const slice = await store.transaction().execute((tx) => addSlice(tx, chains, now))
    if (slice === undefined) return deliveries
    deliveries += slice.deliveries
    ofEvent = {
      deliveries: ofEvent.deliveries + slice.deliveries,
      silent: ofEvent.silent + slice.silent,
    }
    if (slice.isLast) {
      log.info({ event: slice.event, ...ofEvent }, 'the deliveries of an event are stored')
      ofEvent = { deliveries: 0, silent: 0 }
    }
    await yieldToOthers()
  }
}

interface Slice extends AddedDeliveries {
  event: number
  isLast: boolean
}

/** Adds one slice; undefined if no event lacks deliveries. */
async function addSlice(
  tx: Store,
  chains: readonly number[],
  now: number,
): Promise<Slice | undefined> {
  await lockDeliveries(tx)
  const row = await tx
    .selectFrom('events')
    .selectAll()
    .where('slices_after', 'is not', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { id: event, slices_after } = row
  const after = slices_after ?? 0
  const range = { after, last: after + sliceWidth }
  const added =
    row.kind === announcement.id
      ? await addAnnouncement(tx, event, range, now)
      : await addDeliveries(tx, event, { rules: await rulesOfStored(tx, row, chains), range }, now)
  const beyond = await tx
    .selectFrom('chats')
    .select('id')
    .where('id', '>', range.last)
    .limit(1)
    .executeTakeFirst()
  const isLast = beyond === undefined
  await continueAfter(tx, event, isLast ? null : range.last)
  return { event, ...added, isLast }
}

/** The rules that a stored event matches; none if this version can't read it, as it can't notify of it either. */
async function rulesOfStored(
  tx: Store,
  row: Parameters<typeof matchedEvent>[0],
  chains: readonly number[],
): Promise<number[]> {
  const event = matchedEvent(row)
  return event ? await matchingRules(tx, event, chains) : []
}

/** The part of an event's stored body by which rules are matched: its own rule, and figures. */
const matchedSchema = z.object({
  rule: z.number().optional(),
  reached: z.object({ now: reachedSchema, before: reachedSchema.optional() }).optional(),
})

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

/** A stored event as rules are matched with it; undefined if this version can't parse it. */
function matchedEvent({
  chain,
  asset,
  kind,
  body: json,
}: Pick<EventsTable, 'chain' | 'asset' | 'kind' | 'body'>): MatchedEvent | undefined {
  const body = readBody(kind, json)
  return body && { chain, asset, body, ...matchedSchema.safeParse(storedJson(json)).data }
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
