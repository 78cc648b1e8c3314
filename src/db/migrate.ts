import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations.ts'
import type { Store } from './schema.ts'

/**
 * Applies the migrations that a database lacks.
 * @throws Error if a newer version has changed the database, if its data were moved away, or if a migration fails; the
 * caller rolls back
 */
export async function migrateToLatest(store: Store): Promise<void> {
  const provider = { getMigrations: async () => migrations }
  const { error } = await new Migrator({ db: store, provider }).migrateToLatest()
  if (error === undefined) return
  const why = whyNot(await applied(store).catch((): string[] => []))
  throw why === undefined ? error : new Error(why, { cause: error })
}

/** Says why this version can't run on a database with these migrations; undefined if it can. */
export function whyNot(names: readonly string[]): string | undefined {
  const seal = sealOf(names)
  if (seal !== undefined) return `its data were ${seal}. ${afterMove}`
  const newer = notOurs(names)
  if (newer.length === 0) return undefined
  return `a newer version of Gavel has changed it so that this one can't run on it (${newer.join(', ')}); start the newer one, or restore the copy from before the update`
}

async function applied(store: Store): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(store)
  return rows.map(({ name }) => name).sort()
}

/** Returns the migrations that this version does not have. */
export function notOurs(names: readonly string[]): string[] {
  return names.filter((name) => !Object.hasOwn(migrations, name))
}

const sealWords = 'moved to '

/**
 * The seal of a moved file: a name among its migrations that no version has, so that none starts on it.
 * @param target the database that has its data now, without a password
 */
export function sealFor(target: string): string {
  return `${sealWords}${target}`
}

/** The seal among the names of a file's migrations; undefined if it has none. */
export function sealOf(names: readonly string[]): string | undefined {
  return names.find((name) => name.startsWith(sealWords))
}

/** Advice if a file is sealed. */
const afterMove =
  'Set DATABASE_URL to that database; to use the file again instead: npm run move -- --unseal, followed by the file'
