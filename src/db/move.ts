import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { type RawBuilder, sql } from 'kysely'
import { messageOf, StoreError } from '../errors.ts'
import { notOurs, sealFor, sealOf } from './migrate.ts'
import { migrations } from './migrations.ts'
import { stripNul } from './postgres.ts'
import type { JobsTable, Schema, Store } from './schema.ts'
import { lockInTransaction } from './sql.ts'
import { lockFile } from './sqlite.ts'

/** The `application_name` of a move in PostgreSQL. */
export const mover = 'gavel move'

const batchRows = 2000
const batchCharacters = 4_000_000

/** Tables whose rows are copied as they are, in this order. */
export const copiedTables = [
  'callback_lines',
  'drafts',
  'payloads',
  'pictures',
  'rules',
  'chats',
  'subscriptions',
  'watched_chains',
  'watched_assets',
  'events',
  'deliveries',
  'live_messages',
  'bots',
  'chat_settings',
  'watchlist',
  'managed_chats',
  'admin_log',
  'blocked_people',
] as const satisfies readonly (keyof Schema)[]

/**
 * With those that stay behind: jobs, which are added to the other queue, and questions, which are asked again.
 */
export const allTables: readonly string[] = [...copiedTables, 'jobs', 'pending_questions']

/** The values of a row as texts; bytes in hexadecimal. */
type Row = readonly (string | null)[]

/** The number of rows, and a sum of their hashes, which does not depend on their order. */
interface Checksum {
  rows: number
  sum: bigint
}

/** A table on both sides. */
interface Table {
  name: string
  /** Columns to read from the file. */
  columns: readonly string[]
  /** The table on PostgreSQL. */
  target: RawBuilder<unknown>
  /** Expressions on PostgreSQL that are compared, and their values for a row of the file. */
  compared: readonly RawBuilder<unknown>[]
  comparedOf: (row: Row) => Row
  insert: (rows: readonly Row[]) => Promise<void>
}

/** The job queue on PostgreSQL. */
interface MovedJobs {
  /** Adds jobs of one kind in the caller's transaction. */
  takeOver(tx: Store, kind: string, jobs: readonly JobsTable[]): Promise<void>
  /** The columns of a job there: id, name, state, body and failures. */
  movedAs(job: JobsTable): string[]
  stop(): Promise<void>
}

/** One table that was moved. */
export interface MovedTable {
  table: string
  rows: number
  ms: number
}

/**
 * Copies an installation in one transaction, and compares the checksum of each table. Returns what was moved; undefined
 * if the target held the same already.
 * @throws StoreError if the target is in use or has rows of its own; nothing is changed then
 */
export function moveStore(
  source: MoveSource,
  target: Store,
  openJobs: () => Promise<MovedJobs>,
): Promise<MovedTable[] | undefined> {
  return target.transaction().execute(async (tx) => {
    await claimTarget(tx)
    const jobs = await openJobs()
    try {
      const tables: Table[] = []
      for (const name of copiedTables) tables.push(await tableOf(tx, name))
      tables.push(jobsTable(tx, jobs))
      const isCopying = await areEmpty(tx, tables)
      const moved: MovedTable[] = []
      for (const table of tables) moved.push(await move(source, tx, table, isCopying))
      if (!isCopying) return undefined
      for (const name of copiedTables) await continueNumbers(source, tx, name)
      return moved
    } finally {
      await jobs.stop()
    }
  })
}

