import { type InboxParts, StoredInbox } from '../../../src/cluster/update-inbox.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'
import { LogBook } from '../../unit/core/log-book.ts'

/** What one process handled. */
export interface Lane {
  inbox: StoredInbox
  /** Bodies, in the order in which they were begun. */
  handled: string[]
}

/** Inboxes of several processes on one database. */
export class Lanes {
  readonly log = new LogBook()
  /** What all handled, in the order in which it was begun. */
  readonly handled: string[] = []
  /** What was said to be too much. */
  readonly refused: string[] = []
  /** Those that two handled at the same time. */
  readonly clashes: string[] = []
  /** What a body waits for; it throws what that throws. */
  hold: (body: string) => Promise<void> | undefined = () => undefined
  readonly #database: TestDatabase
  readonly #inboxes: StoredInbox[] = []
  readonly #busy = new Set<string>()

  private constructor(database: TestDatabase) {
    this.#database = database
  }

  static async open(): Promise<Lanes> {
    return new Lanes(await TestDatabase.make())
  }

  get database(): TestDatabase {
    return this.#database
  }

  /** One that runs unless told otherwise. */
  async inbox(parts: Partial<InboxParts> & { isIdle?: boolean } = {}): Promise<Lane> {
    const handled: string[] = []
    const inbox = new StoredInbox({
      platform: 'telegram',
      store: await this.#database.open(),
      log: createLogger('debug', [], this.log),
      handle: async (body) => {
        handled.push(body)
        await this.#handle(body)
      },
      refuse: async (body) => {
        this.refused.push(body)
      },
      leftAfter: 0,
      ...parts,
    })
    this.#inboxes.push(inbox)
    if (!parts.isIdle) inbox.start()
    return { inbox, handled }
  }

  async end(): Promise<void> {
    this.hold = () => undefined
    await Promise.all(this.#inboxes.map((inbox) => inbox.stop(3_000)))
    await this.#database.remove()
  }

  /** Bodies begin with the name of their lane. */
  async #handle(body: string): Promise<void> {
    const lane = body.split(' ')[0] ?? ''
    if (this.#busy.has(lane)) this.clashes.push(body)
    this.#busy.add(lane)
    this.handled.push(body)
    try {
      await this.hold(body)
    } finally {
      this.#busy.delete(lane)
    }
  }
}

/** An update whose body is its lane and number. */
export function update(lane: string, id: number) {
  return { id, lane, body: `${lane} ${id}` }
}
