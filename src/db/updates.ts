import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Store } from './schema.ts'
import { databaseNow, databaseSeconds } from './sql.ts'

/** What a platform brought, taken to be handled in turn with the others of its lane. */
export interface Taken {
  /** The platform's own number: it grows. */
  id: number
  lane: string
  /** JSON. */
  body: string
  /** How often it was taken, this time included. */
  attempts: number
}

/** Which of the lanes that nobody has are taken. */
interface Left {
  most: number
  seconds: number
  mayInherit: boolean
}

/** What became of an update that was brought. */
type Added = 'kept' | 'known' | 'too many'

/** Seconds by which what waits may seem to come later than now; where it is more the clock was put back since. */
const maxAhead = 60

/** The updates that one platform brought, and who handles them. */
export class StoredUpdates {
  readonly #store: Store
  readonly #platform: string

  constructor(store: Store, platform: string) {
    this.#store = store
    this.#platform = platform
  }

  /**
   * Where `most` wait in its lane already it is taken down, but not kept; of several that come at one moment a few more
   * may be.
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

  /** Takes down that something was there which needs no handling later; false where that is taken down already. */
  async note(id: bigint): Promise<boolean> {
    return (await this.#insert(id, '', null)) !== undefined
  }

  /** Whether nobody asked this of a lane for so many milliseconds. */
  async mayTell(lane: string, ms: number): Promise<boolean> {
    // A lease that nobody keeps or leaves.
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
   * Takes a lane for so many milliseconds, or keeps it; false where somebody else has it, or where it `mayInherit`
   * nothing and somebody else had it and did not leave it.
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

  /** Keeps what a holder has for so many milliseconds more. */
  async keep(holder: string, ms: number): Promise<void> {
    await this.#store
      .updateTable('lanes')
      .set({ held_until: this.#lease(ms).until })
      .where('platform', '=', this.#platform)
      .where('holder', '=', holder)
      .execute()
  }

  /** Lets others have a lane, if nothing waits in it; false where something does. */
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

  /** Lets others have a lane in which something may wait. */
  async giveBack(lane: string, holder: string): Promise<void> {
    await this.#store
      .deleteFrom('lanes')
      .where('platform', '=', this.#platform)
      .where('lane', '=', lane)
      .where('holder', '=', holder)
      .execute()
  }

  /** Lets others have all that a holder has, but these lanes. */
  async giveBackAllBut(lanes: readonly string[], holder: string): Promise<void> {
    await this.#store
      .deleteFrom('lanes')
      .where('platform', '=', this.#platform)
      .where('holder', '=', holder)
      .$if(lanes.length > 0, (held) => held.where('lane', 'not in', lanes))
      .execute()
  }

  /** The first that waits in a lane, counted as taken once more; undefined where the holder has the lane no more. */
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

  /** It was handled, or given up. */
  async end(id: number): Promise<void> {
    await this.#store
      .updateTable('updates')
      .set({ body: null })
      .where('platform', '=', this.#platform)
      .where('id', '=', id)
      .execute()
  }

  /**
   * Takes lanes, `most` at a time, in which something waits for so many `seconds` and that nobody has: what a process
   * left that died, or came at a bad moment. Of several who look at once each gets others. What it `mayInherit` is what
   * others had and did not leave.
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

/** Nobody holds a lane for longer than the lease, but where the clock was put back since: then for twice that. */
function isHeld(now: RawBuilder<number>, ms: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`lanes.held_until between ${now} and ${now} + ${2 * ms}`
}

/** Where nothing is inherited, who had it has it for good. */
function isTaken(now: RawBuilder<number>, ms: number, mayInherit: boolean): RawBuilder<SqlBool> {
  return mayInherit ? isHeld(now, ms) : sql<SqlBool>`true`
}

/** Seconds for which it is remembered that an update was there: no platform brings one again after a day. */
const remembered = 2 * 86_400
/** What one statement forgets: while it runs on SQLite nothing else in the process does. */
const batch = 2_000

/** Forgets what was handled long ago; returns how many. */
export async function pruneUpdates(store: Store): Promise<number> {
  // Nothing waits in them, or somebody would have taken them.
  await store
    .deleteFrom('lanes')
    .where('held_until', '<', sql<number>`${databaseNow(store)} - ${remembered * 1_000}`)
    .execute()
  // Asked once for each statement, so that the index can be used.
  const old = sql<number>`(select ${databaseSeconds(store)} - ${remembered})`
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
