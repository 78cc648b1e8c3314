import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Loss } from '../core/adapter.ts'
import type { PlatformName, Store } from '../db/schema.ts'
import { ClockWatch, laterOf, lockInTransaction, noText, tolerance, waiting } from '../db/sql.ts'
import { type Backlog, maxCounted } from '../jobs/queue.ts'
import type { Logger } from '../log.ts'
import { isPerRule, kindsWhere } from './kinds/list.ts'
import { type ChatKey, dropWaiting } from './subscriptions.ts'

/** The events that are due to one chat, leased by one process. */
export interface Claim {
  destination: ChatKey & { id: number }
  /** Ids of events, oldest first. */
  events: readonly number[]
  /** Attempts of the oldest event, this one included. */
  attempts: number
  /** An earlier attempt got no answer: the message may have arrived. */
  uncertain: boolean
  /** The chat's claim counter, a fencing token: of an older claim only the result 'sent' is recorded. */
  number: number
}

/** The result of a delivery. */
export type DeliveryResult =
  | { kind: 'sent' }
  /** No answer came, and it is not sent again: it may have arrived. */
  | { kind: 'uncertain'; reason: string }
  /** To retry at `runAt` (unix seconds). `untried`: nothing was sent, so it does not count as an attempt. */
  | { kind: 'later'; runAt: number; reason: string; uncertain?: boolean; untried?: boolean }
  /** No longer useful. */
  | { kind: 'dropped'; reason: string }
  | { kind: 'given-up'; reason: string }

/** Seconds that a delivery waits, so that events for one chat go as one message. */
const gatherSeconds = 2
/** Rules per statement. */
const ruleBatchSize = 500

/**
 * Adds a waiting delivery of a new event, in the caller's transaction, for each chat that is subscribed to one of these
 * rules and is neither paused nor muted at `now` (unix seconds). Returns how many. If others may write concurrently,
 * the caller must hold the lock (`lockDeliveries`).
 */
export async function addDeliveries(
  tx: Store,
  event: number,
  rules: readonly number[],
  now: number,
): Promise<number> {
  let deliveries = 0
  for (let from = 0; from < rules.length; from += ruleBatchSize)
    deliveries += await addBatch(tx, event, rules.slice(from, from + ruleBatchSize), now)
  if (deliveries > 0) await makeDue(tx, event, now)
  return deliveries
}

async function addBatch(
  tx: Store,
  event: number,
  rules: readonly number[],
  now: number,
): Promise<number> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('deliveries')
    .columns([
      'news',
      'destination',
      'state',
      'run_at',
      'attempts',
      'claim',
      'uncertain',
      'reason',
      'updated_at',
    ])
    .expression((row) =>
      row
        .selectFrom('follows')
        .innerJoin('destinations', 'destinations.id', 'follows.destination')
        .select((each) => [
          each.val(event).as('news'),
          'follows.destination',
          waiting.as('state'),
          each.val(now + gatherSeconds).as('run_at'),
          each.val(0).as('attempts'),
          each.val(0).as('claim'),
          each.val(0).as('uncertain'),
          each.val(null).as('reason'),
          each.val(now).as('updated_at'),
        ])
        .where('follows.filter', 'in', rules)
        .where('destinations.paused', 'is', null)
        .where('destinations.muted_until', '<=', now),
    )
    .onConflict((conflict) => conflict.columns(['news', 'destination']).doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows)
}

/**
 * Sets when the chats of an event's deliveries are due: once gathered, but not before their cooldown ends. Every row is
 * updated, even if nothing changes: a concurrent `endClaim` must wait for the lock and see the new deliveries.
 */
async function makeDue(tx: Store, event: number, now: number): Promise<void> {
  const due = (now + gatherSeconds) * 1000
  await tx
    .updateTable('destinations')
    .set((row) => ({
      due_at: row
        .case()
        .when('due_at', '<=', due)
        .then(row.ref('due_at'))
        .when('next_at', '>', due)
        .then(row.ref('next_at'))
        .else(due)
        .end(),
      updated_at: laterOf(row.ref('updated_at'), now),
    }))
    .where('id', 'in', (row) =>
      row.selectFrom('deliveries').select('destination').where('news', '=', event),
    )
    .execute()
}

interface OutboxOptions {
  /** Milliseconds of a monotonic clock. */
  elapsed?: () => number
  /** Logs jumps of the wall clock. */
  log?: Logger | undefined
  /** Called with the results of deliveries, once they are stored. */
  onResult?: ((results: ResultCount) => void) | undefined
}

