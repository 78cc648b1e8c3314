import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { z } from 'zod'
import { StoreError } from './database.ts'
import { lockFile } from './file-lock.ts'
import { heldLeases } from './leases.ts'
import { migrations } from './migrations.ts'
import { stripNul } from './postgres.ts'
import type { JobsTable, Schema, Store } from './schema.ts'
import { lockInTransaction } from './sql.ts'

const batchRows = 2000
const batchCharacters = 4_000_000
const batchJobs = 500

/** The jobs on the target, which has its own tables for them. */
interface MovedJobs {
  /** Adds jobs in the caller's transaction. */
  add(tx: Store, jobs: readonly JobsTable[]): Promise<void>
  /** The row that `there` yields for a job once it is added. */
  rowOf(job: JobsTable): Cell[]
  /** One row for each job on the target, a page at a time. */
  there(tx: Store): AsyncIterable<readonly Cell[][]>
}

/** One table that was moved. */
export interface MovedTable {
  table: string
  rows: number
  ms: number
}

interface Move {
  source: MoveSource
  target: Store
  jobs: MovedJobs
}

/**
 * Copies an installation in one transaction, and reads all of it back to compare checksums. Returns what was moved;
 * undefined if the target held the same already. @throws StoreError if the target is in use or has rows of its own;
 * nothing is changed then
 */
export function moveStore({ source, target, jobs }: Move): Promise<MovedTable[] | undefined> {
  return target.transaction().execute(async (tx) => {
    await claimTarget(tx)
    const moves: TableMove[] = []
    for (const table of copiedTables) moves.push(await moveOfTable(source, tx, table))
    moves.push(moveOfJobs(source, tx, jobs))
    if (await isTargetEmpty(moves)) return copy(moves)
    await compare(moves)
    return undefined
  })
}

/** How one table is copied and compared. */
interface TableMove {
  name: string
  /** Whether the target's table is. */
  isEmpty(): Promise<boolean>
  /** Returns the checksum of what was read from the source. */
  copy(): Promise<Checksum>
  /** Checksum of the source. */
  here(): Promise<Checksum>
  /** Checksum of the target. */
  there(): Promise<Checksum>
}

async function isTargetEmpty(moves: readonly TableMove[]): Promise<boolean> {
  for (const move of moves) if (!(await move.isEmpty())) return false
  return true
}

async function copy(moves: readonly TableMove[]): Promise<MovedTable[]> {
  const moved: MovedTable[] = []
  for (const move of moves) {
    const startedAt = performance.now()
    const here = await move.copy()
    const there = await move.there()
    if (!here.equals(there))
      throw new StoreError(
        `Of ${move.name} ${here.rows} rows were read and ${there.rows} arrived, or not as they were. Nothing was changed.`,
      )
    moved.push({ table: move.name, rows: there.rows, ms: performance.now() - startedAt })
  }
  return moved
}

async function compare(moves: readonly TableMove[]): Promise<void> {
  for (const move of moves) {
    const here = await move.here()
    const there = await move.there()
    if (here.equals(there)) continue
    throw new StoreError(
      `The PostgreSQL database has rows of its own (${move.name}: ${there.rows} there, ${here.rows} in the file, not the same). Nothing was changed. If you don't need them drop the database, create it anew, and move then; else move to another one.`,
    )
  }
}

async function moveOfTable(source: MoveSource, tx: Store, table: string): Promise<TableMove> {
  const columns = await columnsOf(tx, table)
  const names = columns.map(({ name }) => name)
  return {
    name: table,
    isEmpty: async () => !(await hasRows(tx, table)),
    copy: () => copyTable(source, tx, table, columns),
    here: async () => {
      const checksum = new Checksum()
      for (const rows of batchesOf(source.rows(table, names))) {
        for (const row of rows) checksum.add(row)
        // Otherwise the target would close the idle transaction.
        await keepAlive(tx)
      }
      return checksum
    },
    there: () => checksumOf(tx, table, columns),
  }
}

async function copyTable(
  source: MoveSource,
  tx: Store,
  table: string,
  columns: readonly Column[],
): Promise<Checksum> {
  const checksum = new Checksum()
  const names = columns.map(({ name }) => name)
  for (const rows of batchesOf(source.rows(table, names))) {
    for (const row of rows) checksum.add(row)
    await insertRows(tx, table, columns, rows)
  }
  await analyze(tx, table)
  const numbered = columns.find(({ isNumbered }) => isNumbered)
  const last = source.lastNumber(table)
  if (numbered && last !== undefined) await numberFrom(tx, table, numbered.name, last)
  return checksum
}

