import { setImmediate as others } from 'node:timers/promises'
import type { Store } from '../store/database.ts'
import { noText } from '../store/waiting.ts'

/** Seconds for which what became of news is remembered. */
const remembered = 30 * 86_400
/** Rows that one statement deletes: while it runs nothing else in the process does. */
const batch = 2000

/** Forgets deliveries and bodies of news, or all of it, that was of no use any more 30 days ago; returns how many rows went. */
export async function forgetOldNews(store: Store, now: number): Promise<number> {
  let gone = 0
  for (;;) {
    const old = await store
      .selectFrom('news')
      .select(['id', 'kind'])
      .where('body', '<>', noText)
      .where('useful_until', '<', now - remembered)
      .orderBy('useful_until')
      .limit(100)
      .execute()
    if (old.length === 0) return gone
    for (const { id, kind } of old) {
      gone += await forgetDeliveries(store, id)
      if (isOfItsTime(kind)) await store.deleteFrom('news').where('id', '=', id).execute()
      else await store.updateTable('news').set({ body: '' }).where('id', '=', id).execute()
      gone += 1
    }
  }
}

/** Its key names the time at which it was told, so that it can't be found again. What stays of others is their key. */
function isOfItsTime(kind: string): boolean {
  return ['price', 'mcap', 'digest'].includes(kind)
}

async function forgetDeliveries(store: Store, news: number): Promise<number> {
  for (let gone = 0; ; ) {
    const { numDeletedRows } = await store
      .deleteFrom('deliveries')
      .where('news', '=', news)
      .where('destination', 'in', (row) =>
        row
          .selectFrom('deliveries as old')
          .select('old.destination')
          .where('old.news', '=', news)
          .limit(batch),
      )
      .executeTakeFirst()
    gone += Number(numDeletedRows)
    if (numDeletedRows < batch) return gone
    await others()
  }
}