/** The number of deliveries with a result, for metrics. */
export interface ResultCount {
  platform: PlatformName
  result: DeliveryResult['kind']
  deliveries: number
}

const maxReason = 500

/**
 * Deliveries of events to chats, claimed with a lease, at least once even if the process crashes. A claim takes what is
 * due to one chat, and one process at a time holds it. Paused and muted chats, and those in their cooldown, are not
 * claimed.
 *
 * Each chat's row has the time at which something is due, so that a claim costs the same however many deliveries wait,
 * and a counter of its claims, by which a process whose lease expired is fenced off.
 */
export class Outbox {
  readonly #store: Store
  readonly #now: () => number
  readonly #elapsed: () => number
  readonly #clock: ClockWatch
  readonly #onResult: OutboxOptions['onResult']
  /** This process's own claims, by chat, with the monotonic time at which they expire: they are not claimed twice. */
  readonly #claims = new Map<number, { number: number; until: number }>()

  /** @param now unix milliseconds */
  constructor(
    store: Store,
    now: () => number,
    { elapsed = () => performance.now(), log, onResult }: OutboxOptions = {},
  ) {
    this.#store = store
    this.#now = now
    this.#elapsed = elapsed
    this.#onResult = onResult
    this.#clock = new ClockWatch({ now, elapsed, log, correct: (at) => correctTimes(store, at) })
  }

