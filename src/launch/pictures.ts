import type { Store } from '../store/database.ts'
import { rawCid } from './cid.ts'
import type { Picture } from './picture.ts'

const day = 86_400
/** Longer than a draft and its links live. */
const keptDays = 30
/** Beyond this the longest unused go first, however new: strangers can send any number. They can be sent again. */
const usualMostBytes = 512 * 2 ** 20

/** Pictures that were re-encoded, until they are published and for as long as their drafts may show them. */
export class Pictures {
  readonly #store: Store
  readonly #now: () => number
  readonly #mostBytes: number

  /** @param now the time in unix seconds */
  constructor(store: Store, now: () => number, mostBytes = usualMostBytes) {
    this.#store = store
    this.#now = now
    this.#mostBytes = mostBytes
  }

  /** Keeps a picture, or counts it as used again where it is kept already. */
  async keep({ cid, type, bytes }: Picture): Promise<void> {
    const values = { type, bytes, used_at: this.#now() }
    await this.#store
      .insertInto('pictures')
      .values({ cid, ...values })
      .onConflict((conflict) => conflict.column('cid').doUpdateSet(values))
      .execute()
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

  /** Forgets what was not used for 30 days, and the longest unused of too many; returns how many went. */
  async prune(): Promise<number> {
    const counted = this.#store.selectFrom('pictures').select(({ fn }) => [
      'cid',
      fn
        .sum<number>(fn('length', ['bytes']))
        .over((over) => over.orderBy('used_at', 'desc').orderBy('cid'))
        .as('total'),
    ])
    const overflow = this.#store
      .selectFrom(counted.as('counted'))
      .select('cid')
      .where('total', '>', this.#mostBytes)
    const { numDeletedRows } = await this.#store
      .deleteFrom('pictures')
      .where((row) =>
        row.or([row('used_at', '<', this.#now() - keptDays * day), row('cid', 'in', overflow)]),
      )
      .executeTakeFirst()
    return Number(numDeletedRows)
  }

  // Once a day is enough, and a picture that is only looked at needs no write each time.
  async #touch(cid: string, usedAt: number): Promise<void> {
    const now = this.#now()
    if (now - usedAt < day) return
    await this.#store.updateTable('pictures').set({ used_at: now }).where('cid', '=', cid).execute()
  }
}
