import type { Schema } from './schema.ts'

type Fate = 'copied' | 'job by job' | 'left behind'

/** What becomes of each table when an installation moves, in the order in which they are moved. */
export const fates: Readonly<Record<keyof Schema | 'flood_limits', Fate>> = {
  lines: 'copied',
  drafts: 'copied',
  payloads: 'copied',
  pictures: 'copied',
  // pg-boss keeps them in tables of its own.
  jobs: 'job by job',
  filters: 'copied',
  destinations: 'copied',
  follows: 'copied',
  watched_chains: 'copied',
  watched_assets: 'copied',
  news: 'copied',
  deliveries: 'copied',
  live_messages: 'copied',
  updates: 'copied',
  bots: 'copied',
  // Who has what at this moment: nobody has anything while it moves.
  roles: 'left behind',
  lanes: 'left behind',
  // Of the last few seconds.
  flood_limits: 'left behind',
}

export const allTables: readonly string[] = Object.keys(fates)

export const copiedTables: readonly string[] = Object.entries(fates)
  .filter(([, fate]) => fate === 'copied')
  .map(([table]) => table)
