import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Store } from '../../../src/db/schema.ts'
import { StoredUpdates } from '../../../src/db/updates.ts'
import { type Lane, Lanes, update } from './lanes.ts'

const patience = { timeout: 20_000, interval: 10 }
const lease = 60_000
const any = { most: 100, seconds: 0, mayInherit: true }

let lanes: Lanes
let store: Store
beforeEach(async () => {
  lanes = await Lanes.open()
  store = await lanes.database.open()
})
afterEach(async () => {
  vi.useRealTimers()
  await lanes.end()
})

async function laneRows(): Promise<number> {
  return (await store.selectFrom('lanes').select('lane').execute()).length
}

describe('what came in elsewhere', () => {
  /** A process that looks at what waits for an hour, once it has seen all that is there now. */
  async function looker(): Promise<Lane> {
    const other = await lanes.inbox({ lookEvery: 10, leftAfter: 3_600 })
    await lanes.inbox({ isIdle: true }).then(({ inbox }) => inbox.put(update('proof', 9)))
    await shift('proof', -3_601)
    await expect.poll(() => other.handled, patience).toContain('proof 9')
    return other
  }

  /** As if it had come so many seconds earlier or later. */
  async function shift(lane: string, seconds: number): Promise<void> {
    await store
      .updateTable('updates')
      .set((row) => ({ received_at: row('received_at', '+', seconds) }))
      .where('lane', '=', lane)
      .execute()
  }

  beforeEach(async () => {
    const idle = await lanes.inbox({ isIdle: true })
    await idle.inbox.put(update('ada', 1))
  })

  test('is left for some time to the process that was handed it', async () => {
    const other = await looker()
    expect(other.handled).toEqual(['proof 9'])
    await shift('ada', -3_601)
    await expect.poll(() => other.handled, patience).toEqual(['proof 9', 'ada 1'])
  })

  test('is taken though it seems to come in an hour, as after a clock was put back', async () => {
    await shift('ada', 30)
    const other = await looker()
    expect(other.handled).toEqual(['proof 9'])
    await shift('ada', 3_600)
    await expect.poll(() => other.handled, patience).toEqual(['proof 9', 'ada 1'])
  })

  test('came when the clock of the database says, whatever the process’s own says', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 7_200_000 })
    const idle = await lanes.inbox({ isIdle: true })
    await idle.inbox.put(update('ben', 2))
    vi.useRealTimers()
    const other = await looker()
    expect(other.handled).toEqual(['proof 9'])
  })
})

describe('what waits', () => {
  test('is one’s of those who look at the same moment', async () => {
    const idle = await lanes.inbox({ isIdle: true })
    const names = Array.from({ length: 40 }, (_, id) => `chat${id}`)
    await Promise.all(names.map((name, id) => idle.inbox.put(update(name, id))))
    await idle.inbox.put(update('chat0', 99))
    const stores = [store, await lanes.database.open(), await lanes.database.open()]
    const all = await Promise.all(
      stores.map((each, holder) =>
        new StoredUpdates(each, 'telegram').takeLeft(`${holder}`, lease, { ...any, most: 15 }),
      ),
    )
    const taken = all.flat()
    expect(new Set(taken).size).toBe(taken.length)
    for (const each of all) expect(each.length).toBeLessThanOrEqual(15)
    const rest = new StoredUpdates(store, 'telegram')
    taken.push(...(await rest.takeLeft('four', lease, any)))
    expect(taken.toSorted()).toEqual(names.toSorted())
    expect(await rest.takeLeft('five', lease, any)).toEqual([])
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
