import type { World } from './world.ts'

// Somebody who has just opened the sandbox sees one go live, sell past every threshold and graduate, and one end unsold.
const parts = [
  { startsIn: 15, lasts: 1200, sells: 5 },
  { startsIn: 40, lasts: 360, sells: 0.04 },
  { startsIn: 75, lasts: 900, sells: 1.5 },
] as const

/** Announces auctions that go live within a minute or two: `sells` is the share that would be sold in `lasts` seconds. */
export function premiere(world: World, chain: number): void {
  const now = world.now / 1000
  for (const { startsIn, lasts, sells } of parts) {
    const startsAt = now + startsIn / world.speed
    const endsAt = startsAt + lasts / world.speed
    world.announce(chain, { startsAt, endsAt, pace: sells / (endsAt - startsAt) })
  }
}
