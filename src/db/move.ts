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

const rowsAtOnce = 2000
const charactersAtOnce = 4_000_000
const jobsAtOnce = 500

/** Where jobs are on the target. */
interface MovedJobs {
  /** Adds them in the caller's transaction. */
  add(tx: Store, jobs: readonly JobsTable[]): Promise<void>
  /** What `there` gives of such a job once it is added. */
  rowOf(job: JobsTable): Cell[]
  /** What is on the target of each job, a page at a time. */
  there(tx: Store): AsyncIterable<readonly Cell[][]>
}

/** What was moved, table by table. */
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
 * Moves an installation in one transaction, and reads all of it back: what was moved, undefined where it was there
 * already. @throws StoreError where the target is in use, or has rows of its own; nothing is changed then
 */
export function moveStore({ source, target, jobs }: Move): Promise<MovedTable[] | undefined> {
  return target.transaction().execute(async (tx) => {
    await claimTarget(tx)
    const pieces: Piece[] = []
    for (const table of copiedTables) pieces.push(await tablePiece(source, tx, table))
    pieces.push(jobsPiece(source, tx, jobs))
    if (await areAllEmpty(pieces)) return copy(pieces)
    await compare(pieces)
    return undefined
  })
}

/** What can be moved and compared by itself. */
interface Piece {
  name: string
  isEmpty(): Promise<boolean>
  copy(): Promise<Checksum>
  here(): Promise<Checksum>
  there(): Promise<Checksum>
}

async function areAllEmpty(pieces: readonly Piece[]): Promise<boolean> {
  for (const piece of pieces) if (!(await piece.isEmpty())) return false
  return true
}

async function copy(pieces: readonly Piece[]): Promise<MovedTable[]> {
  const moved: MovedTable[] = []
  for (const piece of pieces) {
    const begun = performance.now()
    const here = await piece.copy()
    const there = await piece.there()
    if (!here.equals(there))
      throw new StoreError(
        `Of ${piece.name} ${here.rows} rows were read and ${there.rows} arrived, or not as they were. Nothing was changed.`,
      )
    moved.push({ table: piece.name, rows: there.rows, ms: performance.now() - begun })
  }
  return moved
}

async function compare(pieces: readonly Piece[]): Promise<void> {
  for (const piece of pieces) {
    const here = await piece.here()
    const there = await piece.there()
    if (here.equals(there)) continue
    throw new StoreError(
      `The PostgreSQL database has rows of its own (${piece.name}: ${there.rows} there, ${here.rows} in the file, not the same). Nothing was changed. If you don't need them drop the database, create it anew, and move then; else move to another one.`,
    )
  }
}

