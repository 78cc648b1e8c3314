import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Lanes, update } from './lanes.ts'

const patience = { timeout: 20_000, interval: 10 }
/** No look comes in a test that does not mean it. */
const neverLooks = { lookEvery: 3_600_000 }

let lanes: Lanes
beforeEach(async () => {
  lanes = await Lanes.open()
})
afterEach(() => lanes.end())

const soon = <Value>(read: () => Value) => expect.poll(read, patience)

/** Until a test lets it go. */
function held(...bodies: string[]) {
  const { promise, resolve } = Promise.withResolvers<void>()
  lanes.hold = (body) => (bodies.includes(body) ? promise : undefined)
  return resolve
}

async function waiting(): Promise<number> {
  const store = await lanes.database.open()
  const rows = await store
    .selectFrom('updates')
    .select('id')
    .where('body', 'is not', null)
    .execute()
  return rows.length
}

async function laneRows(): Promise<number> {
  const store = await lanes.database.open()
  return (await store.selectFrom('lanes').select('lane').execute()).length
}

describe('an update', () => {
  test('is handled once, however often and wherever it is put in', async () => {
    const [one, other] = [await lanes.inbox(), await lanes.inbox()]
    const ids = Array.from({ length: 30 }, (_, id) => id)
    const puts = ids.flatMap((id) =>
      [one, other, one, other].map(({ inbox }) => inbox.put(update(`chat${id % 7}`, id))),
    )
    await Promise.all(puts)
    await soon(() => lanes.handled.length).toBe(30)
    await Promise.all(ids.map((id) => one.inbox.put(update(`chat${id % 7}`, id))))
    await other.inbox.put(update('last', 99))
    await soon(() => lanes.handled).toContain('last 99')
    expect(new Set(lanes.handled).size).toBe(31)
    expect(lanes.handled).toHaveLength(31)
  })

  test('is handled at once, without a look', async () => {
    const { inbox, handled } = await lanes.inbox({ ...neverLooks, maxWaiting: 60 })
    for (let id = 1; id <= 60; id += 1) {
      const put = inbox.put(update('ada', id))
      // At odd moments: while the lane is being left, and after.
      await delay(id % 7)
      await put
    }
    await soon(() => handled.length).toBe(60)
  })

  test('is over when what handles it throws', async () => {
    const { inbox } = await lanes.inbox(neverLooks)
    lanes.hold = (body) => (body === 'ada 1' ? Promise.reject(new Error('no otter')) : undefined)
    await inbox.put(update('ada', 1))
    await inbox.put(update('ada', 2))
    await soon(() => lanes.handled).toEqual(['ada 1', 'ada 2'])
    await soon(waiting).toBe(0)
    expect(lanes.log.of('error').join()).toContain('no otter')
  })

  test('of another platform is another one', async () => {
    const telegram = await lanes.inbox()
    const discord = await lanes.inbox({ platform: 'discord' })
    await telegram.inbox.put(update('ada', 1))
    await discord.inbox.put(update('ada', 1))
    await soon(() => [telegram.handled, discord.handled]).toEqual([['ada 1'], ['ada 1']])
  })
})

describe('those of one lane', () => {
  test('are handled in the order of their numbers and never two at a time, wherever they come in', async () => {
    const all = [await lanes.inbox(), await lanes.inbox()]
    lanes.hold = () => delay(2)
    const names = ['ada', 'ben', 'club']
    const each = names.map(async (name) => {
      for (let id = 0; id < 15; id += 1) {
        const inbox = all[(id * 7 + name.length) % 2]?.inbox
        await inbox?.put({ ...update(name, names.indexOf(name) * 100 + id), body: `${name} ${id}` })
      }
    })
    await Promise.all(each)
    await soon(() => lanes.handled.length).toBe(45)
    expect(lanes.clashes).toEqual([])
    for (const name of names) {
      const numbers = lanes.handled.flatMap((body) => body.split(`${name} `)[1] ?? [])
      expect(numbers).toEqual(Array.from({ length: 15 }, (_, id) => String(id)))
    }
  })

  test('wait for each other; another lane waits for none of them', async () => {
    const letGo = held('ada 1')
    const one = await lanes.inbox(neverLooks)
    await one.inbox.put(update('ada', 1))
    await soon(() => lanes.handled).toEqual(['ada 1'])
    const other = await lanes.inbox(neverLooks)
    await other.inbox.put(update('ada', 2))
    for (const { inbox } of [one, other])
      await inbox.put(update('ben', inbox === one.inbox ? 3 : 4))
    await soon(() => lanes.handled.length).toBe(3)
    expect(lanes.handled).not.toContain('ada 2')
    letGo()
    // By the one that has the lane, as soon as it can.
    await soon(() => one.handled).toContain('ada 2')
    await soon(laneRows).toBe(0)
  })
})