  /** Claims at most `maxChats` chats of a platform, each with at most `maxEvents` events, for `lease` seconds. */
  async claim(
    platform: PlatformName,
    { maxChats, maxEvents, lease }: { maxChats: number; maxEvents: number; lease: number },
  ): Promise<Claim[]> {
    await this.#clock.check()
    const now = this.#now()
    for (const [id, { until }] of this.#claims) if (until < this.#elapsed()) this.#claims.delete(id)
    const due = await this.#waiting(platform)
      .select('id')
      .where('due_at', '<=', now)
      .limit(maxChats)
      .execute()
    const claims: Claim[] = []
    for (const { id } of due) {
      try {
        const claim = await this.#claimOne(id, maxEvents, lease)
        if (claim) claims.push(claim)
      } catch (error) {
        // Return what was claimed so far, rather than let it wait for its lease to end.
        if (claims.length === 0) throw error
        break
      }
      await yieldToOthers()
    }
    return claims
  }

  /** Unix milliseconds at which the next claim can find something; undefined if nothing waits. */
  async nextAt(platform: PlatformName): Promise<number | undefined> {
    const row = await this.#waiting(platform).select('due_at').limit(1).executeTakeFirst()
    return row?.due_at ?? undefined
  }

  /**
   * Gives claims back that were not sent, with unchanged due times and attempts. One transaction per chat: with several
   * rows locked, this and `addDeliveries` could deadlock.
   */
  async release(claims: readonly Claim[]): Promise<void> {
    for (const claim of claims) {
      await this.#store.transaction().execute((tx) => this.#release(tx, claim))
      this.#forgetClaim(claim)
    }
  }

  async #release(tx: Store, { destination, number }: Claim): Promise<void> {
    if (!(await lockIfHeld(tx, destination.id, number))) return
    await tx
      .updateTable('deliveries')
      .set((row) => ({
        attempts: row('attempts', '-', 1),
        claim: row.case().when('attempts', '=', 1).then(0).else(-number).end(),
      }))
      .where('destination', '=', destination.id)
      .where('claim', '=', number)
      .where('state', '=', waiting)
      .execute()
    await endClaim(tx, destination.id, number, this.#now(), this.#seconds())
  }

  /** Stores the result of some events of a claim. Nothing more is sent to the chat before `nextAt` (unix ms). */
  async record(
    claim: Claim,
    events: readonly number[],
    result: DeliveryResult,
    nextAt: number,
  ): Promise<void> {
    if (events.length === 0) return
    const { id, platform } = claim.destination
    const { isRecorded, isOver } = await this.#store.transaction().execute(async (tx) => {
      const isHeld = await lockIfHeld(tx, id, claim.number)
      // If our lease is lost, record only successful sends.
      if (!isHeld && result.kind !== 'sent') return { isRecorded: false, isOver: true }
      if (result.kind === 'later') await this.#defer(tx, claim, events, result)
      else await this.#finish(tx, claim, events, result)
      const isOver = !isHeld || (await endClaim(tx, id, claim.number, nextAt, this.#seconds()))
      return { isRecorded: true, isOver }
    })
    if (isOver) this.#forgetClaim(claim)
    if (isRecorded) this.#onResult?.({ platform, result: result.kind, deliveries: events.length })
  }

  /** Stops sending to a chat and drops its waiting deliveries. `destination` is the row's id, `loss` the reason. */
  async pause(destination: number, loss: Loss): Promise<void> {
    const dropped = await this.#store
      .transaction()
      .execute((tx) => pauseChat(tx, destination, loss, this.#now()))
    this.#claims.delete(destination)
    if (dropped) this.#onResult?.({ ...dropped, result: 'dropped' })
  }

  /** Changes the id of a chat that the platform has migrated. */
  async move(destination: number, chat: string): Promise<void> {
    await this.#store.transaction().execute((tx) => moveChat(tx, destination, chat, this.#now()))
  }

  /**
   * Deletes deliveries and bodies of events that were last useful 30 days ago, and returns how many rows changed. Keys
   * of events stay, so that they are not detected again, unless they contain the time of detection (`isPerRule`).
   */
  prune(): Promise<number> {
    return pruneEvents(this.#store, this.#seconds())
  }

  async #claimOne(id: number, maxEvents: number, lease: number): Promise<Claim | undefined> {
    const now = this.#now()
    const claim = await this.#store.transaction().execute(async (tx) => {
      const claimed = await claimChat(tx, id, now, now + lease * 1000)
      if (claimed === undefined) return undefined
      const taken = await takeEvents(tx, claimed, maxEvents, Math.floor(now / 1000))
      if (taken === undefined) await endClaim(tx, id, claimed.number, now, Math.floor(now / 1000))
      return taken
    })
    const until = this.#elapsed() + lease * 1000
    if (claim) this.#claims.set(id, { number: claim.number, until })
    return claim
  }

  /** Chats with waiting deliveries that this process has not claimed, most overdue first. */
  #waiting(platform: PlatformName) {
    const own = [...this.#claims.keys()]
    return this.#store
      .selectFrom('destinations')
      .where('platform', '=', platform)
      .where('due_at', 'is not', null)
      .where('muted_until', '<=', this.#seconds())
      .$if(own.length > 0, (rest) => rest.where('id', 'not in', own))
      .orderBy('due_at')
  }

  async #defer(
    tx: Store,
    { destination, number, uncertain: wasUncertain }: Claim,
    events: readonly number[],
    {
      runAt,
      reason,
      uncertain = false,
      untried = false,
    }: Extract<DeliveryResult, { kind: 'later' }>,
  ): Promise<void> {
    await tx
      .updateTable('deliveries')
      .set((row) => ({
        run_at: runAt,
        ...(untried && { attempts: row('attempts', '-', 1) }),
        reason: reason.slice(0, maxReason),
        // A message that may have arrived is only resent as a whole, whatever the results since, so its events keep a
        // common claim.
        claim: uncertain || wasUncertain ? -number : 0,
        ...(uncertain ? { uncertain: 1 } : {}),
        updated_at: this.#seconds(),
      }))
      .where('destination', '=', destination.id)
      .where('news', 'in', events)
      .where('claim', '=', number)
      .where('state', '=', waiting)
      .execute()
  }

  async #finish(
    tx: Store,
    { destination }: Claim,
    events: readonly number[],
    result: Exclude<DeliveryResult, { kind: 'later' }>,
  ): Promise<void> {
    await tx
      .updateTable('deliveries')
      .set({
        state: result.kind,
        reason: 'reason' in result ? result.reason.slice(0, maxReason) : null,
        updated_at: this.#seconds(),
      })
      .where('destination', '=', destination.id)
      .where('news', 'in', events)
      .where('state', '<>', 'sent')
      .execute()
  }

  #forgetClaim({ destination, number }: Claim): void {
    if (this.#claims.get(destination.id)?.number === number) this.#claims.delete(destination.id)
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000)
  }
}

/** A claimed chat, before its events are known. */
type ClaimedChat = Pick<Claim, 'destination' | 'number'>

/**
 * Claims a chat until `until` if something is still due to it; both times in unix ms. Undefined if another process was
 * faster.
 */
