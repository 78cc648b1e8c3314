import { randomUUID } from 'node:crypto'
import { bulkhead } from 'cockatiel'
import type { Inbox, Inboxes, InboxHandlers, Update, UpdateDeduplication } from '../core/inbox.ts'
import { withTimeout } from '../core/retry.ts'
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

/** Updates in the database that all replicas share. */
export class StoredInboxes implements Inboxes {
  readonly #parts: InboxesParts

  constructor(parts: InboxesParts) {
    this.#parts = parts
  }

  open(platform: string, handlers: InboxHandlers): StoredInbox {
    return new StoredInbox({ ...this.#parts, platform, ...handlers })
  }

  /** Forgets what was handled days ago; returns how many. */
  prune(): Promise<number> {
    return pruneUpdates(this.#parts.store)
  }
}

export interface InboxParts extends InboxesParts, InboxHandlers {
  platform: string
  /** Updates that wait in one lane; as many as with polling, unless a test says otherwise. */
  maxWaiting?: number
  /** Milliseconds; for tests. */
  lease?: number
  lookEvery?: number
  /** Seconds for which what waits is left to the process that was handed it. */
  leftAfter?: number
}

/** Lanes in which updates are handled at once. */
const most = 5_000
/** Lanes that a look takes: a backlog is for all replicas. */
const maxLeft = 500
/** Lanes at once that ask the database, of its ten connections: the others are for all else that the bot does. */
const maxBeginnings = 2
const maxEndings = 3
/** Milliseconds within which those who write in one lane are told once that it is too much. */
const toldEvery = 60_000
/** An update that was under way in three processes that died is what they died of. */
const maxAttempts = 3
const usual = { lease: 30_000, lookEvery: 1_000, leftAfter: 2, maxWaiting: 20 }

/**
 * Handles what is put in, in the process that was handed it, unless another is busy with its lane. A lane is one
 * process's for as long as something waits in it; of one that dies others take it when its lease is over.
 */
export class StoredInbox implements Inbox {
  readonly #parts: Required<InboxParts>
  readonly #updates: StoredUpdates
  readonly #holder = randomUUID()
  readonly #underWay = new Map<string, Promise<void>>()
  /** Apart, so that what is handled ends however many lanes wait to begin. */
  readonly #beginnings = bulkhead(maxBeginnings, Number.POSITIVE_INFINITY)
  readonly #endings = bulkhead(maxEndings, Number.POSITIVE_INFINITY)
  readonly #telling = new Set<Promise<void>>()
  /** Lanes under way in which something was put since they were looked at. */
  readonly #called = new Set<string>()
  /** Lanes that are ours, and could not be gone on with. */
  readonly #broken = new Set<string>()
  /** What was handled, while the database could not take it down. */
  readonly #handled = new Set<number>()
  readonly #absence: Absence
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #keptAt = 0
  #isRunning = false
  /** The last look failed: told once at the beginning and once at the end. */
  #isBlind = false
  /** Nobody waits any more for what is under way. */
  #isOver = false

  constructor(parts: InboxParts) {
    this.#parts = { ...usual, ...parts }
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

  /** What is under way is given back as it ends; until then others would do it a second time. */
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
      const room = Math.max(0, Math.min(maxLeft, most - this.#underWay.size))
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

  /** What takes long stays ours. */
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
    // More than that waits for a look.
    else if (this.#underWay.size < most) this.#work(lane)
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

  /** What was put in while the lane was being left would wait for a look. */
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
    // Nearly always nothing more waits.
    if (await this.#updates.leave(lane, this.#holder)) return undefined
    return this.#next(lane)
  }

  /** Leaves the lane where nothing waits; undefined then, and where it is somebody else’s by now. */
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
      if (await this.#updates.mayTell(lane, toldEvery)) await refuse(body)
    } catch (error) {
      log.warn({ err: error, platform, update: id }, 'nobody was told that it was too much')
    }
  }

  /** False where the stop broke it off, so that others have to do it. */
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

/** Looks after an absence in which nothing is inherited: who can't connect knows so after five seconds, and looks again. */
const patientLooks = 8

/**
 * Whether a process may take what others let lapse. One that could not look at the database for a while was perhaps not
 * the only one, and neither was one that starts: who lives gets the time to keep what is theirs.
 */
class Absence {
  readonly #longest: number
  #lookedAt = 0
  #looks = patientLooks

  /** @param longest milliseconds between two looks, after which it was away */
  constructor(longest: number) {
    this.#longest = longest
  }

  begin(): void {
    this.#lookedAt = performance.now()
    this.#looks = patientLooks
  }

  /** A look at the database succeeded. */
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

/** What was heard of, in the database that all replicas share; it is forgotten with the updates of inboxes. */
export class StoredUpdateDeduplication implements UpdateDeduplication {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  isFirst(platform: string, id: string): Promise<boolean> {
    return new StoredUpdates(this.#store, platform).note(BigInt(id))
  }
}

/** The updates in inboxes that are not handled yet, those under way among them; of very many the oldest counted. */
export async function updatesWaiting(store: Store): Promise<Backlog> {
  const { due, first, now } = await store
    .selectFrom((from) =>
      from
        .selectFrom('updates')
        .select('received_at')
        .where('body', 'is not', null)
        // As the index of what waits has them: elsewhere they stand among all that was ever handled.
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
