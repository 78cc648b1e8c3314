import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Loss } from '../core/adapter.ts'
import type { PlatformName } from '../core/command.ts'
import { chunks } from '../core/text.ts'
import type { Store } from '../db/schema.ts'
import { ClockWatch, deleteInBatches, noText, waiting } from '../db/sql.ts'
import { type Backlog, maxCounted } from '../jobs/queue.ts'
import type { Logger } from '../log.ts'
import { announcement } from './announcements.ts'
import {
  type Chat,
  type ChatRange,
  chatRows,
  claimChat,
  correctTimes,
  dropReasons,
  endClaim,
  lockIfHeld,
  makeChatDue,
  makeDue,
  migrateChat,
  pauseChat,
} from './chats.ts'
import { isPerRule, kindsWhere } from './kinds/list.ts'

/** The events that are due to one chat, leased by one process. */
export interface Claim {
  chat: Chat
  /** Ids of events, oldest first. */
  events: readonly number[]
  /** Attempts of the oldest event, this one included. */
  attempts: number
  /** An earlier attempt got no answer: the message may have arrived. */
  uncertain: boolean
  /** The roles that events notify, by the event's id. */
  roles?: ReadonlyMap<number, string>
  /** Those of the events that waited for the end of the chat's quiet hours. */
  postponed?: ReadonlySet<number>
  /** The chat's claim counter, a fencing token: of an older claim only the result 'sent' is recorded. */
  number: number
}

/** The ids of a chat's deliveries as the log has them: the event's id, a dot, and that of the chat's row. */
export function deliveryIds(events: readonly number[], { row }: Pick<Chat, 'row'>): string[] {
  return events.map((event) => `${event}.${row}`)
}

/** The result of a delivery. */
export type DeliveryResult =
  | { kind: 'sent' }
  /** No answer came, and it is not sent again: it may have arrived. */
  | { kind: 'uncertain'; reason: string }
  /** To retry at `runAt` (unix seconds). `untried`: nothing was sent, so it does not count as an attempt. */
  | { kind: 'retry'; runAt: number; reason: string; uncertain?: boolean; untried?: boolean }
  /** No longer useful. */
  | { kind: 'dropped'; reason: string }
  | { kind: 'given-up'; reason: string }

/** The reason of deliveries that wait for the end of a chat's quiet hours. */
export const quietHours = 'quiet hours'
/** The reason of deliveries that go right after another message to the chat. */
export const ownMessage = 'in a message of its own'
/** The reason of deliveries whose event a newer version has stored. */
export const unreadable = 'this version can’t read it'
/** Seconds that a delivery waits, so that events for one chat go as one message. */
const gatherSeconds = 2
/** Rules per statement. */
const ruleBatchSize = 500

/** A slice of an event's deliveries. */
interface Slice {
  rules: readonly number[]
  /** The row of the chat after which it begins. */
  after: number
  /** Maximum deliveries in it. */
  max: number
}

/** How many deliveries wait to be sent, and how many were dropped at once because their chats are muted or paused. */
export interface AddedDeliveries {
  deliveries: number
  silent: number
}

/**
 * Adds a slice of the deliveries of an event, in the caller's transaction: in the order of their rows, for chats that are
 * subscribed to one of its rules. Those of chats that are muted or paused at `now` (unix seconds) are dropped at once, and say why.
 * Returns how many were added, and the chat after which the next slice begins (undefined if there is none). If others may write
 * concurrently, the caller must hold the lock (`lockDeliveries`).
 */
export async function addDeliveries(
  tx: Store,
  event: number,
  slice: Slice,
  now: number,
): Promise<AddedDeliveries & { next: number | undefined }> {
  const { rules, after } = slice
  const range = { after, last: await lastOf(tx, slice) }
  let added = 0
  for (const batch of chunks(rules, ruleBatchSize)) {
    added += await addBatch(tx, event, batch, range, now)
    await addRoles(tx, event, batch, range)
  }
  const due = added > 0 ? await makeDue(tx, event, range, now + gatherSeconds, now) : 0
  // Those of a range that is stored anew were due before.
  const deliveries = Math.min(added, due)
  return {
    deliveries,
    silent: added - deliveries,
    next: range.last === theEnd ? undefined : range.last,
  }
}

