import { setTimeout as delay } from 'node:timers/promises'
import { sharedLimiters } from '../../src/cluster/limiters.ts'
import { noReplicas } from '../../src/core/pubsub.ts'
import { GlobalLimit } from '../../src/discord/transport.ts'
import { Pacing } from '../../src/telegram/pacing.ts'

/** Max sends that a limiter lets through within one second, for a platform's limit. */
export interface Edge {
  name: string
  permitted: number
  most: number
}

/** Returns 0 if a send may go out, else the milliseconds to wait. */
type Ask = () => number | Promise<number>

const telegramPermits = 30
const discordPermits = 50
/** Milliseconds from the send that starts a window until the others, and their duration. */
const [pauseMs, burstMs] = [900, 1200]
/** A busy machine lets fewer through, so try several times. */
const maxTries = 3
const now = () => performance.now()

/** Measures one send, a pause of nearly a window, and then as many as are let through. */
export async function measureEdges(url: string): Promise<Edge[]> {
  const { limiters, close } = sharedLimiters(url)
  const windows = (permitted: number): Ask => {
    const limiter = limiters(`edge ${permitted}`, permitted, 1)
    return () => limiter.consume('bot').then(() => 0, waitFor)
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
      { name, permitted: perSecond, most: await bestOf(windows(perSecond)) },
      {
        name: 'one paced sender: Telegram’s',
        permitted: telegramPermits,
        most: await bestOf(() => pacing.room()),
      },
      { name, permitted: discordPermits, most: await bestOf(windows(discordPermits)) },
      {
        name: 'one paced sender: Discord’s',
        permitted: discordPermits,
        most: await bestOf(places),
      },
    ]
  } finally {
    await close()
  }
}

async function bestOf(ask: Ask): Promise<number> {
  let most = 0
  for (let each = 0; each < maxTries; each += 1) {
    most = Math.max(most, await maxInRush(ask))
    // Wait until all windows have ended.
    await delay(2000)
  }
  return most
}

async function maxInRush(ask: Ask): Promise<number> {
  const times: number[] = []
  await ask()
  times.push(now())
  await delay(pauseMs)
  const end = now() + burstMs
  while (now() < end) {
    const wait = await ask()
    if (wait === 0) times.push(now())
    else await delay(Math.max(1, Math.min(wait, end - now())))
  }
  return maxWithin(times, 1000)
}

/** Returns when the limiter's window ends; rethrows other errors. */
function waitFor(refusal: unknown): number {
  if (refusal instanceof Error) throw refusal
  const says = refusal !== null && typeof refusal === 'object' && 'msBeforeNext' in refusal
  return Math.max(1, says ? Number(refusal.msBeforeNext) : 1)
}

/** Returns the max number of these sorted times within any span of this many milliseconds. */
export function maxWithin(times: readonly number[], span: number): number {
  let [most, from] = [0, 0]
  for (const [index, time] of times.entries()) {
    while (time - (times[from] ?? time) >= span) from += 1
    most = Math.max(most, index - from + 1)
  }
  return most
}
