import Big from 'big.js'
import type { NewsBody } from '../../alerts/news.ts'

/** One piece of news among several for one chat. */
export interface Piece {
  body: NewsBody
  chain: number
}

/** Of how a sale goes, what says most: where two of one asset come together, the first of these stands alone. */
const ranks: Readonly<Partial<Record<NewsBody['kind'], number>>> = {
  graduated: 0,
  live: 2,
  ending: 3,
  progress: 4,
  incoming: 5,
}
const soldOut = 1

/**
 * The pieces without those that another one of the same asset has overtaken: what was sold before it
 * sold out or graduated tells nothing. What became of a price stands by itself.
 */
export function telling<Each extends Piece>(items: readonly Each[]): Each[] {
  const best = new Map<string, Each>()
  for (const item of items) {
    const key = saleOf(item)
    if (key === undefined) continue
    const known = best.get(key)
    best.set(key, known ? together(known, item) : item)
  }
  return items.flatMap((item) => {
    const key = saleOf(item)
    if (key === undefined) return [item]
    const told = best.get(key)
    best.delete(key)
    return told ? [told] : []
  })
}

function saleOf({ body, chain }: Piece): string | undefined {
  if (body.kind === 'digest' || ranks[body.kind] === undefined) return undefined
  return `${chain}:${body.asset.asset_address.toLowerCase()}`
}

/** The one that stands. Of an auction that went live and sold since it says both. */
function together<Each extends Piece>(one: Each, other: Each): Each {
  const told = better(one, other)
  const later = told === one ? other.body : one.body
  if (told.body.kind !== 'live' || later.kind !== 'progress') return told
  return { ...told, body: { ...told.body, asset: later.asset } }
}

function better<Each extends Piece>(one: Each, other: Each): Each {
  const [before, after] = [rankOf(one), rankOf(other)]
  if (before !== after) return before < after ? one : other
  return share(one).gt(share(other)) ? one : other
}

function rankOf({ body }: Piece): number {
  if (body.kind === 'progress' && body.to === '1') return soldOut
  return ranks[body.kind] ?? Number.POSITIVE_INFINITY
}

function share({ body }: Piece): Big {
  return Big(body.kind === 'progress' ? body.to : 0)
}
