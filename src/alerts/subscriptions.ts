import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Loss } from '../core/adapter.ts'
import type { Store } from '../db/schema.ts'
import { pruneFound } from '../db/sql.ts'
import { UserError } from '../errors.ts'
import {
  createChat,
  dropWaiting,
  findChat,
  muteChat,
  pruneChats,
  resumeChat,
  type Target,
} from './chats.ts'
import type { RuleWithMemory } from './kinds/kind.ts'
import { isPerRule, kindsWhere } from './kinds/list.ts'
import { type Rule, type RuleRow, rowOf, ruleOf } from './rule.ts'

/** A rule that a chat subscribed to, with the rule's id. */
export interface Subscription {
  id: number
  rule: Rule
}

/** A chat's subscriptions, and whether it receives notifications. */
export interface ChatSubscriptions {
  subscriptions: readonly Subscription[]
  /** Why sending is paused; undefined if it is not. */
  paused: Loss | undefined
  /** Unix seconds; 0 if it is not muted. */
  mutedUntil: number
}

/** The `mutedUntil` (unix seconds, 2100-01-01) of a mute without an end: later than any mute with a duration. */
export const untilUnmuted = 4_102_444_800

interface SubscriptionsParts {
  store: Store
  /** Unix seconds. */
  now: () => number
  /** Maximum subscriptions of one chat. */
  perChat: number
}

/** Stores the subscriptions of chats. */
export class Subscriptions {
  readonly #parts: SubscriptionsParts
  readonly #inUse = new RulesInUse()

  constructor(parts: SubscriptionsParts) {
    this.#parts = parts
  }

