import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Store } from './schema.ts'
import { databaseNow, databaseSeconds } from './sql.ts'

/** An update taken to be handled, in turn with the others of its lane. */
export interface Taken {
  /** The platform's own id, which increases. */
  id: number
  lane: string
  /** JSON. */
  body: string
  /** How often it was taken, this time included. */
  attempts: number
}

/** Which lanes `takeLeft` takes. */
interface Left {
  most: number
  seconds: number
  mayInherit: boolean
}

/** Result of adding an update. */
type Added = 'kept' | 'known' | 'too many'

/** Seconds by which an update may seem to have been received in the future; if it is more, the clock was set back since. */
const maxAhead = 60

/** The updates of one platform, and the leases of their lanes. */
export class StoredUpdates {
  readonly #store: Store
  readonly #platform: string

  constructor(store: Store, platform: string) {
    this.#store = store
    this.#platform = platform
  }

  /**
   * Adds an update. If `most` wait in its lane already, only its id is stored; of several that arrive at the same moment,
   * a few more may be stored.
   */
  async add({ id, lane, body }: Omit<Taken, 'attempts'>, most: number): Promise<Added> {
    const some = this.#store
      .selectFrom('updates')
      .select('id')
      .where('platform', '=', this.#platform)
      .where('lane', '=', lane)
      .where('body', 'is not', null)
      .limit(most)
      .as('some')
    const waiting = this.#store.selectFrom(some).select(({ fn }) => fn.countAll().as('count'))
    const kept = sql<string | null>`case when ${waiting} < ${most} then ${body} end`
    const row = await this.#insert(id, lane, kept)
    if (row === undefined) return 'known'
    return row.kept ? 'kept' : 'too many'
  }

  /** Stores the id of an update that needs no handling later; false if it is stored already. */
  async note(id: bigint): Promise<boolean> {
    return (await this.#insert(id, '', null)) !== undefined
  }

  /** Whether this was not called for the lane within `ms` milliseconds. */
  async mayTell(lane: string, ms: number): Promise<boolean> {
    // A lease that is never renewed or released.
    return this.hold(`told ${lane}`, randomUUID(), ms)
  }

  async #insert(id: number | bigint, lane: string, body: RawBuilder<string | null> | null) {
    const now = databaseSeconds(this.#store)
    return this.#store
      .insertInto('updates')
      .values({ platform: this.#platform, id, lane, body, attempts: 0, received_at: now })
      .onConflict((conflict) => conflict.columns(['platform', 'id']).doNothing())
      .returning((row) => row('body', 'is not', null).as('kept'))
      .executeTakeFirst()
  }

  /**
   * Takes or renews the lease of a lane for `ms` milliseconds. False if another holder has it; without `mayInherit`, also
   * if another holder's lease has ended but was not released.
   */
  async hold(lane: string, holder: string, ms: number, mayInherit = true): Promise<boolean> {
    const { now, until } = this.#lease(ms)
    const row = await this.#store
      .insertInto('lanes')
      .values({ platform: this.#platform, lane, holder, held_until: until })
      .onConflict((conflict) =>
        conflict
          .columns(['platform', 'lane'])
          .doUpdateSet({ holder, held_until: until })
          .where((held) =>
            held.or([held('lanes.holder', '=', holder), held.not(isTaken(now, ms, mayInherit))]),
          ),
      )
      .returning('holder')
      .executeTakeFirst()
    return row !== undefined
  }

  /** Renews all leases of a holder for `ms` milliseconds. */
  async keep(holder: string, ms: number): Promise<void> {
    await this.#store
      .updateTable('lanes')
      .set({ held_until: this.#lease(ms).until })
      .where('platform', '=', this.#platform)
      .where('holder', '=', holder)
      .execute()
  }

  /** Releases a lane if no update waits in it; false if one does. */
  async leave(lane: string, holder: string): Promise<boolean> {
    const { numDeletedRows } = await this.#store
      .deleteFrom('lanes')
      .where('platform', '=', this.#platform)
      .where('lane', '=', lane)
      .where('holder', '=', holder)
      .where((held) =>
        held.not(
          held.exists(
            held
              .selectFrom('updates')
              .select('id')
              .where('platform', '=', this.#platform)
              .where('lane', '=', lane)
              .where('body', 'is not', null),
          ),
        ),
      )
      .executeTakeFirst()
    return numDeletedRows > 0n
  }

  /** Releases a lane in which updates may wait. */
  async giveBack(lane: string, holder: string): Promise<void> {
    await this.#store
      .deleteFrom('lanes')
      .where('platform', '=', this.#platform)
      .where('lane', '=', lane)
      .where('holder', '=', holder)
      .execute()
  }

  /** Releases all lanes of a holder except these. */
  async giveBackAllBut(lanes: readonly string[], holder: string): Promise<void> {
    await this.#store
      .deleteFrom('lanes')
      .where('platform', '=', this.#platform)
      .where('holder', '=', holder)
      .$if(lanes.length > 0, (held) => held.where('lane', 'not in', lanes))
      .execute()
  }

  /** The first update that waits in a lane, with its attempts increased; undefined if none waits or the holder lost the lane. */
  async next(lane: string, holder: string): Promise<Taken | undefined> {
    const row = await this.#store
      .updateTable('updates')
      .set((each) => ({ attempts: each('attempts', '+', 1) }))
      .where('platform', '=', this.#platform)
      .where('id', '=', (each) =>
        each
          .selectFrom('updates as waiting')
          .select((waiting) => waiting.fn.min('waiting.id').as('first'))
          .where('waiting.platform', '=', this.#platform)
          .where('waiting.lane', '=', lane)
          .where('waiting.body', 'is not', null),
      )
      .where((update) =>
        update.exists(
          update
            .selectFrom('lanes')
            .select('lanes.lane')
            .where('lanes.platform', '=', this.#platform)
            .where('lanes.lane', '=', lane)
            .where('lanes.holder', '=', holder),
        ),
      )
      .returning(['id', 'lane', 'body', 'attempts'])
      .executeTakeFirst()
    return row && { ...row, body: row.body ?? '' }
  }

  /** Marks an update as handled or given up. */
  async end(id: number): Promise<void> {
    await this.#store
      .updateTable('updates')
      .set({ body: null })
      .where('platform', '=', this.#platform)
      .where('id', '=', id)
      .execute()
  }

  /**
   * Takes up to `most` lanes in which an update has waited for `seconds` and that nobody holds, such as those of a process
   * that died. Concurrent calls get different lanes. With `mayInherit`, also takes lanes whose lease ended without release.
   */
  async takeLeft(
    holder: string,
    ms: number,
    { most, seconds, mayInherit }: Left,
  ): Promise<string[]> {
    const { now, until } = this.#lease(ms)
    const at = databaseSeconds(this.#store)
    const rows = await this.#store
      .insertInto('lanes')
      .columns(['platform', 'lane', 'holder', 'held_until'])
      .expression((from) =>
        from
          .selectFrom('updates')
          .select([
            'platform',
            'lane',
            sql<string>`cast(${holder} as text)`.as('holder'),
            until.as('until'),
          ])
          .where('platform', '=', this.#platform)
          .where('body', 'is not', null)
          .where((update) =>
            update.or([
              update('received_at', '<=', sql<number>`${at} - ${seconds}`),
              update('received_at', '>', sql<number>`${at} + ${maxAhead}`),
            ]),
          )
          .where((update) =>
            update.not(
              update.exists(
                update
                  .selectFrom('lanes')
                  .select('lanes.lane')
                  .whereRef('lanes.platform', '=', 'updates.platform')
                  .whereRef('lanes.lane', '=', 'updates.lane')
                  .where(isTaken(now, ms, mayInherit)),
              ),
            ),
          )
          .groupBy(['platform', 'lane'])
          .limit(most),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['platform', 'lane'])
          .doUpdateSet({ holder, held_until: until })
          .where((held) => held.not(isTaken(now, ms, mayInherit))),
      )
      .returning('lane')
      .execute()
    return rows.map(({ lane }) => lane)
  }

  #lease(ms: number) {
    const now = databaseNow(this.#store)
    return { now, until: sql<number>`${now} + ${ms}` }
  }
}

/** A lease that ends more than twice its length from now is void: the clock was set back since. */
function isHeld(now: RawBuilder<number>, ms: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`lanes.held_until between ${now} and ${now} + ${2 * ms}`
}

/** Without `mayInherit`, an expired lease still counts as held. */
function isTaken(now: RawBuilder<number>, ms: number, mayInherit: boolean): RawBuilder<SqlBool> {
  return mayInherit ? isHeld(now, ms) : sql<SqlBool>`true`
}

/** Seconds for which ids of handled updates are retained: no platform redelivers an update after a day. */
const retention = 2 * 86_400
/** Rows deleted by one statement, which on SQLite blocks the whole process. */
const batch = 2_000

/** Deletes updates that were handled more than two days ago; returns how many. */
export async function pruneUpdates(store: Store): Promise<number> {
  // No update waits in these lanes, or a replica would have taken them.
  await store
    .deleteFrom('lanes')
    .where('held_until', '<', sql<number>`${databaseNow(store)} - ${retention * 1_000}`)
    .execute()
  // A subquery is evaluated once for each statement, so that the index can be used.
  const old = sql<number>`(select ${databaseSeconds(store)} - ${retention})`
  for (let gone = 0; ; ) {
    const some = store
      .selectFrom('updates')
      .select(['platform', 'id'])
      .where('body', 'is', null)
      .where('received_at', '<', old)
      .orderBy('received_at')
      .limit(batch)
    const { numDeletedRows } = await store
      .deleteFrom('updates')
      .where((row) => row(row.refTuple('platform', 'id'), 'in', some.$asTuple('platform', 'id')))
      .executeTakeFirst()
    gone += Number(numDeletedRows)
    if (numDeletedRows < batch) return gone
    await turn()
  }
}