/** Copies a table, or only compares it. */
async function move(
  source: MoveSource,
  tx: Store,
  table: Table,
  isCopying: boolean,
): Promise<MovedTable> {
  const startedAt = performance.now()
  const here: Checksum = { rows: 0, sum: 0n }
  for (const rows of batchesOf(source.rows(table.name, table.columns))) {
    here.rows += rows.length
    for (const row of rows) here.sum += hashOf(table.comparedOf(row))
    // Otherwise the connection would be closed as idle.
    await (isCopying ? table.insert(rows) : sql`select 1`.execute(tx))
  }
  const there = await checksumOf(tx, table)
  if (here.rows !== there.rows || here.sum !== there.sum)
    throw new StoreError(
      isCopying
        ? `Of ${table.name} ${here.rows} rows were read, but ${there.rows} arrived, or some arrived changed. Nothing was changed.`
        : `The PostgreSQL database has rows of its own (${table.name}: ${there.rows} there, ${here.rows} in the file, not the same). Nothing was changed. If you don't need them, drop the database, create it again and then move; otherwise move to another one.`,
    )
  return { table: table.name, rows: here.rows, ms: performance.now() - startedAt }
}

function* batchesOf(rows: Iterable<Row>): Iterable<Row[]> {
  let batch: Row[] = []
  let characters = 0
  for (const row of rows) {
    batch.push(row)
    for (const value of row) characters += value?.length ?? 0
    if (batch.length < batchRows && characters < batchCharacters) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

const separator = '\u001f'
const absent = '\u001e'

function hashOf(row: Row): bigint {
  const text = row.map((value) => value ?? absent).join(separator)
  return BigInt(`0x${createHash('md5').update(text).digest('hex').slice(0, 15)}`)
}

/** Sums the hashes on the database, as `hashOf` makes them. */
async function checksumOf(tx: Store, { target, compared }: Table): Promise<Checksum> {
  const values = compared.map((value) => sql`coalesce(${value}, ${sql.lit(absent)})`)
  const text = sql`concat_ws(${sql.lit(separator)}, ${sql.join(values)})`
  const hash = sql`('x' || left(md5(convert_to(${text}, 'UTF8')), 15))::bit(60)::bigint`
  const { rows } = await sql<{ rows: number; sum: string }>`
    select count(*) as rows, coalesce(sum(${hash}), 0)::text as sum from ${target}`.execute(tx)
  const [{ rows: count, sum } = { rows: 0, sum: '0' }] = rows
  return { rows: count, sum: BigInt(sum) }
}

async function areEmpty(tx: Store, tables: readonly Table[]): Promise<boolean> {
  for (const { target } of tables) {
    const { rows } = await sql`select 1 from ${target} limit 1`.execute(tx)
    if (rows.length > 0) return false
  }
  return true
}

async function tableOf(tx: Store, name: string): Promise<Table> {
  const { rows: columns } = await sql<{ name: string; type: string }>`
    select column_name as name, data_type as type from information_schema.columns
    where table_schema = current_schema() and table_name = ${name} order by ordinal_position`.execute(
    tx,
  )
  const target = sql.table(name)
  const names = sql.join(columns.map((column) => sql.ref(column.name)))
  return {
    name,
    columns: columns.map((column) => column.name),
    target,
    compared: columns.map((column) =>
      column.type === 'bytea'
        ? sql`encode(${sql.ref(column.name)}, 'hex')`
        : sql`${sql.ref(column.name)}::text`,
    ),
    comparedOf: (row) => row,
    insert: async (rows) => {
      // One array parameter for each column: PostgreSQL takes at most 65,535 parameters.
      const values = columns.map(({ type }, index) => {
        const texts = rows.map((row) => row[index] ?? null)
        return type === 'bytea'
          ? sql`${texts.map((hex) => (hex === null ? null : `\\x${hex}`))}::bytea[]`
          : sql`${texts}::${sql.raw(type)}[]`
      })
      await sql`insert into ${target} (${names}) select * from unnest(${sql.join(values)})`.execute(
        tx,
      )
    },
  }
}

/** Jobs become pg-boss's own. */
function jobsTable(tx: Store, target: MovedJobs): Table {
  return {
    name: 'jobs',
    columns: [
      'key',
      'kind',
      'state',
      'body',
      'attempts',
      'run_at_s',
      'updated_at_s',
      'reason',
      'failing_since_s',
    ],
    target: sql`pgboss.job`,
    compared: ['id::text', 'name', 'state::text', "data->>'body'", "data->>'failures'"].map(
      (value) => sql.raw(value),
    ),
    comparedOf: (row) => target.movedAs(jobOf(row)),
    insert: async (rows) => {
      for (const [kind, jobs] of Map.groupBy(rows.map(jobOf), (job) => job.kind))
        await target.takeOver(tx, kind, jobs)
    },
  }
}

function jobOf(row: Row): JobsTable {
  const [key = '', kind = '', state, body = '', attempts, run_at_s, updated_at_s, ...more] = row
  const [reason = null, failing = null] = more
  return {
    key: key ?? '',
    kind: kind ?? '',
    state: state === 'done' || state === 'given-up' ? state : 'waiting',
    body: body ?? '',
    attempts: Number(attempts),
    run_at_s: Number(run_at_s),
    updated_at_s: Number(updated_at_s),
    reason,
    failing_since_s: failing === null ? null : Number(failing),
  }
}

/** Goes on with generated ids where the file ended, and tells the planner how many rows there are. */
async function continueNumbers(source: MoveSource, tx: Store, table: string): Promise<void> {
  const last = source.lastNumber(table)
  if (last !== undefined)
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last}::bigint)`.execute(tx)
  await sql`analyze ${sql.table(table)}`.execute(tx)
}

/**
 * Locks the target's tables against writes until the transaction ends.
 * @throws StoreError if a Gavel uses it
 */
export async function claimTarget(tx: Store): Promise<void> {
  // Longer than reading a batch of the file takes; it ends the locks if this machine dies.
  await sql`set local idle_in_transaction_session_timeout = '5min'`.execute(tx)
  await sql`set local lock_timeout = '10s'`.execute(tx)
  try {
    await lockInTransaction(tx, mover)
    const tables = sql.join(allTables.map((table) => sql.table(table)))
    await sql`lock table ${tables} in share row exclusive mode`.execute(tx)
  } catch (cause) {
    const isTimeout = cause instanceof Error && 'code' in cause && cause.code === '55P03'
    if (!isTimeout) throw cause
    throw new StoreError(
      'Something else writes to the PostgreSQL database: another move, or a Gavel. Stop it first.',
      { cause },
    )
  }
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name like 'gavel%' and application_name <> ${mover}
    limit 1`.execute(tx)
  if (rows.length > 0)
    throw new StoreError('A Gavel runs on the PostgreSQL database. Stop it, then move.')
}

