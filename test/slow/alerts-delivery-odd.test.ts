import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { news as channel } from '../../sandbox/telegram/cast.ts'
import type { CardPictures } from '../../src/cards/card-pictures.ts'
import { type Adapter, SendError } from '../../src/core/adapter.ts'
import { refuse } from '../failing-store.ts'
import { digest } from '../unit/alerts/digest-event.ts'
import { eventually, expectOnce, NotifierHarness } from '../unit/alerts/notifier-harness.ts'

let harness: NotifierHarness
beforeEach(async () => {
  harness = await NotifierHarness.start()
})
afterEach(() => harness.stop())

type Bot = Awaited<ReturnType<NotifierHarness['bot']>>
const complaints = () =>
  harness.log.lines.filter(({ msg }) => msg === 'an alert can’t be rendered: it is dropped')

/** Told of a price that no view can show. */
function priced(body: string): string {
  const amount = { amount: 'much', currency: 'usd' }
  const moved = { value: amount, reference: amount, direction: 'up', by: 'movement', rule: 1 }
  return JSON.stringify({ ...JSON.parse(body), ...moved, kind: 'price' })
}

describe('an event that can’t be rendered', () => {
  test('is dropped with one line in the log, and the others are sent', async () => {
    const bot = await harness.bot()
    const people = [harness.person(700_000), harness.person(700_001), channel.id]
    for (const person of people) await bot.subscribe(person)
    await bot.goLive('Beaver', 'Otter', 'Heron')
    await bot.spoil('Otter', priced)
    const { key } = harness.liveEvent('Otter')
    await bot.store.updateTable('events').set({ kind: 'price' }).where('key', '=', key).execute()
    bot.notifier.start()
    await eventually(() => {
      for (const name of ['Beaver', 'Heron']) expectOnce(harness, people, name)
    })
    await bot.goLive('Swan')
    await harness.inTime(() => expectOnce(harness, people, 'Swan'))
    await eventually(async () => {
      const { dropped, sent } = await bot.states()
      expect([dropped?.length, sent?.length]).toEqual([3, 9])
    })
    expect(complaints()).toHaveLength(1)
  })

  test('together with others is sent in a message of its own', async () => {
    const bot = await harness.bot()
    const { views } = bot
    const failing = await harness.bot({
      views: {
        read: (ids) => views.read(ids),
        canRender: (events) => views.canRender(events),
        of: (events, locale) =>
          events.length > 1 ? Promise.reject(new Error('too many')) : views.of(events, locale),
      },
    })
    await failing.subscribe(channel.id)
    await failing.goLive('Otter', 'Beaver', 'Heron')
    failing.notifier.start()
    await harness.inTime(() => {
      expect(harness.texts(channel.id)).toHaveLength(3)
      for (const name of ['Otter', 'Beaver', 'Heron']) expectOnce(harness, [channel.id], name)
    })
    expect(complaints()).toEqual([])
  })

  test('with its picture is sent without it', async () => {
    const pictures: CardPictures = {
      of: () => Promise.reject(new Error('no canvas')),
      soon: () => Promise.reject(new Error('no canvas')),
      close: () => Promise.resolve(),
    }
    const bot = await harness.bot({ pictures })
    await bot.subscribe(channel.id)
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(() => expectOnce(harness, [channel.id], 'Otter'))
    expect(harness.log.of('error').join()).toContain('is sent without its picture')
  })
})

test('a digest is sent in a message of its own, after the other events that are due', async () => {
  const bot = await harness.bot()
  await bot.subscribe(channel.id)
  const target = { platform: 'telegram', kind: 'chat', id: String(channel.id) } as const
  const rule = { kind: 'digest', setting: { hour: 8, zone: 'UTC' }, scope: {} } as const
  await bot.subscriptions.subscribe(target, rule)
  const id = (await bot.subscriptions.inUse())[0]?.id ?? 0
  const daily = digest({ key: 'daily', rule: id, at: harness.seconds() })
  const other = { ...daily, key: 'another' }
  await bot.enqueue([daily, harness.liveEvent('Otter'), other, harness.liveEvent('Heron')])
  bot.notifier.start()
  await harness.inTime(() => expect(harness.texts(channel.id)).toHaveLength(3))
  const [first, ...digests] = harness.texts(channel.id)
  expect(first).toContain('Otter')
  expect(first).toContain('Heron')
  for (const each of digests) expect(each).toContain('Daily summary')
  await eventually(async () => expect(await bot.states()).toEqual({ sent: expect.any(Array) }))
})

/** Telegram as it would be if it answered as `send` does. */
function answering(
  send: Adapter['send'],
): Pick<
  Adapter,
  'name' | 'localeOf' | 'send' | 'edit' | 'msUntilSlot' | 'gap' | 'startSpacing' | 'health'
> {
  const health = harness.health()
  return {
    name: 'telegram',
    health,
    startSpacing: 30,
    send: (to, view, key) => health.watch(to, send(to, view, key)),
    edit: () => Promise.resolve(),
    msUntilSlot: () => 0,
    gap: () => 1,
    localeOf: () => 'en',
  }
}

