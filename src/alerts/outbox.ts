import { setImmediate as others, setImmediate as turn } from 'node:timers/promises'
import type { Loss } from '../core/adapter.ts'
import type { Store } from '../db/schema.ts'
import { isSqlite, lockInTransaction, noText, tolerance, waiting } from '../db/sql.ts'
import { type Backlog, maxCounted } from '../jobs/queue.ts'
import type { Logger } from '../log.ts'
import { type ChatKey, dropWaiting, endClaim, pauseChat } from './chats.ts'

/** News that is due to one destination at this moment, taken by one process until its lease ends. */
export interface Claim {
  destination: ChatKey & { id: number }
  /** Ids of news, oldest first. */
  news: readonly number[]
  /** How often the oldest was tried, this time included. */
  attempts: number
  /** A try before got no answer: one of these may be there already. */
  uncertain: boolean
  /** Counts the claims of this destination: of an older one nothing is believed but that something was sent. */
  number: number
}

/** What became of a claim. */
export type DeliveryResult =
  | { kind: 'sent' }
  /** No answer came: it may be there, and is not sent again. */
  | { kind: 'uncertain'; reason: string }
  /** To be tried again at this unix second; `untried`: nothing was sent, which counts as no try. */
  | { kind: 'later'; runAt: number; reason: string; uncertain?: boolean; untried?: boolean }
  /** Of no use any more. */
  | { kind: 'dropped'; reason: string }
  | { kind: 'given-up'; reason: string }

/**
 * Deliveries of news to destinations: claimed with a lease, at least once whatever happens to the process. All that is
 * due to one destination is claimed together, one destination by one process at a time, none that is paused or muted
 * or was sent to a moment ago.
 */
export interface Outbox {
  /** At most `most` destinations of a platform, each with at most `together` pieces of news; leased for `lease` s. */
  claim(
    platform: 'telegram' | 'discord',
    limits: { most: number; together: number; lease: number },
  ): Promise<Claim[]>
  /** Unix milliseconds at which the next claim can find something; undefined where nothing waits. */
  nextAt(platform: 'telegram' | 'discord'): Promise<number | undefined>
  /** Gives back what is held, unsent and as due as before: at the end of a process. */
  release(claims: readonly Claim[]): Promise<void>
  /** Stores what became of these news of a claim, and that nothing more goes there before `nextAt` (unix ms). */
  record(
    claim: Claim,
    news: readonly number[],
    settlement: DeliveryResult,
    nextAt: number,
  ): Promise<void>
  /** Stops all sending to a destination, and says why. What still waits is dropped. */
  pause(destination: number, loss: Loss): Promise<void>
  /** The chat goes on under another id. */
  move(destination: number, chat: string): Promise<void>
  /**
   * Forgets deliveries and bodies of news that was of no use any more 30 days ago. Keys of news stay, but for those that
   * name the time at which they were told (`price`, `mcap`, `digest`). Returns how many rows went.
   */
  prune(): Promise<number>
}

/** Seconds that alerts wait for others to the same chat, so that they go as one message. */
const gathering = 2
/** Filters whose followers one statement looks up. */
const addBatch = 500

/**
 * Adds a waiting delivery of new news, in the caller's transaction, for each destination that follows one of these
 * filters and is neither paused nor muted at `now` (unix seconds). Returns how many there are. Where others may write
 * meanwhile the caller has taken its turn (`takeTurn`).
 */
export async function addDeliveries(
  tx: Store,
  news: number,
  filters: readonly number[],
  now: number,
): Promise<number> {
  let deliveries = 0
  for (let from = 0; from < filters.length; from += addBatch) {
    deliveries += await add(tx, news, filters.slice(from, from + addBatch), now)
  }
  if (deliveries > 0) await makeDue(tx, news, now)
  return deliveries
}

async function add(
  tx: Store,
  news: number,
  filters: readonly number[],
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
          each.val(news).as('news'),
          'follows.destination',
          waiting.as('state'),
          each.val(now + gathering).as('run_at'),
          each.val(0).as('attempts'),
          each.val(0).as('claim'),
          each.val(0).as('uncertain'),
          each.val(null).as('reason'),
          each.val(now).as('updated_at'),
        ])
        .where('follows.filter', 'in', filters)
        .where('destinations.paused', 'is', null)
        .where('destinations.muted_until', '<=', now),
    )
    .onConflict((conflict) => conflict.columns(['news', 'destination']).doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows)
}