async function tablePiece(source: MoveSource, tx: Store, table: string): Promise<Piece> {
  const columns = await columnsOf(tx, table)
  const names = columns.map(({ name }) => name)
  return {
    name: table,
    isEmpty: async () => !(await hasRows(tx, table)),
    copy: () => copyTable(source, tx, table, columns),
    here: async () => {
      const tally = new Checksum()
      for (const rows of batchesOf(source.rows(table, names))) {
        for (const row of rows) tally.add(row)
        // Else the target would take the connection for a dead one.
        await stay(tx)
      }
      return tally
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
  const tally = new Checksum()
  const names = columns.map(({ name }) => name)
  for (const rows of batchesOf(source.rows(table, names))) {
    for (const row of rows) tally.add(row)
    await insertRows(tx, table, columns, rows)
  }
  await lookOver(tx, table)
  const numbered = columns.find(({ isNumbered }) => isNumbered)
  const last = source.lastNumber(table)
  if (numbered && last !== undefined) await numberFrom(tx, table, numbered.name, last)
  return tally
}

function* batchesOf(rows: Iterable<Cell[]>): Iterable<Cell[][]> {
  let batch: Cell[][] = []
  let characters = 0
  for (const row of rows) {
    batch.push(row)
    for (const cell of row) characters += cell?.length ?? 0
    if (batch.length < rowsAtOnce && characters < charactersAtOnce) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

function jobsPiece(source: MoveSource, tx: Store, jobs: MovedJobs): Piece {
  const there = async () => {
    const tally = new Checksum()
    for await (const rows of jobs.there(tx)) for (const row of rows) tally.add(row)
    return tally
  }
  return {
    name: 'jobs',
    isEmpty: async () => (await there()).rows === 0,
    copy: async () => {
      const tally = new Checksum()
      let batch: JobsTable[] = []
      for await (const job of source.jobs()) {
        tally.add(jobs.rowOf(job))
        batch.push(job)
        if (batch.length < jobsAtOnce) continue
        await jobs.add(tx, batch)
        batch = []
      }
      if (batch.length > 0) await jobs.add(tx, batch)
      return tally
    },
    here: async () => {
      const tally = new Checksum()
      for await (const job of source.jobs()) tally.add(jobs.rowOf(job))
      return tally
    },
    there,
  }
}

/** The SQLite file of an installation that moves: read as it was at one moment, never written, nobody else's meanwhile. */
export class MoveSource {
  readonly file: string
  readonly #database: Database.Database
  readonly #store: Kysely<Schema>
  readonly #letGo: () => void

  private constructor(file: string, database: Database.Database, letGo: () => void) {
    this.file = file
    this.#database = database
    this.#store = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) })
    this.#letGo = letGo
  }

  /** @throws StoreError where it is no Gavel's, another version's, or in use */
  static async open(file: string): Promise<MoveSource> {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      throw new StoreError(`There is no file ${file}: name the one that DATABASE_URL names.`)
    // Before anything is made beside it.
    await checkSchema(file)
    const letGo = hold(file)
    try {
      const database = openToRead(file)
      // Whoever else may write to the file does it after this moment.
      database.exec('begin')
      database.prepare('select count(*) from kysely_migration').get()
      return new MoveSource(file, database, letGo)
    } catch (error) {
      letGo()
      throw error
    }
  }

  /** All rows of a table, with these columns. Nothing else can be asked while it goes on. */
  *rows(table: string, columns: readonly string[]): Iterable<Cell[]> {
    const names = columns.map((column) => `"${column}"`).join()
    const statement = this.#database.prepare<[], unknown[]>(`select ${names} from "${table}"`)
    // Discord's numbers are beyond what a number holds.
    for (const row of statement.safeIntegers().raw().iterate()) yield row.map(cellOf)
  }

  jobs(): AsyncIterable<JobsTable> {
    return this.#store.selectFrom('jobs').selectAll().stream()
  }

  /** The highest number that the database gave in a table, also to a row that is gone; undefined where it gave none. */
  lastNumber(table: string): number | undefined {
    const find = 'select seq from sqlite_sequence where name = ?'
    return this.#database.prepare<[string], number>(find).pluck().get(table)
  }

  async close(): Promise<void> {
    await this.#store.destroy()
    this.#letGo()
  }
}

function hold(file: string): () => void {
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
    const known = Object.keys(await migrations.getMigrations())
    const newer = [...done].filter((name) => !known.includes(name))
    if (newer.length > 0)
      throw new StoreError(
        `${file} was used by a newer Gavel than this one (it has ${newer.join(', ')}): move it with that version.`,
      )
    if (known.some((name) => !done.has(name)))
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

/** What PostgreSQL's own lists show who moves as. */
export const mover = 'gavel move'

/** Of those with bytes, which may be many. */
const bytesAtOnce = 50

/** A column as PostgreSQL has it. */
interface Column {
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
  if ((await heldLeases(tx)).length > 0) return true
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name like 'gavel%' and application_name <> ${mover}
    limit 1`.execute(tx)
  return rows.length > 0
}

/** Says that the transaction goes on, where nothing is asked of it for a while. */
async function stay(tx: Store): Promise<void> {
  await sql`select 1`.execute(tx)
}

/** Of one table, in order. */
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

/** Adds rows, of which each value comes as text. */
async function insertRows(
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
async function lookOver(tx: Store, table: string): Promise<void> {
  await sql`analyze ${sql.table(table)}`.execute(tx)
}

/** Lets the database give only numbers above this one. */
async function numberFrom(tx: Store, table: string, column: string, last: number): Promise<void> {
  await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${last}::bigint)`.execute(tx)
}

/** What is in a table. */
async function checksumOf(tx: Store, table: string, columns: readonly Column[]): Promise<Checksum> {
  const cells = columns.map(({ name, type }) =>
    type === 'bytea' ? sql`encode(${sql.ref(name)}, 'hex')` : sql`${sql.ref(name)}::text`,
  )
  await sql`
    declare to_tally no scroll cursor for
    select json_build_array(${sql.join(cells)})::text as cells from ${sql.table(table)}`.execute(tx)
  const tally = new Checksum()
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

/** One value of a row, as text; bytes in hexadecimal. */
type Cell = string | null

const cells = z.array(z.string().nullable())

/** A row that the database wrote as JSON. */
function cellsIn(json: string): Cell[] {
  return cells.parse(JSON.parse(json))
}

/** How many rows there are and what is in them, whatever their order. */
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
