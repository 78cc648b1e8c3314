import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  backoff,
  boundedPause,
  parseRetryAfter,
  retry,
  withTimeout,
} from '../../../src/core/task.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('work that ends in time gives its result, and leaves no timer', async () => {
  expect(await withTimeout(Promise.resolve('otter'), 1_000)).toBe('otter')
  expect(vi.getTimerCount()).toBe(0)
})

test('work that takes longer gives undefined, and goes on', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const waiting = withTimeout(promise, 1_000)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await waiting).toBeUndefined()
  resolve('otter')
  expect(await promise).toBe('otter')
})

test('work that fails too late is ignored', async () => {
  const { promise, reject } = Promise.withResolvers<string>()
  const waiting = withTimeout(promise, 1_000)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await waiting).toBeUndefined()
  // An unhandled rejection would fail the run.
  reject(new Error('too late'))
  await vi.advanceTimersByTimeAsync(1)
})

test.each([
  [7, 7],
  ['2.5', 2.5],
  [0.3, 1],
  [1e9, 86_400],
  [Number.POSITIVE_INFINITY, 86_400],
  [0, undefined],
  [-1, undefined],
  ['soon', undefined],
  [undefined, undefined],
])('a retry-after of %s is taken for %s seconds', (given, seconds) => {
  expect(parseRetryAfter(given)).toBe(seconds)
})

test('no pause is longer than a day, and none is what is no number', () => {
  expect([5_000, 1e12, -1, Number.NaN].map(boundedPause)).toEqual([5_000, 86_400_000, 0, 0])
})

test('the pause after each failure in a row is twice as long, up to the maximum', () => {
  expect([1, 2, 3, 4, 5_000].map((failures) => backoff(failures, 2, 15))).toEqual([2, 4, 8, 15, 15])
})

test('what fails is tried again after each pause, as often as it may be', async () => {
  const failures: number[] = []
  const work = async () => {
    throw new Error(`failure ${failures.length + 1}`)
  }
  const tried = retry(work, {
    maxTries: 3,
    pause: (count) => count * 1_000,
    onRetry: (_, count) => failures.push(count),
  })
  tried.catch(() => undefined)
  await vi.advanceTimersByTimeAsync(2_999)
  expect(failures).toEqual([1, 2])
  await vi.advanceTimersByTimeAsync(1)
  await expect(tried).rejects.toThrow('failure 3')
  expect(vi.getTimerCount()).toBe(0)
})

test('what can’t succeed is not tried again, and a signal ends the tries with the last error', async () => {
  const stopping = new AbortController()
  const fails = async () => {
    throw new Error('no')
  }
  const pause = () => 60_000
  await expect(retry(fails, { pause, canRetry: () => false })).rejects.toThrow('no')
  const tried = retry(fails, { pause, signal: stopping.signal })
  tried.catch(() => undefined)
  await vi.advanceTimersByTimeAsync(100)
  stopping.abort()
  await expect(tried).rejects.toThrow('no')
  expect(vi.getTimerCount()).toBe(0)
})

test('a try that the signal ends gives the error of the one before, which says more', async () => {
  const deadline = new AbortController()
  const errors = [new Error('status 500'), new Error('aborted')]
  const work = async () => {
    if (errors.length === 1) deadline.abort()
    throw errors.shift()
  }
  const tried = retry(work, { pause: () => 1_000, signal: deadline.signal })
  tried.catch(() => undefined)
  await vi.advanceTimersByTimeAsync(1_000)
  await expect(tried).rejects.toThrow('status 500')
})
