import { losses } from '../../chat/platform.ts'
import { UserError } from '../../errors.ts'
import {
  findDestination,
  makeDestination,
  muteDestination,
  type Place,
  resumeDestination,
} from '../../queue/destinations.ts'
import { dropWaiting } from '../../queue/waiting.ts'
import type { Store } from '../../store/database.ts'
import type { Rule } from '../rule.ts'
import type { Following, Target } from './follow.ts'
import { type InUse, InUseReader } from './in-use.ts'
import { rowOf, ruleOf } from './rule-row.ts'
import { forgetUnused } from './unused.ts'

interface FollowsParts {
  store: Store
  /** Unix seconds. */
  now: () => number
  /** Most rules that one chat follows. */
  perChat: number
}

/** What each chat follows. */
export class Follows {
  readonly #parts: FollowsParts
  readonly #inUse = new InUseReader()

  constructor(parts: FollowsParts) {
    this.#parts = parts
  }

  /** What a target follows, in the order in which it began. */
  async of(target: Target): Promise<Following> {
    const found = await this.#find(target)
    if (found === undefined) return { follows: [], paused: undefined, mutedUntil: 0 }
    const rows = await this.#parts.store
      .selectFrom('follows')
      .innerJoin('filters', 'filters.id', 'follows.filter')
      .selectAll('filters')
      .where('follows.destination', '=', found.id)
      .orderBy('follows.created_at')
      .orderBy('filters.id')
      .execute()
    const follows = rows.flatMap((row) => {
      const rule = ruleOf(row)
      return rule === undefined ? [] : [{ id: row.id, rule }]
    })
    const paused = losses.find((loss) => loss === found.paused)
    return { follows, paused, mutedUntil: found.muted_until }
  }

  /** @throws UserError where the chat follows as much as it may */
  async follow(target: Target, rule: Rule): Promise<'added' | 'there'> {
    const { store, perChat } = this.#parts
    return store.transaction().execute(async (tx) => {
      const destination = await makeDestination(tx, placeOf(target), this.#parts.now())
      const filter = await filterOf(tx, rule)
      const followed = await tx
        .selectFrom('follows')
        .select(['filter', 'created_at'])
        .where('destination', '=', destination)
        .execute()
      if (followed.some((each) => each.filter === filter)) return 'there'
      if (followed.length >= perChat) throw tooMany(followed.length)
      // Of several in one second each is later than those before it: the list counts them in this order.
      const latest = Math.max(0, ...followed.map((each) => each.created_at))
      const created_at = Math.max(this.#parts.now(), latest + 1)
      await tx.insertInto('follows').values({ filter, destination, created_at }).execute()
      return 'added'
    })
  }

  /** Puts a rule in the place of one that is followed; 'gone' where it is followed no more. */
  async change(target: Target, id: number, rule: Rule): Promise<'changed' | 'gone'> {
    const { store } = this.#parts
    const destination = (await this.#find(target))?.id
    if (destination === undefined) return 'gone'
    return store.transaction().execute(async (tx) => {
      // First: what one filter remembers stays where it takes its own place.
      const filter = await filterOf(tx, rule)
      const [old] = await tx
        .deleteFrom('follows')
        .where('filter', '=', id)
        .where('destination', '=', destination)
        .returning('created_at')
        .execute()
      if (old === undefined) return 'gone'
      await tx
        .insertInto('follows')
        .values({ filter, destination, created_at: old.created_at })
        .onConflict((conflict) => conflict.columns(['filter', 'destination']).doNothing())
        .execute()
      return 'changed'
    })
  }

  /** Whether it was followed. What still waits for a chat that follows nothing more is not sent. */
  async unfollow(target: Target, id: number): Promise<boolean> {
    const { store, now } = this.#parts
    const destination = (await this.#find(target))?.id
    if (destination === undefined) return false
    return store.transaction().execute(async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('follows')
        .where('filter', '=', id)
        .where('destination', '=', destination)
        .executeTakeFirst()
      const left = await tx
        .selectFrom('follows')
        .select('filter')
        .where('destination', '=', destination)
        .limit(1)
        .executeTakeFirst()
      if (left === undefined) await dropWaiting(tx, destination, 'unfollowed', now())
      return numDeletedRows > 0n
    })
  }

  /** Nothing is sent to the target until then (unix seconds; 0 ends it), what waits included. */
  async mute(target: Target, until: number): Promise<void> {
    const { store, now } = this.#parts
    await store.transaction().execute(async (tx) => {
      const destination = await makeDestination(tx, placeOf(target), now())
      await muteDestination(tx, destination, until, now())
    })
  }

  /** Sends to the target again after it was lost. */
  async resume(target: Target): Promise<void> {
    const found = await this.#find(target)
    if (found) await resumeDestination(this.#parts.store, found.id)
  }

  /** What the watcher must look for. */
  async inUse(): Promise<InUse> {
    return this.#inUse.read(this.#parts.store, this.#parts.now())
  }

  /**
   * Keeps what the watcher must know of a filter the next time, in its own transaction; false where the filter no longer
   * remembers what it did before, as somebody else was quicker.
   */
  async remember(
    tx: Store,
    { filter, before, after }: { filter: number; before: string; after: string },
  ): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('filters')
      .set({ memory: after })
      .where('id', '=', filter)
      .where('memory', '=', before)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** Forgets filters and destinations that nobody uses; returns how many. */
  async prune(): Promise<number> {
    return forgetUnused(this.#parts.store, this.#parts.now())
  }

  #find(target: Target) {
    return findDestination(this.#parts.store, placeOf(target))
  }
}

function placeOf({ platform, kind, id, thread = '' }: Target): Place {
  return { platform, kind, chat: id, thread }
}

/**
 * The id of a rule's filter, which is made where there is none. What it remembers from the time when somebody followed
 * it is forgotten where nobody does: who begins now is told of what happens from now on.
 */
async function filterOf(tx: Store, rule: Rule): Promise<number> {
  const row = rowOf(rule)
  const { id } = await tx
    .insertInto('filters')
    .values({ ...row, memory: '' })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'asset', 'creator', 'numeraire', 'category', 'chain', 'setting'])
        .doUpdateSet((filter) => ({
          memory: filter
            .case()
            .when(
              filter.exists(
                filter
                  .selectFrom('follows')
                  .select('follows.filter')
                  .whereRef('follows.filter', '=', 'filters.id'),
              ),
            )
            .then(filter.ref('filters.memory'))
            .else('')
            .end(),
        })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

function tooMany(count: number): UserError {
  return new UserError(
    `There ${count === 1 ? 'is 1 alert' : `are ${count} alerts`} already, and one chat can’t have more. Remove one with /alerts first.`,
  )
}
