import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChatAddress } from '../../src/core/adapter.ts'
import { diskIsFull, fillDisk } from '../failing-store.ts'
import { eventually, expectOnce, NotifierHarness } from '../unit/alerts/notifier-harness.ts'

let harness: NotifierHarness
beforeEach(async () => {
  harness = await NotifierHarness.start()
})
afterEach(() => harness.stop())

type Bot = Awaited<ReturnType<NotifierHarness['bot']>>
function waiting(bot: Bot): Promise<number> {
  return bot.states().then(({ waiting: left = [] }) => left.length)
}

/** The lines of the log that contain this. */
function logLines(part: string): string[] {
  return harness.log.lines.map(({ msg }) => msg).filter((msg) => msg.includes(part))
}

/** No message gets through until the end; whatever else is asked does. */
function sendsFail(status: number) {
  const body = JSON.stringify({ ok: false, error_code: status, description: 'x' })
  const tries = { count: 0, end: () => (harness.front.mishap = () => undefined) }
  harness.front.mishap = (method) => {
    if (method !== 'sendMessage') return undefined
    tries.count += 1
    return { status, body }
  }
  return tries
}

describe('an outage', () => {
  test('of the platform: waiting alerts are sent once it is back, which is logged once', async () => {
    const bot = await harness.bot()
    const people = harness.people(20)
    for (const person of people) await bot.subscribe(person)
    await harness.front.shut()
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(() => expect(harness.log.of('warn').join()).toContain('alerts wait'))
    harness.ahead += 600_000
    await bot.goLive('Heron')
    await harness.front.open()
    await eventually(() => {
      expectOnce(harness, people, 'Otter')
      expectOnce(harness, people, 'Heron')
    })
    expect(logLines('alerts wait')).toHaveLength(1)
    expect(logLines('alerts go out again')).toHaveLength(1)
  }, 60_000)

  test('of more than ten minutes uses up no attempts of an alert', async () => {
    const bot = await harness.bot()
    const [person = 0] = harness.people(1)
    await bot.subscribe(person)
    const tries = sendsFail(404)
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(() => {
      harness.advance(5000)
      expect(tries.count).toBeGreaterThan(25)
    })
    expect(harness.advanced).toBeGreaterThan(600_000)
    expect(await bot.states()).toEqual({ waiting: ['waiting'] })
    tries.end()
    await eventually(() => {
      harness.advance(5000)
      expectOnce(harness, [person], 'Otter')
    })
    expect(logLines('alerts wait')).toHaveLength(1)
    await eventually(() => expect(logLines('alerts go out again')).toHaveLength(1))
  }, 100_000)

  test('that leaves sends without an answer saves the one retry of each alert', async () => {
    const bot = await harness.bot()
    const people = harness.people(3)
    for (const person of people) await bot.subscribe(person)
    const tries = sendsFail(500)
    bot.notifier.start()
    const names = Array.from({ length: 6 }, (_, index) => `Otter${index}.`)
    for (const name of names) {
      const before = tries.count
      await bot.goLive(name)
      await eventually(() => {
        harness.advance(2000)
        expect(tries.count).toBeGreaterThan(before)
      })
    }
    expect(Object.keys(await bot.states())).toEqual(['waiting'])
    tries.end()
    harness.advance(600_000)
    await eventually(() => {
      harness.advance(500)
      for (const name of names) expectOnce(harness, people, name)
    })
  }, 60_000)

  test('of the database, in which another replica takes over: results are recorded as soon as they can be, and nothing is sent again', async () => {
    const [bot, other] = [await harness.bot(), await harness.bot()]
    const people = harness.people(40)
    for (const person of people) await bot.subscribe(person)
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(() => expect(people.some((each) => harness.texts(each).length > 0)).toBe(true))
    const free = await harness.database.outage()
    await eventually(() => expect(harness.log.of('error').join()).toContain('could not be stored'))
    await bot.notifier.stop()
    await free()
    const sent = people.filter((each) => harness.texts(each).length > 0)
    expect(sent.length).toBeLessThan(people.length)
    const stored = async () => (await bot.states()).sent?.length
    await eventually(async () => expect(await stored()).toBe(sent.length))
    harness.advance(60_000)
    other.notifier.start()
    await harness.inTime(() => expectOnce(harness, people, 'Otter'))
    await bot.notifier.stop()
    await other.notifier.stop()
    expectOnce(harness, people, 'Otter')
  }, 60_000)

  test('of the database, after which the same replica leads again: nothing is sent before the results are recorded', async () => {
    const bot = await harness.bot()
    const people = harness.people(40)
    for (const person of people) await bot.subscribe(person)
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(() => expect(people.some((each) => harness.texts(each).length > 0)).toBe(true))
    const free = await fillDisk(bot.store, 'update of state on deliveries')
    await eventually(() => expect(harness.log.of('error').join()).toMatch(diskIsFull))
    await bot.notifier.stop()
    const sent = () => people.filter((each) => harness.texts(each).length > 0).length
    const before = sent()
    expect(before).toBeLessThan(people.length)
    // Longer than a claim is leased.
    harness.advance(60_000)
    const held = logLines('alerts are held up').length
    bot.notifier.start()
    await eventually(() => expect(logLines('alerts are held up').length).toBeGreaterThan(held))
    expect(sent()).toBe(before)
    await free()
    await harness.inTime(() => expectOnce(harness, people, 'Otter'))
    await eventually(async () => expect(await waiting(bot)).toBe(0))
    expectOnce(harness, people, 'Otter')
  }, 60_000)

  test('of the disk, which is full: results are recorded as soon as they can be, and nothing is sent again', async () => {
    const bot = await harness.bot()
    const people = harness.people(20)
    for (const person of people) await bot.subscribe(person)
    const free = await fillDisk(bot.store, 'update of state on deliveries')
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(() => expect(harness.log.of('error').join()).toMatch(diskIsFull))
    await eventually(() => expect(people.some((each) => harness.texts(each).length > 0)).toBe(true))
    expect(await waiting(bot)).toBe(20)
    await free()
    await eventually(() => expectOnce(harness, people, 'Otter'))
    await eventually(async () => expect(await waiting(bot)).toBe(0))
    expectOnce(harness, people, 'Otter')
    expect(logLines('could not be stored yet').length).toBeGreaterThan(0)
  }, 60_000)
})

