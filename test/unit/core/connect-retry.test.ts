import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { untilReachable } from '../../../src/core/adapter.ts'

class Refused extends Error {}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function reaching(tries: (count: number) => string) {
  const failures: unknown[] = []
  const policy = untilReachable(
    (error) => error instanceof Refused,
    (error) => failures.push(error),
  )
  let count = 0
  const stopping = new AbortController()
  const reached = policy.execute(() => {
    count += 1
    return tries(count)
  }, stopping.signal)
  reached.catch(() => undefined)
  return { reached, failures, stopping, count: () => count }
}

test('retries while the network is down, and logs each failure with its cause', async () => {
  const { reached, failures } = reaching((count) => {
    if (count < 30) throw new Error(`down ${count}`)
    return 'here'
  })
  await vi.runAllTimersAsync()
  expect(await reached).toBe('here')
  expect(failures).toEqual(Array.from({ length: 29 }, (_, index) => new Error(`down ${index + 1}`)))
})

test('stops at once at an error that waiting can’t mend', async () => {
  const { reached, failures, count } = reaching((count) => {
    throw count < 3 ? new Error('down') : new Refused('no')
  })
  await vi.runAllTimersAsync()
  await expect(reached).rejects.toBeInstanceOf(Refused)
  expect([count(), failures.length]).toEqual([3, 2])
})

test('a stop ends it, also between two tries', async () => {
  const { reached, stopping, count } = reaching(() => {
    throw new Error('down')
  })
  await vi.advanceTimersByTimeAsync(60_000)
  const before = count()
  stopping.abort()
  await vi.advanceTimersByTimeAsync(3_600_000)
  await expect(reached).rejects.toThrow('down')
  expect(count()).toBeLessThanOrEqual(before + 1)
})

test('waits grow, but to half a minute at most however long it takes', async () => {
  const { reached, count, stopping } = reaching(() => {
    throw new Error('down')
  })
  await vi.advanceTimersByTimeAsync(3_600_000)
  const before = count()
  expect(before).toBeLessThan(1_000)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(count()).toBeGreaterThan(before)
  stopping.abort()
  await vi.runAllTimersAsync()
  await expect(reached).rejects.toThrow('down')
})
