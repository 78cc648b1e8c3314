import { setImmediate as others } from 'node:timers/promises'
import { z } from 'zod'
import { figures } from '../../api/figures.ts'
import type { Units } from '../../api/units.ts'
import type { Store } from '../../store/database.ts'
import type { Follows } from '../follow/follows.ts'
import type { InUse } from '../follow/in-use.ts'
import type { News } from '../news.ts'
import type { AssetState, Sighting } from '../state.ts'
import { storedJson } from '../stored-json.ts'
import { type Piece, storePieces } from '../storing.ts'
import { assetRow, isSameState, type Kept, writtenAt } from '../watched-assets.ts'
import { type Context, type Difference, detect } from './detect.ts'
import { recorded } from './history.ts'
import { followedValue, movement } from './movements.ts'
import type { ChainLook, Place } from './pass.ts'

interface RecorderParts {
  store: Store
  follows: Pick<Follows, 'inUse' | 'remember'>
  units: Units
  /** Unix seconds. */
  now: () => number
  /** Incoming and live assets that are kept of one chain: a list may be endless. */
  mostOpen?: number
}

/** Where the watching of a chain stands. */
export interface Begun {
  /** Unix seconds of the first whole look; undefined before it. */
  begunAt: number | undefined
  place: Place
}

/** What was stored: how much news of each kind, how many deliveries of it, and how much came too late to be told. */
export interface Recorded {
  kinds: Record<string, number>
  deliveries: number
  late: number
  /** New assets that were left out, as there are too many already. */
  beyond: number
}

const hour = 3_600
/** Assets that are compared before others of the process have their turn. */
const atATime = 20
const placeSchema = z.object({
  page: z.int().min(0).default(0),
  turned: z.string().default(''),
  after: z.string().default(''),
  followed: z.string().default(''),
})

/** Stores what looks came to: of each asset the snapshot, and of each filter what it remembers, with the news of it. */
export class Recorder {
  readonly #parts: RecorderParts
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: RecorderParts) {
    this.#parts = parts
  }

  async begun(chain: number): Promise<Begun> {
    const row = await this.#parts.store
      .selectFrom('watched_chains')
      .selectAll()
      .where('chain', '=', chain)
      .executeTakeFirst()
    return { begunAt: row?.begun_at, place: placeOf(row?.body) }
  }

  /**
   * Stores a look that began at `from` (unix seconds). Of chains that are seen at once one waits for the other, for one
   * filter may be about both.
   * @throws what the database throws: then the next look finds again what was not stored
   */
  record(chain: number, begun: Begun, look: ChainLook, from: number): Promise<Recorded> {
    const turn = this.#last.then(() => this.#record(chain, begun, look, from))
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async #record(chain: number, begun: Begun, look: ChainLook, from: number): Promise<Recorded> {
    const { store, follows, now: clock, units } = this.#parts
    const inUse = await follows.inUse()
    // Another may have had the first look meanwhile: what came since then is new, also to a look that began before.
    const begunAt = begun.begunAt ?? (await this.begun(chain)).begunAt
    const now = clock()
    const at = { chain, now, begunAt, units }
    const { pieces, beyond } = await this.#assetsIn(look, { ...at, ...inUse })
    pieces.push(...(await movementsIn(look, at, inUse)))
    const useful = pieces.map((piece) => ({
      ...piece,
      news: piece.news.filter(({ usefulUntil }) => usefulUntil > now),
    }))
    const deliveries = await storePieces({ store, follows, now }, useful)
    // Last: where the storing broke off, the same is asked again. Under a clock that was set back the beginning must not
    // lie ahead: nothing would be new until then.
    await keepPlace(store, chain, Math.min(begunAt ?? from, from), look.place)
    const told = useful.flatMap(({ news }) => news)
    const late = pieces.reduce((sum, { news }) => sum + news.length, 0) - told.length
    return { kinds: counted(told), deliveries, late, beyond }
  }

  /** What became of each asset; of the new ones, as many as there is room for. */
  async #assetsIn({ sightings, known }: ChainLook, context: Context) {
    const { mostOpen = 20_000 } = this.#parts
    const pieces: Piece[] = []
    let room = mostOpen - [...known.values()].filter(({ state }) => isOpen(state)).length
    let beyond = 0
    let seen = 0
    for (const [address, sighting] of sightings) {
      seen += 1
      if (seen % atATime === 0) await others()
      const kept = known.get(address)
      const found = detect(kept?.state, sighting, context)
      if (!found) continue
      if (!kept?.state && isOpen(found.after)) {
        room -= 1
        if (room < 0) {
          beyond += 1
          continue
        }
      }
      const piece = pieceOf(address, sighting, kept, found, context)
      if (piece) pieces.push(piece)
    }
    return { pieces, beyond }
  }
}

/** Undefined where there is nothing to store. */
function pieceOf(
  address: string,
  sighting: Sighting,
  kept: Kept | undefined,
  { after, news }: Difference,
  { chain, now, units }: Context,
): Piece | undefined {
  const before = kept?.history ?? []
  const history =
    sighting.by === 'absence' ? before : recorded(before, figures(sighting.asset, units), now)
  const isSame = kept?.state && history === kept.history && isSameState(after, kept.state)
  if (isSame && news.length === 0) return undefined
  const updatedAt = writtenAt(now, kept?.updatedAt)
  const row = assetRow(chain, address, { state: after, history, updatedAt })
  return { asset: { row, before: kept?.updatedAt }, news }
}

function isOpen(state: AssetState | undefined): boolean {
  return state?.phase === 'incoming' || state?.phase === 'live'
}

/** What the movements in use make of a look: the memories that changed, and the news. */
async function movementsIn(
  { sightings }: ChainLook,
  { chain, now, units }: { chain: number; now: number; units: Units },
  { movements }: InUse,
): Promise<Piece[]> {
  const pieces: Piece[] = []
  let looked = 0
  for (const filter of movements) {
    const address = filter.asset
    const sighting = sightings.get(address)
    if (!sighting || sighting.by === 'absence' || ![0, chain].includes(filter.chain)) continue
    looked += 1
    if (looked % atATime === 0) await others()
    const { asset } = sighting
    const found = movement(filter, chain, followedValue(filter.kind, figures(asset, units)), now)
    const memory = { filter: filter.id, before: filter.memory, after: found.memory }
    if (!found.moved) {
      if (found.memory !== filter.memory) pieces.push({ memory, news: [] })
      continue
    }
    const { count, ...body } = found.moved
    const news: News = {
      // With the time, as counting begins anew where nobody has followed it for a while.
      key: `${filter.kind}:${filter.id}:${chain}:${count}:${now}`,
      chain,
      asset: address,
      at: now,
      usefulUntil: now + hour,
      body: { kind: filter.kind, asset, filter: filter.id, ...body },
    }
    pieces.push({ memory, news: [news] })
  }
  return pieces
}

async function keepPlace(tx: Store, chain: number, begun_at: number, place: Place): Promise<void> {
  const body = JSON.stringify(place)
  await tx
    .insertInto('watched_chains')
    .values({ chain, begun_at, body })
    .onConflict((conflict) => conflict.column('chain').doUpdateSet({ begun_at, body }))
    .execute()
}

function placeOf(body: string | undefined): Place {
  return placeSchema.safeParse(storedJson(body ?? '')).data ?? placeSchema.parse({})
}

function counted(news: readonly News[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { body } of news) counts[body.kind] = (counts[body.kind] ?? 0) + 1
  return counts
}
