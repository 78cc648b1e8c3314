import { randomInt } from 'node:crypto'
import type { Loss } from '../core/adapter.ts'
import type { PlatformName } from '../core/command.ts'
import { chunks } from '../core/text.ts'
import type { Store } from '../db/schema.ts'
import { type Subquery, waiting } from '../db/sql.ts'
import { recipientsOf } from './announcements.ts'
import {
  type Chat,
  type ChatRange,
  chatRows,
  claimChat,
  dropReasons,
  lockChat,
  makeChatDue,
  makeDue,
  migrateChat,
  pauseChat,
  scheduleChat,
} from './chats.ts'

// The life of a delivery, which is one event for one chat. `addDeliveries` stores it, waiting, in the transaction of its event.
// `Outbox.claim` takes what is due to a chat and stores the attempt before anything is sent. `Outbox.record` stores the
// result. If none is stored within a minute, as the process was killed, the chat is due again and the same message is sent
// again.

/** How many deliveries wait to be sent, and how many were dropped at once because their chats are muted or paused. */
export interface AddedDeliveries {
  deliveries: number
  silent: number
}

/** Seconds that a delivery waits, so that events for one chat go as one message. */
const gatherSeconds = 2
/** Rules per statement: databases limit its parameters. */
export const ruleBatchSize = 10_000

/**
 * Adds the deliveries of an event in a range of chats: for those that are subscribed to one of its rules. Those of chats
 * that are muted or paused at `now` (unix seconds) are dropped at once, and say why. Repeating it adds nothing.
 */
export async function addDeliveries(
  tx: Store,
  event: number,
  { rules, range }: { rules: readonly number[]; range: ChatRange },
  now: number,
): Promise<AddedDeliveries> {
  let added = 0
  for (const batch of chunks(rules, ruleBatchSize)) {
    const subscribers = tx
      .selectFrom('subscriptions')
      .innerJoin('chats', 'chats.id', 'subscriptions.chat_id')
      .select((row) => [
        'chats.id',
        'chats.paused',
        'chats.muted_until_s',
        // A chat may have several roles for one event: any one is notified.
        row.fn.max('subscriptions.role').as('role'),
      ])
      .where('subscriptions.rule_id', 'in', batch)
      .where('subscriptions.chat_id', '>', range.after)
      .where('subscriptions.chat_id', '<=', range.last)
      .groupBy(['chats.id', 'chats.paused', 'chats.muted_until_s'])
    added += await insertDeliveries(tx, event, subscribers, now + gatherSeconds, now)
  }
  const due = added === 0 ? 0 : await makeDue(tx, event, range, (now + gatherSeconds) * 1000)
  // Chats of a range that is stored again were made due before.
  const deliveries = Math.min(added, due)
  return { deliveries, silent: added - deliveries }
}

/** A chat that an event is for. */
interface Recipient {
  id: number
  paused: string | null
  muted_until_s: number
  role: string | null
}

async function insertDeliveries(
  tx: Store,
  event: number,
  recipients: Subquery<Recipient>,
  runAt: number,
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
      'reason',
      'updated_at_s',
      'role',
    ])
    .expression((row) =>
      row
        .selectFrom(recipients.as('to'))
        .select((to) => {
          const isSilent = to.or([
            to('to.paused', 'is not', null),
            to('to.muted_until_s', '>', now),
          ])
          return [
            to.val(event).as('event_id'),
            'to.id as chat_id',
            to
              .case()
              .when(isSilent)
              .then(to.val('dropped' as const))
              .else(waiting)
              .end()
              .as('state'),
            to.val(runAt).as('run_at_s'),
            to.val(0).as('attempts'),
            to.val(0).as('claim'),
            to
              .case()
              .when('to.muted_until_s', '>', now)
              .then(to.fn.coalesce('to.paused', to.val(dropReasons.muted)))
              .else(to.ref('to.paused'))
              .end()
              .as('reason'),
            to.val(now).as('updated_at_s'),
            'to.role',
          ]
        })
        // SQLite takes ON for that of a join if there is no WHERE before it.
        .where('to.id', 'is not', null),
    )
    .onConflict((conflict) => conflict.columns(['event_id', 'chat_id']).doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows)
}

/** Adds the deliveries of an announcement in a range of chats: one for each chat, and of a chat's topics for one. */
export async function addAnnouncement(
  tx: Store,
  event: number,
  range: ChatRange,
  now: number,
): Promise<AddedDeliveries> {
  const recipients = recipientsOf(tx, event, range, now)
  const deliveries = await insertDeliveries(tx, event, recipients, now, now)
  await makeDue(tx, event, range, now * 1000)
  return { deliveries, silent: 0 }
}

