import { setImmediate as others } from 'node:timers/promises'
import type { Store } from '../../store/database.ts'
import type { Movement, Rule, RuleOf, Scope } from '../rule.ts'
import { type RuleRow, ruleOf } from './rule-row.ts'

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
export class InUseReader {
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
