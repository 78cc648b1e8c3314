import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations, ownMigrations } from './migrations.ts'
import type { MigrationMarksTable, Store } from './schema.ts'

const ours = Object.keys(ownMigrations)

/**
 * Applies the migrations that a database lacks. A database that a newer version has changed stays as it is, if all that
 * was changed bears the mark that this version can run on it.
 * @throws Error if it can't, if the file's data were moved away, or if a migration fails; the caller rolls back
 */
export async function migrateToLatest(store: Store): Promise<void> {
  const { error } = await new Migrator({ db: store, provider: migrations }).migrateToLatest()
  if (error === undefined) return
  const names = await applied(store).catch((): string[] => [])
  if (sealOf(names) === undefined && notOurs(names).length === 0) throw error
  const marks = store.selectFrom('migration_marks').selectAll().execute()
  const why = whyNot(names, await marks.catch(() => []))
  if (why !== undefined) throw new Error(why, { cause: error })
}

/** Says why this version can't run on a database with these migrations and marks; undefined if it can. */
export function whyNot(
  names: readonly string[],
  marks: readonly Pick<MigrationMarksTable, 'name' | 'runs_from'>[],
): string | undefined {
  const seal = sealOf(names)
  if (seal !== undefined) return `its data were ${seal}. ${afterMove}`
  const newer = notOurs(names)
  const isComplete = ours.every((name) => names.includes(name))
  const unfitting = isComplete ? unfittingOf(marks, newer) : newer
  if (unfitting.length === 0) return undefined
  return `a newer version of Gavel has changed it so that this one can't run on it (${unfitting.join(', ')}); start the newer one, or restore the copy from before the update`
}

/** The migrations of a newer version that were applied to a database. */
export async function newerMigrations(store: Store): Promise<string[]> {
  return notOurs(await applied(store))
}

async function applied(store: Store): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(store)
  return rows.map(({ name }) => name).sort()
}

/** Those of these migrations that this version does not have. */
export function notOurs(names: readonly string[]): string[] {
  return names.filter((name) => !ours.includes(name))
}

/** Those of these newer migrations that have no mark, or one that rules this version out. */
function unfittingOf(
  marks: readonly Pick<MigrationMarksTable, 'name' | 'runs_from'>[],
  newer: readonly string[],
): string[] {
  const last = ours.at(-1) ?? ''
  const fitting = new Set(
    marks.flatMap(({ name, runs_from: from }) => (from <= last ? [name] : [])),
  )
  return newer.filter((name) => !fitting.has(name))
}

const sealWords = 'moved to '

/**
 * The seal of a moved file: a name among its migrations that none has, so that versions that know of no seal refuse the
 * file, too.
 * @param target the database that has its data now, without a password
 */
export function sealFor(target: string): string {
  return `${sealWords}${target}`
}

/** The seal among the names of a file's migrations; undefined if it has none. */
export function sealOf(names: readonly string[]): string | undefined {
  return names.find((name) => name.startsWith(sealWords))
}

/** What to do where a file is sealed. */
const afterMove =
  'Set DATABASE_URL to that database; to use the file again instead: npm run move -- --unseal, with the file behind it'
