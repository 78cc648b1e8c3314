import { pollChain } from '../../src/alerts/poll.ts'
import { assetRow, upsertAssets, WatchedAssets } from '../../src/alerts/snapshot.ts'
import type { Read } from '../../src/api/cache.ts'
import type { Listing } from '../../src/api/client.ts'
import type { AssetFilter } from '../../src/api/requests.ts'
import type { Asset } from '../../src/api/schema.ts'
import { defaultUnits } from '../../src/api/units.ts'
import { openStore } from '../../src/db/database.ts'
import { Agenda, chances } from './agenda.ts'
import { constants } from './constants.ts'

export interface Looked {
  requests: number
  seconds: number
}

const chain = 8453
/** Few are upcoming at a time, and many have graduated: their first pages contain nothing new. */
const upcomingCount = 40
const graduatedCount = 200

/** Runs Gavel's own poll over this many known live auctions; only the interface's answers are simulated. */
export async function look(live: number, seed: number): Promise<Looked> {
  const store = await openStore(':memory:')
  try {
    const lists = listsOf(live)
    for (const [phase, items] of Object.entries(lists)) {
      const rows = items.map((asset) => {
        const state = { phase: phaseOf(phase), asset, told: [], misses: 0 }
        return assetRow(chain, asset.asset_address, { state, history: [], updatedAt: 0 })
      })
      await upsertAssets(store, rows)
    }
    const simulated = new SimulatedInterface(lists, seed)
    const { failure } = await pollChain({
      api: simulated,
      assets: new WatchedAssets(store),
      units: defaultUnits,
      now: () => 0,
      chain,
      place: { page: 0, after: '', followed: '' },
      signal: new AbortController().signal,
    })
    if (failure) throw failure
    return { requests: simulated.requests, seconds: simulated.seconds }
  } finally {
    await store.destroy()
  }
}

type Lists = Record<'incoming' | 'live' | 'graduated', Asset[]>

function listsOf(live: number): Lists {
  const assetsOf = (first: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      asset_address: `0x${first}${index.toString(16).padStart(39, '0')}`,
    }))
  return {
    incoming: assetsOf('1', upcomingCount),
    live: assetsOf('2', live),
    graduated: assetsOf('3', graduatedCount),
  }
}

function phaseOf(name: string): keyof Lists {
  return name === 'incoming' || name === 'live' ? name : 'graduated'
}

/** An interface with a simulated clock. */
class SimulatedInterface {
  requests = 0
  readonly #lists: Lists
  readonly #agenda = new Agenda()
  readonly #chance: () => number

  constructor(lists: Lists, seed: number) {
    this.#lists = lists
    this.#chance = chances(seed)
  }

  get seconds(): number {
    return this.#agenda.now() / 1000
  }

  async assets({ status, offset = 0 }: AssetFilter): Promise<Read<Listing>> {
    const listed = this.#lists[phaseOf(status ?? '')]
    const { page, assetBytes } = constants
    const items = listed.slice(offset, offset + page.value)
    this.#answer()
    const received = items.length
    const bytes = received * assetBytes.value
    return fresh({ items, given: items, contradicted: [], received, bytes, chainIgnored: false })
  }

  async asset(address: string): Promise<Read<Asset>> {
    this.#answer()
    return fresh({ asset_address: address })
  }

  /** Advances the clock by an answer's time, up to a fifth faster or slower than average. */
  #answer(): void {
    const { interfaceAnswer, pageWork } = constants
    this.requests += 1
    const seconds = interfaceAnswer.value * (0.8 + 0.4 * this.#chance()) + pageWork.value
    this.#agenda.until(this.#agenda.now() + seconds * 1000)
  }
}

function fresh<Value>(value: Value): Read<Value> {
  return { value, age: 0, stale: false }
}
