import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { sharedLimiters } from '../../src/cluster/limiters.ts'
import { PostgresPubSub } from '../../src/cluster/pubsub.ts'
import { openStore } from '../../src/db/database.ts'
import { createLogger } from '../../src/log.ts'
import { serve } from '../remote.ts'

// A replica that asks a limiter in the database for each send, or publishes its answers to the others.

const requestSchema = z.object({
  do: z.enum(['ask', 'tell']),
  url: z.string(),
  count: z.number(),
  /** Milliseconds between two answers. */
  apart: z.number().default(0),
})

const unlimited = 1_000_000_000

/** Asks the bot's shared limiter for this many sends, one after the other. */
async function ask(url: string, count: number): Promise<Measured> {
  const { limiters, close } = sharedLimiters(url)
  const limiter = limiters('cost', unlimited, 1)
  const send = async () => {
    const start = performance.now()
    await limiter.consume('bot')
    return performance.now() - start
  }
  try {
    // The first ones take longer.
    for (let each = 0; each < count / 10; each += 1) await send()
    return await measured(count, send)
  } finally {
    await close()
  }
}

/** Publishes this many answers without waiting. */
async function publish(url: string, count: number, apart: number): Promise<Measured> {
  const store = await openStore(url)
  const notices = new PostgresPubSub({ url, store, log: createLogger('silent', []) })
  notices.subscribe('telegram', () => undefined)
  notices.start()
  try {
    const answer = async () => {
      notices.publish('telegram', '-1000000000000')
      await delay(apart)
      return 0
    }
    for (let each = 0; each < count / 10; each += 1) await answer()
    return await measured(count, answer)
  } finally {
    await notices.stop()
    await store.destroy()
  }
}

interface Measured {
  /** Milliseconds of each, this process's processor time, and the time from the first to the last. */
  waits: number[]
  cpu: number
  millis: number
}

async function measured(count: number, measureOne: () => Promise<number>): Promise<Measured> {
  const [before, start] = [process.cpuUsage(), performance.now()]
  const waits: number[] = []
  for (let each = 0; each < count; each += 1) waits.push(await measureOne())
  const { user, system } = process.cpuUsage(before)
  return { waits, cpu: (user + system) / 1000, millis: performance.now() - start }
}

serve(async (request) => {
  const { do: what, url, count, apart } = requestSchema.parse(request)
  return what === 'ask' ? ask(url, count) : publish(url, count, apart)
})
