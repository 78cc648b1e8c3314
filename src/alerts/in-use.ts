import type { Store } from '../store/database.ts'
import type { Movement, RuleOf, Scope } from './rule.ts'
import { ruleOf } from './rule-row.ts'

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

/** What somebody follows who can hear of it, as far as the watcher must know. */
export interface InUse {
  /** Per cent sold, ascending. */
  percents: number[]
  /** Before the end, ascending. */
  minutes: number[]
  movements: MovementFilter[]
  digests: DigestFilter[]
}

/** What is followed by others than those who are paused or muted at `now` (unix seconds). */
export async function readInUse(store: Store, now: number): Promise<InUse> {
  const percents = new Set<number>()
  const minutes = new Set<number>()
  const movements: MovementFilter[] = []
  const digests: DigestFilter[] = []
  for (const { memory, ...row } of await activeFilters(store, now)) {
    const rule = ruleOf(row)
    const { id } = row
    switch (rule?.kind) {
      case 'progress':
        for (const percent of rule.setting.percents) percents.add(percent)
        break
      case 'ending':
        minutes.add(rule.setting.minutes)
        break
      case 'price':
      case 'mcap':
        movements.push({
          id,
          kind: rule.kind,
          chain: row.chain,
          asset: row.asset,
          setting: rule.setting,
          memory,
        })
        break
      case 'digest':
        digests.push({ id, scope: rule.scope, setting: rule.setting, memory })
        break
    }
  }
  return { percents: ascending(percents), minutes: ascending(minutes), movements, digests }
}

function activeFilters(store: Store, now: number) {
  return store
    .selectFrom('filters')
    .selectAll()
    .where('kind', 'in', ['progress', 'ending', 'price', 'mcap', 'digest'])
    .where((row) =>
      row.exists(
        row
          .selectFrom('follows')
          .innerJoin('destinations', 'destinations.id', 'follows.destination')
          .select('follows.destination')
          .whereRef('follows.filter', '=', 'filters.id')
          .where('destinations.paused', 'is', null)
          .where('destinations.muted_until', '<=', now),
      ),
    )
    .orderBy('id')
    .execute()
}

function ascending(numbers: ReadonlySet<number>): number[] {
  return [...numbers].sort((one, other) => one - other)
}
