import { expect, test } from 'vitest'
import type { PubSub } from '../../../src/core/pubsub.ts'
import { GlobalLimit } from '../../../src/discord/transport.ts'

/** A limit on a clock that the test moves. */
function clocked(pubsub?: PubSub) {
  const clock = { now: 0 }
  return { clock, limit: new GlobalLimit(() => clock.now, pubsub) }
}

test('background requests use 0.97 of what Discord permits, and in no second more than it permits', () => {
  const { clock, limit } = clocked()
  const begun: number[] = []
  // Timers are late by a part of a millisecond.
  while (clock.now < 20_000) {
    const wait = limit.capacity()
    if (wait === 0) begun.push(clock.now)
    clock.now += wait === 0 ? 0 : wait + 0.6
  }
  expect(begun.length / 20).toBeGreaterThanOrEqual(0.97 * 50)
  for (const [index, at] of begun.entries()) {
    expect(begun.slice(index).filter((each) => each < at + 1_000).length).toBeLessThanOrEqual(50)
  }
})

test('a request whose slot is reserved begins at once, and others in their turn before those in the background', async () => {
  const { clock, limit } = clocked()
  expect(limit.capacity()).toBe(0)
  await limit.acquire()
  const waiting = limit.acquire()
  clock.now += 60
  expect(limit.capacity()).toBeGreaterThan(0)
  await waiting
  clock.now += 60
  expect(limit.capacity()).toBe(0)
})

test('slots that were reserved and not used in time are given up, and don’t add up', async () => {
  const { clock, limit } = clocked()
  for (let second = 0; second < 60; second += 1) {
    expect(limit.capacity()).toBe(0)
    clock.now += 1_000
  }
  const begun: number[] = []
  const waiting = Array.from({ length: 60 }, () =>
    limit.acquire(AbortSignal.timeout(20)).then(() => begun.push(clock.now)),
  )
  await Promise.allSettled(waiting)
  expect(begun.length).toBeLessThanOrEqual(2)
})

test('nothing begins for as long as Discord says', async () => {
  const { clock, limit } = clocked()
  limit.pause(5_000)
  await expect(limit.acquire(AbortSignal.timeout(20))).rejects.toThrow()
  expect(limit.capacity()).toBe(5_000)
  clock.now += 5_000
  expect(limit.capacity()).toBe(0)
})

test('requests of all replicas are counted', async () => {
  const published: string[] = []
  let hear: (messages: readonly string[]) => void = () => undefined
  const { limit } = clocked({
    publish: (channel) => void published.push(channel),
    subscribe: (_, onMessages) => {
      hear = onMessages
    },
  })
  await limit.acquire()
  expect(published).toEqual(['discord'])
  hear(Array.from({ length: 50 }, () => ''))
  expect(limit.capacity()).toBeGreaterThan(900)
})
