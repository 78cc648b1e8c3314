import { randomUUID } from 'node:crypto'
import type { Inbox, Inboxes, Update } from '../chat/inbox.ts'
import { within } from '../chat/within.ts'
import type { Logger } from '../log.ts'
import type { Store } from '../store/database.ts'
import { StoredUpdates } from '../store/updates.ts'

interface InboxesParts {
  store: Store
  log: Logger
  /** Unix seconds. */
  now: () => number
}

/** Updates in the database that all replicas share. */
export class StoredInboxes implements Inboxes {
  readonly #parts: InboxesParts

  constructor(parts: InboxesParts) {
    this.#parts = parts
  }

  open(platform: string, handle: (body: string) => Promise<void>): StoredInbox {
    return new StoredInbox({ ...this.#parts, platform, handle })
  }

  isFirst(platform: string, id: string): Promise<boolean> {
    const { store, now } = this.#parts
    return new StoredUpdates(store, platform).note(BigInt(id), now())
  }
}

export interface InboxParts extends InboxesParts {
  platform: string
  handle: (body: string) => Promise<void>
  /** Milliseconds; for tests. */
  lease?: number
  lookEvery?: number
}

/** Lanes in which updates are handled at once. */
const most = 5_000
/** An update that was under way in three processes that died is what they died of. */
const mostAttempts = 3
/** How long updates under way may take when the bot stops. */
const drainTime = 5_000

/**
 * Handles what is put in, in the process that was handed it, unless another is busy with its lane. A lane is one
 * process's for as long as something waits in it; of one that dies others take it when its lease is over.
 */
export class StoredInbox implements Inbox {
  readonly #parts: Required<InboxParts>
  readonly #updates: StoredUpdates
  readonly #holder = randomUUID()
  readonly #underWay = new Map<string, Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #keptAt = 0
  #isRunning = false

  constructor(parts: InboxParts) {
    this.#parts = { lease: 30_000, lookEvery: 1_000, ...parts }
    this.#updates = new StoredUpdates(parts.store, parts.platform)
  }

  async put(update: Update): Promise<void> {
    const isNew = await this.#updates.add(update, this.#parts.now())
    if (isNew) this.#work(update.lane)
  }

  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#look()
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    clearTimeout(this.#timer)
    await within(Promise.all(this.#underWay.values()), drainTime)
    await this.#updates.leaveAll(this.#holder).catch((error: unknown) => {
      this.#parts.log.warn({ err: error }, 'updates are left to others when their lease ends')
    })
  }

  async #look(): Promise<void> {
    const { log, lookEvery, platform } = this.#parts
    try {
      await this.#keep()
      for (const lane of await this.#updates.left(this.#holder, most)) this.#work(lane)
    } catch (error) {
      log.warn({ err: error, platform }, 'updates that wait could not be looked at')
    }
    if (this.#isRunning) this.#timer = setTimeout(() => void this.#look(), lookEvery)
  }

  /** What takes long stays ours. */
  async #keep(): Promise<void> {
    const now = performance.now()
    const { lease } = this.#parts
    if (this.#underWay.size === 0 || now - this.#keptAt < lease / 3) return
    await this.#updates.keep(this.#holder, lease)
    this.#keptAt = now
  }

  #work(lane: string): void {
    if (!this.#isRunning || this.#underWay.has(lane) || this.#underWay.size >= most) return
    const { log, platform } = this.#parts
    const work = this.#handleAll(lane)
      // What waits there is found by a later look.
      .catch((error) => log.error({ err: error, platform }, 'updates could not be handled'))
      .finally(() => this.#underWay.delete(lane))
    this.#underWay.set(lane, work)
  }

  async #handleAll(lane: string): Promise<void> {
    const { handle, log, platform, lease } = this.#parts
    if (!(await this.#updates.hold(lane, this.#holder, lease))) return
    while (this.#isRunning) {
      const update = await this.#updates.next(lane)
      if (update === undefined) {
        if (await this.#updates.leave(lane, this.#holder)) return
      } else {
        if (update.attempts > mostAttempts) {
          log.error({ platform, update: update.id }, 'an update was given up')
        } else {
          await handle(update.body)
        }
        await this.#updates.end(update.id)
      }
    }
  }
}