function* batchesOf(rows: Iterable<Cell[]>): Iterable<Cell[][]> {
  let batch: Cell[][] = []
  let characters = 0
  for (const row of rows) {
    batch.push(row)
    for (const cell of row) characters += cell?.length ?? 0
    if (batch.length < batchRows && characters < batchCharacters) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

function moveOfJobs(source: MoveSource, tx: Store, jobs: MovedJobs): TableMove {
  const there = async () => {
    const checksum = new Checksum()
    for await (const rows of jobs.there(tx)) for (const row of rows) checksum.add(row)
    return checksum
  }
  return {
    name: 'jobs',
    isEmpty: async () => (await there()).rows === 0,
    copy: async () => {
      const checksum = new Checksum()
      let batch: JobsTable[] = []
      for await (const job of source.jobs()) {
        checksum.add(jobs.rowOf(job))
        batch.push(job)
        if (batch.length < batchJobs) continue
        await jobs.add(tx, batch)
        batch = []
      }
      if (batch.length > 0) await jobs.add(tx, batch)
      return checksum
    },
    here: async () => {
      const checksum = new Checksum()
      for await (const job of source.jobs()) checksum.add(jobs.rowOf(job))
      return checksum
    },
    there,
  }
}

/** The SQLite file that is moved: a snapshot at one moment, never written, and locked against other processes. */
export class MoveSource {
  readonly file: string
  readonly #database: Database.Database
  readonly #store: Kysely<Schema>
  readonly #unlock: () => void

  private constructor(file: string, database: Database.Database, unlock: () => void) {
    this.file = file
    this.#database = database
    this.#store = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) })
    this.#unlock = unlock
  }

  /** @throws StoreError if the file is not Gavel's, is of another version, or is in use */
  static async open(file: string): Promise<MoveSource> {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      throw new StoreError(`There is no file ${file}: name the one that DATABASE_URL names.`)
    // Before the lock file is created beside it.
    await checkSchema(file)
    const unlock = lockSource(file)
    try {
      const database = openToRead(file)
      // The snapshot: later writes to the file are not seen.
      database.exec('begin')
      database.prepare('select count(*) from kysely_migration').get()
      return new MoveSource(file, database, unlock)
    } catch (error) {
      unlock()
      throw error
    }
  }

  /** Iterates all rows of a table. No other statement may run until it ends. */
  *rows(table: string, columns: readonly string[]): Iterable<Cell[]> {
    const names = columns.map((column) => `"${column}"`).join()
    const statement = this.#database.prepare<[], unknown[]>(`select ${names} from "${table}"`)
    // Discord's ids exceed the safe integers of a number.
    for (const row of statement.safeIntegers().raw().iterate()) yield row.map(cellOf)
  }

  jobs(): AsyncIterable<JobsTable> {
    return this.#store.selectFrom('jobs').selectAll().stream()
  }

  /** The highest id that was generated in a table, including deleted rows; undefined if there is none. */
  lastNumber(table: string): number | undefined {
    const find = 'select seq from sqlite_sequence where name = ?'
    return this.#database.prepare<[string], number>(find).pluck().get(table)
  }

  async close(): Promise<void> {
    await this.#store.destroy()
    this.#unlock()
  }
}

function lockSource(file: string): () => void {
  try {
    return lockFile(file)
  } catch (cause) {
    if (cause instanceof StoreError)
      throw new StoreError(`A Gavel uses ${file}, or another move does. Stop it, and move then.`, {
        cause,
      })
    throw unreadable(file, cause)
  }
}

function openToRead(file: string): Database.Database {
  try {
    return new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 })
  } catch (cause) {
    throw unreadable(file, cause)
  }
}

async function checkSchema(file: string): Promise<void> {
  const database = openToRead(file)
  try {
    const done = new Set(migrationsIn(database, file))
    const ours = Object.keys(await migrations.getMigrations())
    const newer = [...done].filter((name) => !ours.includes(name))
    if (newer.length > 0)
      throw new StoreError(
        `${file} was used by a newer Gavel than this one (it has ${newer.join(', ')}): move it with that version.`,
      )
    if (ours.some((name) => !done.has(name)))
      throw new StoreError(
        `${file} was last used by an older Gavel: start this one on it once (npm start), stop it, and move then.`,
      )
  } finally {
    database.close()
  }
}

function migrationsIn(database: Database.Database, file: string): string[] {
  try {
    const isThere = database
      .prepare("select 1 from sqlite_master where name = 'kysely_migration'")
      .get()
    if (isThere === undefined) throw new StoreError(`${file} is no database of Gavel's.`)
    return database.prepare<[], string>('select name from kysely_migration').pluck().all()
  } catch (cause) {
    if (!(cause instanceof Database.SqliteError)) throw cause
    if (cause.code === 'SQLITE_NOTADB')
      throw new StoreError(`${file} is no database of Gavel's.`, { cause })
    throw unreadable(file, cause)
  }
}

