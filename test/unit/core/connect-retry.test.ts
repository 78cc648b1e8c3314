import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { untilReachable } from '../../../src/core/adapter.ts'
import { createLogger } from '../../../src/log.ts'
import { LogBook } from './log-book.ts'

class Refused extends Error {}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function reaching(tries: (count: number) => string) {
  const book = new LogBook()
  const isFinal = (error: unknown) => error instanceof Refused
  const reach = untilReachable('discord', isFinal, createLogger('warn', [], book))
  let count = 0
  const stopping = new AbortController()
  const reached = reach(async () => {
    count += 1
    return tries(count)
  }, stopping.signal)
  reached.catch(() => undefined)
  return { reached, book, stopping, count: () => count }
}

test('retries while the network is down, and logs each failure with its cause', async () => {
  const { reached, book } = reaching((count) => {
    if (count < 30) throw new Error(`down ${count}`)
    return 'here'
  })
  await vi.runAllTimersAsync()
  expect(await reached).toBe('here')
  const failures = Array.from({ length: 29 }, (_, index) => ({
    level: 'warn',
    msg: 'discord can’t be reached; trying again',
    err: expect.objectContaining({ message: `down ${index + 1}` }),
  }))
  expect(book.lines).toEqual(failures.map((line) => expect.objectContaining(line)))
})

test('stops at once at an error that waiting can’t mend', async () => {
  const { reached, book, count } = reaching((count) => {
    throw count < 3 ? new Error('down') : new Refused('no')
  })
  await vi.runAllTimersAsync()
  await expect(reached).rejects.toBeInstanceOf(Refused)
  expect([count(), book.lines.length]).toEqual([3, 2])
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