test('while results can’t be stored, other claims are released', async () => {
  const sent: string[] = []
  const platform = {
    name: 'telegram',
    health: harness.health(),
    startSpacing: 30,
    send: ({ id }: ChatAddress) => Promise.resolve({ message: String(sent.push(id)) }),
    edit: () => Promise.resolve(),
    msUntilSlot: () => 0,
    gap: () => 1,
    localeOf: () => 'en' as const,
  } as const
  const bot = await harness.bot({ platform })
  for (const person of harness.people(8)) await bot.subscribe(person)
  const free = await fillDisk(bot.store, 'update of state on deliveries')
  await bot.goLive('Otter')
  bot.notifier.start()
  await eventually(() => expect(logLines('could not be stored yet').length).toBeGreaterThan(0))
  const { outbox } = await harness.bot()
  await harness.inTime(async () => {
    expect((await outbox.nextAt('telegram')) ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(
      harness.now(),
    )
  })
  expect(sent.length).toBeLessThan(8)
  await free()
  await eventually(async () => expect(await waiting(bot)).toBe(0))
  expect(new Set(sent).size).toBe(sent.length)
}, 60_000)

describe('the clock', () => {
  test.each([
    ['ahead', 3_600_000],
    ['back', -3_600_000],
  ])(
    'goes %s by an hour: nothing is lost or sent twice, and what it put off comes once that hour has passed',
    async (_direction, jump) => {
      const bot = await harness.bot()
      const people = harness.people(40)
      for (const person of people) await bot.subscribe(person)
      bot.notifier.start()
      await bot.goLive('Otter')
      await eventually(() =>
        expect(people.some((each) => harness.texts(each).length > 0)).toBe(true),
      )
      harness.ahead += jump
      await bot.goLive('Heron')
      if (jump < 0) harness.advance(-jump)
      await eventually(() => {
        expectOnce(harness, people, 'Otter')
        expectOnce(harness, people, 'Heron')
      })
      await eventually(async () => expect(await waiting(bot)).toBe(0))
    },
    60_000,
  )
})