  /** A chat's subscriptions, oldest first. */
  async of(target: Target): Promise<ChatSubscriptions> {
    const chat = await findChat(this.#parts.store, target)
    if (chat === undefined) return { subscriptions: [], paused: undefined, mutedUntil: 0 }
    const rows = await this.#parts.store
      .selectFrom('follows')
      .innerJoin('filters', 'filters.id', 'follows.filter')
      .selectAll('filters')
      .where('follows.destination', '=', chat.row)
      .orderBy('follows.created_at')
      .orderBy('filters.id')
      .execute()
    const subscriptions = rows.flatMap((row) => {
      const rule = ruleOf(row)
      return rule === undefined ? [] : [{ id: row.id, rule }]
    })
    return { subscriptions, paused: chat.paused, mutedUntil: chat.mutedUntil }
  }

  /**
   * Subscribes a chat to a rule; 'existing' if it was subscribed before.
   * @throws UserError if the chat has the maximum of subscriptions
   */
  async subscribe(target: Target, rule: Rule): Promise<'added' | 'existing'> {
    const { store, perChat } = this.#parts
    return store.transaction().execute(async (tx) => {
      const destination = await createChat(tx, target, this.#parts.now())
      const filter = await storeRule(tx, rule)
      const existing = await tx
        .selectFrom('follows')
        .select(['filter', 'created_at'])
        .where('destination', '=', destination)
        .execute()
      if (existing.some((each) => each.filter === filter)) return 'existing'
      if (existing.length >= perChat) throw tooMany(existing.length)
      // Make the times of several subscriptions within one second distinct: they define the order of the list.
      const latest = Math.max(0, ...existing.map((each) => each.created_at))
      const created_at = Math.max(this.#parts.now(), latest + 1)
      await tx.insertInto('follows').values({ filter, destination, created_at }).execute()
      return 'added'
    })
  }

  /** Replaces a subscription by another rule in its position; 'gone' if the chat no longer has it. */
  async change(target: Target, id: number, rule: Rule): Promise<'changed' | 'gone'> {
    const { store } = this.#parts
    const destination = (await findChat(store, target))?.row
    if (destination === undefined) return 'gone'
    return store.transaction().execute(async (tx) => {
      // Before the deletion: if the rule is unchanged, it still has a subscriber and keeps its memory.
      const filter = await storeRule(tx, rule)
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

  /**
   * Removes a subscription; returns whether there was one. If it was the last, the chat's waiting deliveries are
   * dropped.
   */
  async unsubscribe(target: Target, id: number): Promise<boolean> {
    const { store, now } = this.#parts
    const destination = (await findChat(store, target))?.row
    if (destination === undefined) return false
    return store.transaction().execute(async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('follows')
        .where('filter', '=', id)
        .where('destination', '=', destination)
        .executeTakeFirst()
      const remaining = await tx
        .selectFrom('follows')
        .select('filter')
        .where('destination', '=', destination)
        .limit(1)
        .executeTakeFirst()
      if (remaining === undefined) await dropWaiting(tx, destination, 'unfollowed', now())
      return numDeletedRows > 0n
    })
  }

  /** Mutes a chat until `until` (unix seconds; 0 unmutes), and drops its waiting deliveries. */
  async mute(target: Target, until: number): Promise<void> {
    const { store, now } = this.#parts
    await store.transaction().execute((tx) => muteChat(tx, target, until, now()))
  }

  /** Resumes sending to a chat that was unreachable, with the events that are detected from now on. */
  async resume(target: Target): Promise<void> {
    const { store } = this.#parts
    const chat = await findChat(store, target)
    if (chat) await resumeChat(store, chat.row)
  }

  /** The rules with subscribers that are needed to detect events. */
  async inUse(): Promise<SubscribedRule[]> {
    return this.#inUse.read(this.#parts.store, this.#parts.now())
  }

  /** Deletes rules without subscribers and unused chats; returns how many. */
  async prune(): Promise<number> {
    const { store, now } = this.#parts
    let count = 0
    for await (const range of ranges(store, 'filters')) count += await pruneRules(store, range)
    for await (const range of ranges(store, 'destinations')) {
      count += await pruneChats(store, range, now())
    }
    return count
  }
}

/**
 * Stores a rule if it is new, and returns its id. If nobody is subscribed to it, its memory is cleared: new subscribers
 * are notified of what happens from now on.
 */
async function storeRule(tx: Store, rule: Rule): Promise<number> {
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

/** A rule's memory (JSON) before and after a change. */
export interface MemoryChange {
  rule: number
  before: string
  after: string
}

/**
 * Stores a rule's memory in the caller's transaction. Returns false if it is no longer `before`: another process was
 * faster, or the rule lost its subscribers and has new ones.
 */
export async function storeMemory(
  tx: Store,
  { rule, before, after }: MemoryChange,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('filters')
    .set({ memory: after })
    .where('id', '=', rule)
    .where('memory', '=', before)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function tooMany(count: number): UserError {
  return new UserError(
    `There ${count === 1 ? 'is 1 alert' : `are ${count} alerts`} already, and one chat can’t have more. Remove one with /alerts first.`,
  )
}

/** A rule with subscribers, as its kind detects events for it. */
export type SubscribedRule = RuleWithMemory & Rule

/** The kinds whose rules are read to detect events. */
const readKinds = kindsWhere(({ detection }) => detection.from !== 'asset')
/**
 * Kinds whose memory is updated even while all subscribers are muted or paused: otherwise they would be notified of old
 * changes later.
 */
const alwaysInUse = kindsWhere(isPerRule)

/** Rules per query: SQLite blocks the process while it reads. */
const batchSize = 200

/** Reads the rules in use. Caches parsed rules, as parsing tens of thousands of settings takes long. */
class RulesInUse {
  #cache = new Map<number, Rule | undefined>()

  /**
   * All rules that are needed to detect events; those without a memory only if a subscriber is neither paused nor muted
   * at `now` (unix seconds).
   */
  async read(store: Store, now: number): Promise<SubscribedRule[]> {
    const found: SubscribedRule[] = []
    const rules = new Map<number, Rule | undefined>()
    for await (const row of rowsInUse(store, now)) {
      const rule = this.#rule(row)
      rules.set(row.id, rule)
      if (rule) found.push({ ...rule, id: row.id, memory: row.memory })
    }
    this.#cache = rules
    return found
  }

  /** Rules can be cached by id: ids are not reused, and a rule never changes. */
  #rule(row: RuleRow & { id: number }): Rule | undefined {
    return this.#cache.has(row.id) ? this.#cache.get(row.id) : ruleOf(row)
  }
}

async function* rowsInUse(store: Store, now: number) {
  const ids = await idsInUse(store, now)
  for (let from = 0; from < ids.length; from += batchSize) {
    const rows = await store
      .selectFrom('filters')
      .selectAll()
      .where('id', 'in', ids.slice(from, from + batchSize))
      .orderBy('id')
      .execute()
    yield* rows
    await yieldToOthers()
  }
}

async function idsInUse(store: Store, now: number): Promise<number[]> {
  const rows = await store
    .selectFrom('filters')
    .select('id')
    .where('kind', 'in', readKinds)
    .where((row) =>
      row.exists(
        row
          .selectFrom('follows')
          .innerJoin('destinations', 'destinations.id', 'follows.destination')
          .select('follows.destination')
          .whereRef('follows.filter', '=', 'filters.id')
          .where((follower) =>
            follower.or([
              follower('filters.kind', 'in', alwaysInUse),
              follower.and([
                follower('destinations.paused', 'is', null),
                follower('destinations.muted_until', '<=', now),
              ]),
            ]),
          ),
      ),
    )
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** A range of ids, `from` excluded and `to` included. */
interface Range {
  from: number
  to: number
}

/** Rows per statement: SQLite blocks the process while it runs. */
const pruneBatchSize = 500

/** All ids of a table in ranges; gives other work a turn after each. */
async function* ranges(store: Store, table: 'filters' | 'destinations'): AsyncGenerator<Range> {
  for (let from = 0; ; ) {
    const ids = await store
      .selectFrom(table)
      .select('id')
      .where('id', '>', from)
      .orderBy('id')
      .limit(pruneBatchSize)
      .execute()
    const to = ids.at(-1)?.id
    if (to === undefined) return
    yield { from, to }
    from = to
    await yieldToOthers()
  }
}

function pruneRules(store: Store, { from, to }: Range): Promise<number> {
  return pruneFound(store, 'filters', (tx) =>
    tx
      .selectFrom('filters')
      .select('id')
      .where('id', '>', from)
      .where('id', '<=', to)
      .where(({ not, exists, selectFrom }) => {
        const subscriptions = selectFrom('follows').select('destination')
        return not(exists(subscriptions.whereRef('follows.filter', '=', 'filters.id')))
      })
      .execute(),
  )
}
