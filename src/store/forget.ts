import type { Store } from './database.ts'

/**
 * Deletes what `find` finds, unless somebody begins to use it at this moment: what is found is written, so that whoever
 * is about to use it is waited for, and goes if it is found once more. Returns how many went.
 */
export function forgetFound(
  store: Store,
  table: 'filters' | 'destinations',
  find: (tx: Store) => Promise<{ id: number }[]>,
): Promise<number> {
  return store.transaction().execute(async (tx) => {
    const found = (await find(tx)).map(({ id }) => id)
    if (found.length === 0) return 0
    await tx
      .updateTable(table)
      .set((row) => ({ id: row.ref('id') }))
      .where('id', 'in', found)
      .execute()
    const held = new Set(found)
    const unused = (await find(tx)).map(({ id }) => id).filter((id) => held.has(id))
    if (unused.length > 0) await tx.deleteFrom(table).where('id', 'in', unused).execute()
    return unused.length
  })
}