/** After all chats. */
const theEnd = Number.MAX_SAFE_INTEGER

/** The last chat of a slice; `theEnd` if all that is left fits into it. */
async function lastOf(tx: Store, { rules, after, max }: Slice): Promise<number> {
  const part = Math.max(1, Math.floor(max / rules.length))
  let last = theEnd
  for (const batch of chunks(rules, ruleBatchSize)) {
    const found = await tx
      .selectFrom('rules')
      .select((row) => {
        const last = row
          .selectFrom('subscriptions')
          .select('subscriptions.chat_id')
          .whereRef('subscriptions.rule_id', '=', 'rules.id')
          .where('subscriptions.chat_id', '>', after)
          .orderBy('subscriptions.chat_id')
          .limit(1)
          .offset(part - 1)
        return row.fn.min<number | null>(last).as('last')
      })
      .where('id', 'in', batch)
      .executeTakeFirst()
    last = Math.min(last, found?.last ?? theEnd)
  }
  // Up to `last` no rule has more than an equal part of the slice. A range of as many chats as the slice may have
  // deliveries is never too long either, and is longer if the rules differ much.
  return last === theEnd ? last : Math.max(last, after + max)
}

async function addBatch(
  tx: Store,
  event: number,
  rules: readonly number[],
  { after, last }: ChatRange,
  now: number,
): Promise<number> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('deliveries')
    .columns([
      'event_id',
      'chat_id',
      'state',
      'run_at_s',
      'attempts',
      'claim',
      'uncertain',
      'reason',
      'updated_at_s',
    ])
    .expression((row) =>
      row
        .selectFrom('subscriptions')
        .innerJoin('chats', 'chats.id', 'subscriptions.chat_id')
        .select((each) => [
          each.val(event).as('event_id'),
          'subscriptions.chat_id',
          each
            .case()
            .when(
              each.or([
                each('chats.paused', 'is not', null),
                each('chats.muted_until_s', '>', now),
              ]),
            )
            .then(each.val('dropped' as const))
            .else(waiting)
            .end()
            .as('state'),
          each.val(now + gatherSeconds).as('run_at_s'),
          each.val(0).as('attempts'),
          each.val(0).as('claim'),
          each.val(0).as('uncertain'),
          each
            .case()
            .when('chats.paused', 'is not', null)
            .then(each.ref('chats.paused'))
            .when('chats.muted_until_s', '>', now)
            .then(each.val(dropReasons.muted))
            .end()
            .as('reason'),
          each.val(now).as('updated_at_s'),
        ])
        .where('subscriptions.rule_id', 'in', rules)
        .where('subscriptions.chat_id', '>', after)
        .where('subscriptions.chat_id', '<=', last),
    )
    .onConflict((conflict) => conflict.columns(['event_id', 'chat_id']).doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows)
}

/** Has the deliveries of an event notify the roles of their subscriptions; of several in a chat any one. */
async function addRoles(
  tx: Store,
  event: number,
  rules: readonly number[],
  { after, last }: ChatRange,
): Promise<void> {
  const found = await tx
    .selectFrom('subscriptions')
    .select(['chat_id', 'role'])
    .where('rule_id', 'in', rules)
    .where('role', 'is not', null)
    .where('chat_id', '>', after)
    .where('chat_id', '<=', last)
    .execute()
  for (const { chat_id, role } of found) {
    await tx
      .updateTable('deliveries')
      .set({ role })
      .where('event_id', '=', event)
      .where('chat_id', '=', chat_id)
      .where('state', '=', waiting)
      .execute()
  }
}

