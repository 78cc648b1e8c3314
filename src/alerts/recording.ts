import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { figures } from '../api/figures.ts'
import type { Units } from '../api/units.ts'
import type { Store } from '../store/database.ts'
import type { WatchedAssetsTable } from '../store/schema.ts'
import { detect } from './detect.ts'
import type { Follows } from './follows.ts'
import { recorded } from './history.ts'
import type { InUse } from './in-use.ts'
import { enqueue } from './matching.ts'
import { followedValue, movement } from './movements.ts'
import type { News } from './news.ts'
import type { Look, Place } from './pass.ts'
import { isSameState, keepAssets, rowOf } from './watched-assets.ts'

interface RecorderParts {
  store: Store
  follows: Pick<Follows, 'inUse' | 'remember'>
  units: Units
  /** Unix seconds. */
  now: () => number
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
}

const hour = 3_600
/** Assets that are compared before others of the process have their turn. */
const atATime = 20
const placeSchema = z.object({ page: z.int().min(0), after: z.string() })

/** Stores what looks came to: the snapshot, what filters remember, and the news with its deliveries, all or nothing. */
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
   * @throws what the database throws: then nothing was stored, and the next look finds the same
   */
  record(chain: number, begun: Begun, look: Look, from: number): Promise<Recorded> {
    const turn = this.#last.then(() => this.#record(chain, begun, look, from))
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async #record(chain: number, { begunAt }: Begun, look: Look, from: number): Promise<Recorded> {
    const { store, follows, now: clock, units } = this.#parts
    const inUse = await follows.inUse()
    const now = clock()
    const changed: WatchedAssetsTable[] = []
    const news: News[] = []
    let seen = 0
    for (const [address, sighting] of look.sightings) {
      seen += 1
      if (seen % atATime === 0) await setImmediate()
      const kept = look.known.get(address)
      const context = { chain, now, begunAt, units, ...inUse }
      const found = detect(kept?.state, sighting, context)
      if (!found) continue
      news.push(...found.news)
      const history =
        sighting.by === 'absence'
          ? (kept?.history ?? [])
          : recorded(kept?.history ?? [], figures(sighting.asset, units), now)
      if (kept && history === kept.history && isSameState(found.after, kept.state)) continue
      changed.push(rowOf(chain, address, { state: found.after, history, updatedAt: now }))
    }
    const { memories, moved } = movementsIn(look, { chain, now, units }, inUse)
    const useful = [...news, ...moved].filter(({ usefulUntil }) => usefulUntil > now)
    const deliveries = await store.transaction().execute(async (tx) => {
      await keepAssets(tx, changed)
      for (const [filter, memory] of memories) await follows.remember(tx, filter, memory)
      // Under a clock that was set back the beginning must not lie ahead: nothing would be new until then.
      await keepPlace(tx, chain, Math.min(begunAt ?? from, from), look.place)
      return (await enqueue(tx, useful, now)).deliveries
    })
    const late = news.length + moved.length - useful.length
    return { kinds: counted(useful), deliveries, late }
  }
}

/** What the movements in use make of a look: the memories that changed, by filter, and the news. */
function movementsIn(
  { sightings }: Look,
  { chain, now, units }: { chain: number; now: number; units: Units },
  { movements }: InUse,
) {
  const memories = new Map<number, string>()
  const moved: News[] = []
  for (const filter of movements) {
    const address = filter.asset
    const sighting = sightings.get(address)
    if (!sighting || sighting.by === 'absence' || ![0, chain].includes(filter.chain)) continue
    const { asset } = sighting
    const found = movement(filter, chain, followedValue(filter.kind, figures(asset, units)), now)
    if (found.memory !== filter.memory) memories.set(filter.id, found.memory)
    if (!found.moved) continue
    const { count, ...body } = found.moved
    moved.push({
      key: `${filter.kind}:${filter.id}:${chain}:${count}`,
      chain,
      asset: address,
      at: now,
      usefulUntil: now + hour,
      body: { kind: filter.kind, asset, filter: filter.id, ...body },
    })
  }
  return { memories, moved }
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
  const start = { page: 0, after: '' }
  try {
    return placeSchema.safeParse(JSON.parse(body ?? '')).data ?? start
  } catch {
    return start
  }
}

function counted(news: readonly News[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { body } of news) counts[body.kind] = (counts[body.kind] ?? 0) + 1
  return counts
}
