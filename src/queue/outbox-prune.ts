import { setImmediate as turn } from 'node:timers/promises'
import type { Store } from '../store/database.ts'
import { noText } from '../store/waiting.ts'

/** Seconds for which what became of news is remembered. */
const remembered = 30 * 86_400
/** What one statement deletes: while it runs nothing else in the process does. */
const batch = 2000
const together = 100

/** Forgets deliveries and bodies of news, or all of it, that was of no use any more 30 days ago; returns how many went. */
export async function forgetOldNews(store: Store, now: number): Promise<number> {
  let gone = 0
  for (;;) {
    const old = await store
      .selectFrom('news')
      .select(['id', 'kind'])
      .where('body', '<>', noText)
      .where('useful_until', '<', now - remembered)
      .orderBy('useful_until')
      .limit(together)
      .execute()
    if (old.length === 0) return gone
    gone += await forgetDeliveries(store, idsOf(old))
    const ofTheirTime = idsOf(old.filter(({ kind }) => isOfItsTime(kind)))
    const others = idsOf(old.filter(({ kind }) => !isOfItsTime(kind)))
    if (ofTheirTime.length > 0)
      await store.deleteFrom('news').where('id', 'in', ofTheirTime).execute()
    if (others.length > 0)
      await store.updateTable('news').set({ body: '' }).where('id', 'in', others).execute()
    gone += old.length
    await turn()
  }
}

function idsOf(news: readonly { id: number }[]): number[] {
  return news.map(({ id }) => id)
}

/** Its key names the time at which it was told, so that it can't be found again. What stays of others is their key. */
function isOfItsTime(kind: string): boolean {
  return ['price', 'mcap', 'digest'].includes(kind)
}

async function forgetDeliveries(store: Store, news: readonly number[]): Promise<number> {
  for (let gone = 0; ; ) {
    const some = store
      .selectFrom('deliveries')
      .select(['news', 'destination'])
      .where('news', 'in', news)
      .limit(batch)
    const { numDeletedRows } = await store
      .deleteFrom('deliveries')
      .where((row) =>
        row(row.refTuple('news', 'destination'), 'in', some.$asTuple('news', 'destination')),
      )
      .executeTakeFirst()
    gone += Number(numDeletedRows)
    if (numDeletedRows < batch) return gone
    await turn()
  }
}