/**
 * Tells the outbox of destinations to which something waits now: at the earliest when they may be sent to again. Where
 * a clock that ran ahead said when that is, the outbox puts it right. Each row is written, also where nothing changes:
 * so whoever ends a claim of it meanwhile waits, and sees what was added.
 */
async function makeDue(tx: Store, news: number, now: number): Promise<void> {
  const due = (now + gathering) * 1000
  const latest = now + tolerance
  await tx
    .updateTable('destinations')
    .set((row) => {
      const stays = row.or([
        row('due_at', '<=', due),
        row.and([row('due_at', 'is not', null), row('updated_at', '>', latest)]),
      ])
      const isHeld = row.and([row('next_at', '>', due), row('updated_at', '<=', latest)])
      const dueAt = row.case().when(stays).then(row.ref('due_at'))
      return {
        due_at: dueAt.when(isHeld).then(row.ref('next_at')).else(due).end(),
        updated_at: row.case().when(stays).then(row.ref('updated_at')).else(now).end(),
      }
    })
    .where('id', 'in', (row) =>
      row.selectFrom('deliveries').select('destination').where('news', '=', news),
    )
    .execute()
}

interface OutboxOptions {
  /** Milliseconds of a clock that nobody sets. */
  elapsed?: () => number
  /** Hears of a clock that jumped. */
  log?: Logger | undefined
  /** Hears what became of deliveries, once that is stored. */
  onSettled?: ((settled: Settled) => void) | undefined
}

/** What became of so many deliveries, for those who count. */
export interface Settled {
  platform: Name
  outcome: DeliveryResult['kind']
  deliveries: number
}

type Name = Claim['destination']['platform']

const maxReason = 500

/**
 * Deliveries in the bot's own database, which several processes may share. A destination's row says when something is
 * due to it, so that a claim costs the same however much waits, and counts its claims: that tells a holder whose lease
 * ran out from who holds it now.
 */
export class StoredOutbox implements Outbox {
  readonly #store: Store
  readonly #now: () => number
  readonly #elapsed: () => number
  readonly #clock: ClockWatch
  readonly #onSettled: OutboxOptions['onSettled']
  /** By destination, until when by the clock that never jumps: what the process is at is not taken a second time. */
  readonly #own = new Map<number, { number: number; until: number }>()

  /** @param now the time in unix milliseconds */
  constructor(
    store: Store,
    now: () => number,
    { elapsed = () => performance.now(), log, onSettled }: OutboxOptions = {},
  ) {
    this.#store = store
    this.#now = now
    this.#elapsed = elapsed
    this.#onSettled = onSettled
    this.#clock = new ClockWatch({ store, now, elapsed, log })
  }

  async claim(
    platform: Name,
    { most, together, lease }: { most: number; together: number; lease: number },
  ): Promise<Claim[]> {
    await this.#clock.pullBack(lease)
    const now = this.#now()
    for (const [id, { until }] of this.#own) if (until < this.#elapsed()) this.#own.delete(id)
    const due = await this.#waiting(platform)
      .select('id')
      .where('due_at', '<=', now)
      .limit(most)
      .execute()
    if (due.length === 0) return []
    const claims: Claim[] = []
    for (const { id } of due) {
      try {
        const claim = await this.#take(id, together, lease)
        if (claim) claims.push(claim)
      } catch (error) {
        // What was taken is not to wait for its lease to end.
        if (claims.length === 0) throw error
        break
      }
      await others()
    }
    return claims
  }

  async nextAt(platform: Name): Promise<number | undefined> {
    const row = await this.#waiting(platform).select('due_at').limit(1).executeTakeFirst()
    return row?.due_at ?? undefined
  }

  /** One by one: who has several rows at once, and those who add to many, could wait for each other for ever. */
  async release(claims: readonly Claim[]): Promise<void> {
    for (const claim of claims) {
      await this.#store.transaction().execute((tx) => this.#release(tx, claim))
      this.#forget(claim)
    }
  }

  async #release(tx: Store, { destination, number }: Claim): Promise<void> {
    if (!(await holds(tx, destination.id, number))) return
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

  async record(
    claim: Claim,
    news: readonly number[],
    settlement: DeliveryResult,
    nextAt: number,
  ): Promise<void> {
    if (news.length === 0) return
    const { id, platform } = claim.destination
    const ended = await this.#store.transaction().execute(async (tx) => {
      const isHeld = await holds(tx, id, claim.number)
      // Of what somebody else holds by now one thing alone is worth storing: that it is there.
      if (!isHeld && settlement.kind !== 'sent') return undefined
      if (settlement.kind === 'later') await this.#putOff(tx, claim, news, settlement)
      else await this.#end(tx, claim, news, settlement)
      return isHeld ? endClaim(tx, id, claim.number, nextAt, this.#seconds()) : true
    })
    if (ended !== false) this.#forget(claim)
    if (ended === undefined) return
    this.#onSettled?.({ platform, outcome: settlement.kind, deliveries: news.length })
  }