/** The events that are due to one chat, while they are being sent. */
export interface Claim {
  chat: Chat
  /** Ids of events, oldest first. */
  events: readonly number[]
  /** Attempts of the oldest event, this one included. */
  attempts: number
  /** An earlier claim had no result: its message may have arrived, unless the process was killed before it was sent. */
  uncertain: boolean
  /** The roles that events notify, by the event's id. */
  roles?: ReadonlyMap<number, string>
  /** Ids of the events that waited for the end of the chat's quiet hours. */
  postponed?: ReadonlySet<number>
  /** Drawn at random: results are only stored of the claim that the deliveries are in. */
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

interface OutboxOptions {
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

/** Milliseconds without a result after which a message is sent again: longer than any send takes. */
const resultTimeout = 60_000
const maxReason = 500
const maxClaimNumber = 2 ** 47

/**
 * Deliveries as they are sent: at least once, also if the process crashes, in the order of their events in each chat. Paused
 * and muted chats, and those in their cooldown, get nothing.
 *
 * Each chat's row has the time at which something is due, so that a claim costs the same however many deliveries wait.
 */
export class Outbox {
  readonly #store: Store
  readonly #now: () => number
  readonly #options: OutboxOptions
  /** The claims without a result, by chat, with the events that lack one: nothing else is sent to the chat meanwhile. */
  readonly #claims = new Map<number, { number: number; open: Set<number> }>()

  /** @param now unix milliseconds */
  constructor(store: Store, now: () => number, options: OutboxOptions = {}) {
    this.#store = store
    this.#now = now
    this.#options = options
  }

  /** Claims what is due to the chat that has waited longest, at most `maxEvents` events; undefined if nothing is due. */
  async claim(platform: PlatformName, maxEvents: number): Promise<Claim | undefined> {
    for (;;) {
      const now = this.#now()
      const next = await this.#due(platform)
        .select('id')
        .where('due_at_ms', '<=', now)
        .limit(1)
        .executeTakeFirst()
      if (next === undefined) return undefined
      const claim = await this.#store
        .transaction()
        .execute((tx) => claimEvents(tx, next.id, maxEvents, now))
      // Otherwise it was dropped meanwhile.
      if (claim) {
        this.#claims.set(next.id, { number: claim.number, open: new Set(claim.events) })
        return claim
      }
    }
  }

  /** Unix milliseconds at which the next claim can find something; undefined if nothing waits. */
  async nextAt(platform: PlatformName): Promise<number | undefined> {
    const row = await this.#due(platform).select('due_at_ms').limit(1).executeTakeFirst()
    return row?.due_at_ms ?? undefined
  }

  /** Chats with waiting deliveries that are not claimed, most overdue first. */
  #due(platform: PlatformName) {
    const claimed = [...this.#claims.keys()]
    return this.#store
      .selectFrom('chats')
      .where('platform', '=', platform)
      .where('due_at_ms', 'is not', null)
      .where('muted_until_s', '<=', this.#seconds())
      .$if(claimed.length > 0, (rest) => rest.where('id', 'not in', claimed))
      .orderBy('due_at_ms')
  }

  /** Gives a claim back that was not sent, with unchanged due times and attempts. */
  async release(claim: Claim): Promise<void> {
    const { chat, number, uncertain } = claim
    const open = this.#end(claim, claim.events)
    if (open.length === 0) return
    await this.#store.transaction().execute(async (tx) => {
      await lockChat(tx, chat.row)
      await openDeliveries(tx, claim, open)
        .set((row) => ({ attempts: row('attempts', '-', 1), claim: uncertain ? number : 0 }))
        .execute()
      await scheduleChat(tx, chat.row, this.#now())
    })
  }

  /**
   * Stores the result of some events of a claim. Once all have one, the chat can be claimed again from `nextAt` (unix ms).
   * After a minute without a result somebody else may have claimed them: then only 'sent' is stored.
   */
  async record(
    claim: Claim,
    events: readonly number[],
    result: DeliveryResult,
    nextAt: number,
  ): Promise<void> {
    if (events.length === 0) return
    const { row, platform } = claim.chat
    const changed = await this.#store.transaction().execute(async (tx) => {
      await lockChat(tx, row)
      const { numUpdatedRows } =
        result.kind === 'retry'
          ? await this.#postpone(tx, claim, events, result)
          : await this.#finish(tx, claim, events, result)
      const open = this.#openOf(claim)
      const isOver = open.length > 0 && open.every((event) => events.includes(event))
      if (isOver && numUpdatedRows > 0n) await scheduleChat(tx, row, nextAt)
      return numUpdatedRows > 0n
    })
    this.#end(claim, events)
    if (changed)
      this.#options.onResult?.({ platform, result: result.kind, deliveries: events.length })
  }