async function claimChat(
  tx: Store,
  id: number,
  now: number,
  until: number,
): Promise<ClaimedChat | undefined> {
  const seconds = Math.floor(now / 1000)
  const taken = await tx
    .updateTable('destinations')
    .set((row) => ({
      claims: row('claims', '+', 1),
      next_at: until,
      due_at: until,
      updated_at: laterOf(row.ref('updated_at'), seconds),
    }))
    .where('id', '=', id)
    .where('due_at', '<=', now)
    .returning(['id', 'platform', 'kind', 'chat', 'thread', 'claims'])
    .executeTakeFirst()
  if (taken === undefined) return undefined
  const { claims, ...destination } = taken
  return { destination, number: claims }
}

/**
 * Takes the oldest event due at `now` (unix seconds) and the others that may go with it. Events that may have been sent
 * before in one message go as that message again. Undefined if nothing is due.
 */
async function takeEvents(
  tx: Store,
  { destination, number }: ClaimedChat,
  maxEvents: number,
  now: number,
): Promise<Claim | undefined> {
  const rows = await tx
    .updateTable('deliveries')
    .set((row) => ({ attempts: row('attempts', '+', 1), claim: number, updated_at: now }))
    .where('destination', '=', destination.id)
    .where('state', '=', waiting)
    .where('news', 'in', (row) => {
      const due = row
        .selectFrom('deliveries as due')
        .where('due.destination', '=', destination.id)
        .where('due.state', '=', waiting)
        .where('due.run_at', '<=', now)
        .orderBy('due.news')
      return due
        .select('due.news')
        .where('due.claim', '=', due.select('due.claim').limit(1))
        .limit(maxEvents)
    })
    .returning(['news', 'attempts', 'uncertain'])
    .execute()
  const oldestFirst = rows.sort((one, other) => one.news - other.news)
  const [oldest] = oldestFirst
  if (oldest === undefined) return undefined
  return {
    destination,
    number,
    events: oldestFirst.map(({ news }) => news),
    attempts: oldest.attempts,
    uncertain: oldestFirst.some(({ uncertain }) => uncertain === 1),
  }
}

