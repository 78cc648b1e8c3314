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
      .innerJoin('subscriptions', 'subscriptions.chat_id', 'chats.id')
      .innerJoin('rules', 'rules.id', 'subscriptions.rule_id')
      .selectAll('rules')
      .select(['chats.paused', 'chats.muted_until_s', 'chats.changed_by'])
      .select(['subscriptions.role', 'subscriptions.role_name'])
      .orderBy('subscriptions.created_at_s')
      .orderBy('rules.id')
      .execute()
    const subscriptions = rows.flatMap((row) => {
      const rule = ruleOf(row)
      return rule === undefined ? [] : [{ id: row.id, rule, ...mentionOf(row) }]
    })
    const chat = rows[0] ?? (await findChat(store, target))
    return {
      subscriptions,
      paused: losses.find((loss) => loss === chat?.paused),
      mutedUntil: chat?.muted_until_s ?? 0,
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
      const chatId = await createChat(tx, target, now(), { update })
      const added: Rule[] = []
      const existing: Rule[] = []
      for (const rule of rules) {
        const ruleId = await storeRule(tx, rule)
        const isAdded = await addSubscription(tx, { ruleId, chatId }, now(), perChat)
        if (mention) await setMention(tx, { ruleId, chatId }, mention)
        if (isAdded) {
          added.push(rule)
          continue
        }
        const all = await tx
          .selectFrom('subscriptions')
          .select('rule_id')
          .where('chat_id', '=', chatId)
          .execute()
        if (!all.some((each) => each.rule_id === ruleId)) {
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
    const { id: chatId } = chat
    return store.transaction().execute(async (tx) => {
      await noteChange(tx, chatId, update)
      const ruleId = await storeRule(tx, rule)
      const old = { ruleId: id, chatId }
      if (!(await moveSubscription(tx, old, ruleId)) && !(await dropSubscription(tx, old))) {
        return 'gone'
      }
      if (mention !== undefined) await setMention(tx, { ruleId, chatId }, mention)
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
    const { id: chatId } = chat
    return store.transaction().execute(async (tx) => {
      await noteChange(tx, chatId, update)
      const removed = await tx
        .deleteFrom('subscriptions')
        .where('rule_id', 'in', ids)
        .where('chat_id', '=', chatId)
        .returning('rule_id')
        .execute()
      const remaining = await tx
        .selectFrom('subscriptions')
        .select('rule_id')
        .where('chat_id', '=', chatId)
        .limit(1)
        .executeTakeFirst()
      if (remaining === undefined) await dropWaiting(tx, chatId, dropReasons.unsubscribed, now())
      return removed.map(({ rule_id }) => rule_id)
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
    for await (const range of idRanges(store, 'rules')) count += await pruneRules(store, range)
    for await (const range of idRanges(store, 'chats')) {
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
    .insertInto('rules')
    .values({ ...row, memory: '' })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'asset', 'creator', 'numeraire', 'category', 'chain', 'setting'])
        .doUpdateSet((existing) => ({
          memory: existing
            .case()
            .when(
              existing.exists(
                existing
                  .selectFrom('subscriptions')
                  .select('subscriptions.rule_id')
                  .whereRef('subscriptions.rule_id', '=', 'rules.id'),
              ),
            )
            .then(existing.ref('rules.memory'))
            .else('')
            .end(),
        })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

interface SubscriptionKey {
  ruleId: number
  chatId: number
}

/** Gives a subscription another rule; false if there is none, or the chat has one to that rule already. */
async function moveSubscription(tx: Store, old: SubscriptionKey, ruleId: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('subscriptions')
    .set({ rule_id: ruleId })
    .where('rule_id', '=', old.ruleId)
    .where('chat_id', '=', old.chatId)
    .where((row) =>
      row.or([
        row('rule_id', '=', ruleId),
        row.not(
          row.exists(
            row
              .selectFrom('subscriptions as other')
              .select('other.rule_id')
              .where('other.rule_id', '=', ruleId)
              .where('other.chat_id', '=', old.chatId),
          ),
        ),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function setMention(
  tx: Store,
  { ruleId, chatId }: SubscriptionKey,
  mention: Mention | null,
): Promise<void> {
  await tx
    .updateTable('subscriptions')
    .set({ role: mention?.role ?? null, role_name: mention?.name ?? null })
    .where('rule_id', '=', ruleId)
    .where('chat_id', '=', chatId)
    .execute()
}

function mentionOf(row: { role: string | null; role_name: string | null }) {
  return row.role === null ? {} : { mention: { role: row.role, name: row.role_name ?? '' } }
}

async function dropSubscription(tx: Store, { ruleId, chatId }: SubscriptionKey) {
  const { numDeletedRows } = await tx
    .deleteFrom('subscriptions')
    .where('rule_id', '=', ruleId)
    .where('chat_id', '=', chatId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Adds a row to those of a locked chat; false if it is there, or the chat has `perChat` of them. */
async function addSubscription(
  tx: Store,
  { ruleId, chatId }: SubscriptionKey,
  now: number,
  perChat: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('subscriptions')
    .columns(['rule_id', 'chat_id', 'created_at_s'])
    .expression((row) =>
      row
        .selectFrom('subscriptions')
        .select((each) => [
          each.val(ruleId).as('rule_id'),
          each.val(chatId).as('chat_id'),
          // Times of subscriptions within one second are made distinct: they define the order of the list.
          laterOf(each(each.fn.coalesce(each.fn.max('created_at_s'), each.val(0)), '+', 1), now).as(
            'created_at_s',
          ),
        ])
        .where('chat_id', '=', chatId)
        .having(({ fn }) => fn.countAll(), '<', perChat),
    )
    .onConflict((conflict) => conflict.columns(['rule_id', 'chat_id']).doNothing())
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
    .updateTable('rules')
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
const kindsThatNeedRules = kindsWhere(({ detection }) => detection.from !== 'asset')
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
  for await (const { from, to } of idRanges(store, 'rules')) {
    yield* await store
      .selectFrom('rules')
      .selectAll()
      .where('id', '>', from)
      .where('id', '<=', to)
      // Without a setting a rule of another kind has no minimum that an asset can reach later.
      .where((row) => row.or([row('kind', 'in', kindsThatNeedRules), row('setting', '<>', '')]))
      .where((row) =>
        row.exists(
          row
            .selectFrom('subscriptions')
            .innerJoin('chats', 'chats.id', 'subscriptions.chat_id')
            .select('subscriptions.chat_id')
            .whereRef('subscriptions.rule_id', '=', 'rules.id')
            .where((follower) =>
              follower.or([
                follower('rules.kind', 'in', alwaysInUse),
                follower.and([
                  follower('chats.paused', 'is', null),
                  follower('chats.muted_until_s', '<=', now),
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
  return pruneFound(store, 'rules', (tx) =>
    tx
      .selectFrom('rules')
      .select('id')
      .where('id', '>', from)
      .where('id', '<=', to)
      .where(({ not, exists, selectFrom }) => {
        const subscriptions = selectFrom('subscriptions').select('chat_id')
        return not(exists(subscriptions.whereRef('subscriptions.rule_id', '=', 'rules.id')))
      })
      .execute(),
  )
}