  async pause(destination: number, loss: Loss): Promise<void> {
    const dropped = await this.#store
      .transaction()
      .execute((tx) => pauseChat(tx, destination, loss, this.#now()))
    this.#own.delete(destination)
    if (dropped) this.#onSettled?.({ ...dropped, outcome: 'dropped' })
  }

  async move(destination: number, chat: string): Promise<void> {
    await this.#store.transaction().execute((tx) => moveChat(tx, destination, chat, this.#now()))
  }

  prune(): Promise<number> {
    return pruneEvents(this.#store, this.#seconds())
  }

  async #take(id: number, together: number, lease: number): Promise<Claim | undefined> {
    const now = this.#now()
    const claim = await this.#store.transaction().execute(async (tx) => {
      const held = await claimChat(tx, id, now, now + lease * 1000)
      if (held === undefined) return undefined
      const taken = await takeNews(tx, held, together, Math.floor(now / 1000))
      if (taken === undefined) await endClaim(tx, id, held.number, now, Math.floor(now / 1000))
      return taken
    })
    const until = this.#elapsed() + lease * 1000
    if (claim) this.#own.set(id, { number: claim.number, until })
    return claim
  }

  /** Destinations to which something waits and nobody here is at, those to which it is due first before the others. */
  #waiting(platform: Name) {
    const own = [...this.#own.keys()]
    return this.#store
      .selectFrom('destinations')
      .where('platform', '=', platform)
      .where('due_at', 'is not', null)
      .where('muted_until', '<=', this.#seconds())
      .$if(own.length > 0, (rest) => rest.where('id', 'not in', own))
      .orderBy('due_at')
  }

  async #putOff(
    tx: Store,
    { destination, number, uncertain: before }: Claim,
    news: readonly number[],
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
        // What may be there already goes as that message again, whatever became of the tries since.
        claim: uncertain || before ? -number : 0,
        ...(uncertain ? { uncertain: 1 } : {}),
        updated_at: this.#seconds(),
      }))
      .where('destination', '=', destination.id)
      .where('news', 'in', news)
      .where('claim', '=', number)
      .where('state', '=', waiting)
      .execute()
  }

  async #end(
    tx: Store,
    { destination }: Claim,
    news: readonly number[],
    settlement: Exclude<DeliveryResult, { kind: 'later' }>,
  ): Promise<void> {
    await tx
      .updateTable('deliveries')
      .set({
        state: settlement.kind,
        reason: 'reason' in settlement ? settlement.reason.slice(0, maxReason) : null,
        updated_at: this.#seconds(),
      })
      .where('destination', '=', destination.id)
      .where('news', 'in', news)
      .where('state', '<>', 'sent')
      .execute()
  }

  #forget({ destination, number }: Claim): void {
    if (this.#own.get(destination.id)?.number === number) this.#own.delete(destination.id)
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000)
  }
}

/** A destination that is held, before it is known what waits for it. */
type Held = Pick<Claim, 'destination' | 'number'>

/**
 * Takes a destination to which something is still due until `until`; both times in unix ms. Undefined where somebody
 * else was faster.
 */
