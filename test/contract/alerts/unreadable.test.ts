import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { news as channel } from '../../../sandbox/telegram/cast.ts'
import { eventually, expectOnce, Telling } from '../../unit/alerts/telling.ts'

let telling: Telling
beforeEach(async () => {
  telling = await Telling.start()
})
afterEach(() => telling.stop())

describe.each([
  ['of another version', () => '{"kind":"eclipse","sun":1}'],
  ['cut off', (body: string) => body.slice(0, 100)],
])('news (%s) that this version can’t read', (_, change) => {
  const waits = () =>
    telling.log.lines.filter(({ msg }) => msg === 'an alert waits for a version that can read it')

  test('waits for a version that can read it, with one line in the log, and the others are told', async () => {
    const bot = await telling.bot()
    const people = [telling.person(700_000), channel.id]
    for (const person of people) await bot.follow(person)
    await bot.tell('Beaver', 'Otter', 'Heron')
    const { key } = telling.news('Otter')
    const written = bot.store.selectFrom('news').select('body').where('key', '=', key)
    const { body } = await written.executeTakeFirstOrThrow()
    await bot.spoil('Otter', change)
    bot.delivery.start()
    await eventually(() => {
      for (const name of ['Beaver', 'Heron']) expectOnce(telling, people, name)
    })
    await eventually(async () => {
      expect((await bot.states()).sent).toHaveLength(4)
      expect(await bot.putOff()).toBe(2)
    })
    telling.pass(61_000)
    const looks = bot.store.selectFrom('deliveries').select('run_at')
    const later = looks.where('state', '=', 'waiting').where('run_at', '>', telling.seconds())
    await eventually(async () => expect(await later.execute()).toHaveLength(2))
    expect(waits()).toHaveLength(1)
    await bot.delivery.stop()
    await bot.spoil('Otter', () => body)
    const newer = await telling.bot()
    newer.delivery.start()
    telling.pass(61_000)
    await eventually(() => expectOnce(telling, people, 'Otter'))
    const tries = newer.store.selectFrom('deliveries').select('attempts')
    await eventually(async () => expect(await newer.states()).toEqual({ sent: expect.any(Array) }))
    expect((await tries.execute()).map(({ attempts }) => attempts)).toEqual(Array(6).fill(1))
  })

  test('is dropped once it is of no use any more', async () => {
    const bot = await telling.bot()
    await bot.follow(channel.id)
    await bot.tell('Otter')
    await bot.spoil('Otter', change)
    bot.delivery.start()
    await eventually(async () => expect(await bot.putOff()).toBe(1))
    telling.pass(2 * 86_400_000)
    await eventually(async () => expect(await bot.states()).toEqual({ dropped: ['dropped'] }))
  })

  test('keeps what may be there already in the message that it went with', async () => {
    const bot = await telling.bot()
    await bot.follow(channel.id)
    await bot.tell('Otter', 'Heron')
    const limits = { maxChats: 1, maxEvents: 10, lease: 60 }
    const [claim] = await bot.outbox.claim('telegram', limits)
    if (!claim) throw new Error('nothing was claimed')
    const runAt = telling.seconds()
    const later = { kind: 'later', runAt, reason: 'no answer', uncertain: true } as const
    await bot.outbox.record(claim, claim.news, later, 0)
    await bot.spoil('Otter', change)
    bot.delivery.start()
    await eventually(() => expect(waits()).toHaveLength(1))
    expect(telling.texts(channel.id)).toEqual([])
    expect(Object.keys(await bot.states())).toEqual(['waiting'])
  })
})