/** Whether a claim is the latest of its chat; if so, locks the chat's row in the caller's transaction. */
async function lockIfHeld(tx: Store, destination: number, number: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('destinations')
    .set({ claims: number })
    .where('id', '=', destination)
    .where('claims', '=', number)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Ends a claim of a chat, unless some of its deliveries are still being sent. The chat can be claimed again from
 * `nextAt` (unix ms), once something is due. Returns whether the claim ended. The caller's transaction must hold the
 * lock on the chat's row.
 */
async function endClaim(
  tx: Store,
  destination: number,
  claim: number,
  nextAt: number,
  now: number,
): Promise<boolean> {
  const remaining = await tx
    .selectFrom('deliveries')
    .select((row) => [
      row.fn.min('run_at').as('first'),
      row.fn.max(row.case().when('claim', '=', claim).then(1).else(0).end()).as('held'),
    ])
    .where('destination', '=', destination)
    .where('state', '=', waiting)
    .executeTakeFirst()
  if (remaining?.held) return false
  // SQL's min() is null if no delivery waits.
  const first: number | null = remaining?.first ?? null
  await tx
    .updateTable('destinations')
    .set((row) => ({
      next_at: nextAt,
      due_at: first === null ? null : Math.max(nextAt, first * 1000),
      // Still ahead if a wrong clock wrote it, so that `ClockWatch` finds the deliveries' times.
      updated_at: laterOf(row.ref('updated_at'), now),
    }))
    .where('id', '=', destination)
    .execute()
  return true
}

/**
 * Pauses a chat and drops its waiting deliveries, until it is resumed. Its cooldown ends, so that it is sent to at once
 * after it resumes. Returns the platform and how many deliveries were dropped; undefined if there is no such chat.
 * @param now unix milliseconds
 */
async function pauseChat(tx: Store, id: number, loss: Loss, now: number) {
  const paused = await tx
    .updateTable('destinations')
    .set({ paused: loss, next_at: now })
    .where('id', '=', id)
    .returning('platform')
    .executeTakeFirst()
  const deliveries = await dropWaiting(tx, id, loss, Math.floor(now / 1000))
  return paused && { ...paused, deliveries }
}

/**
 * Changes a chat's id after the platform has migrated it. If the new id has a row already, that one takes over the
 * subscriptions and waiting deliveries, without duplicates, and the longer mute. Live messages are deleted: their ids
 * are not valid in the new chat.
 * @param now unix milliseconds
 */
async function moveChat(tx: Store, destination: number, chat: string, now: number): Promise<void> {
  await lockDeliveries(tx)
  // Write before the first read, so that on SQLite no other write comes in between.
  await tx.deleteFrom('live_messages').where('destination', '=', destination).execute()
  const old = await tx
    .selectFrom('destinations')
    .selectAll()
    .where('id', '=', destination)
    .executeTakeFirst()
  if (old === undefined || old.chat === chat) return
  const target = await tx
    .selectFrom('destinations')
    .select(['id', 'paused', 'muted_until', 'claims', 'next_at'])
    .where('chat', '=', chat)
    .where('platform', '=', old.platform)
    .where('thread', '=', old.thread)
    .executeTakeFirst()
  if (target === undefined) {
    await tx.updateTable('destinations').set({ chat }).where('id', '=', old.id).execute()
    return
  }
  await moveSubscriptions(tx, old.id, target.id)
  await moveWaiting(tx, old.id, target.id)
  await tx.deleteFrom('destinations').where('id', '=', old.id).execute()
  const seconds = Math.floor(now / 1000)
  const muted_until = Math.max(old.muted_until, target.muted_until)
  await tx.updateTable('destinations').set({ muted_until }).where('id', '=', target.id).execute()
  if (target.paused !== null || muted_until > seconds) {
    await dropWaiting(tx, target.id, target.paused ?? 'muted', seconds)
  } else {
    await endClaim(tx, target.id, target.claims, Math.max(target.next_at, now), seconds)
  }
}

async function moveSubscriptions(tx: Store, from: number, to: number): Promise<void> {
  await tx
    .insertInto('follows')
    .columns(['filter', 'destination', 'created_at'])
    .expression((row) =>
      row
        .selectFrom('follows')
        .select((each) => ['filter', each.val(to).as('destination'), 'created_at'])
        .where('destination', '=', from),
    )
    .onConflict((conflict) => conflict.columns(['filter', 'destination']).doNothing())
    .execute()
  await tx.deleteFrom('follows').where('destination', '=', from).execute()
}

async function moveWaiting(tx: Store, from: number, to: number): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ state: 'dropped', reason: 'sent under the chat’s former id' })
    .where('destination', '=', to)
    .where('state', '=', waiting)
    .where((row) =>
      row.exists(
        row
          .selectFrom('deliveries as old')
          .select('old.news')
          .whereRef('old.news', '=', 'deliveries.news')
          .where('old.destination', '=', from)
          .where('old.state', 'in', ['sent', 'uncertain']),
      ),
    )
    .execute()
  await tx
    .updateTable('deliveries')
    .set({ destination: to, claim: 0 })
    .where('destination', '=', from)
    .where('state', '=', waiting)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('deliveries as own')
            .select('own.news')
            .whereRef('own.news', '=', 'deliveries.news')
            .where('own.destination', '=', to),
        ),
      ),
    )
    .execute()
  await tx
    .deleteFrom('deliveries')
    .where('destination', '=', from)
    .where('state', '=', waiting)
    .execute()
}

/** Retention of delivered events, in seconds after they were last useful. */
const retention = 30 * 86_400
/** Rows that one DELETE removes: SQLite blocks the process while it runs. */
const deleteBatchSize = 2000
const pruneBatchSize = 100

/** Deletes old deliveries and events as `Outbox.prune` says; returns how many rows changed. */
async function pruneEvents(store: Store, now: number): Promise<number> {
  let count = 0
  for (;;) {
    const old = await store
      .selectFrom('news')
      .select(['id', 'kind'])
      .where('body', '<>', noText)
      .where('useful_until', '<', now - retention)
      .orderBy('useful_until')
      .limit(pruneBatchSize)
      .execute()
    if (old.length === 0) return count
    count += await deleteDeliveries(store, idsOf(old))
    const withTimeInKey = idsOf(old.filter(({ kind }) => hasTimeInKey(kind)))
    const withStableKey = idsOf(old.filter(({ kind }) => !hasTimeInKey(kind)))
    if (withTimeInKey.length > 0)
      await store.deleteFrom('news').where('id', 'in', withTimeInKey).execute()
    if (withStableKey.length > 0)
      await store.updateTable('news').set({ body: '' }).where('id', 'in', withStableKey).execute()
    count += old.length
    await yieldToOthers()
  }
}

function idsOf(events: readonly { id: number }[]): number[] {
  return events.map(({ id }) => id)
}

/**
 * Whether the key of such an event contains the time of detection, so that it can't be detected again and its row can
 * go. Of other kinds the key stays.
 */
