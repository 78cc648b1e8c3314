import { z } from 'zod'
import type { Store } from '../db/schema.ts'
import { rawCid } from './cid.ts'
import type { Picture } from './image.ts'

const day = 86_400
/** Longer than a draft and its links live. */
const keptDays = 30
/** Strangers can send any number of pictures: beyond this some are forgotten, however new. They can be sent again. */
const defaultMostBytes = 512 * 2 ** 20
/** The part of it that is cleared where some had to go, and that may come before all are counted again. */
const slack = 1 / 16
/** Rows read or forgotten at once. */
const page = 200

/** What of a draft names pictures. */
const naming = z.object({
  answers: z.object({ picture: z.object({ cid: z.string() }).nullish() }),
  offered: z.string().optional(),
})

/** Pictures that were re-encoded, until they are published and for as long as their drafts may show them. */
export class Pictures {
  readonly #store: Store
  readonly #now: () => number
  readonly #maxBytes: number
  /** Bytes that may come before all are counted again. */
  #room = 0

  /** @param now the time in unix seconds */
  constructor(store: Store, now: () => number, maxBytes = defaultMostBytes) {
    this.#store = store
    this.#now = now
    this.#maxBytes = maxBytes
  }

  /** Keeps a picture, or counts it as used again where it is kept already. */
  async keep({ cid, type, bytes }: Picture): Promise<void> {
    const values = { type, bytes, used_at: this.#now() }
    await this.#store
      .insertInto('pictures')
      .values({ cid, ...values })
      .onConflict((conflict) => conflict.column('cid').doUpdateSet(values))
      .execute()
    this.#room -= bytes.length
    if (this.#room < 0) await this.#makeRoom(cid)
  }

  /** Counts as a use. Undefined where it was never kept, was forgotten, or is no longer what its CID says. */
  async find(cid: string): Promise<Picture | undefined> {
    const row = await this.#store
      .selectFrom('pictures')
      .selectAll()
      .where('cid', '=', cid)
      .executeTakeFirst()
    if (row?.type !== 'image/webp' || (await rawCid(row.bytes)) !== cid) return undefined
    await this.#touch(cid, row.used_at)
    return { cid, type: row.type, bytes: new Uint8Array(row.bytes) }
  }

  /** Forgets what was not used for 30 days, and some of too many; returns how many went. */
  async prune(): Promise<number> {
    const { numDeletedRows } = await this.#store
      .deleteFrom('pictures')
      .where('used_at', '<', this.#now() - keptDays * day)
      .executeTakeFirst()
    return Number(numDeletedRows) + (await this.#makeRoom())
  }

  /**
   * Where there are too many, the longest unused go; those that a draft needs go last, so that nobody's launch fails for
   * what a stranger sends. `latest` is the one that its draft names in a moment.
   */
  async #makeRoom(latest?: string): Promise<number> {
    const room = this.#maxBytes - (await this.#total())
    this.#room = Math.min(room, this.#maxBytes * slack)
    if (room >= 0) return 0
    const needed = await this.#needed()
    const isNeeded = ({ cid }: { cid: string }) => cid === latest || needed.has(cid)
    const kept = await this.#store
      .selectFrom('pictures')
      .select(({ fn }) => ['cid', fn<number>('length', ['bytes']).as('size')])
      .orderBy('used_at', 'desc')
      .orderBy('cid')
      .execute()
    const dearestFirst = [...kept.filter(isNeeded), ...kept.filter((picture) => !isNeeded(picture))]
    let total = 0
    const gone = dearestFirst.filter(({ size }) => {
      total += size
      return total > this.#maxBytes * (1 - slack)
    })
    await this.#forget(gone.map(({ cid }) => cid))
    return gone.length
  }

  async #total(): Promise<number> {
    const { total } = await this.#store
      .selectFrom('pictures')
      .select(({ fn }) => fn.sum(fn('length', ['bytes'])).as('total'))
      .executeTakeFirstOrThrow()
    return Number(total)
  }

  /** The pictures of the drafts that are open, or wait for a signature. */
  async #needed(): Promise<Set<string>> {
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
        .limit(page)
        .execute()
      for (const { body } of rows) {
        const { answers, offered } = naming.parse(JSON.parse(body))
        if (answers.picture) cids.add(answers.picture.cid)
        if (offered !== undefined) cids.add(offered)
      }
      const next = rows.at(-1)?.id
      if (next === undefined || rows.length < page) return cids
      last = next
    }
  }

  async #forget(cids: readonly string[]): Promise<void> {
    for (let from = 0; from < cids.length; from += page) {
      const some = cids.slice(from, from + page)
      await this.#store.deleteFrom('pictures').where('cid', 'in', some).execute()
    }
  }

  // Once a day is enough, and a picture that is only looked at needs no write each time.
  async #touch(cid: string, usedAt: number): Promise<void> {
    const now = this.#now()
    if (now - usedAt < day) return
    await this.#store.updateTable('pictures').set({ used_at: now }).where('cid', '=', cid).execute()
  }
}
