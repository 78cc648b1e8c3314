import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { chunks } from '../core/text.ts'
import type { Store } from '../db/schema.ts'
import { deleteInBatches } from '../db/sql.ts'
import { picturesOf } from './draft.ts'
import { isPictureType, type Picture, rawCid } from './image.ts'

const day = 86_400
/** Days a picture is stored after its last use; longer than a draft and its links live. */
const retentionDays = 30
/**
 * Limit for all pictures, since strangers can send any number. Beyond it old ones are deleted; people can send them
 * again.
 */
const defaultMaxBytes = 512 * 2 ** 20
/** The fraction of the limit that is freed at once, and that may be added before the total is computed again. */
const freedFraction = 1 / 16
/** Rows read at once. */
const batchSize = 200
/** Pictures deleted at once: each may take hundreds of pages of a SQLite file. */
const deletedAtOnce = 10

/** Stores re-encoded pictures until they are published, and while drafts may show them. */
export class Pictures {
  readonly #store: Store
  readonly #now: () => number
  readonly #maxBytes: number
  /** Bytes that may be added before the total is computed again. */
  #headroom = 0

  /** @param now the time in unix seconds */
  constructor(store: Store, now: () => number, maxBytes = defaultMaxBytes) {
    this.#store = store
    this.#now = now
    this.#maxBytes = maxBytes
  }

  /** Stores a picture; if it is stored already, counts a use. */
  async keep({ cid, type, bytes }: Picture): Promise<void> {
    const values = { type, bytes, used_at_s: this.#now() }
    await this.#store
      .insertInto('pictures')
      .values({ cid, ...values })
      .onConflict((conflict) => conflict.column('cid').doUpdateSet(values))
      .execute()
    this.#headroom -= bytes.length
    if (this.#headroom < 0) await this.#freeSpace(cid)
  }

  /** Returns a picture and counts a use; undefined if it isn't stored or its bytes don't match the CID. */
  async find(cid: string): Promise<Picture | undefined> {
    const row = await this.#store
      .selectFrom('pictures')
      .selectAll()
      .where('cid', '=', cid)
      .executeTakeFirst()
    if (!row || !isPictureType(row.type) || (await rawCid(row.bytes)) !== cid) return undefined
    await this.#touch(cid, row.used_at_s)
    return { cid, type: row.type, bytes: new Uint8Array(row.bytes) }
  }

  /** Deletes pictures that were unused for 30 days, and the oldest beyond the size limit; returns how many. */
  async prune(): Promise<number> {
    const old = this.#store
      .selectFrom('pictures')
      .select('cid')
      .where('used_at_s', '<', this.#now() - retentionDays * day)
    const count = await deleteInBatches(
      (limit) =>
        this.#store
          .deleteFrom('pictures')
          .where('cid', 'in', old.limit(limit))
          .executeTakeFirstOrThrow(),
      deletedAtOnce,
    )
    return count + (await this.#freeSpace())
  }

  /**
   * Deletes the longest unused pictures beyond the size limit. Pictures that drafts need go last, so that a stranger's
   * uploads make nobody's launch fail.
   * @param latest the CID that a draft is about to name
   */
  async #freeSpace(latest?: string): Promise<number> {
    const room = this.#maxBytes - (await this.#total())
    this.#headroom = Math.min(room, this.#maxBytes * freedFraction)
    if (room >= 0) return 0
    const needed = await this.#neededByDrafts()
    const isNeeded = ({ cid }: { cid: string }) => cid === latest || needed.has(cid)
    const candidates = await this.#store
      .selectFrom('pictures')
      .select(({ fn }) => ['cid', fn<number>('length', ['bytes']).as('size')])
      .orderBy('used_at_s', 'desc')
      .orderBy('cid')
      .execute()
    const neededFirst = [
      ...candidates.filter(isNeeded),
      ...candidates.filter((picture) => !isNeeded(picture)),
    ]
    let total = 0
    const gone = neededFirst.filter(({ size }) => {
      total += size
      return total > this.#maxBytes * (1 - freedFraction)
    })
    await this.#delete(gone.map(({ cid }) => cid))
    return gone.length
  }

  async #total(): Promise<number> {
    const { total } = await this.#store
      .selectFrom('pictures')
      .select(({ fn }) => fn.sum(fn('length', ['bytes'])).as('total'))
      .executeTakeFirstOrThrow()
    return Number(total)
  }

  /** Returns the CIDs in drafts that are open or wait for a signature. */
  async #neededByDrafts(): Promise<Set<string>> {
    const cids = new Set<string>()
    let last = ''
    for (;;) {
      const rows = await this.#store
        .selectFrom('drafts')
        .select(['id', 'body'])
        .where('id', '>', last)
        .where((row) =>
          row.or([
            row('state', '=', 'open'),
            row.exists(
              row
                .selectFrom('payloads')
                .select('payloads.id')
                .whereRef('payloads.draft', '=', 'drafts.id')
                .where('payloads.state', '=', 'active'),
            ),
          ]),
        )
        .orderBy('id')
        .limit(batchSize)
        .execute()
      for (const cid of rows.flatMap(({ body }) => picturesOf(body))) cids.add(cid)
      const next = rows.at(-1)?.id
      if (next === undefined || rows.length < batchSize) return cids
      last = next
    }
  }

  async #delete(cids: readonly string[]): Promise<void> {
    const asOf = this.#now()
    for (const some of chunks(cids, deletedAtOnce)) {
      await this.#store
        .deleteFrom('pictures')
        .where('cid', 'in', some)
        // One that is sent again meanwhile stays.
        .where('used_at_s', '<=', asOf)
        .execute()
      await yieldToOthers()
    }
  }

  // Writes at most once a day, so that showing a picture rarely needs a write.
  async #touch(cid: string, usedAt: number): Promise<void> {
    const now = this.#now()
    if (now - usedAt < day) return
    await this.#store
      .updateTable('pictures')
      .set({ used_at_s: now })
      .where('cid', '=', cid)
      .execute()
  }
}