function unreadable(file: string, cause: unknown): StoreError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new StoreError(`The database ${file} can't be read, or its folder not written: ${why}`, {
    cause,
  })
}

function cellOf(value: unknown): Cell {
  if (value === null) return null
  if (Buffer.isBuffer(value)) return value.toString('hex')
  return String(stripNul(value))
}

/** The `application_name` of a move in PostgreSQL. */
export const mover = 'gavel move'

/** Rows in a page of a table with binary columns, which may be large. */
const binaryPageRows = 50

/** A column in PostgreSQL. */
interface Column {
  name: string
  type: string
  /** An identity column, whose values the database generates. */
  isNumbered: boolean
}

/**
 * Locks the target's tables against writes until the transaction ends.
 * @throws StoreError if a Gavel uses it
 */
export async function claimTarget(tx: Store): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  // Longer than reading a batch of the file takes; it ends the locks if this machine dies.
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
  if ((await heldLeases(tx)).length > 0) return true
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name like 'gavel%' and application_name <> ${mover}
    limit 1`.execute(tx)
  return rows.length > 0
}

/** Keeps an otherwise idle transaction from timing out. */
async function keepAlive(tx: Store): Promise<void> {
  await sql`select 1`.execute(tx)
}

/** The columns of a table, in order. */
async function columnsOf(tx: Store, table: string): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select column_name as name, data_type as type, is_identity = 'YES' as "isNumbered"
    from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} order by ordinal_position`.execute(
    tx,
  )
  return rows
}

async function hasRows(tx: Store, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(tx)
  return rows.length > 0
}

/** Inserts rows, whose values are texts. */
async function insertRows(
  tx: Store,
  table: string,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): Promise<void> {
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  // One array parameter for each column: PostgreSQL takes at most 65,535 parameters.
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

/** Updates the planner's statistics: PostgreSQL would plan for an empty table until its next automatic ANALYZE. */
async function analyze(tx: Store, table: string): Promise<void> {
  await sql`analyze ${sql.table(table)}`.execute(tx)
}

/** Makes the database generate only ids above `last`. */
async function numberFrom(tx: Store, table: string, column: string, last: number): Promise<void> {
  await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${last}::bigint)`.execute(tx)
}

/** The checksum of a table on the target. */
async function checksumOf(tx: Store, table: string, columns: readonly Column[]): Promise<Checksum> {
  const cells = columns.map(({ name, type }) =>
    type === 'bytea' ? sql`encode(${sql.ref(name)}, 'hex')` : sql`${sql.ref(name)}::text`,
  )
  await sql`
    declare to_tally no scroll cursor for
    select json_build_array(${sql.join(cells)})::text as cells from ${sql.table(table)}`.execute(tx)
  const checksum = new Checksum()
  const pageRows = columns.some(({ type }) => type === 'bytea') ? binaryPageRows : batchRows
  for (;;) {
    const page = sql<{ cells: string }>`fetch ${sql.lit(pageRows)} from to_tally`
    const { rows } = await page.execute(tx)
    for (const { cells: row } of rows) checksum.add(parseCells(row))
    if (rows.length < pageRows) break
  }
  await sql`close to_tally`.execute(tx)
  return checksum
}

type Fate = 'copied' | 'job by job' | 'left behind'

/** The treatment of each table by a move, in the order in which they are moved. */
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
  // Leases: nobody holds any during a move.
  roles: 'left behind',
  lanes: 'left behind',
  // Counts of the last few seconds.
  flood_limits: 'left behind',
}

export const allTables: readonly string[] = Object.keys(fates)

export const copiedTables: readonly string[] = Object.entries(fates)
  .filter(([, fate]) => fate === 'copied')
  .map(([table]) => table)

/** One value of a row, as text; bytes in hexadecimal. */
type Cell = string | null

const cells = z.array(z.string().nullable())

/** Parses a row that the database wrote as JSON. */
function parseCells(json: string): Cell[] {
  return cells.parse(JSON.parse(json))
}

/** The number of rows, and a sum of their hashes, which does not depend on their order. */
class Checksum {
  #rows = 0
  #sum = 0n

  get rows(): number {
    return this.#rows
  }

  add(row: readonly Cell[]): void {
    const hash = createHash('sha1').update(JSON.stringify(row)).digest()
    this.#rows += 1
    this.#sum = BigInt.asUintN(64, this.#sum + hash.readBigUInt64BE())
  }

  equals(other: Checksum): boolean {
    return this.#rows === other.#rows && this.#sum === other.#sum
  }
}
