import { setImmediate as others } from 'node:timers/promises'
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
  /** Most rules that one chat follows. */
  perChat: number
}

/** What each chat follows. */
export class Subscriptions {
  readonly #parts: SubscriptionsParts
  readonly #inUse = new InUseReader()

  constructor(parts: SubscriptionsParts) {
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
      const destination = await createChat(tx, placeOf(target), this.#parts.now())
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
      const destination = await createChat(tx, placeOf(target), now())
      await muteChat(tx, destination, until, now())
    })
  }

  /** Sends to the target again after it was lost. */
  async resume(target: Target): Promise<void> {
    const found = await this.#find(target)
    if (found) await resumeChat(this.#parts.store, found.id)
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
    return pruneRules(this.#parts.store, this.#parts.now())
  }

  #find(target: Target) {
    return findChat(this.#parts.store, placeOf(target))
  }
}

function placeOf({ platform, kind, id, thread = '' }: Target): ChatKey {
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

/** A rule as it is stored: the same for every way in which the same rule can be written. */
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

/** The row of a rule. Addresses are in lower case there, a category is kept to the letter. */
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

/** The rule of a row; undefined where it is none that this version knows. */
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

/** JSON whose keys have one order and whose values one spelling; '' for a kind that needs no setting. */
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

/** A filter on the price or the market cap of one asset, in lower case. */
export interface MovementFilter {
  id: number
  kind: 'price' | 'mcap'
  /** 0 where it is any. */
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

/** What is followed, as far as the watcher must know. */
export interface InUse {
  /** Per cent sold, ascending. */
  percents: number[]
  /** Before the end, ascending. */
  minutes: number[]
  movements: MovementFilter[]
  digests: DigestFilter[]
}

/** What is remembered of these goes on while all who follow them are muted or paused: it would be told later else. */
const remembering = ['price', 'mcap', 'digest'] as const

/** Filters that are read at once: meanwhile nothing else in the process has its turn. */
const together = 200

/** Reads what is in use. What it read of a filter it keeps: to understand tens of thousands of settings takes long. */
class InUseReader {
  #known = new Map<number, Rule | undefined>()

  /** Of `progress` and `ending` it is what those follow who are neither paused nor muted at `now` (unix seconds). */
  async read(store: Store, now: number): Promise<InUse> {
    const percents = new Set<number>()
    const minutes = new Set<number>()
    const movements: MovementFilter[] = []
    const digests: DigestFilter[] = []
    const known = new Map<number, Rule | undefined>()
    for await (const row of filtersInUse(store, now)) {
      const { id, memory, chain, asset } = row
      const rule = this.#rule(row)
      known.set(id, rule)
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
    this.#known = known
    return { percents: ascending(percents), minutes: ascending(minutes), movements, digests }
  }

  /** The database gives no number twice, and no filter another rule. */
  #rule(row: RuleRow & { id: number }): Rule | undefined {
    return this.#known.has(row.id) ? this.#known.get(row.id) : ruleOf(row)
  }
}

async function* filtersInUse(store: Store, now: number) {
  const ids = await idsInUse(store, now)
  for (let from = 0; from < ids.length; from += together) {
    const rows = await store
      .selectFrom('filters')
      .selectAll()
      .where('id', 'in', ids.slice(from, from + together))
      .orderBy('id')
      .execute()
    yield* rows
    await others()
  }
}

async function idsInUse(store: Store, now: number): Promise<number[]> {
  const rows = await store
    .selectFrom('filters')
    .select('id')
    .where('kind', 'in', ['progress', 'ending', ...remembering])
    .where((row) =>
      row.exists(
        row
          .selectFrom('follows')
          .innerJoin('destinations', 'destinations.id', 'follows.destination')
          .select('follows.destination')
          .whereRef('follows.filter', '=', 'filters.id')
          .where((follower) =>
            follower.or([
              follower('filters.kind', 'in', remembering),
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

/** Of ids, `from` excluded and `to` included. */
interface Range {
  from: number
  to: number
}

/** Rows looked at by one statement: while it runs nothing else in the process does. */
const batch = 500

/** Forgets filters that nobody follows, and destinations that follow nothing; returns how many went. */
export async function pruneRules(store: Store, now: number): Promise<number> {
  let gone = 0
  for await (const range of ranges(store, 'filters')) gone += await pruneFilters(store, range)
  for await (const range of ranges(store, 'destinations')) {
    gone += await pruneChats(store, range, now)
  }
  return gone
}

/** All ids of a table, and between two ranges the turn of others. */
async function* ranges(store: Store, table: 'filters' | 'destinations'): AsyncGenerator<Range> {
  for (let from = 0; ; ) {
    const ids = await store
      .selectFrom(table)
      .select('id')
      .where('id', '>', from)
      .orderBy('id')
      .limit(batch)
      .execute()
    const to = ids.at(-1)?.id
    if (to === undefined) return
    yield { from, to }
    from = to
    await others()
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
