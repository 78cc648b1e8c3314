import { setTimeout as delay } from 'node:timers/promises'
import { sharedLimiters } from '../../src/cluster/limiters.ts'
import { noReplicas } from '../../src/core/pubsub.ts'
import { GlobalLimit } from '../../src/discord/transport.ts'
import { Pacing } from '../../src/telegram/pacing.ts'

/** What lets most through within one second, where the platform permits so many. */
export interface Edge {
  name: string
  permitted: number
  most: number
}

/** 0 lets a send through; else milliseconds until it is worth asking again. */
type Ask = () => number | Promise<number>

const telegramPermits = 30
const discordPermits = 50
/** Milliseconds from the one send that begins a window until the others come, and for how long these go on. */
const [lull, rush] = [900, 1200]
/** A machine that is busy with something else lets less through than it might. */
const tries = 3
const now = () => performance.now()

/** One send, a lull nearly as long as a window, and then as many as are let through. */
export async function measureEdges(url: string): Promise<Edge[]> {
  const { limiters, close } = sharedLimiters(url)
  const windows = (permitted: number): Ask => {
    const limiter = limiters(`edge ${permitted}`, permitted, 1)
    return () => limiter.consume('bot').then(() => 0, refusedFor)
  }
  const pacing = new Pacing({ now, uploads: { waiting: 0 }, pubsub: noReplicas })
  const limit = new GlobalLimit(now)
  const places: Ask = async () => {
    const wait = limit.room()
    if (wait === 0) (await limit.begin())()
    return wait
  }
  try {
    const [name, perSecond] = ['a limiter in the database', telegramPermits]
    return [
      { name, permitted: perSecond, most: await mostOf(windows(perSecond)) },
      {
        name: 'one paced sender: Telegram’s',
        permitted: telegramPermits,
        most: await mostOf(() => pacing.room()),
      },
      { name, permitted: discordPermits, most: await mostOf(windows(discordPermits)) },
      {
        name: 'one paced sender: Discord’s',
        permitted: discordPermits,
        most: await mostOf(places),
      },
    ]
  } finally {
    await close()
  }
}

async function mostOf(ask: Ask): Promise<number> {
  let most = 0
  for (let each = 0; each < tries; each += 1) {
    most = Math.max(most, await maxInRush(ask))
    // All that was let through is over.
    await delay(2000)
  }
  return most
}

async function maxInRush(ask: Ask): Promise<number> {
  const times: number[] = []
  await ask()
  times.push(now())
  await delay(lull)
  const end = now() + rush
  while (now() < end) {
    const wait = await ask()
    if (wait === 0) times.push(now())
    else await delay(Math.max(1, Math.min(wait, end - now())))
  }
  return maxWithin(times, 1000)
}

/** A limiter says when its window ends; an error is one. */
function refusedFor(refusal: unknown): number {
  if (refusal instanceof Error) throw refusal
  const says = refusal !== null && typeof refusal === 'object' && 'msBeforeNext' in refusal
  return Math.max(1, says ? Number(refusal.msBeforeNext) : 1)
}

/** The most of these times, which are in order, that lie within any span of so many milliseconds. */
export function maxWithin(times: readonly number[], span: number): number {
  let [most, from] = [0, 0]
  for (const [index, time] of times.entries()) {
    while (time - (times[from] ?? time) >= span) from += 1
    most = Math.max(most, index - from + 1)
  }
  return most
}