  #postpone(
    tx: Store,
    claim: Claim,
    events: readonly number[],
    { runAt, reason, uncertain, untried }: Extract<DeliveryResult, { kind: 'retry' }>,
  ) {
    return openDeliveries(tx, claim, events)
      .set((row) => ({
        run_at_s: runAt,
        ...(untried && { attempts: row('attempts', '-', 1) }),
        reason: reason.slice(0, maxReason),
        // Sends a message that may have arrived again as a whole, or the platform could not tell that it is the same.
        claim: uncertain || claim.uncertain ? claim.number : 0,
        updated_at_s: this.#seconds(),
      }))
      .executeTakeFirstOrThrow()
  }

  #finish(
    tx: Store,
    { chat, number }: Claim,
    events: readonly number[],
    result: Exclude<DeliveryResult, { kind: 'retry' }>,
  ) {
    return tx
      .updateTable('deliveries')
      .set({
        state: result.kind,
        reason: 'reason' in result ? result.reason.slice(0, maxReason) : null,
        updated_at_s: this.#seconds(),
      })
      .where('chat_id', '=', chat.row)
      .where('event_id', 'in', events)
      .where('state', '<>', 'sent')
      .$if(result.kind !== 'sent', (rest) => rest.where('claim', '=', number))
      .executeTakeFirstOrThrow()
  }

  /** Events of the claim that lack a result. */
  #openOf({ chat, number }: Claim): number[] {
    const claimed = this.#claims.get(chat.row)
    return claimed?.number === number ? [...claimed.open] : []
  }

  /** Notes that events of a claim have a result, and ends the claim with the last of them; returns those that had none. */
  #end(claim: Claim, events: readonly number[]): number[] {
    const open = this.#openOf(claim)
    if (open.length === 0) return []
    const left = open.filter((event) => !events.includes(event))
    const { chat, number } = claim
    if (left.length === 0) this.#claims.delete(chat.row)
    else this.#claims.set(chat.row, { number, open: new Set(left) })
    return open
  }

  /** Stops sending to a chat (the id of its row), and drops its waiting deliveries. */
  async pause(chat: number, loss: Loss): Promise<void> {
    const dropped = await this.#store
      .transaction()
      .execute((tx) => pauseChat(tx, chat, loss, this.#now()))
    this.#claims.delete(chat)
    if (!dropped) return
    this.#options.onResult?.({ ...dropped, result: 'dropped' })
    this.#options.onPaused?.(dropped.platform, loss)
  }

  /**
   * Makes due what waits for the end of a chat's quiet hours, by the platform's own id: they have changed, so the notifier
   * looks at them again.
   */
  async endQuiet(platform: PlatformName, chat: string): Promise<void> {
    for (const { id } of await chatRows(this.#store, platform, [chat])) {
      await this.#store.transaction().execute(async (tx) => {
        await lockChat(tx, id)
        const { numUpdatedRows } = await tx
          .updateTable('deliveries')
          .set({ run_at_s: this.#seconds() })
          .where('chat_id', '=', id)
          .where('state', '=', waiting)
          .where('reason', '=', quietHours)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows > 0n) await makeChatDue(tx, id, this.#now())
      })
    }
  }

  /** Changes the id of a chat that the platform has migrated. */
  async migrate(chat: number, newId: string): Promise<void> {
    await this.#store.transaction().execute((tx) => migrateChat(tx, chat, newId, this.#now()))
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000)
  }
}

/** The deliveries of a claim that wait for a result. */
function openDeliveries(tx: Store, { chat, number }: Claim, events: readonly number[]) {
  return tx
    .updateTable('deliveries')
    .where('chat_id', '=', chat.row)
    .where('event_id', 'in', events)
    .where('claim', '=', number)
    .where('state', '=', waiting)
}

/**
 * Claims a chat and what is due to it at `now` (unix ms): the oldest event, and the others that go with it in one message.
 * Undefined if nothing is due any more.
 */
async function claimEvents(
  tx: Store,
  id: number,
  maxEvents: number,
  now: number,
): Promise<Claim | undefined> {
  const chat = await claimChat(tx, id, now, now + resultTimeout)
  if (chat === undefined) return undefined
  const due = await dueTogether(tx, id, maxEvents, Math.floor(now / 1000))
  const [oldest] = due
  if (oldest === undefined) {
    await scheduleChat(tx, id, now)
    return undefined
  }
  const number = randomInt(1, maxClaimNumber)
  const events = due.map(({ event_id }) => event_id)
  await tx
    .updateTable('deliveries')
    .set((row) => ({
      attempts: row('attempts', '+', 1),
      claim: number,
      updated_at_s: Math.floor(now / 1000),
    }))
    .where('chat_id', '=', id)
    .where('event_id', 'in', events)
    .where('state', '=', waiting)
    .execute()
  const roles = due.flatMap(({ event_id, role }) =>
    role === null ? [] : [[event_id, role] as const],
  )
  const postponed = due.filter(({ reason }) => reason === quietHours)
  return {
    chat,
    number,
    events,
    attempts: oldest.attempts + 1,
    uncertain: oldest.claim !== 0,
    ...(roles.length > 0 && { roles: new Map(roles) }),
    ...(postponed.length > 0 && { postponed: new Set(postponed.map(({ event_id }) => event_id)) }),
  }
}

/** The oldest event due to a chat at `now` (unix seconds), and those that go with it: all of an earlier message, or none of one. */
async function dueTogether(tx: Store, chat: number, maxEvents: number, now: number) {
  const due = tx
    .selectFrom('deliveries')
    .where('chat_id', '=', chat)
    .where('state', '=', waiting)
    .where('run_at_s', '<=', now)
    .orderBy('event_id')
  const oldest = await due.select('claim').limit(1).executeTakeFirst()
  return due
    .select(['event_id', 'claim', 'attempts', 'role', 'reason'])
    .where('claim', '=', oldest?.claim ?? 0)
    .limit(maxEvents)
    .execute()
}
