import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { z } from 'zod'
import { migrations } from '../../src/db/migrations.ts'

const valueSchema = z.union([z.string(), z.number(), z.null(), z.object({ hex: z.hex() })])

/** The database that a release left behind: `record.ts` writes one file a release. */
const releaseSchema = z.object({
  version: z.string(),
  /** Unix seconds. */
  recordedAt: z.int(),
  migrations: z.array(z.string()),
  tables: z.record(z.string(), z.array(z.record(z.string(), valueSchema))),
})

export type Release = z.output<typeof releaseSchema>
type Value = z.output<typeof valueSchema>

/** The last release that was recorded. */
export async function lastRelease(): Promise<Release> {
  const names = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.json'))
  const byNumber = new Intl.Collator('en', { numeric: true })
  const newest = names.sort(byNumber.compare).at(-1)
  if (newest === undefined) throw new Error('no release was recorded')
  return releaseSchema.parse(JSON.parse(await readFile(join(import.meta.dirname, newest), 'utf8')))
}

/** Makes a new SQLite file what the release left behind, as if it had been stopped at `now` (unix seconds). */
export async function restore(file: string, release: Release, now: number): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: new Database(file) }) })
  try {
    const provider = { getMigrations: async () => migrations }
    const last = z.string().parse(release.migrations.at(-1))
    const { error } = await new Migrator({ db, provider }).migrateTo(last)
    if (error !== undefined) throw error
    const passed = now - release.recordedAt
    for (const [table, rows] of Object.entries(release.tables)) {
      for (const row of rows) {
        const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)))
        const values = sql.join(
          Object.entries(row).map((entry) => restored(entry, release.recordedAt, passed)),
        )
        await sql`insert into ${sql.table(table)} (${columns}) values (${values})`.execute(db)
      }
    }
  } finally {
    await db.destroy()
  }
}

/** A stored value, whose times are as long ago as they were when it was recorded. The name of a column tells its times. */
function restored([column, value]: [string, Value], recordedAt: number, passed: number): unknown {
  if (typeof value === 'object') return value === null ? null : Buffer.from(value.hex, 'hex')
  if (typeof value === 'string') {
    return column === 'body' ? restoredBody(value, recordedAt, passed) : value
  }
  if (value === 0) return value
  if (column.endsWith('_s')) return value + passed
  return column.endsWith('_ms') ? value + passed * 1000 : value
}

const daySeconds = 86_400

/** A stored document: each of its numbers within a day of the recording is a time in seconds. */
function restoredBody(body: string, recordedAt: number, passed: number): string {
  return body.replace(/(?<=":)\d{10}(?=[,}])/g, (digits) => {
    const value = Number(digits)
    return Math.abs(value - recordedAt) < daySeconds ? String(value + passed) : digits
  })
}