describe('a process that dies', () => {
  const short = { lease: 1_000, lookEvery: 50 }

  test('leaves its lanes to others when its lease is over', async () => {
    const letGo = held('ada 1')
    // Nobody keeps what it has.
    const dead = await lanes.inbox({ ...short, ...neverLooks })
    await dead.inbox.put(update('ada', 1))
    await soon(() => dead.handled).toEqual(['ada 1'])
    await dead.inbox.put(update('ada', 2))
    const other = await lanes.inbox(short)
    lanes.hold = () => undefined
    await soon(() => other.handled).toEqual(['ada 1', 'ada 2'])
    letGo()
  })

  test('and only seems to have, goes no further with what is somebody else’s by now', async () => {
    const letGo = held('ada 1')
    const asleep = await lanes.inbox({ ...short, ...neverLooks })
    await asleep.inbox.put(update('ada', 1))
    await soon(() => asleep.handled).toEqual(['ada 1'])
    for (const id of [2, 3, 4]) await asleep.inbox.put(update('ada', id))
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = lanes.hold
    lanes.hold = (body) => (body === 'ada 2' ? promise : first(body))
    const other = await lanes.inbox(short)
    await soon(() => other.handled).toEqual(['ada 1'])
    letGo()
    await soon(() => other.handled).toEqual(['ada 1', 'ada 2'])
    resolve()
    await soon(() => other.handled).toEqual(['ada 1', 'ada 2', 'ada 3', 'ada 4'])
    await soon(laneRows).toBe(0)
    expect(asleep.handled).toEqual(['ada 1'])
    await asleep.inbox.put(update('ada', 5))
    await soon(() => asleep.handled).toEqual(['ada 1', 'ada 5'])
  })

  test('keeps what takes longer than the lease as long as it lives', async () => {
    const letGo = held('ada 1')
    const one = await lanes.inbox({ lease: 1_500, lookEvery: 50 })
    await one.inbox.put(update('ada', 1))
    await soon(() => one.handled).toEqual(['ada 1'])
    const other = await lanes.inbox({ lease: 1_500, lookEvery: 50 })
    await delay(3_000)
    letGo()
    await other.inbox.put(update('ben', 2))
    await soon(() => lanes.handled).toEqual(['ada 1', 'ben 2'])
  })

  test('three times of the same update ends it, and the lane goes on', async () => {
    const store = await lanes.database.open()
    const values = { platform: 'telegram', lane: 'ada', received_at: 1 }
    await store
      .insertInto('updates')
      .values([
        { ...values, id: 1, body: 'ada 1', attempts: 3 },
        { ...values, id: 2, body: 'ada 2', attempts: 2 },
      ])
      .execute()
    await lanes.inbox()
    await soon(() => lanes.handled).toEqual(['ada 2'])
    await soon(waiting).toBe(0)
    expect(lanes.log.of('error').join()).toContain('an update was given up')
  })
})

test('while the database is away nothing is lost, and nothing is handled twice', async () => {
  const letGo = held('ada 1')
  const { inbox } = await lanes.inbox({ lookEvery: 50 })
  await inbox.put(update('ada', 1))
  await inbox.put(update('ada', 2))
  await soon(() => lanes.handled).toEqual(['ada 1'])
  const letIn = await lanes.database.outage()
  await expect(inbox.put(update('ben', 3))).rejects.toThrow()
  letGo()
  await soon(() => lanes.log.of('error').join()).toContain('updates could not be handled')
  await letIn()
  await inbox.put(update('ben', 3))
  await soon(() => lanes.handled.toSorted()).toEqual(['ada 1', 'ada 2', 'ben 3'])
  await soon(waiting).toBe(0)
})

test('a clock that was put back an hour holds nobody up for an hour', async () => {
  const store = await lanes.database.open()
  const inAnHour = Date.now() + 3_600_000
  await store
    .insertInto('lanes')
    .values({ platform: 'telegram', lane: 'ada', holder: 'who died', held_until: inAnHour })
    .execute()
  await store
    .insertInto('updates')
    .values({
      platform: 'telegram',
      id: 1,
      lane: 'ada',
      body: 'ada 1',
      attempts: 0,
      received_at: 1,
    })
    .execute()
  await lanes.inbox({ lookEvery: 20 })
  await soon(() => lanes.handled).toEqual(['ada 1'])
})

test('what is put in before the start waits for it', async () => {
  const { inbox } = await lanes.inbox({ isIdle: true })
  await inbox.put(update('ada', 1))
  expect(lanes.handled).toEqual([])
  inbox.start()
  await soon(() => lanes.handled).toEqual(['ada 1'])
})