describe('messages in flight', () => {
  const count = 60
  async function crowd(bot: Bot): Promise<void> {
    for (let id = 0; id < count; id += 1) await bot.subscribe(700_000 + id)
  }

  test('are mostly one if answers are quick, so that a crash leaves few results unknown', async () => {
    /** Milliseconds; less than what the next one waits for an answer. */
    const spacing = 13
    const begun: number[] = []
    let underWay = 0
    let tooSoon = 0
    const bot = await harness.bot({
      platform: answering(async () => {
        const now = performance.now()
        if (underWay > 0 && now - (begun.at(-1) ?? 0) < spacing) tooSoon += 1
        begun.push(now)
        underWay += 1
        await delay(4)
        return { message: '1' }
      }),
      onDelivered: () => {
        underWay -= 1
        return Promise.resolve()
      },
    })
    await crowd(bot)
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(() => expect(begun).toHaveLength(count))
    // A timer counts from before what its turn has done so far.
    expect(tooSoon).toBeLessThan(count / 4)
  })

  test('are never more than sixteen, however slow the answers', async () => {
    const held: (() => void)[] = []
    const bot = await harness.bot({
      platform: answering(
        () => new Promise((resolve) => held.push(() => resolve({ message: '1' }))),
      ),
    })
    await crowd(bot)
    bot.notifier.start()
    await bot.goLive('Otter')
    let answered = 0
    while (answered < count) {
      await eventually(() => expect(held.length).toBe(Math.min(16, count - answered)))
      answered += held.length
      for (const answer of held.splice(0)) answer()
    }
    await eventually(async () => expect((await bot.states()).sent).toHaveLength(count))
  })
})

test('nothing more is sent to a chat before its gap has passed', async () => {
  const at: number[] = []
  const send = () => Promise.resolve({ message: `${at.push(harness.now())}` })
  const bot = await harness.bot({ platform: { ...answering(send), gap: () => 10 } })
  await bot.subscribe(channel.id)
  bot.notifier.start()
  await bot.goLive('Otter')
  await eventually(async () => expect(await bot.states()).toEqual({ sent: ['sent'] }))
  await bot.goLive('Heron')
  await harness.inTime(() => expect(at).toHaveLength(2))
  const [first = 0, second = 0] = at
  expect(second - first).toBeGreaterThanOrEqual(10_000)
})

test('while the platform is down one message at a time probes whether it is back', async () => {
  let isCounted = false
  const underWay = new Set<string>()
  const together: number[] = []
  const bot = await harness.bot({
    platform: answering(async ({ id }) => {
      underWay.add(id)
      if (isCounted) together.push(underWay.size)
      await delay(isCounted ? 200 : 1)
      underWay.delete(id)
      throw new SendError('no', { final: false })
    }),
  })
  for (let id = 0; id < 30; id += 1) await bot.subscribe(700_000 + id)
  bot.notifier.start()
  await bot.goLive('Otter')
  await eventually(() => expect(harness.log.of('warn').join()).toContain('alerts wait'))
  await eventually(() => expect(underWay.size).toBe(0))
  isCounted = true
  await eventually(() => {
    harness.advance(2000)
    expect(together.length).toBeGreaterThan(4)
  })
  expect(new Set(together)).toEqual(new Set([1]))
})

/** Nobody's outcome can be stored, or only that it was given up. */
describe('a result that the database refuses', () => {
  test.each([
    ['of one kind', "new.state = 'sent'", 'given-up'],
    ['of any', 'true', 'waiting'],
  ])('(%s) does not delay other chats', async (_, refused, state) => {
    const bot = await harness.bot()
    const people = [harness.person(700_000), harness.person(700_001)]
    for (const person of people) await bot.subscribe(person)
    const first = "new.chat_id = (select id from chats where chat = '700000')"
    await refuse(bot.store, 'update of state on deliveries', `${first} and ${refused}`)
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(async () => {
      const { sent, ...others } = await bot.states()
      expect([sent?.length, others]).toEqual([1, { [state]: [state] }])
    })
    await bot.goLive('Heron')
    await eventually(() => expect(harness.texts(700_001).join()).toContain('Heron'))
    expect(harness.texts(700_000).join().match(/Otter/g)?.length ?? 0).toBeGreaterThan(0)
  })

  test('a gap or Retry-After that is no number counts as none', async () => {
    const bot = await harness.bot({
      platform: {
        ...answering((to) =>
          to.id === '700000'
            ? Promise.reject(new SendError('no', { final: false, retryAfter: Number.NaN }))
            : Promise.resolve({ message: '1' }),
        ),
        gap: () => Number.NaN,
      },
    })
    for (const id of [700_000, 700_001]) await bot.subscribe(id)
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(async () =>
      expect(await bot.states()).toEqual({ sent: ['sent'], waiting: ['waiting'] }),
    )
    expect(harness.log.of('error')).toEqual([])
  })
})
