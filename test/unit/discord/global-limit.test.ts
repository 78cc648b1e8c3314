import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GlobalLimit } from '../../../src/discord/transport.ts'

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

function maxInASecond(counted: number[]): number {
  let first = 0
  return counted.reduce((most, at, index) => {
    while (at - (counted[first] ?? 0) >= 1_000) first += 1
    return Math.max(most, index - first + 1)
  }, 0)
}

/** A limit with all its places taken by requests that go on. */
async function full(now: () => number): Promise<{ limit: GlobalLimit; over: () => void }> {
  const limit = new GlobalLimit(now)
  const [over = () => {}] = await Promise.all(Array.from({ length: 50 }, () => limit.begin()))
  return { limit, over }
}

describe('requests that nobody waits for', () => {
  test('are never counted more than 50 to a second, however long each is under way', async () => {
    const way = fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 100 }))
    const ways = fc.array(way, { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(ways, async (all) => {
        const counted = await run((index) => all[index % all.length] ?? [0, 0], 5_000)
        expect(maxInASecond(counted)).toBeLessThanOrEqual(50)
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
    expect(maxInASecond(counted)).toBeLessThanOrEqual(50)
  })

  test('come one by one, evenly spaced, with little made up for after a pause', async () => {
    const counted = await run(() => [0, 2], 2_000)
    const gaps = counted.slice(10).map((at, index) => at - (counted[index + 9] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(19)
    let now = 0
    const limit = new GlobalLimit(() => now)
    const given = () => {
      let count = 0
      while (limit.room() === 0) count += 1
      return count
    }
    given()
    now += 60_000
    expect(given()).toBe(5)
    now += 21
    expect(given()).toBe(1)
  })

  test('make up for moments that were missed', async () => {
    let now = 0
    const limit = new GlobalLimit(() => now)
    let given = 0
    // Asked every 30 ms, where one space is 20.
    for (; now < 3_000; now += 30) {
      while (limit.room() === 0) {
        given += 1
        const over = await limit.begin()
        over()
      }
    }
    expect(given).toBeGreaterThan(3 * 50 * 0.95)
  })

  test('are never too many, though Discord answers slowly just when a minute is over', async () => {
    const ways = (index: number): Ways => (index > 2_800 && index < 3_100 ? [400, 0] : [0, 2])
    expect(maxInASecond(await run(ways, 70_000))).toBeLessThanOrEqual(50)
  })

  test('are asked to come again by when an answer may have made room', async () => {
    const { limit } = await full(() => 0)
    expect(limit.room()).toBeLessThan(1_000)
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
    limit.hold(1_000)
    expect(limit.room()).toBe(5_000)
    now = 5_000
    expect(limit.room()).toBe(0)
  })

  test('wait while Discord takes nothing, also where no place is free', async () => {
    const { limit } = await full(() => 0)
    limit.hold(5_000)
    expect(limit.room()).toBe(5_000)
  })

  test('that were given room and come too late for it wait for another place', async () => {
    let now = 0
    const limit = new GlobalLimit(() => now)
    expect(limit.room()).toBe(0)
    now = 1_000
    await Promise.all(Array.from({ length: 50 }, () => limit.begin()))
    const given = AbortSignal.timeout(20)
    await expect(limit.begin(given)).rejects.toThrow()
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
