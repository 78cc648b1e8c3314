import { PlatformError } from '../core/adapter.ts'
import type { PlatformName } from '../core/command.ts'
import type { Store } from './schema.ts'

/**
 * Stores a bot as the one that the database belongs to on its platform: two bots on one database would send each other's
 * alerts.
 * @throws PlatformError if the database belongs to another bot
 */
export async function claimDatabase(
  store: Store,
  platform: PlatformName,
  id: string,
): Promise<void> {
  const owner = await ownerOf(store, platform, id).catch((cause: unknown) => {
    throw new PlatformError('The database does not say which bot it belongs to. Start again.', {
      cause,
    })
  })
  if (owner !== id) throw otherBot(platform, owner, id)
}

/** Refuses a database that belongs to another bot. */
export function otherBot(platform: PlatformName, owner: string, id: string): PlatformError {
  return new PlatformError(
    `The database belongs to another bot on ${platform} (${owner}; this one is ${id}). Give this bot a database of its own with DATABASE_URL, or set ${platform.toUpperCase()}_TOKEN to that bot's.`,
  )
}

/** The stored id of the platform's bot; `id` if there was none. */
async function ownerOf(store: Store, platform: PlatformName, id: string): Promise<string> {
  await store
    .insertInto('bots')
    .values({ platform, id })
    .onConflict((conflict) => conflict.column('platform').doNothing())
    .execute()
  const owner = await store
    .selectFrom('bots')
    .select('id')
    .where('platform', '=', platform)
    .executeTakeFirstOrThrow()
  return owner.id
}
