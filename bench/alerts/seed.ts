import Database from 'better-sqlite3'
import { type RuleRow, rowOf } from '../../src/alerts/subscriptions.ts'
import { openStore } from '../../src/db/database.ts'
import { ruleOfNumber } from './crowd.ts'

const subscriptionsPerChat = 4

const flatTable = `
  create table subscriptions (
    id integer primary key, kind text not null, chain integer, asset text, numeraire text, creator text, category text,
    destination integer not null
  );
  create index subscriptions_kind on subscriptions (kind);
`

/**
 * Creates a database file with this many subscriptions, four per chat, and a flat table with the same ones, in which
 * null means "any", as a baseline.
 */
export async function seed(file: string, subscriptions: number): Promise<void> {
  await (await openStore(file)).destroy()
  const database = new Database(file)
  try {
    database.exec(flatTable)
    database.transaction(() => fill(database, subscriptions))()
    database.exec('analyze')
    database.pragma('wal_checkpoint(truncate)')
  } finally {
    database.close()
  }
}

function fill(database: Database.Database, subscriptions: number): void {
  const filters = new Map<string, number>()
  const addDestination = database.prepare(
    `insert into destinations (id, platform, kind, chat, thread, muted_until, next_at, claims, created_at, updated_at)
     values (?, 'telegram', 'person', ?, '', 0, 0, 0, 0, 0)`,
  )
  const addFilter = database.prepare(
    `insert into filters (id, kind, chain, asset, numeraire, creator, category, setting, memory)
     values (@id, @kind, @chain, @asset, @numeraire, @creator, @category, @setting, '')`,
  )
  const addFollow = database.prepare(
    'insert into follows (filter, destination, created_at) values (?, ?, 0) on conflict do nothing',
  )
  const addFlat = database.prepare(
    `insert into subscriptions (kind, chain, asset, numeraire, creator, category, destination)
     values (@kind, nullif(@chain, 0), nullif(@asset, ''), nullif(@numeraire, ''), nullif(@creator, ''),
       nullif(@category, ''), @destination)`,
  )
  const filterOf = (row: RuleRow): number => {
    const key = JSON.stringify(row)
    const known = filters.get(key)
    if (known !== undefined) return known
    const id = filters.size + 1
    filters.set(key, id)
    addFilter.run({ ...row, id })
    return id
  }
  const destinations = Math.ceil(subscriptions / subscriptionsPerChat)
  for (let id = 1; id <= destinations; id += 1) addDestination.run(id, String(id))
  // Two rules of one chat may be equal: then the next number is used.
  for (let number = 0, stored = 0; stored < subscriptions; number += 1) {
    const destination = (number % destinations) + 1
    const row = rowOf(ruleOfNumber(number))
    if (addFollow.run(filterOf(row), destination).changes === 0) continue
    addFlat.run({ ...row, destination })
    stored += 1
  }
}
