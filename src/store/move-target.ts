import { sql } from 'kysely'
import { type Store, StoreError } from './database.ts'
import { lockInTransaction } from './lock.ts'
import { allTables } from './move-tables.ts'
import { heldRoles } from './roles.ts'
import { type Cell, cellsIn, Tally } from './tally.ts'

/** What PostgreSQL's own lists show who moves as. */
export const mover = 'gavel move'
const rowsAtOnce = 2000
/** Of those with bytes, which may be many. */
const bytesAtOnce = 50

/** A column as PostgreSQL has it. */
export interface Column {
  name: string
  type: string
  /** The database gives its numbers. */
  isNumbered: boolean
}

/**
 * Keeps everybody else from writing to the target until the transaction ends.
 * @throws StoreError where a Gavel uses it
 */
export async function claimTarget(tx: Store): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  // Reading the file takes its time, and nobody waits. Where this machine dies the locks end with it all the same.
  await sql`set local idle_in_transaction_session_timeout = '5min'`.execute(tx)
  await sql`set local lock_timeout = '10s'`.execute(tx)
  try {
    await lockInTransaction(tx, mover)
    await sql`lock table ${namesOf(allTables)} in share row exclusive mode`.execute(tx)
  } catch (cause) {
    if (!isLockTimeout(cause)) throw cause
    throw new StoreError(
      'Somebody else writes to the PostgreSQL database: another move, or a Gavel. Stop it first.',
      {
        cause,
      },
    )
  }
  if (await isInUse(tx))
    throw new StoreError(
      'A Gavel runs on the PostgreSQL database, or was killed less than 15 seconds ago. Stop it, and move then.',
    )
}

function namesOf(tables: readonly string[]) {
  return sql.join(tables.map((table) => sql.table(table)))
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}

async function isInUse(tx: Store): Promise<boolean> {
  if ((await heldRoles(tx)).length > 0) return true
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name like 'gavel%' and application_name <> ${mover}
    limit 1`.execute(tx)
  return rows.length > 0
}

/** Says that the transaction goes on, where nothing is asked of it for a while. */
export async function stay(tx: Store): Promise<void> {
  await sql`select 1`.execute(tx)
}

/** Of one table, in order. */
export async function columnsOf(tx: Store, table: string): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select column_name as name, data_type as type, is_identity = 'YES' as "isNumbered"
    from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} order by ordinal_position`.execute(
    tx,
  )
  return rows
}

export async function hasRows(tx: Store, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(tx)
  return rows.length > 0
}

/** Adds rows, of which each value comes as text. */
export async function insertRows(
  tx: Store,
  table: string,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): Promise<void> {
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  // One parameter a column: PostgreSQL takes no more than 65,535.
  const values = columns.map(({ type }, index) => {
    const column = rows.map((row) => row[index] ?? null)
    return type === 'bytea'
      ? sql`${column.map((hex) => (hex === null ? null : `\\x${hex}`))}::bytea[]`
      : sql`${column}::${sql.raw(type)}[]`
  })
  await sql`
    insert into ${sql.table(table)} (${names}) select * from unnest(${sql.join(values)})`.execute(
    tx,
  )
}

/** Without it PostgreSQL would plan for a table without rows, until it looks by itself. */
export async function lookOver(tx: Store, table: string): Promise<void> {
  await sql`analyze ${sql.table(table)}`.execute(tx)
}

/** Lets the database give only numbers above this one. */
export async function numberFrom(
  tx: Store,
  table: string,
  column: string,
  last: number,
): Promise<void> {
  await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${last}::bigint)`.execute(tx)
}

/** What is in a table. */
export async function tallyOf(
  tx: Store,
  table: string,
  columns: readonly Column[],
): Promise<Tally> {
  const cells = columns.map(({ name, type }) =>
    type === 'bytea' ? sql`encode(${sql.ref(name)}, 'hex')` : sql`${sql.ref(name)}::text`,
  )
  await sql`
    declare to_tally no scroll cursor for
    select json_build_array(${sql.join(cells)})::text as cells from ${sql.table(table)}`.execute(tx)
  const tally = new Tally()
  const atOnce = columns.some(({ type }) => type === 'bytea') ? bytesAtOnce : rowsAtOnce
  for (;;) {
    const page = sql<{ cells: string }>`fetch ${sql.lit(atOnce)} from to_tally`
    const { rows } = await page.execute(tx)
    for (const { cells: row } of rows) tally.add(cellsIn(row))
    if (rows.length < atOnce) break
  }
  await sql`close to_tally`.execute(tx)
  return tally
}
