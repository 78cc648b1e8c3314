import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Lanes, update } from './lanes.ts'

const patience = { timeout: 20_000, interval: 10 }
const lease = 3_000
const names = Array.from({ length: 20 }, (_, id) => `chat${id}`)

let lanes: Lanes
beforeEach(async () => {
  lanes = await Lanes.open()
})
afterEach(() => lanes.end())

test('what is under way while PostgreSQL is away for longer than the lease is handled once, where it was', async () => {
  const store = await lanes.database.open()
  const { promise, resolve } = Promise.withResolvers<void>()
  lanes.hold = (body) => (body.endsWith(' 99') ? undefined : promise)
  // The others look sooner.
  const one = await lanes.inbox({ lease, lookEvery: 1_000 })
  await Promise.all(names.map((name, id) => one.inbox.put(update(name, id))))
  await expect.poll(() => one.handled.length, patience).toBe(names.length)
  const others = [
    await lanes.inbox({ lease, lookEvery: 300 }),
    await lanes.inbox({ lease, lookEvery: 300 }),
  ]
  const letIn = await lanes.database.outage()
  await delay(1.5 * lease)
  await letIn()
  // In a lane whose lease is over.
  await expect.poll(() => others[0]?.inbox.put(update('chat7', 99)), patience).toBeUndefined()
  const over = () =>
    store.selectFrom('lanes').select('lane').where('held_until', '<', Date.now()).execute()
  await expect.poll(over, patience).toEqual([])
  resolve()
  const waiting = () =>
    store.selectFrom('updates').select('id').where('body', 'is not', null).execute()
  await expect.poll(waiting, patience).toEqual([])
  const bodies = [...names.map((name, id) => `${name} ${id}`), 'chat7 99']
  expect(lanes.handled.toSorted()).toEqual(bodies.toSorted())
  expect(lanes.clashes).toEqual([])
  // Each of the three told of it once at its beginning and once at its end, however often it looked.
  expect(lanes.log.of('warn').filter((line) => line.includes('can’t be looked at'))).toHaveLength(3)
  // Who looks seldom may yet have to look.
  const toldAgain = () => lanes.log.of('info').filter((line) => line.includes('looked at again'))
  await expect.poll(toldAgain, patience).toHaveLength(3)
})
