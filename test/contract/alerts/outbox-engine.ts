import { expect } from 'vitest'
import type { Claim, Outbox } from '../../../src/alerts/outbox.ts'
import type { Target } from '../../../src/alerts/subscription.ts'

/** Deliveries in one database, and a clock that the test sets. */
export interface OutboxEngine {
  /** As another process over the same deliveries. */
  outbox(): Outbox
  /** Unix milliseconds; whole seconds at first. */
  clock: { now: number }
  /** The id of a destination, which is made: on Telegram and without a topic, unless told otherwise. */
  destination(chat: string, place?: Partial<Pick<Target, 'platform' | 'thread'>>): Promise<number>
  /** One more piece of news for these destinations, due once the clock went on by `gathering`; its id. */
  tell(...destinations: readonly number[]): Promise<number>
  /** Waits for what is due in a moment; seconds. */
  gathering: number
  kept(news: number, destination: number): Promise<{ state: string; reason: string | null }>
  resume(destination: number): Promise<void>
  mute(destination: number, until: number): Promise<void>
  /** How many filters a destination follows. */
  follows(destination: number): Promise<number>
  bodies(): Promise<number>
  close(): Promise<void>
}

export const limits = { most: 100, together: 10, lease: 60 }

/** Runs a test with an engine and one of its outboxes. */
export async function withEngine(
  open: () => Promise<OutboxEngine>,
  use: (engine: OutboxEngine, outbox: Outbox) => Promise<void>,
): Promise<void> {
  const engine = await open()
  try {
    await use(engine, engine.outbox())
  } finally {
    await engine.close()
  }
}

/** The one claim that can be made. */
export async function claimOne(outbox: Outbox): Promise<Claim> {
  const claims = await outbox.claim('telegram', limits)
  expect(claims).toHaveLength(1)
  const [claim] = claims
  if (claim === undefined) throw new Error('nothing was claimed')
  return claim
}

/** So many pieces of news for one destination, which are due when this returns. */
export async function due(
  engine: OutboxEngine,
  destination: number,
  pieces = 1,
): Promise<number[]> {
  const ids: number[] = []
  for (let each = 0; each < pieces; each += 1) ids.push(await engine.tell(destination))
  engine.clock.now += engine.gathering * 1000
  return ids
}
