import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GlobalLimit } from '../../src/discord/global-limit.ts'

/** How long a request is on its way to where it is counted, and its answer on the way back; milliseconds. */
type Ways = [there: number, back: number]

/** Begins requests for as long, as soon as there is room; returns when each was counted, in order. */
async function run(ways: (index: number) => Ways, milliseconds: number): Promise<number[]> {
  let now = 0
  const limit = new GlobalLimit(() => now)
  const counted: number[] = []
  let underWay: { at: number; over: () => void }[] = []
  while (now < milliseconds) {
    for (const { over } of underWay.filter(({ at }) => at <= now)) over()
    underWay = underWay.filter(({ at }) => at > now)
    while (limit.room() === 0) {
      const [there, back] = ways(counted.length)
      const over = await limit.begin()
      counted.push(now + there)
      underWay.push({ at: now + there + back, over })
    }
    now += 1
  }
  return counted.sort((one, other) => one - other)
}

function mostInASecond(counted: number[]): number {
  let first = 0
  return counted.reduce((most, at, index) => {
    while (at - (counted[first] ?? 0) >= 1_000) first += 1
    return Math.max(most, index - first + 1)
  }, 0)
}

describe('requests that nobody waits for', () => {
  test('are never counted more than 50 to a second, however long each is under way', async () => {
    const way = fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 100 }))
    const ways = fc.array(way, { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(ways, async (all) => {
        const counted = await run((index) => all[index % all.length] ?? [0, 0], 5_000)
        expect(mostInASecond(counted)).toBeLessThanOrEqual(50)
      }),
      { numRuns: 30 },
    )
  })

  test.each<[string, Ways]>([
    ['at once', [0, 2]],
    ['from far away', [90, 60]],
  ])('use what is permitted, where Discord answers %s', async (_, way) => {
    // In the first minutes the way there and back is not known yet.
    const counted = (await run(() => way, 200_000)).filter((at) => at >= 140_000 && at < 200_000)
    expect(counted.length).toBeGreaterThanOrEqual(60 * 50 * 0.95)
    expect(mostInASecond(counted)).toBeLessThanOrEqual(50)
  })

  test('give up what was kept for them and not used', async () => {
    let now = 0
    const limit = new GlobalLimit(() => now)
    let given = 0
    for (; now < 10_000; now += 1) if (limit.room() === 0) given += 1
    expect(given).toBeGreaterThan(400)
  })

  test('wait while Discord takes nothing', async () => {
    let now = 0
    const limit = new GlobalLimit(() => now)
    limit.hold(5_000)
    expect(limit.room()).toBe(5_000)
    now = 5_000
    expect(limit.room()).toBe(0)
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY])(
    'are never held for good, nor by what is no number (%f)',
    async (ms) => {
      let now = 0
      const limit = new GlobalLimit(() => now)
      limit.hold(ms)
      now += 86_400_000
      await limit.begin(AbortSignal.timeout(20_000))
      expect(limit.room()).toBe(0)
    },
  )
})

describe('requests that people wait for', () => {
  /** A limit with all its places taken by requests that go on. */
  async function full(now: () => number): Promise<{ limit: GlobalLimit; over: () => void }> {
    const limit = new GlobalLimit(now)
    const [over = () => {}] = await Promise.all(Array.from({ length: 50 }, () => limit.begin()))
    return { limit, over }
  }

  test('begin at once while there are places', async () => {
    const { limit } = await full(() => 0)
    expect(limit.room()).toBeGreaterThan(0)
  })

  test('wait for the next place, and what nobody waits for yields to them', async () => {
    let now = 0
    const { limit, over } = await full(() => now)
    let begun = false
    const waiting = limit.begin().then(() => {
      begun = true
    })
    await sleep(20)
    expect(begun).toBe(false)
    over()
    now = 1_500
    expect(limit.room()).toBeGreaterThan(0)
    await waiting
    expect(begun).toBe(true)
  })

  test('stop waiting when they are given up, and hold up nobody', async () => {
    let now = 0
    const { limit } = await full(() => now)
    const given = AbortSignal.timeout(10)
    await expect(limit.begin(given)).rejects.toThrow()
    const next = limit.begin()
    now = 10_000
    await next
  })
})