/** The SQLite file that is moved: a snapshot at one moment, locked against other processes, and not written before it is sealed. */
export class MoveSource {
  readonly #file: string
  readonly #database: Database.Database
  readonly #unlock: () => void

  private constructor(file: string, database: Database.Database, unlock: () => void) {
    this.#file = file
    this.#database = database
    this.#unlock = unlock
  }

  /** @throws StoreError if the file is not Gavel's, is of another version, is sealed (SealedError), or is in use */
  static open(file: string): MoveSource {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw noFile(file)
    try {
      // Before the lock file is created beside it.
      checkVersion(file)
      const unlock = lock(file)
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
    } catch (cause) {
      throw cause instanceof StoreError ? cause : unreadable(file, cause)
    }
  }

  /** Iterates all rows of a table. No other statement may run until it ends. */
  *rows(table: string, columns: readonly string[]): Iterable<Row> {
    const names = columns.map((column) => `"${column}"`).join()
    const statement = this.#database.prepare<[], unknown[]>(`select ${names} from "${table}"`)
    // Discord's ids exceed the safe integers of a number.
    for (const row of statement.safeIntegers().raw().iterate()) yield row.map(textOf)
  }

  /** The highest id that was generated in a table, including deleted rows; undefined if there is none. */
  lastNumber(table: string): number | undefined {
    const find = 'select seq from sqlite_sequence where name = ?'
    return this.#database.prepare<[string], number>(find).pluck().get(table)
  }

