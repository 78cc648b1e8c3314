import { setImmediate as others } from 'node:timers/promises'
import type { Store } from '../store/database.ts'
import type { WatchedAssetsTable } from '../store/schema.ts'
import { enqueue } from './deliver/matching.ts'
import type { Follows } from './follow/follows.ts'
import type { News } from './news.ts'
import { keepAssets } from './watched-assets.ts'

/** What is stored all or nothing: news, and what keeps it from being found again. */
export interface Piece {
  /** Of the snapshot. */
  row?: WatchedAssetsTable
  /** What a filter is to remember. */
  memory?: { filter: number; text: string }
  news: readonly News[]
}

interface StoringParts {
  store: Store
  follows: Pick<Follows, 'remember'>
  /** Unix seconds. */
  now: number
}

/** While a transaction runs nothing else in the process does: it ends at the first of these. */
const most = { deliveries: 2000, news: 20 }
/** Pieces without news in one transaction. */
const quietTogether = 100

/**
 * Stores pieces in as many transactions as it takes for people not to wait, those with news first, and returns how many
 * deliveries there are of it. Where it breaks off the rest is not stored, and is found again.
 */
export async function storePieces(parts: StoringParts, pieces: readonly Piece[]): Promise<number> {
  const loud = pieces.filter(({ news }) => news.length > 0)
  const quiet = pieces.filter(({ news }) => news.length === 0)
  let deliveries = 0
  for (let from = 0; from < loud.length; ) {
    const part = await storeLoud(parts, loud, from)
    deliveries += part.deliveries
    from = part.next
    await others()
  }
  for (let from = 0; from < quiet.length; from += quietTogether) {
    await storeQuiet(parts, quiet.slice(from, from + quietTogether))
    await others()
  }
  return deliveries
}

function storeLoud({ store, follows, now }: StoringParts, loud: readonly Piece[], from: number) {
  return store.transaction().execute(async (tx) => {
    const part = { next: from, deliveries: 0, news: 0 }
    while (part.deliveries < most.deliveries && part.news < most.news) {
      const piece = loud[part.next]
      if (!piece) break
      await keep(tx, follows, [piece])
      part.deliveries += (await enqueue(tx, piece.news, now)).deliveries
      part.news += piece.news.length
      part.next += 1
    }
    return part
  })
}

function storeQuiet({ store, follows }: StoringParts, pieces: readonly Piece[]): Promise<void> {
  return store.transaction().execute((tx) => keep(tx, follows, pieces))
}

async function keep(
  tx: Store,
  follows: Pick<Follows, 'remember'>,
  pieces: readonly Piece[],
): Promise<void> {
  await keepAssets(
    tx,
    pieces.flatMap(({ row }) => row ?? []),
  )
  for (const { memory } of pieces) {
    if (memory) await follows.remember(tx, memory.filter, memory.text)
  }
}
