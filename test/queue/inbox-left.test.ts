import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/database.ts'
import { StoredUpdates } from '../../src/store/updates.ts'
import { Lanes, update } from './lanes.ts'

const patience = { timeout: 20_000, interval: 10 }
const lease = 60_000

let lanes: Lanes
let store: Store
beforeEach(async () => {
  lanes = await Lanes.open()
  store = await lanes.database.open()
})
afterEach(() => lanes.end())

async function laneRows(): Promise<number> {
  return (await store.selectFrom('lanes').select('lane').execute()).length
}

describe('what waits', () => {
  test('is left for some seconds to the process that was handed it', async () => {
    let now = 1_000_000
    const idle = await lanes.inbox({ isIdle: true })
    await idle.inbox.put(update('ada', 1))
    let looks = 0
    const other = await lanes.inbox({
      lookEvery: 10,
      leftAfter: 2,
      now: () => {
        looks += 1
        return now
      },
    })
    await expect.poll(() => looks, patience).toBeGreaterThan(3)
    now += 1
    await expect.poll(() => looks, patience).toBeGreaterThan(6)
    expect(other.handled).toEqual([])
    now += 1
    await expect.poll(() => other.handled, patience).toEqual(['ada 1'])
  })

  test('is one’s of those who look at the same moment', async () => {
    const idle = await lanes.inbox({ isIdle: true })
    const names = Array.from({ length: 40 }, (_, id) => `chat${id}`)
    await Promise.all(names.map((name, id) => idle.inbox.put(update(name, id))))
    await idle.inbox.put(update('chat0', 99))
    const stores = [store, await lanes.database.open(), await lanes.database.open()]
    const all = await Promise.all(
      stores.map((each, holder) =>
        new StoredUpdates(each, 'telegram').takeLeft(`${holder}`, lease, 15, 1_000_000),
      ),
    )
    const taken = all.flat()
    expect(new Set(taken).size).toBe(taken.length)
    for (const each of all) expect(each.length).toBeLessThanOrEqual(15)
    const rest = new StoredUpdates(store, 'telegram')
    taken.push(...(await rest.takeLeft('four', lease, 100, 1_000_000)))
    expect(taken.toSorted()).toEqual(names.toSorted())
    expect(await rest.takeLeft('five', lease, 100, 1_000_000)).toEqual([])
  })
})

test('a lane that could not be gone on with is gone on with by whoever has it', async () => {
  const { inbox } = await lanes.inbox({ lookEvery: 20, lease })
  const { promise, resolve } = Promise.withResolvers<void>()
  lanes.hold = (body) => (body === 'ada 1' ? promise : undefined)
  await inbox.put(update('ada', 1))
  await inbox.put(update('ada', 2))
  await expect.poll(() => lanes.handled, patience).toEqual(['ada 1'])
  const letIn = await lanes.database.outage()
  resolve()
  await expect.poll(() => lanes.log.of('error').length, patience).toBeGreaterThan(0)
  await letIn()
  await expect.poll(() => lanes.handled, patience).toEqual(['ada 1', 'ada 2'])
  await expect.poll(laneRows, patience).toBe(0)
})