interface OutboxOptions {
  /** Milliseconds of a monotonic clock. */
  elapsed?: () => number
  /** Logs jumps of the wall clock. */
  log?: Logger | undefined
  /** Called with the results of deliveries, once they are stored. */
  onResult?: ((results: ResultCount) => void) | undefined
  /** Called for each chat that is paused. */
  onPaused?: ((platform: PlatformName, loss: Loss) => void) | undefined
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
  readonly #onPaused: OutboxOptions['onPaused']
  /** This process's own claims, by chat, with the monotonic time at which they expire: they are not claimed twice. */
  readonly #claims = new Map<number, { number: number; until: number }>()

  /** @param now unix milliseconds */
  constructor(
    store: Store,
    now: () => number,
    { elapsed = () => performance.now(), log, onResult, onPaused }: OutboxOptions = {},
  ) {
    this.#store = store
    this.#now = now
    this.#elapsed = elapsed
    this.#onResult = onResult
    this.#onPaused = onPaused
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
      .where('due_at_ms', '<=', now)
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
    const row = await this.#waiting(platform).select('due_at_ms').limit(1).executeTakeFirst()
    return row?.due_at_ms ?? undefined
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

  async #release(tx: Store, { chat, number }: Claim): Promise<void> {
    if (!(await lockIfHeld(tx, chat.row, number))) return
    await tx
      .updateTable('deliveries')
      .set((row) => ({
        attempts: row('attempts', '-', 1),
        claim: row.case().when('attempts', '=', 1).then(0).else(-number).end(),
      }))
      .where('chat_id', '=', chat.row)
      .where('claim', '=', number)
      .where('state', '=', waiting)
      .execute()
    await endClaim(tx, chat.row, number, this.#now(), this.#seconds())
  }

  /** Stores the result of some events of a claim. Nothing more is sent to the chat before `nextAt` (unix ms). */
  async record(
    claim: Claim,
    events: readonly number[],
    result: DeliveryResult,
    nextAt: number,
  ): Promise<void> {
    if (events.length === 0) return
    const { row, platform } = claim.chat
    const { isRecorded, isOver } = await this.#store.transaction().execute(async (tx) => {
      const isHeld = await lockIfHeld(tx, row, claim.number)
      // If our lease is lost, record only successful sends.
      if (!isHeld && result.kind !== 'sent') return { isRecorded: false, isOver: true }
      if (result.kind === 'retry') await this.#defer(tx, claim, events, result)
      else await this.#finish(tx, claim, events, result)
      const isOver = !isHeld || (await endClaim(tx, row, claim.number, nextAt, this.#seconds()))
      return { isRecorded: true, isOver }
    })
    if (isOver) this.#forgetClaim(claim)
    if (isRecorded) this.#onResult?.({ platform, result: result.kind, deliveries: events.length })
  }

  /** Stops sending to a chat (the id of its row), and drops its waiting deliveries. */
  async pause(chat: number, loss: Loss): Promise<void> {
    const dropped = await this.#store
      .transaction()
      .execute((tx) => pauseChat(tx, chat, loss, this.#now()))
    this.#claims.delete(chat)
    if (!dropped) return
    this.#onResult?.({ ...dropped, result: 'dropped' })
    this.#onPaused?.(dropped.platform, loss)
  }

  /**
   * Makes due what waits for the end of a chat's quiet hours, by the platform's own id: they have changed, so whoever sends looks
   * at them again. Returns whether anything waits.
   */
  async hastenQuiet(platform: PlatformName, chat: string): Promise<boolean> {
    let count = 0n
    for (const { id } of await chatRows(this.#store, platform, [chat])) {
      count += await this.#store.transaction().execute(async (tx) => {
        await makeChatDue(tx, id, this.#now())
        const { numUpdatedRows } = await tx
          .updateTable('deliveries')
          .set({ run_at_s: this.#seconds() })
          .where('chat_id', '=', id)
          .where('state', '=', waiting)
          .where('reason', '=', quietHours)
          // A delivery that is being sent stays as it is.
          .where('claim', '<=', 0)
          .executeTakeFirstOrThrow()
        return numUpdatedRows
      })
    }
    return count > 0n
  }

  /** Changes the id of a chat that the platform has migrated. */
  async migrate(chat: number, newId: string): Promise<void> {
    await this.#store.transaction().execute((tx) => migrateChat(tx, chat, newId, this.#now()))
  }

  /**
   * Deletes deliveries and bodies of events that were last useful more than `days` ago, and returns how many rows changed. Keys
   * of events stay, so that they are not detected again, unless they contain the time of detection (`isPerRule`).
   */
  prune(days: number): Promise<number> {
    return pruneEvents(this.#store, this.#seconds() - days * 86_400)
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
      .selectFrom('chats')
      .where('platform', '=', platform)
      .where('due_at_ms', 'is not', null)
      .where('muted_until_s', '<=', this.#seconds())
      .$if(own.length > 0, (rest) => rest.where('id', 'not in', own))
      .orderBy('due_at_ms')
  }

  async #defer(
    tx: Store,
    { chat, number, uncertain: wasUncertain }: Claim,
    events: readonly number[],
    {
      runAt,
      reason,
      uncertain = false,
      untried = false,
    }: Extract<DeliveryResult, { kind: 'retry' }>,
  ): Promise<void> {
    await tx
      .updateTable('deliveries')
      .set((row) => ({
        run_at_s: runAt,
        ...(untried && { attempts: row('attempts', '-', 1) }),
        reason: reason.slice(0, maxReason),
        // A message that may have arrived is only resent as a whole, whatever the results since, so its events keep a
        // common claim.
        claim: uncertain || wasUncertain ? -number : 0,
        ...(uncertain ? { uncertain: 1 } : {}),
        updated_at_s: this.#seconds(),
      }))
      .where('chat_id', '=', chat.row)
      .where('event_id', 'in', events)
      .where('claim', '=', number)
      .where('state', '=', waiting)
      .execute()
  }

  async #finish(
    tx: Store,
    { chat }: Claim,
    events: readonly number[],
    result: Exclude<DeliveryResult, { kind: 'retry' }>,
  ): Promise<void> {
    await tx
      .updateTable('deliveries')
      .set({
        state: result.kind,
        reason: 'reason' in result ? result.reason.slice(0, maxReason) : null,
        updated_at_s: this.#seconds(),
      })
      .where('chat_id', '=', chat.row)
      .where('event_id', 'in', events)
      .where('state', '<>', 'sent')
      .execute()
  }

  #forgetClaim({ chat, number }: Claim): void {
    if (this.#claims.get(chat.row)?.number === number) this.#claims.delete(chat.row)
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000)
  }
}

/**
 * Takes the oldest event due at `now` (unix seconds) and the others that may go with it. Events that may have been sent
 * before in one message go as that message again. Undefined if nothing is due.
 */
async function takeEvents(
  tx: Store,
  { chat, number }: Pick<Claim, 'chat' | 'number'>,
  maxEvents: number,
  now: number,
): Promise<Claim | undefined> {
  const rows = await tx
    .updateTable('deliveries')
    .set((row) => ({ attempts: row('attempts', '+', 1), claim: number, updated_at_s: now }))
    .where('chat_id', '=', chat.row)
    .where('state', '=', waiting)
    .where('event_id', 'in', (row) => {
      const due = row
        .selectFrom('deliveries as due')
        .where('due.chat_id', '=', chat.row)
        .where('due.state', '=', waiting)
        .where('due.run_at_s', '<=', now)
        .orderBy('due.event_id')
      return due
        .select('due.event_id')
        .where('due.claim', '=', due.select('due.claim').limit(1))
        .limit(maxEvents)
    })
    .returning(['event_id', 'attempts', 'uncertain', 'role', 'reason'])
    .execute()
  const oldestFirst = rows.sort((one, other) => one.event_id - other.event_id)
  const [oldest] = oldestFirst
  if (oldest === undefined) return undefined
  const roles = new Map(
    oldestFirst.flatMap(({ event_id, role }) => (role === null ? [] : [[event_id, role] as const])),
  )
  const postponed = oldestFirst.filter(({ reason }) => reason === quietHours)
  return {
    chat,
    number,
    events: oldestFirst.map(({ event_id }) => event_id),
    attempts: oldest.attempts,
    uncertain: oldestFirst.some(({ uncertain }) => uncertain === 1),
    ...(roles.size > 0 && { roles }),
    ...(postponed.length > 0 && { postponed: new Set(postponed.map(({ event_id }) => event_id)) }),
  }
}

const pruneBatchSize = 100

/** Deletes old deliveries and events as `Outbox.prune` says; returns how many rows changed. */
async function pruneEvents(store: Store, before: number): Promise<number> {
  let count = 0
  for (;;) {
    const old = await store
      .selectFrom('events')
      .select(['id', 'kind'])
      .where('body', '<>', noText)
      .where('useful_until_s', '<', before)
      .orderBy('useful_until_s')
      .limit(pruneBatchSize)
      .execute()
    if (old.length === 0) return count
    count += await deleteDeliveries(store, idsOf(old))
    const withTimeInKey = idsOf(old.filter(({ kind }) => hasTimeInKey(kind)))
    const withStableKey = idsOf(old.filter(({ kind }) => !hasTimeInKey(kind)))
    if (withTimeInKey.length > 0)
      await store.deleteFrom('events').where('id', 'in', withTimeInKey).execute()
    if (withStableKey.length > 0)
      await store.updateTable('events').set({ body: '' }).where('id', 'in', withStableKey).execute()
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
  return kind === announcement.id || kindsWhere(isPerRule).some((each) => each === kind)
}

function deleteDeliveries(store: Store, events: readonly number[]): Promise<number> {
  return deleteInBatches((limit) => {
    const some = store
      .selectFrom('deliveries')
      .select(['event_id', 'chat_id'])
      .where('event_id', 'in', events)
      .limit(limit)
    return store
      .deleteFrom('deliveries')
      .where((row) =>
        row(row.refTuple('event_id', 'chat_id'), 'in', some.$asTuple('event_id', 'chat_id')),
      )
      .executeTakeFirstOrThrow()
  })
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
        .selectFrom('chats')
        .select('due_at_ms')
        .where('platform', '=', platform)
        .where('due_at_ms', 'is not', null)
        .where('due_at_ms', '<=', now)
        .orderBy('due_at_ms')
        .limit(maxCounted)
        .as('waits'),
    )
    .select((row) => [row.fn.countAll<number>().as('due'), row.fn.min('due_at_ms').as('first')])
    .executeTakeFirstOrThrow()
  return { due, oldest: due === 0 || first === null ? 0 : (now - first) / 1000 }
}

/** Counts the paused chats of a platform, up to `maxCounted`, by why; a reason without any is left out. */
export async function chatsPaused(
  store: Store,
  platform: PlatformName,
): Promise<ReadonlyMap<string, number>> {
  const rows = await store
    .selectFrom((from) =>
      from
        .selectFrom('chats')
        .select((row) => row.ref('paused').$notNull().as('loss'))
        .where('platform', '=', platform)
        .where('paused', 'is not', null)
        .limit(maxCounted)
        .as('paused'),
    )
    .select((row) => ['loss', row.fn.countAll<number>().as('count')])
    .groupBy('loss')
    .execute()
  return new Map(rows.map(({ loss, count }) => [loss, count]))
}

/** Counts the waiting deliveries, due or not, up to `maxCounted`. */
export async function deliveriesWaiting(store: Store): Promise<number> {
  const { count } = await store
    .selectFrom((from) =>
      from
        .selectFrom('deliveries')
        .select('chat_id')
        .where('state', '=', waiting)
        .limit(maxCounted)
        .as('waits'),
    )
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
