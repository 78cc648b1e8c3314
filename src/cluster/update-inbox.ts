import { randomUUID } from 'node:crypto'
import { bulkhead } from 'cockatiel'
import type { Inbox, Inboxes, InboxHandlers, Update } from '../core/inbox.ts'
import { withTimeout } from '../core/task.ts'
import { reason } from '../db/database.ts'
import type { Store } from '../db/schema.ts'
import { databaseNow } from '../db/sql.ts'
import { pruneUpdates, StoredUpdates, type Taken } from '../db/updates.ts'
import { type Backlog, maxCounted } from '../jobs/queue.ts'
import type { Logger } from '../log.ts'

interface InboxesParts {
  store: Store
  log: Logger
}

/** Inboxes in the database that all replicas share. */
export class StoredInboxes implements Inboxes {
  readonly #parts: InboxesParts

  constructor(parts: InboxesParts) {
    this.#parts = parts
  }

  open(platform: string, handlers: InboxHandlers): StoredInbox {
    return new StoredInbox({ ...this.#parts, platform, ...handlers })
  }

  /** Deletes updates that were handled more than two days ago; returns how many. */
  prune(): Promise<number> {
    return pruneUpdates(this.#parts.store)
  }
}

export interface InboxParts extends InboxesParts, InboxHandlers {
  platform: string
  /** Maximum updates that wait in one lane. */
  maxWaiting?: number
  /** Milliseconds. */
  lease?: number
  lookEvery?: number
  /** Seconds for which waiting updates are left to the process that received them. */
  leftAfter?: number
}

/** Maximum lanes that are handled at once. */
const maxUnderWay = 5_000
/** Maximum lanes that a poll takes, so that a backlog is shared between replicas. */
const maxPerPoll = 500
/** Database queries at once, of its ten connections: the others are for the rest of the bot. */
const maxBeginnings = 2
const maxEndings = 3
/** Milliseconds between two notices "too many updates" in one lane. */
const refuseEvery = 60_000
/** An update is given up if three processes died while handling it: it probably crashed them. */
const maxAttempts = 3
const defaults = { lease: 30_000, lookEvery: 1_000, leftAfter: 2, maxWaiting: 20 }

/**
 * Handles updates in the process that received them, unless another process holds their lane. A process holds a lane
 * while updates wait in it; if it dies, others take the lane over when the lease ends.
 */
export class StoredInbox implements Inbox {
  readonly #parts: Required<InboxParts>
  readonly #updates: StoredUpdates
  readonly #holder = randomUUID()
  readonly #underWay = new Map<string, Promise<void>>()
  /** Separate limits, so that handled updates can end however many lanes wait to begin. */
  readonly #beginnings = bulkhead(maxBeginnings, Number.POSITIVE_INFINITY)
  readonly #endings = bulkhead(maxEndings, Number.POSITIVE_INFINITY)
  readonly #telling = new Set<Promise<void>>()
  /** Lanes under way to which an update was added since their last query. */
  readonly #called = new Set<string>()
  /** Lanes held by this process that failed; the next poll retries them. */
  readonly #broken = new Set<string>()
  /** Updates that were handled, but could not be stored as such yet. */
  readonly #handled = new Set<number>()
  readonly #absence: Absence
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #keptAt = 0
  #isRunning = false
  /** The last poll failed; logged once at the beginning and once at the end. */
  #isBlind = false
  /** `stop` has ended: updates still under way are left to other replicas. */
  #isOver = false

  constructor(parts: InboxParts) {
    this.#parts = { ...defaults, ...parts }
    this.#updates = new StoredUpdates(parts.store, parts.platform)
    this.#absence = new Absence(this.#parts.lease / 2)
  }

  async put(update: Update): Promise<void> {
    const added = await this.#updates.add(update, this.#parts.maxWaiting)
    if (added === 'kept') this.#call(update.lane)
    if (added !== 'too many') return
    const telling = this.#refuse(update).finally(() => this.#telling.delete(telling))
    this.#telling.add(telling)
  }

  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#absence.begin()
    this.#looking = this.#look()
  }

  async stop(patience: number): Promise<void> {
    this.#isRunning = false
    clearTimeout(this.#timer)
    const underWay = [...this.#underWay.values(), ...this.#telling]
    await withTimeout(Promise.all([this.#giveBackIdle(), ...underWay]), patience)
    this.#isOver = true
  }

  /** Releases idle lanes. Those under way are released as they end: earlier, others would handle them a second time. */
  async #giveBackIdle(): Promise<void> {
    await this.#looking
    try {
      for (const id of this.#handled) await this.#updates.end(id)
      await this.#updates.giveBackAllBut([...this.#underWay.keys()], this.#holder)
    } catch (error) {
      const { log, platform } = this.#parts
      log.warn({ err: error, platform }, 'updates are left to others when their lease ends')
    }
  }

  async #look(): Promise<void> {
    const { log, lease, leftAfter: seconds, lookEvery, platform } = this.#parts
    try {
      await this.#keep()
      const room = Math.max(0, Math.min(maxPerPoll, maxUnderWay - this.#underWay.size))
      const mayInherit = this.#absence.isOver()
      const which = { most: room, seconds, mayInherit }
      const left = await this.#updates.takeLeft(this.#holder, lease, which)
      this.#absence.looked()
      const again = [...this.#broken]
      this.#broken.clear()
      for (const lane of [...again, ...left]) this.#work(lane)
      if (this.#isBlind) log.info({ platform }, 'updates that wait are looked at again')
      this.#isBlind = false
    } catch (error) {
      log.debug({ err: error, platform }, 'looking at updates that wait failed')
      if (!this.#isBlind)
        log.warn({ reason: reason(error), platform }, 'updates that wait can’t be looked at')
      this.#isBlind = true
    }
    if (!this.#isRunning) return
    this.#timer = setTimeout(() => {
      this.#looking = this.#look()
    }, lookEvery)
  }

  /** Renews the leases of lanes under way. */
  async #keep(): Promise<void> {
    const now = performance.now()
    const { lease } = this.#parts
    const count = this.#underWay.size + this.#broken.size
    if (count === 0 || now - this.#keptAt < lease / 3) return
    await this.#updates.keep(this.#holder, lease)
    this.#keptAt = now
  }

  #call(lane: string): void {
    if (this.#underWay.has(lane)) this.#called.add(lane)
    // Beyond the limit, lanes wait for the next poll.
    else if (this.#underWay.size < maxUnderWay) this.#work(lane)
  }

  #work(lane: string): void {
    if (!this.#isRunning || this.#underWay.has(lane)) return
    const { log, platform } = this.#parts
    const work = this.#handleAll(lane).then(
      () => this.#ended(lane),
      (error: unknown) => {
        if (!this.#isOver) log.error({ err: error, platform }, 'updates could not be handled')
        this.#underWay.delete(lane)
        this.#called.delete(lane)
        this.#broken.add(lane)
      },
    )
    this.#underWay.set(lane, work)
  }

  /** Goes on at once with a lane to which an update was added while it was being released. */
  #ended(lane: string): void {
    this.#underWay.delete(lane)
    if (this.#called.delete(lane)) this.#work(lane)
  }

  async #handleAll(lane: string): Promise<void> {
    let update = await this.#beginnings.execute(() => this.#first(lane))
    while (update) {
      const taken: Taken = update
      if (!this.#handled.has(taken.id) && !(await this.#handle(taken))) break
      update = await this.#endings.execute(() => this.#after(taken))
    }
    if (this.#isRunning) return
    await this.#endings.execute(() => this.#updates.giveBack(lane, this.#holder))
  }

  async #first(lane: string): Promise<Taken | undefined> {
    return (await this.#holds(lane)) ? this.#next(lane) : undefined
  }

  async #after({ id, lane }: Taken): Promise<Taken | undefined> {
    this.#handled.add(id)
    await this.#updates.end(id)
    this.#handled.delete(id)
    this.#called.delete(lane)
    // The common case: no more updates wait.
    if (await this.#updates.leave(lane, this.#holder)) return undefined
    return this.#next(lane)
  }

  /** The next update. Undefined if none waits, which releases the lane, or another process holds the lane by now. */
  async #next(lane: string): Promise<Taken | undefined> {
    do {
      if (!this.#isRunning) return undefined
      this.#called.delete(lane)
      const update = await this.#updates.next(lane, this.#holder)
      if (update || (await this.#updates.leave(lane, this.#holder))) return update
    } while (await this.#holds(lane))
    return undefined
  }

  async #holds(lane: string): Promise<boolean> {
    if (!this.#isRunning) return false
    const { lease } = this.#parts
    return this.#updates.hold(lane, this.#holder, lease, this.#absence.isOver())
  }

  async #refuse({ id, lane, body }: Update): Promise<void> {
    const { refuse, log, platform } = this.#parts
    try {
      if (await this.#updates.mayTell(lane, refuseEvery)) await refuse(body)
    } catch (error) {
      log.warn({ err: error, platform, update: id }, 'nobody was told that it was too much')
    }
  }

  /** False if a stop interrupted it, so that other replicas handle the update. */
  async #handle({ id, body, attempts }: Taken): Promise<boolean> {
    const { handle, log, platform } = this.#parts
    if (attempts > maxAttempts) {
      log.error({ platform, update: id }, 'an update was given up')
      return true
    }
    try {
      await handle(body)
    } catch (error) {
      if (this.#isOver) {
        log.info({ platform, update: id }, 'an update is left to others: this replica stops')
        return false
      }
      log.error({ err: error, platform, update: id }, 'an update was not handled')
    }
    return true
  }
}

/** Polls after an outage without takeover: a process that can't connect notices after five seconds, and polls again. */
const patientLooks = 8

/**
 * Grace period after a start or a database outage, in which a process does not take over expired lanes: the outage may
 * have kept their holders from renewing, and they get the time to do so.
 */
class Absence {
  readonly #longest: number
  #lookedAt = 0
  #looks = patientLooks

  /** @param longest milliseconds without a successful poll after which the grace period begins again */
  constructor(longest: number) {
    this.#longest = longest
  }

  begin(): void {
    this.#lookedAt = performance.now()
    this.#looks = patientLooks
  }

  /** A poll succeeded. */
  looked(): void {
    this.#looks = this.#isLate() ? patientLooks : Math.max(0, this.#looks - 1)
    this.#lookedAt = performance.now()
  }

  isOver(): boolean {
    return this.#looks === 0 && !this.#isLate()
  }

  #isLate(): boolean {
    return performance.now() - this.#lookedAt > this.#longest
  }
}

/** Counts the updates that are not handled yet, including those under way, up to `maxCounted`. */
export async function updatesWaiting(store: Store): Promise<Backlog> {
  const { due, first, now } = await store
    .selectFrom((from) =>
      from
        .selectFrom('updates')
        .select('received_at')
        .where('body', 'is not', null)
        // In the order of the partial index `updates_waiting`, so that handled updates are not scanned.
        .orderBy('platform')
        .orderBy('lane')
        .orderBy('id')
        .limit(maxCounted)
        .as('waits'),
    )
    .select((row) => [
      row.fn.countAll<number>().as('due'),
      row.fn.min('received_at').as('first'),
      databaseNow(store).as('now'),
    ])
    .executeTakeFirstOrThrow()
  return { due, oldest: due === 0 || first === null ? 0 : Math.max(0, now / 1000 - first) }
}