  /**
   * Seals the file once its data are elsewhere for good: no Gavel starts on it any more. Nothing can be read afterwards.
   * @param target the database that has them, named without a password
   */
  seal(target: string): void {
    this.#database.close()
    const database = new Database(this.#file, { fileMustExist: true, timeout: 5000 })
    try {
      const add = 'insert into kysely_migration (name, timestamp) values (?, ?)'
      database.prepare(add).run(sealFor(target), new Date().toISOString())
    } finally {
      database.close()
    }
  }

  close(): void {
    this.#database.close()
    this.#unlock()
  }
}

function lock(file: string): () => void {
  try {
    return lockFile(file)
  } catch (cause) {
    if (!(cause instanceof StoreError)) throw cause
    const message = `A Gavel uses ${file}, or another move does. Stop it, then move.`
    throw new StoreError(message, { cause })
  }
}

function openToRead(file: string): Database.Database {
  return new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 })
}

/** The migrations that a file has had. @throws StoreError if it is not Gavel's */
function migrationsOf(file: string): string[] {
  const database = openToRead(file)
  try {
    const table = "select 1 from sqlite_master where name = 'kysely_migration'"
    if (database.prepare(table).get() === undefined) throw notGavels(file)
    return database.prepare<[], string>('select name from kysely_migration').pluck().all()
  } finally {
    database.close()
  }
}

function checkVersion(file: string): void {
  const names = migrationsOf(file)
  const seal = sealOf(names)
  if (seal !== undefined) throw new SealedError(file, seal)
  const newer = notOurs(names)
  if (newer.length > 0)
    throw new StoreError(
      `${file} was used by a newer Gavel than this one (it has ${newer.join(', ')}): move it with that version.`,
    )
  if (Object.keys(migrations).some((name) => !names.includes(name)))
    throw new StoreError(
      `${file} was last used by an older Gavel: start this one on it once (npm start), stop it, then move.`,
    )
}

/** A file whose data were moved already. */
export class SealedError extends StoreError {
  /** As the seal says it. */
  readonly seal: string

  constructor(file: string, seal: string) {
    super(`${file} was ${seal}, and has been sealed since`)
    this.seal = seal
  }

  /** Whether it was moved to this database, named without a password. */
  isFor(target: string): boolean {
    return this.seal === sealFor(target)
  }
}

/**
 * Unseals a file. Returns its seal; undefined if it had none.
 * @throws StoreError if the file is not Gavel's, or is in use
 */
export function unseal(file: string): string | undefined {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw noFile(file)
  try {
    const seal = sealOf(migrationsOf(file))
    if (seal === undefined) return undefined
    const unlock = lock(file)
    try {
      const database = new Database(file, { fileMustExist: true, timeout: 5000 })
      database.prepare('delete from kysely_migration where name = ?').run(seal)
      database.close()
      return seal
    } finally {
      unlock()
    }
  } catch (cause) {
    throw cause instanceof StoreError ? cause : unreadable(file, cause)
  }
}

function noFile(file: string): StoreError {
  return new StoreError(`There is no file ${file}: name the one that DATABASE_URL names.`)
}

function notGavels(file: string, cause?: unknown): StoreError {
  return new StoreError(`${file} is not a database of Gavel's.`, { cause })
}

function unreadable(file: string, cause: unknown): StoreError {
  if (cause instanceof Database.SqliteError && cause.code === 'SQLITE_NOTADB')
    return notGavels(file, cause)
  const why = messageOf(cause)
  return new StoreError(
    `The database ${file} can't be read, or its folder can't be written to: ${why}`,
    {
      cause,
    },
  )
}

function textOf(value: unknown): string | null {
  if (value === null) return null
  if (Buffer.isBuffer(value)) return value.toString('hex')
  return String(stripNul(value))
}
