import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { StoreError } from './database.ts'
import { migrations } from './migrations.ts'
import { withoutNul } from './no-nul.ts'
import type { JobsTable, Schema } from './schema.ts'
import { holdAlone } from './sole.ts'
import type { Cell } from './tally.ts'

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
    return holdAlone(file)
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
  return String(withoutNul(value))
}
