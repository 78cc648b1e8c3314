import type { PlatformName } from '../core/command.ts'
import type { Store } from './schema.ts'

/** The most tokens that one person watches. */
export const maxWatched = 50

/** A token on somebody's watchlist. */
export interface WatchedToken {
  chain: number
  /** Its address, in lower case. */
  asset: string
  /** Its price when it was added, as a decimal, and what that is in: `usd`, or the quote token's address in lower case. */
  price?: { amount: string; currency: string } | undefined
  /** Unix seconds. */
  addedAt: number
}

/** The tokens that people watch, each for themselves. */
export class Watchlists {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** The tokens of a person, last added first. */
  async of(platform: PlatformName, person: string): Promise<WatchedToken[]> {
    const rows = await this.#store
      .selectFrom('watchlist')
      .selectAll()
      .where('platform', '=', platform)
      .where('person', '=', person)
      .orderBy('added_at_s', 'desc')
      .orderBy('asset')
      .execute()
    return rows.map(({ chain, asset, price, currency, added_at_s }) => ({
      chain,
      asset,
      ...(price !== null && currency !== null && { price: { amount: price, currency } }),
      addedAt: added_at_s,
    }))
  }

  /** Adds a token; one that is there already keeps its price. False if the list is full. */
  async add(
    platform: PlatformName,
    person: string,
    { chain, asset, price, addedAt }: WatchedToken,
  ): Promise<boolean> {
    // A person who adds two at the same moment may have one more.
    const watched = await this.of(platform, person)
    const isThere = watched.some((each) => each.chain === chain && each.asset === asset)
    if (!isThere && watched.length >= maxWatched) return false
    await this.#store
      .insertInto('watchlist')
      .values({
        platform,
        person,
        chain,
        asset,
        price: price?.amount ?? null,
        currency: price?.currency ?? null,
        added_at_s: addedAt,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return true
  }

  /** @param asset its address in lower case */
  async remove(
    platform: PlatformName,
    person: string,
    { chain, asset }: Pick<WatchedToken, 'chain' | 'asset'>,
  ): Promise<void> {
    await this.#store
      .deleteFrom('watchlist')
      .where('platform', '=', platform)
      .where('person', '=', person)
      .where('chain', '=', chain)
      .where('asset', '=', asset)
      .execute()
  }
}
