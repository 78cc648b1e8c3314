import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withTimeout } from '../../../src/core/task.ts'

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
