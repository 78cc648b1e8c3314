import { setImmediate as yieldToOthers } from 'node:timers/promises'
import Big from 'big.js'
import { z } from 'zod'
import { losses } from '../core/adapter.ts'
import type { FiltersTable, Store } from '../db/schema.ts'
import { pruneFound } from '../db/sql.ts'
import { UserError } from '../errors.ts'
import {
  type ChatKey,
  createChat,
  dropWaiting,
  findChat,
  muteChat,
  pruneChats,
  resumeChat,
} from './chats.ts'
import {
  type Movement,
  type Rule,
  type RuleOf,
  type Scope,
  scopeSchema as scope,
  settingSchemas,
} from './rule.ts'
import { storedJson } from './snapshot.ts'
import type { Following, Target } from './subscription.ts'

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
  readonly #inUse = new InUseReader()

  constructor(parts: SubscriptionsParts) {
    this.#parts = parts
  }

  /** A chat's subscriptions, oldest first. */
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

  /**
   * Subscribes a chat to a rule; 'there' if it was subscribed before.
   * @throws UserError if the chat has the maximum of subscriptions
   */
  async follow(target: Target, rule: Rule): Promise<'added' | 'there'> {
    const { store, perChat } = this.#parts
    return store.transaction().execute(async (tx) => {
      const destination = await createChat(tx, chatKeyOf(target), this.#parts.now())
      const filter = await filterOf(tx, rule)
      const existing = await tx
        .selectFrom('follows')
        .select(['filter', 'created_at'])
        .where('destination', '=', destination)
        .execute()
      if (existing.some((each) => each.filter === filter)) return 'there'
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
    const destination = (await this.#find(target))?.id
    if (destination === undefined) return 'gone'
    return store.transaction().execute(async (tx) => {
      // Before the deletion: if the rule is unchanged, its filter still has a subscriber and keeps its memory.
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

  /**
   * Removes a subscription; returns whether there was one. If it was the last, the chat's waiting deliveries are
   * dropped.
   */
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
    await store.transaction().execute(async (tx) => {
      const destination = await createChat(tx, chatKeyOf(target), now())
      await muteChat(tx, destination, until, now())
    })
  }

  /** Resumes sending to a chat that was unreachable. */
  async resume(target: Target): Promise<void> {
    const found = await this.#find(target)
    if (found) await resumeChat(this.#parts.store, found.id)
  }

  /** The filters with subscribers, as far as the watcher needs them. */
  async inUse(): Promise<InUse> {
    return this.#inUse.read(this.#parts.store, this.#parts.now())
  }

  /**
   * Stores a filter's memory (JSON) in the caller's transaction. Returns false if the memory is no longer `before`,
   * because another process was faster.
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

  /** Deletes filters without subscribers and unused chats; returns how many. */
  async prune(): Promise<number> {
    return pruneRules(this.#parts.store, this.#parts.now())
  }

  #find(target: Target) {
    return findChat(this.#parts.store, chatKeyOf(target))
  }
}

function chatKeyOf({ platform, kind, id, thread = '' }: Target): ChatKey {
  return { platform, kind, chat: id, thread }
}

/**
 * Creates the rule's filter if there is none, and returns its id. If nobody is subscribed to it, its memory is cleared:
 * new subscribers are notified of what happens from now on.
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

/** A normalised rule as columns: equal rules have equal rows. */
export type RuleRow = Pick<
  FiltersTable,
  'kind' | 'chain' | 'asset' | 'numeraire' | 'creator' | 'category' | 'setting'
>

const ruleSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('live'), setting: settingSchemas.live, scope }),
  z.object({ kind: z.literal('incoming'), setting: settingSchemas.incoming, scope }),
  z.object({ kind: z.literal('progress'), setting: settingSchemas.progress, scope }),
  z.object({ kind: z.literal('ending'), setting: settingSchemas.ending, scope }),
  z.object({ kind: z.literal('graduated'), setting: settingSchemas.graduated, scope }),
  z.object({ kind: z.literal('price'), setting: settingSchemas.price, scope }),
  z.object({ kind: z.literal('mcap'), setting: settingSchemas.mcap, scope }),
  z.object({ kind: z.literal('digest'), setting: settingSchemas.digest, scope }),
])

/** The row of a rule. Addresses become lower case, a category keeps its case. */
export function rowOf(rule: Rule): RuleRow {
  const { chain, asset, numeraire, creator, category } = rule.scope
  return {
    kind: rule.kind,
    chain: chain ?? 0,
    asset: addressText(asset),
    numeraire: addressText(numeraire),
    creator: addressText(creator),
    category: (category ?? '').toWellFormed(),
    setting: settingText(rule),
  }
}

/** Parses a row into a rule; undefined if this version does not know the rule. */
export function ruleOf(row: RuleRow): Rule | undefined {
  const { chain, asset, numeraire, creator, category } = row
  const read = ruleSchema.safeParse({
    kind: row.kind,
    setting: row.setting === '' ? {} : storedJson(row.setting),
    scope: {
      ...(chain === 0 ? {} : { chain }),
      ...(asset === '' ? {} : { asset }),
      ...(numeraire === '' ? {} : { numeraire }),
      ...(creator === '' ? {} : { creator }),
      ...(category === '' ? {} : { category }),
    },
  })
  return read.data
}

function addressText(address: string | undefined): string {
  return (address ?? '').toWellFormed().toLowerCase()
}

/** Canonical JSON, so that equal settings have equal texts; '' for kinds without a setting. */
function settingText(rule: Rule): string {
  switch (rule.kind) {
    case 'progress':
      return JSON.stringify({
        percents: [...new Set(rule.setting.percents)].sort((one, other) => one - other),
      })
    case 'ending':
      return JSON.stringify({ minutes: rule.setting.minutes })
    case 'price':
    case 'mcap':
      return JSON.stringify(plainMovement(rule.setting))
    case 'digest':
      return JSON.stringify({ hour: rule.setting.hour, zone: rule.setting.zone.toWellFormed() })
    default:
      return ''
  }
}

function plainMovement(setting: Extract<Rule, { kind: 'price' }>['setting']) {
  if ('above' in setting) return { above: plain(setting.above) }
  if ('below' in setting) return { below: plain(setting.below) }
  return { moves: setting.moves }
}

function plain(decimal: string): string {
  return new Big(decimal).toFixed()
}

/** A filter on the price or market cap of one asset; `asset` is in lower case. */
export interface MovementFilter {
  id: number
  kind: 'price' | 'mcap'
  /** 0 for any chain. */
  chain: number
  asset: string
  setting: Movement
  memory: string
}

export interface DigestFilter {
  id: number
  scope: Scope
  setting: RuleOf<'digest'>['setting']
  memory: string
}

/** The settings in use, which the watcher has to detect. */
export interface InUse {
  /** Percent sold, ascending. */
  percents: number[]
  /** Minutes before the end, ascending. */
  minutes: number[]
  movements: MovementFilter[]
  digests: DigestFilter[]
}

/**
 * Kinds whose memory is updated even while all subscribers are muted or paused: otherwise they would be notified of old
 * movements later.
 */
const alwaysInUse = ['price', 'mcap', 'digest'] as const

/** Filters per query: SQLite blocks the process while it reads. */
const batchSize = 200

/** Reads the filters in use. Caches parsed rules, as parsing tens of thousands of settings takes long. */
class InUseReader {
  #rules = new Map<number, Rule | undefined>()

  /**
   * For `progress` and `ending`, only filters with a subscriber that is neither paused nor muted at `now` (unix
   * seconds) count.
   */
  async read(store: Store, now: number): Promise<InUse> {
    const percents = new Set<number>()
    const minutes = new Set<number>()
    const movements: MovementFilter[] = []
    const digests: DigestFilter[] = []
    const rules = new Map<number, Rule | undefined>()
    for await (const row of filtersInUse(store, now)) {
      const { id, memory, chain, asset } = row
      const rule = this.#rule(row)
      rules.set(id, rule)
      switch (rule?.kind) {
        case 'progress':
          for (const percent of rule.setting.percents) percents.add(percent)
          break
        case 'ending':
          minutes.add(rule.setting.minutes)
          break
        case 'price':
        case 'mcap':
          movements.push({ id, kind: rule.kind, chain, asset, setting: rule.setting, memory })
          break
        case 'digest':
          digests.push({ id, scope: rule.scope, setting: rule.setting, memory })
          break
      }
    }
    this.#rules = rules
    return { percents: ascending(percents), minutes: ascending(minutes), movements, digests }
  }

  /** Rules can be cached by id: ids are not reused, and a filter's rule never changes. */
  #rule(row: RuleRow & { id: number }): Rule | undefined {
    return this.#rules.has(row.id) ? this.#rules.get(row.id) : ruleOf(row)
  }
}

async function* filtersInUse(store: Store, now: number) {
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
    .where('kind', 'in', ['progress', 'ending', ...alwaysInUse])
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

function ascending(numbers: ReadonlySet<number>): number[] {
  return [...numbers].sort((one, other) => one - other)
}

/** A range of ids, `from` excluded and `to` included. */
interface Range {
  from: number
  to: number
}

/** Rows per statement: SQLite blocks the process while it runs. */
const pruneBatchSize = 500

/** Deletes filters without subscribers, and unused chats; returns how many. */
export async function pruneRules(store: Store, now: number): Promise<number> {
  let count = 0
  for await (const range of ranges(store, 'filters')) count += await pruneFilters(store, range)
  for await (const range of ranges(store, 'destinations')) {
    count += await pruneChats(store, range, now)
  }
  return count
}

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

function pruneFilters(store: Store, { from, to }: Range): Promise<number> {
  return pruneFound(store, 'filters', (tx) =>
    tx
      .selectFrom('filters')
      .select('id')
      .where('id', '>', from)
      .where('id', '<=', to)
      .where(({ not, exists, selectFrom }) => {
        const follows = selectFrom('follows').select('destination')
        return not(exists(follows.whereRef('follows.filter', '=', 'filters.id')))
      })
      .execute(),
  )
}
