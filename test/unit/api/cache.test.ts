import { describe, expect, test } from 'vitest'
import { ReadCache } from '../../../src/api/read-cache.ts'
import { ApiError } from '../../../src/errors.ts'

function setUp({ entries = 100, freshMs = 5000 } = {}) {
  const clock = { ms: 1000 }
  const options = { entries, freshMs, staleMs: 60_000, now: () => clock.ms }
  const cache = new ReadCache<{ n: number }>(options)
  let loads = 0
  return {
    cache,
    clock,
    loads: () => loads,
    load: async () => {
      loads += 1
      return { value: { n: loads }, bytes: 10 }
    },
    fail: (kind: ConstructorParameters<typeof ApiError>[0]) => async () => {
      loads += 1
      throw new ApiError(kind, 'failed')
    },
  }
}

describe('a read', () => {
  test('is served from memory while fresh, with its age, and loaded anew after', async () => {
    const { cache, clock, load } = setUp()
    expect(await cache.read('a', load)).toEqual({ value: { n: 1 }, age: 0, stale: false })
    clock.ms += 4000
    expect(await cache.read('a', load)).toEqual({ value: { n: 1 }, age: 4, stale: false })
    clock.ms += 2000
    expect(await cache.read('a', load)).toEqual({ value: { n: 2 }, age: 0, stale: false })
  })

  test('shares one load with identical reads under way', async () => {
    const { cache, load, loads } = setUp()
    const reads = await Promise.all(Array.from({ length: 50 }, () => cache.read('a', load)))
    expect(reads.every(({ value }) => value.n === 1)).toBe(true)
    expect(loads()).toBe(1)
  })

  test('is loaded anew each time if answers are never fresh, also after a failure', async () => {
    const { cache, load, fail, loads } = setUp({ freshMs: 0 })
    const both = await Promise.all([cache.read('a', load), cache.read('a', load)])
    expect(both.map(({ value }) => value.n)).toEqual([1, 1])
    expect(await cache.read('a', load)).toMatchObject({ value: { n: 2 } })
    expect(await cache.read('a', fail('unavailable'))).toMatchObject({
      value: { n: 2 },
      stale: true,
    })
    await expect(cache.read('a', fail('not-found'))).rejects.toMatchObject({ kind: 'not-found' })
    expect(await cache.read('a', load)).toEqual({ value: { n: 5 }, age: 0, stale: false })
    expect(loads()).toBe(5)
  })

  test('answers everyone, even if more keys are read at once than it can store', async () => {
    const { cache, load } = setUp({ entries: 2 })
    const keys = Array.from({ length: 20 }, (_, index) => `${index}`)
    const reads = await Promise.all(keys.map((key) => cache.read(key, load)))
    expect(new Set(reads.map(({ value }) => value.n)).size).toBe(20)
  })
})

describe('a failed load', () => {
  test.each([
    'unavailable',
    'rate-limited',
    'malformed',
    'forbidden',
    'blocked',
    'unauthorised',
  ] as const)('that is %s serves the old answer, marked, until that is too old', async (kind) => {
    const { cache, clock, load, fail } = setUp()
    await cache.read('a', load)
    clock.ms += 30_000
    expect(await cache.read('a', fail(kind))).toEqual({ value: { n: 1 }, age: 30, stale: true })
    clock.ms += 31_000
    await expect(cache.read('a', fail(kind))).rejects.toMatchObject({ kind })
  })

  test('is retried soon, but not at once', async () => {
    const { cache, clock, load, fail, loads } = setUp()
    await cache.read('a', load)
    clock.ms += 10_000
    await cache.read('a', fail('unavailable'))
    await cache.read('a', load)
    expect(loads()).toBe(2)
    clock.ms += 1500
    expect(await cache.read('a', load)).toEqual({ value: { n: 3 }, age: 0, stale: false })
  })

  test('is thrown to everyone who waits if there is no old answer, and the next read tries again', async () => {
    const { cache, load, fail } = setUp()
    const reads = [cache.read('a', fail('unavailable')), cache.read('a', load)]
    const outcomes = await Promise.allSettled(reads)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await cache.read('a', load)).toMatchObject({ stale: false })
  })

  test('with "not found" replaces the old answer and is cached for a while', async () => {
    const { cache, clock, load, fail, loads } = setUp()
    await cache.read('a', load)
    clock.ms += 6000
    await expect(cache.read('a', fail('not-found'))).rejects.toMatchObject({ kind: 'not-found' })
    await expect(cache.read('a', load)).rejects.toMatchObject({ kind: 'not-found' })
    expect(loads()).toBe(2)
    clock.ms += 6000
    expect(await cache.read('a', load)).toMatchObject({ value: { n: 3 } })
  })

  test('with a refusal of the request is thrown as it is', async () => {
    const { cache, clock, load, fail } = setUp()
    await cache.read('a', load)
    clock.ms += 6000
    await expect(cache.read('a', fail('invalid'))).rejects.toMatchObject({ kind: 'invalid' })
  })
})

test('large answers evict each other, however few there are', async () => {
  const now = () => 0
  const cache = new ReadCache<{ text: string }>({ entries: 1000, freshMs: 1e6, staleMs: 0, now })
  let loads = 0
  const load = async () => {
    loads += 1
    return { value: { text: 'x' }, bytes: 4_000_000 }
  }
  for (let count = 0; count < 20; count += 1) await cache.read(`large ${count}`, load)
  await cache.read('large 19', load)
  expect(loads).toBe(20)
  await cache.read('large 0', load)
  expect(loads).toBe(21)
})
