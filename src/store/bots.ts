import type { Store } from './database.ts'

/** The id of the bot on a platform whose database this is: of the first that came, so of this one where none was there. */
export async function ownerOf(store: Store, platform: string, id: string): Promise<string> {
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