async function claimChat(
  tx: Store,
  id: number,
  now: number,
  until: number,
): Promise<Held | undefined> {
  const seconds = Math.floor(now / 1000)
  const taken = await tx
    .updateTable('destinations')
    .set((row) => ({
      claims: row('claims', '+', 1),
      next_at: until,
      due_at: until,
      updated_at: row
        .case()
        .when('updated_at', '>', seconds)
        .then(row.ref('updated_at'))
        .else(seconds)
        .end(),
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
 * Takes what is due to a held destination at `now` (unix seconds), with the oldest whatever may go with it: what may
 * have been sent before, in one message, goes as that message again. Undefined where nothing is due.
 */
async function takeNews(
  tx: Store,
  { destination, number }: Held,
  together: number,
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
        .limit(together)
    })
    .returning(['news', 'attempts', 'uncertain'])
    .execute()
  const oldestFirst = rows.sort((one, other) => one.news - other.news)
  const [oldest] = oldestFirst
  if (oldest === undefined) return undefined
  return {
    destination,
    number,
    news: oldestFirst.map(({ news }) => news),
    attempts: oldest.attempts,
    uncertain: oldestFirst.some(({ uncertain }) => uncertain === 1),
  }
}

/** Whether a claim is the latest of its destination, whose row it locks in the caller's transaction. */
async function holds(tx: Store, destination: number, number: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('destinations')
    .set({ claims: number })
    .where('id', '=', destination)
    .where('claims', '=', number)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * The chat of a destination goes on under another id. Where that is a destination already, it takes in what the old one
 * follows and what waits for it, each once, and is muted as long as either. Messages of the old chat have other ids in
 * the new one: none is edited.
 * @param now unix milliseconds
 */
async function moveChat(tx: Store, destination: number, chat: string, now: number): Promise<void> {
  await lockDeliveries(tx)
  // A write before all reads: nobody else's write comes between.
  await tx.deleteFrom('live_messages').where('destination', '=', destination).execute()
  const old = await tx
    .selectFrom('destinations')
    .selectAll()
    .where('id', '=', destination)
    .executeTakeFirst()
  if (old === undefined || old.chat === chat) return
  const there = await tx
    .selectFrom('destinations')
    .select(['id', 'paused', 'muted_until', 'claims', 'next_at'])
    .where('chat', '=', chat)
    .where('platform', '=', old.platform)
    .where('thread', '=', old.thread)
    .executeTakeFirst()
  if (there === undefined) {
    await tx.updateTable('destinations').set({ chat }).where('id', '=', old.id).execute()
    return
  }
  await moveFollows(tx, old.id, there.id)
  await moveWaiting(tx, old.id, there.id)
  await tx.deleteFrom('destinations').where('id', '=', old.id).execute()
  const seconds = Math.floor(now / 1000)
  const muted_until = Math.max(old.muted_until, there.muted_until)
  await tx.updateTable('destinations').set({ muted_until }).where('id', '=', there.id).execute()
  if (there.paused !== null || muted_until > seconds) {
    await dropWaiting(tx, there.id, there.paused ?? 'muted', seconds)
  } else {
    await endClaim(tx, there.id, there.claims, Math.max(there.next_at, now), seconds)
  }
}

async function moveFollows(tx: Store, from: number, to: number): Promise<void> {
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
            .selectFrom('deliveries as known')
            .select('known.news')
            .whereRef('known.news', '=', 'deliveries.news')
            .where('known.destination', '=', to),
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

/** Seconds for which what became of news is remembered. */
const remembered = 30 * 86_400
/** What one statement deletes: while it runs nothing else in the process does. */
const batch = 2000
const pruneBatch = 100

/** Forgets deliveries and bodies of news, or all of it, that was of no use any more 30 days ago; returns how many went. */
export async function pruneEvents(store: Store, now: number): Promise<number> {
  let gone = 0
  for (;;) {
    const old = await store
      .selectFrom('news')
      .select(['id', 'kind'])
      .where('body', '<>', noText)
      .where('useful_until', '<', now - remembered)
      .orderBy('useful_until')
      .limit(pruneBatch)
      .execute()
    if (old.length === 0) return gone
    gone += await forgetDeliveries(store, idsOf(old))
    const ofTheirTime = idsOf(old.filter(({ kind }) => isOfItsTime(kind)))
    const others = idsOf(old.filter(({ kind }) => !isOfItsTime(kind)))
    if (ofTheirTime.length > 0)
      await store.deleteFrom('news').where('id', 'in', ofTheirTime).execute()
    if (others.length > 0)
      await store.updateTable('news').set({ body: '' }).where('id', 'in', others).execute()
    gone += old.length
    await turn()
  }
}

function idsOf(news: readonly { id: number }[]): number[] {
  return news.map(({ id }) => id)
}

/** Its key names the time at which it was told, so that it can't be found again. What stays of others is their key. */
function isOfItsTime(kind: string): boolean {
  return ['price', 'mcap', 'digest'].includes(kind)
}

async function forgetDeliveries(store: Store, news: readonly number[]): Promise<number> {
  for (let gone = 0; ; ) {
    const some = store
      .selectFrom('deliveries')
      .select(['news', 'destination'])
      .where('news', 'in', news)
      .limit(batch)
    const { numDeletedRows } = await store
      .deleteFrom('deliveries')
      .where((row) =>
        row(row.refTuple('news', 'destination'), 'in', some.$asTuple('news', 'destination')),
      )
      .executeTakeFirst()
    gone += Number(numDeletedRows)
    if (numDeletedRows < batch) return gone
    await turn()
  }
}

/**
 * Waits until nobody else adds deliveries, or makes one of two chats, and keeps others from it until the transaction ends:
 * who adds goes by what is followed at one moment, and writes to many chats, in no order. Asked before anything is
 * written: who waits here holds nothing that another needs.
 */
export async function lockDeliveries(tx: Store): Promise<void> {
  // On SQLite one transaction writes at a time anyway.
  if (!isSqlite(tx)) await lockInTransaction(tx, 'deliveries')
}

/** The chats of a platform to which something is due at `now` (unix milliseconds), and nobody sends it yet. */
export async function chatsDue(
  store: Store,
  platform: Claim['destination']['platform'],
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

/** How many deliveries wait, due or not; more than `maxCounted` are not counted. */
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

/** Seconds; who is muted for longer than this has it for ever, whatever the clock said. */
const maxMute = 366 * 86_400

interface ClockWatchParts {
  store: Store
  /** Unix milliseconds. */
  now: () => number
  /** Milliseconds of a clock that nobody sets. */
  elapsed: () => number
  log: Logger | undefined
}

/** Notices a clock that jumps, makes due what was put off by one that ran ahead, and says so. */
class ClockWatch {
  readonly #parts: ClockWatchParts
  #latest: number | undefined
  /** By how much the clock was ahead of the one that nobody sets, when it was last looked at. */
  #lead = 0
  #looking: Promise<void> | undefined

  constructor(parts: ClockWatchParts) {
    this.#parts = parts
  }

  /**
   * Looks once, and again whenever the clock went back. Who is being sent to is left alone for `lease` seconds more;
   * nobody can say when the rest was meant to be sent.
   */
  pullBack(lease: number): Promise<void> {
    this.#looking ??= this.#look(lease).finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #look(lease: number): Promise<void> {
    const { now: clock, elapsed, log } = this.#parts
    const [now, before] = [clock(), this.#latest]
    const lead = now - elapsed()
    const wentBack = before !== undefined && now < before - tolerance * 1000
    if (before === undefined || wentBack) {
      const chats = await this.#pullBack(now, lease)
      if (wentBack) {
        const seconds = Math.round((before - now) / 1000)
        log?.warn({ seconds, chats }, 'the clock went back: what it had put off is due now')
      } else if (chats > 0) {
        log?.warn({ chats }, 'the clock had run ahead: what it had put off is due now')
      }
    } else if (lead > this.#lead + tolerance * 1000) {
      const seconds = Math.round((lead - this.#lead) / 1000)
      log?.warn({ seconds }, 'the clock went ahead: what waits is due sooner')
    }
    this.#latest = before === undefined || wentBack ? now : Math.max(before, now)
    this.#lead = lead
  }

  /** Returns to how many chats something was put off. */
  async #pullBack(now: number, lease: number): Promise<number> {
    const seconds = Math.floor(now / 1000)
    return this.#parts.store.transaction().execute(async (tx) => {
      await tx
        .updateTable('deliveries')
        .set({ run_at: seconds })
        .where('state', '=', waiting)
        .where('run_at', '>', seconds)
        .where('destination', 'in', (row) =>
          row
            .selectFrom('destinations')
            .select('id')
            .where('due_at', 'is not', null)
            .where('updated_at', '>', seconds + tolerance),
        )
        .execute()
      const from = now + lease * 1000
      const { numUpdatedRows } = await tx
        .updateTable('destinations')
        .set((row) => {
          const isHeld = row.exists(
            row
              .selectFrom('deliveries')
              .select('news')
              .whereRef('deliveries.destination', '=', 'destinations.id')
              .where('deliveries.claim', '>', 0)
              .whereRef('deliveries.claim', '=', 'destinations.claims')
              .where('deliveries.state', '=', waiting),
          )
          const at = row.case().when(isHeld).then(from).else(now).end()
          return { next_at: at, due_at: at, updated_at: seconds }
        })
        .where('due_at', 'is not', null)
        .where('updated_at', '>', seconds + tolerance)
        .executeTakeFirst()
      await tx
        .updateTable('destinations')
        .set((row) => ({
          muted_until: row(row('muted_until', '-', row.ref('updated_at')), '+', seconds),
          next_at: now,
          updated_at: seconds,
        }))
        .where('updated_at', '>', seconds + tolerance)
        .where('muted_until', '>', seconds)
        .where('due_at', 'is', null)
        .where((row) => row(row('muted_until', '-', row.ref('updated_at')), '<', maxMute))
        .execute()
      return Number(numUpdatedRows)
    })
  }
}
