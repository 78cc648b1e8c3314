import { constants, existsSync } from 'node:fs'
import { access, copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { Client } from 'pg'
import { z } from 'zod'
import { cantOpen, checkHeadroom, isPostgres } from './database.ts'
import { freeBytes, sizeText } from './disk.ts'
import { whyNot } from './migrate.ts'
import { migrations } from './migrations.ts'

/** Facts about a database that are read without changing it. */
export interface DatabaseFacts {
  /** Such as `PostgreSQL 18.4`. */
  engine: string
  /** Whether a start would make its tables. */
  isNew: boolean
  /** Bytes that it takes. */
  size: number
  /** Bytes that its disk has left; undefined on another machine. */
  free: number | undefined
  /** Whether a bot runs on it. */
  isInUse: boolean
  /** Number of migrations that a start would apply. */
  pending: number
  /** Ids of the bots that it belongs to, by platform. */
  owners: ReadonlyMap<string, string>
}

const known = Object.keys(migrations)
/** The state of a database that has no tables yet. */
const empty = { pending: known.length, owners: new Map<string, string>() }

type Ask = (query: string) => Promise<unknown>

/** Bytes of a disk that a bot can still work with for a while. */
const minFree = 100e6

/**
 * Examines a database as a start would open it, beside a running bot too; makes and changes nothing.
 * @param room how many bytes are free in a folder
 * @throws StoreError as a start does
 */
export async function probeDatabase(database: string, room = freeBytes): Promise<DatabaseFacts> {
  try {
    return isPostgres(database) ? await probePostgres(database) : await probeFile(database, room)
  } catch (cause) {
    throw cantOpen(database, cause)
  }
}

async function probeFile(file: string, room: typeof freeBytes): Promise<DatabaseFacts> {
  const folder = existingFolder(dirname(file))
  // SQLite makes files beside this one.
  await access(folder, constants.W_OK | constants.X_OK)
  const free = await room(folder)
  if (free < minFree) throw new Error(`its disk has ${sizeText(free)} left`)
  const engine = 'SQLite'
  if (!existsSync(file)) {
    return { engine, isNew: true, size: 0, free, isInUse: false, ...empty }
  }
  await access(file, constants.R_OK | constants.W_OK)
  const { isLocked } = await import('./sqlite.ts')
  const tables = "select name from sqlite_master where type = 'table'"
  const stored = await readStored((query) => readOnly(file, query), tables)
  const { size } = await stat(file)
  return { engine, size, free, isInUse: isLocked(file), ...stored }
}

/** The nearest folder above that exists: a start makes those below it. */
export function existingFolder(folder: string): string {
  return existsSync(folder) ? folder : existingFolder(dirname(folder))
}

const postgresSchema = z.tuple([
  z.object({
    version: z.string(),
    size: z.coerce.number(),
    may_create: z.boolean(),
    processes: z.number(),
  }),
])

async function probePostgres(url: string): Promise<DatabaseFacts> {
  const { openUnchanged } = await import('./postgres.ts')
  const store = await openUnchanged(url)
  try {
    const ask: Ask = async (query) => (await sql.raw(query).execute(store)).rows
    const [about] = postgresSchema.parse(
      await ask(`
        select current_setting('server_version') as version,
          pg_database_size(current_database()) as size,
          has_database_privilege(current_database(), 'create')
            and coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
          (select count(*)::int from pg_stat_activity
            where datname = current_database() and application_name = 'gavel leadership') as processes`),
    )
    const tables = 'select tablename as name from pg_tables where schemaname = current_schema()'
    const stored = await readStored(ask, tables)
    const isInUse = about.processes > 0
    if (stored.pending > 0 && !about.may_create) throw new Error('permission denied for schema')
    if (!isInUse) await checkHeadroom(store, url)
    return {
      engine: `PostgreSQL ${about.version.split(' ', 1).join('')}`,
      size: about.size,
      free: undefined,
      isInUse,
      ...stored,
    }
  } finally {
    await store.destroy()
  }
}

const namesSchema = z.array(z.object({ name: z.string() }))
const ownersSchema = z.array(z.object({ platform: z.string(), id: z.string() }))

/** Reads how far the database was migrated, and whose it is. */
async function readStored(
  ask: Ask,
  listTables: string,
): Promise<Pick<DatabaseFacts, 'isNew' | 'pending' | 'owners'>> {
  const tables = new Set(namesOf(await ask(listTables)))
  if (!tables.has('kysely_migration')) return { isNew: true, ...empty }
  const applied = namesOf(await ask('select name from kysely_migration'))
  const why = whyNot(applied)
  if (why !== undefined) throw new Error(why)
  const bots = tables.has('bots') ? await ask('select platform, id from bots') : []
  return {
    isNew: false,
    pending: known.filter((name) => !applied.includes(name)).length,
    owners: new Map(ownersSchema.parse(bots).map(({ platform, id }) => [platform, id])),
  }
}

function namesOf(rows: unknown): string[] {
  return namesSchema.parse(rows).map(({ name }) => name)
}

/** Milliseconds for connecting, and again for the query. */
const timeoutMs = 3000

/**
 * Runs one query while a bot may be running: nothing is created, migrated or locked. Returns the rows, unparsed.
 * @throws the database's error, also if there is no such database
 */
export async function readOnly(database: string, query: string): Promise<unknown> {
  return isPostgres(database) ? readPostgres(database, query) : readSqlite(database, query)
}

async function readSqlite(file: string, query: string): Promise<unknown> {
  // If no bot is running, SQLite would create files beside this one that the bot may not be allowed to open.
  if (existsSync(`${file}-wal`)) return rowsOf(file, query)
  const folder = await mkdtemp(join(tmpdir(), 'gavel-read-'))
  try {
    const copy = join(folder, 'copy.db')
    await copyFile(file, copy)
    return rowsOf(copy, query)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function rowsOf(file: string, query: string): unknown {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: timeoutMs })
  try {
    return database.prepare(query).all()
  } finally {
    database.close()
  }
}

async function readPostgres(url: string, query: string): Promise<unknown> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    options: '-c default_transaction_read_only=on',
  })
  try {
    await client.connect()
    return (await client.query(query)).rows
  } finally {
    await client.end()
  }
}
