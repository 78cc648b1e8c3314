import { type Loss, losses, type Mention } from '../core/adapter.ts'
import { type Message, t } from '../core/view.ts'
import type { Store } from '../db/schema.ts'
import { type IdRange, idRanges, laterOf, pruneFound } from '../db/sql.ts'
import { UserError } from '../errors.ts'
import {
  changedByOf,
  createChat,
  dropReasons,
  dropWaiting,
  findChat,
  muteChat,
  noteChange,
  pruneChats,
  resumeChat,
  selectChat,
  type Target,
} from './chats.ts'
import type { RuleWithMemory } from './kinds/kind.ts'
import { isPerRule, kindsWhere } from './kinds/list.ts'
import { type Rule, type RuleRow, rowOf, ruleOf } from './rule.ts'

/** A rule that a chat subscribed to, with the rule's id. */
export interface Subscription {
  id: number
  rule: Rule
  /** A role that its alerts notify. */
  mention?: Mention | undefined
}

/** The result of subscribing a chat to rules. */
export interface SubscribeResult {
  added: readonly Rule[]
  /** Rules that the chat had subscribed to before. */
  existing: readonly Rule[]
  /** Says why the remaining rules were not added, for people; undefined if all were. */
  refused: Message | undefined
}

/** A chat's subscriptions, and whether it receives notifications. */
export interface ChatSubscriptions {
  subscriptions: readonly Subscription[]
  /** Why sending is paused; undefined if it is not. */
  paused: Loss | undefined
  /** Unix seconds; 0 if it is not muted. */
  mutedUntil: number
  /** The ids of the last updates that changed or removed one. */
  changedBy: readonly string[]
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
    const { store } = this.#parts
    const rows = await selectChat(store, target)
      .innerJoin('follows', 'follows.destination', 'destinations.id')
      .innerJoin('filters', 'filters.id', 'follows.filter')
      .selectAll('filters')
      .select(['destinations.paused', 'destinations.muted_until', 'destinations.changed_by'])
      .select(['follows.role', 'follows.role_name'])
      .orderBy('follows.created_at')
      .orderBy('filters.id')
      .execute()
    const subscriptions = rows.flatMap((row) => {
      const rule = ruleOf(row)
      return rule === undefined ? [] : [{ id: row.id, rule, ...mentionOf(row) }]
    })
    const chat = rows[0] ?? (await findChat(store, target))
    return {
      subscriptions,
      paused: losses.find((loss) => loss === chat?.paused),
      mutedUntil: chat?.muted_until ?? 0,
      changedBy: changedByOf(chat),
    }
  }

  /**
   * Subscribes a chat to one rule; 'existing' if it was subscribed before.
   * @throws UserError if the chat has the maximum of subscriptions
   */
  async subscribe(target: Target, rule: Rule): Promise<'added' | 'existing'> {
    const { added } = await this.subscribeAll(target, [rule])
    return added.length > 0 ? 'added' : 'existing'
  }

  /**
   * Subscribes a chat to rules, in order, up to the maximum, and remembers the update that asked for it. Alerts of all of them
   * notify `mention`, if it is given.
   * @throws UserError if not even the first could be added
   */
  async subscribeAll(
    target: Target,
    rules: readonly Rule[],
    update?: string,
    mention?: Mention,
  ): Promise<SubscribeResult> {
    const { store, now, perChat } = this.#parts
    return store.transaction().execute(async (tx) => {
      const destination = await createChat(tx, target, now(), { update })
      const added: Rule[] = []
      const existing: Rule[] = []
      for (const rule of rules) {
        const filter = await storeRule(tx, rule)
        const isAdded = await addSubscription(tx, { filter, destination }, now(), perChat)
        if (mention) await setMention(tx, { filter, destination }, mention)
        if (isAdded) {
          added.push(rule)
          continue
        }
        const all = await tx
          .selectFrom('follows')
          .select('filter')
          .where('destination', '=', destination)
          .execute()
        if (!all.some((each) => each.filter === filter)) {
          const refused = tooMany(all.length)
          if (added.length + existing.length === 0) throw new UserError(refused)
          return { added, existing, refused }
        }
        existing.push(rule)
      }
      return { added, existing, refused: undefined }
    })
  }

  /**
   * Replaces a subscription by another rule in its position, and what its alerts notify: null for nobody, undefined for what it
   * was. 'gone' if the chat no longer has it.
   */
  async change(
    target: Target,
    id: number,
    rule: Rule,
    update?: string,
    mention?: Mention | null,
  ): Promise<'changed' | 'gone'> {
    const { store } = this.#parts
    const chat = await findChat(store, target)
    if (chat === undefined) return 'gone'
    const { id: destination } = chat
    return store.transaction().execute(async (tx) => {
      await noteChange(tx, destination, update)
      const filter = await storeRule(tx, rule)
      const old = { filter: id, destination }
      if (!(await moveSubscription(tx, old, filter)) && !(await dropSubscription(tx, old))) {
        return 'gone'
      }
      if (mention !== undefined) await setMention(tx, { filter, destination }, mention)
      return 'changed'
    })
  }

  /** Removes a subscription; returns whether there was one. */
  async unsubscribe(target: Target, id: number): Promise<boolean> {
    return (await this.unsubscribeAll(target, [id])).length > 0
  }

  /**
   * Removes subscriptions by their ids, and remembers the update that asked for it; returns the ids of those that there were.
   * If none is left, the chat's waiting deliveries are dropped.
   */
  async unsubscribeAll(target: Target, ids: readonly number[], update?: string): Promise<number[]> {
    const { store, now } = this.#parts
    const chat = await findChat(store, target)
    if (chat === undefined || ids.length === 0) return []
    const { id: destination } = chat
    return store.transaction().execute(async (tx) => {
      await noteChange(tx, destination, update)
      const removed = await tx
        .deleteFrom('follows')
        .where('filter', 'in', ids)
        .where('destination', '=', destination)
        .returning('filter')
        .execute()
      const remaining = await tx
        .selectFrom('follows')
        .select('filter')
        .where('destination', '=', destination)
        .limit(1)
        .executeTakeFirst()
      if (remaining === undefined) await dropWaiting(tx, destination, dropReasons.unfollowed, now())
      return removed.map(({ filter }) => filter)
    })
  }

  /** Mutes a chat until `until` (unix seconds; 0 unmutes), and drops its waiting deliveries. */
  async mute(target: Target, until: number, update?: string): Promise<void> {
    const { store, now } = this.#parts
    await store.transaction().execute((tx) => muteChat(tx, target, until, now(), update))
  }

  /** Remembers an update about a chat, so that it is not taken for another one if its platform brings it again. */
  async note(target: Target, update: string | undefined): Promise<void> {
    const { store, now } = this.#parts
    await store.transaction().execute((tx) => createChat(tx, target, now(), { update }))
  }

  /** Resumes sending to a chat that was unreachable, with the events that are detected from now on. */
  async resume(target: Target): Promise<void> {
    const { store } = this.#parts
    const chat = await findChat(store, target)
    if (chat) await resumeChat(store, chat.id)
  }

  /** The rules with subscribers that are needed to detect events. */
  async inUse(): Promise<SubscribedRule[]> {
    return this.#inUse.read(this.#parts.store, this.#parts.now())
  }

  /** Deletes rules without subscribers and unused chats; returns how many. */
  async prune(): Promise<number> {
    const { store, now } = this.#parts
    let count = 0
    for await (const range of idRanges(store, 'filters')) count += await pruneRules(store, range)
    for await (const range of idRanges(store, 'destinations')) {
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

interface SubscriptionKey {
  filter: number
  destination: number
}

/** Gives a subscription another rule; false if there is none, or the chat has one to that rule already. */
async function moveSubscription(tx: Store, old: SubscriptionKey, filter: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('follows')
    .set({ filter })
    .where('filter', '=', old.filter)
    .where('destination', '=', old.destination)
    .where((row) =>
      row.or([
        row('filter', '=', filter),
        row.not(
          row.exists(
            row
              .selectFrom('follows as other')
              .select('other.filter')
              .where('other.filter', '=', filter)
              .where('other.destination', '=', old.destination),
          ),
        ),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function setMention(
  tx: Store,
  { filter, destination }: SubscriptionKey,
  mention: Mention | null,
): Promise<void> {
  await tx
    .updateTable('follows')
    .set({ role: mention?.role ?? null, role_name: mention?.name ?? null })
    .where('filter', '=', filter)
    .where('destination', '=', destination)
    .execute()
}

function mentionOf(row: { role: string | null; role_name: string | null }) {
  return row.role === null ? {} : { mention: { role: row.role, name: row.role_name ?? '' } }
}

async function dropSubscription(tx: Store, { filter, destination }: SubscriptionKey) {
  const { numDeletedRows } = await tx
    .deleteFrom('follows')
    .where('filter', '=', filter)
    .where('destination', '=', destination)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Adds a row to those of a locked chat; false if it is there, or the chat has `perChat` of them. */
async function addSubscription(
  tx: Store,
  { filter, destination }: SubscriptionKey,
  now: number,
  perChat: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('follows')
    .columns(['filter', 'destination', 'created_at'])
    .expression((row) =>
      row
        .selectFrom('follows')
        .select((each) => [
          each.val(filter).as('filter'),
          each.val(destination).as('destination'),
          // Times of subscriptions within one second are made distinct: they define the order of the list.
          laterOf(each(each.fn.coalesce(each.fn.max('created_at'), each.val(0)), '+', 1), now).as(
            'at',
          ),
        ])
        .where('destination', '=', destination)
        .having(({ fn }) => fn.countAll(), '<', perChat),
    )
    .onConflict((conflict) => conflict.columns(['filter', 'destination']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
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

function tooMany(count: number): Message {
  return t('alerts-too-many', { count, command: { code: '/alerts' } })
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
  for await (const { from, to } of idRanges(store, 'filters')) {
    yield* await store
      .selectFrom('filters')
      .selectAll()
      .where('id', '>', from)
      .where('id', '<=', to)
      // Without a setting a rule of another kind has no minimum that an asset can reach later.
      .where((row) => row.or([row('kind', 'in', readKinds), row('setting', '<>', '')]))
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
  }
}

function pruneRules(store: Store, { from, to }: IdRange): Promise<number> {
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