function hasTimeInKey(kind: string): boolean {
  return kindsWhere(isPerRule).some((each) => each === kind)
}

async function deleteDeliveries(store: Store, events: readonly number[]): Promise<number> {
  for (let count = 0; ; ) {
    const some = store
      .selectFrom('deliveries')
      .select(['news', 'destination'])
      .where('news', 'in', events)
      .limit(deleteBatchSize)
    const { numDeletedRows } = await store
      .deleteFrom('deliveries')
      .where((row) =>
        row(row.refTuple('news', 'destination'), 'in', some.$asTuple('news', 'destination')),
      )
      .executeTakeFirst()
    count += Number(numDeletedRows)
    if (numDeletedRows < deleteBatchSize) return count
    await yieldToOthers()
  }
}

/**
 * Locks, until the transaction ends, adding deliveries and merging two chats: both write many chats' rows in no fixed
 * order and must see the same subscriptions. Must come before all writes of a transaction: whoever waits for it then
 * holds no row, so there is no deadlock.
 */
export async function lockDeliveries(tx: Store): Promise<void> {
  await lockInTransaction(tx, 'deliveries')
}

/** Counts the chats of a platform to which something is due at `now` (unix milliseconds) and which are not claimed. */
export async function chatsDue(
  store: Store,
  platform: PlatformName,
  now: number,
): Promise<Backlog> {
  const { due, first } = await store
    .selectFrom((from) =>
      from
        .selectFrom('destinations')
        .select('due_at')
        .where('platform', '=', platform)
        .where('due_at', 'is not', null)
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(maxCounted)
        .as('waits'),
    )
    .select((row) => [row.fn.countAll<number>().as('due'), row.fn.min('due_at').as('first')])
    .executeTakeFirstOrThrow()
  return { due, oldest: due === 0 || first === null ? 0 : (now - first) / 1000 }
}

/** Counts the waiting deliveries, due or not, up to `maxCounted`. */
export async function deliveriesWaiting(store: Store): Promise<number> {
  const { count } = await store
    .selectFrom((from) =>
      from
        .selectFrom('deliveries')
        .select('destination')
        .where('state', '=', waiting)
        .limit(maxCounted)
        .as('waits'),
    )
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Milliseconds; no claim is leased for longer. */
const maxLease = 60_000
/** Seconds; a longer mute has no end, whatever the clock was. */
const maxMute = 366 * 86_400

/**
 * Corrects what a clock ahead of `now` (unix milliseconds) has written; returns of how many chats. What it put off is
 * due now, except what another process may be sending: that one's lease goes on. What it muted is muted for as long as
 * was asked.
 */
async function correctTimes(store: Store, now: number): Promise<number> {
  const seconds = Math.floor(now / 1000)
  return store.transaction().execute(async (tx) => {
    await tx
      .updateTable('deliveries')
      .set({ run_at: seconds })
      .where('state', '=', waiting)
      .where('run_at', '>', seconds)
      .where('destination', 'in', (row) =>
        row
          .selectFrom('destinations')
          .select('id')
          .where('updated_at', '>', seconds + tolerance),
      )
      .execute()
    const { numUpdatedRows } = await tx
      .updateTable('destinations')
      .set((row) => {
        const isClaimed = row.exists(
          row
            .selectFrom('deliveries')
            .select('news')
            .whereRef('deliveries.destination', '=', 'destinations.id')
            .whereRef('deliveries.claim', '=', 'destinations.claims')
            .where('deliveries.claim', '>', 0)
            .where('deliveries.state', '=', waiting),
        )
        const at = row
          .case()
          .when(isClaimed)
          .then(now + maxLease)
          .else(now)
          .end()
        const muteLeft = row('muted_until', '-', row.ref('updated_at'))
        // A mute that had ended by that clock is an older one, set by a clock that was right.
        const isMutedByIt = row.and([row(muteLeft, '>', 0), row(muteLeft, '<', maxMute)])
        return {
          next_at: at,
          due_at: row.case().when('due_at', 'is not', null).then(at).end(),
          muted_until: row
            .case()
            .when(isMutedByIt)
            .then(row(muteLeft, '+', seconds))
            .else(row.ref('muted_until'))
            .end(),
          updated_at: seconds,
        }
      })
      .where('updated_at', '>', seconds + tolerance)
      .executeTakeFirst()
    return Number(numUpdatedRows)
  })
}
