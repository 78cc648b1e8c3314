import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually, expectOnce, Telling } from './telling.ts'

let telling: Telling
beforeEach(async () => {
  telling = await Telling.start()
})
afterEach(() => telling.stop())

function crowd(count: number): number[] {
  return Array.from({ length: count }, (_, index) => telling.person(700_000 + index))
}

type Bot = Awaited<ReturnType<Telling['bot']>>
function waiting(bot: Bot): Promise<number> {
  return bot.states().then(({ waiting: left = [] }) => left.length)
}

describe('an outage', () => {
  test('of the platform: what waits is told once it is back, and the log says so once', async () => {
    const bot = await telling.bot()
    const people = crowd(20)
    for (const person of people) await bot.follow(person)
    await telling.front.shut()
    bot.delivery.start()
    await bot.tell('Otter')
    await eventually(() => expect(telling.log.of('warn').join()).toContain('alerts wait'))
    telling.ahead += 600_000
    await bot.tell('Heron')
    await telling.front.open()
    await eventually(() => {
      expectOnce(telling, people, 'Otter')
      expectOnce(telling, people, 'Heron')
    })
    const told = telling.log.lines.map(({ msg }) => msg)
    expect(told.filter((each) => each.startsWith('alerts wait'))).toHaveLength(1)
    expect(told.filter((each) => each.startsWith('alerts go out again'))).toHaveLength(1)
  }, 60_000)

  test('of the sending alone: it is tried gently, and nobody’s alert is given up', async () => {
    const bot = await telling.bot()
    const people = crowd(20)
    for (const person of people) await bot.follow(person)
    let tries = 0
    telling.front.mishap = (method) => {
      if (method !== 'sendMessage') return undefined
      tries += 1
      return { status: 404, body: '{"ok":false,"error_code":404,"description":"Not Found"}' }
    }
    bot.delivery.start()
    await bot.tell('Otter')
    await eventually(() => expect(telling.log.of('warn').join()).toContain('alerts wait'))
    const atFirst = tries
    await eventually(() => expect(tries).toBeGreaterThan(atFirst + 1))
    expect(tries).toBeLessThan(atFirst + 20)
    telling.front.mishap = () => undefined
    telling.ahead += 60_000
    await eventually(() => expectOnce(telling, people, 'Otter'))
  }, 60_000)

  test('of the database: what was sent is recorded when it can be, and not sent again', async () => {
    const bot = await telling.bot()
    const people = crowd(20)
    for (const person of people) await bot.follow(person)
    bot.delivery.start()
    await bot.tell('Otter')
    await eventually(() => expect(people.some((each) => telling.texts(each).length > 0)).toBe(true))
    const free = telling.holdDatabase()
    await eventually(() => expect(telling.log.of('error').join()).toContain('could not be stored'))
    free()
    await eventually(() => expectOnce(telling, people, 'Otter'))
    await eventually(async () => expect(await waiting(bot)).toBe(0))
    expectOnce(telling, people, 'Otter')
  }, 60_000)
})

describe('the clock', () => {
  test.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ])(
    'jumps an hour %s: nothing is lost, nothing is told twice',
    async (_, jump) => {
      const bot = await telling.bot()
      const people = crowd(40)
      for (const person of people) await bot.follow(person)
      bot.delivery.start()
      await bot.tell('Otter')
      await eventually(() =>
        expect(people.some((each) => telling.texts(each).length > 0)).toBe(true),
      )
      telling.ahead += jump
      await bot.tell('Heron')
      await eventually(() => {
        expectOnce(telling, people, 'Otter')
        expectOnce(telling, people, 'Heron')
      })
      await eventually(async () => expect(await waiting(bot)).toBe(0))
    },
    60_000,
  )
})
