import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../../src/db/schema.ts'
import { Lanes, update } from './lanes.ts'

const patience = { timeout: 20_000, interval: 10 }
const neverLooks = { lookEvery: 3_600_000 }
/** Nothing here waits for its end. */
const lease = 60_000
const long = 60_000

let lanes: Lanes
let store: Store
beforeEach(async () => {
  lanes = await Lanes.open()
  store = await lanes.database.open()
})
afterEach(() => lanes.end())

const soon = <Value>(read: () => Value) => expect.poll(read, patience)

/** Until a test lets it go, or breaks it off. */
function held(body: string) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const others = lanes.hold
  lanes.hold = (each) => (each === body ? promise : others(each))
  return { letGo: resolve, breakOff: () => reject(new Error('the connection is closed')) }
}

/** A process that handles updates of several lanes, and then one beside it. */
async function both(...bodies: string[]) {
  const one = await lanes.inbox({ lease })
  for (const body of bodies) {
    const [lane = '', id] = body.split(' ')
    await one.inbox.put(update(lane, Number(id)))
    await soon(() => one.handled).toContain(body)
  }
  const other = await lanes.inbox({ lease, lookEvery: 20 })
  return { one, other }
}

async function waiting(): Promise<string[]> {
  const rows = await store
    .selectFrom('updates')
    .select('body')
    .where('body', 'is not', null)
    .execute()
  return rows.map(({ body }) => body ?? '')
}

async function attempts(id: number): Promise<number | undefined> {
  const row = await store
    .selectFrom('updates')
    .select('attempts')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.attempts
}

const laneRows = async () => (await store.selectFrom('lanes').select('lane').execute()).length

describe('a stop', () => {
  test('lets what is under way end and leaves the rest to others at once', async () => {
    const { letGo } = held('ada 1')
    const one = await lanes.inbox()
    await one.inbox.put(update('ada', 1))
    await soon(() => one.handled).toEqual(['ada 1'])
    await one.inbox.put(update('ada', 2))
    const stopped = one.inbox.stop(long)
    await one.inbox.put(update('ben', 3))
    letGo()
    await stopped
    expect(lanes.handled).toEqual(['ada 1'])
    expect((await waiting()).toSorted()).toEqual(['ada 2', 'ben 3'])
    const other = await lanes.inbox(neverLooks)
    await soon(() => other.handled.toSorted()).toEqual(['ada 2', 'ben 3'])
    expect(await attempts(2)).toBe(1)
  })

  test('leaves each lane as soon as nothing is under way there', async () => {
    const [ada, ben] = [held('ada 1'), held('ben 2')]
    const { one, other } = await both('ada 1', 'ben 2')
    const stopped = one.inbox.stop(long)
    await one.inbox.put(update('ben', 3))
    ben.letGo()
    await soon(() => other.handled).toEqual(['ben 3'])
    ada.letGo()
    await stopped
    await soon(laneRows).toBe(0)
    expect(lanes.handled.toSorted()).toEqual(['ada 1', 'ben 2', 'ben 3'])
  })

  test('gives nothing away that is still under way when patience ends', async () => {
    const { letGo } = held('ada 1')
    const { one, other } = await both('ada 1')
    await one.inbox.stop(20)
    await one.inbox.put(update('ada', 2))
    // Once others see what is there to take, they would see that lane too.
    for (const id of [3, 4, 5]) {
      await one.inbox.put(update('ben', id))
      await soon(() => other.handled).toContain(`ben ${id}`)
    }
    expect(other.handled).not.toContain('ada 1')
    letGo()
    await soon(() => other.handled).toContain('ada 2')
    expect(lanes.handled.filter((body) => body === 'ada 1')).toHaveLength(1)
  })

  test('leaves what it broke off to others, and says no error', async () => {
    const { breakOff } = held('ada 1')
    const { one, other } = await both('ada 1')
    await one.inbox.stop(20)
    lanes.hold = () => undefined
    breakOff()
    await soon(() => other.handled).toEqual(['ada 1'])
    await soon(waiting).toEqual([])
    expect(lanes.log.of('error')).toEqual([])
  })
})
