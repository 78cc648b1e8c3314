import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { news } from '../../../sandbox/telegram/cast.ts'
import type { CardPictures } from '../../../src/cards/card-pictures.ts'
import { auction, eventually, NotifierHarness } from './notifier-harness.ts'

type Bot = Awaited<ReturnType<NotifierHarness['bot']>>

let harness: NotifierHarness
let bot: Bot
beforeEach(async () => {
  harness = await NotifierHarness.start()
  bot = await harness.bot()
  await bot.subscribe(news.id)
  bot.notifier.start()
})
afterEach(() => harness.stop())

async function delivered(name: string): Promise<void> {
  await bot.goLive(name)
  await eventually(() => expect(harness.texts(news.id).join()).toContain(name))
  await eventually(async () => expect(await stored()).toContain(auction(name).asset_address))
}

/** Waits until the message was polled and scheduled again. */
function rescheduled(name: string): Promise<void> {
  const rows = bot.store
    .selectFrom('live_messages')
    .select('due_at_s')
    .where('asset', '=', auction(name).asset_address)
  return eventually(async () => {
    const next = (await rows.execute()).map(({ due_at_s }) => due_at_s)
    expect(Math.min(...next)).toBeGreaterThan(harness.seconds())
  })
}

async function stored(): Promise<string[]> {
  const rows = await bot.store.selectFrom('live_messages').select('asset').execute()
  return rows.map(({ asset }) => asset)
}

const edits = () => harness.front.calls.filter((method) => method.startsWith('edit')).length

test('a live auction’s message is edited after a while, and not before', async () => {
  await bot.seen('Otter', 'live')
  await delivered('Otter')
  await bot.seen('Otter', 'live', '50')
  bot.liveMessageUpdater.start()
  harness.advance(90_000)
  await delivered('Heron')
  expect(edits()).toBe(0)
  harness.advance(40_000)
  await eventually(() => expect(harness.texts(news.id)[0]).toContain('50'))
  expect(harness.texts(news.id)).toHaveLength(2)
})

test('the operator’s links stand below an alert, and stay there when it is edited', async () => {
  await bot.notifier.stop()
  bot = await harness.bot({ links: [{ label: 'Trade', url: 'https://dex.example/{address}' }] })
  bot.notifier.start()
  const links = () =>
    harness.server.people
      .messages(news.id)
      .flatMap(({ buttons }) => buttons.flat().filter(({ text }) => text === 'Trade'))
  await bot.seen('Otter', 'live')
  await delivered('Otter')
  expect(links()).toHaveLength(1)
  bot.liveMessageUpdater.start()
  await bot.seen('Otter', 'live', '50')
  harness.advance(130_000)
  await eventually(() => expect(harness.texts(news.id)[0]).toContain('50'))
  expect(links()).toMatchObject([{ url: `https://dex.example/${auction('Otter').asset_address}` }])
})

test('nothing is edited if nothing changed', async () => {
  await bot.seen('Otter', 'live')
  await delivered('Otter')
  bot.liveMessageUpdater.start()
  harness.advance(130_000)
  await eventually(() => expect(edits()).toBe(1))
  await rescheduled('Otter')
  harness.advance(130_000)
  await rescheduled('Otter')
  expect(edits()).toBe(1)
})

test.each([
  ['graduated', 'raduated'],
  ['ended', 'Ended'],
  ['gone', 'No longer'],
] as const)('one that is %s gets its final edit at once, and once', async (phase, words) => {
  await bot.seen('Otter', 'live')
  await delivered('Otter')
  bot.liveMessageUpdater.start()
  await bot.seen('Otter', phase)
  // The chat was written to a moment ago; the message itself would be due in two minutes.
  harness.advance(5000)
  await eventually(() => expect(harness.texts(news.id)[0]).toContain(words))
  const soon = phase === 'graduated' ? [] : [auction('Otter').asset_address]
  await eventually(async () => expect(await stored()).toEqual(soon))
  harness.advance(3_700_000)
  await eventually(async () => expect(await stored()).toEqual([]))
  expect(edits()).toBe(1)
})

test.each([
  ['gone', 'live', 'Live now'],
  ['ended', 'live', 'Live now'],
  ['ended', 'graduated', 'raduated'],
] as const)('one that seemed %s and is %s after all is corrected', async (phase, truth, words) => {
  await bot.seen('Otter', 'live')
  await delivered('Otter')
  await bot.seen('Otter', phase)
  bot.liveMessageUpdater.start()
  harness.advance(5000)
  await eventually(() => expect(edits()).toBe(1))
  await rescheduled('Otter')
  await bot.seen('Otter', truth)
  harness.advance(130_000)
  await eventually(() => expect(harness.texts(news.id)[0]).toContain(words))
  if (truth !== 'live') return
  await rescheduled('Otter')
  await bot.seen('Otter', 'ended')
  await harness.inTime(() => expect(harness.texts(news.id)[0]).toContain('Ended'))
})

test('messages of ended auctions are edited before those that waited longer', async () => {
  await bot.seen('Heron', 'live')
  await delivered('Heron')
  harness.advance(60_000)
  await bot.seen('Otter', 'live')
  await delivered('Otter')
  harness.advance(600_000)
  await bot.seen('Heron', 'live', '50')
  await bot.seen('Otter', 'ended')
  await bot.messages.scheduleEnded()
  const due = await bot.messages.due('telegram', 10)
  expect(due.map(({ asset }) => asset)).toEqual(
    ['Otter', 'Heron'].map((name) => auction(name).asset_address),
  )
})

test('a message that can’t be written is logged once, and does not block others', async () => {
  for (const name of ['Otter', 'Heron']) {
    await bot.seen(name, 'live')
    await delivered(name)
    await bot.seen(name, 'live', '50')
  }
  const pictures: CardPictures = {
    of: ({ name }) =>
      name === 'Otter' ? Promise.reject(new Error('x')) : Promise.resolve(undefined),
    soon: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  }
  const other = await harness.bot({ pictures })
  other.notifier.start()
  other.liveMessageUpdater.start()
  harness.advance(130_000)
  await eventually(() => expect(harness.texts(news.id)[1]).toContain('50'))
  const due = bot.store
    .selectFrom('live_messages')
    .select('asset')
    .where('due_at_s', '<=', harness.seconds())
  await eventually(async () => expect(await due.execute()).toEqual([]))
  await rescheduled('Otter')
  harness.advance(130_000)
  await rescheduled('Otter')
  expect(harness.log.of('warn')).toEqual([expect.stringContaining('can’t be written')])
  expect(edits()).toBe(1)
})

test('an edit has the picture of the current state', async () => {
  await bot.seen('Otter', 'live')
  await delivered('Otter')
  await bot.seen('Otter', 'ended')
  const bytes = new Uint8Array(9)
  const pictures: CardPictures = {
    of: ({ name }) =>
      Promise.resolve({ name: 'card.png', type: 'image/png', bytes, key: `of ${name}` }),
    soon: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  }
  const { platform } = harness
  const shown: (string | undefined)[] = []
  const other = await harness.bot({
    pictures,
    platform: {
      name: 'telegram',
      startSpacing: 30,
      send: (...message) => platform.send(...message),
      msUntilSlot: () => 0,
      gap: () => 1,
      localeOf: () => 'en',
      health: platform.health,
      edit: async (_to, _message, { picture }) => {
        shown.push(picture?.key)
      },
    },
  })
  other.notifier.start()
  other.liveMessageUpdater.start()
  harness.advance(5000)
  await eventually(() => expect(shown).toEqual(['of Otter']))
})

test('messages that can’t be edited do not block other work', async () => {
  const count = 100
  await bot.seen('Otter', 'live')
  await delivered('Otter')
  const [one] = await bot.store.selectFrom('live_messages').selectAll().execute()
  if (!one) throw new Error('no live message is stored')
  const more = Array.from({ length: count }, (_, index) => ({ ...one, message: `9000${index}` }))
  await bot.store.insertInto('live_messages').values(more).execute()
  let turns = 0
  const begunAt = new Set<number>()
  const pictures: CardPictures = {
    of: () => {
      begunAt.add(turns)
      return Promise.reject(new Error('no card'))
    },
    soon: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  }
  const context = () => {
    turns += 1
    turning = setImmediate(context)
  }
  let turning = setImmediate(context)
  const other = await harness.bot({ pictures })
  other.notifier.start()
  other.liveMessageUpdater.start()
  harness.advance(130_000)
  await eventually(() => expect(begunAt.size).toBeGreaterThan(count))
  clearImmediate(turning)
})

test('a message that was deleted on the platform is removed', async () => {
  await bot.seen('Otter', 'live')
  await delivered('Otter')
  await bot.seen('Otter', 'live', '50')
  const place = harness.server.api.world.places.get(news.id)
  place?.messages.clear()
  bot.liveMessageUpdater.start()
  harness.advance(130_000)
  await eventually(async () => expect(await stored()).toEqual([]))
})

test('a message about several auctions is not updated', async () => {
  await bot.goLive('Otter', 'Heron')
  await eventually(async () => expect(await bot.states()).toHaveProperty('sent'))
  expect(await stored()).toEqual([])
})

test('nothing is edited while alerts wait', async () => {
  await bot.seen('Otter', 'live')
  await delivered('Otter')
  await bot.seen('Otter', 'live', '50')
  for (const person of harness.people(8)) await bot.subscribe(person)
  harness.advance(130_000)
  harness.front.hold = (method) => (method === 'sendMessage' ? delay(100) : undefined)
  await bot.goLive('Heron')
  bot.liveMessageUpdater.start()
  await eventually(() => expect(edits()).toBe(1))
  const calls = harness.front.calls.filter((each) => /^(?:send|edit)Message/u.test(each))
  expect(calls.map((each) => each.slice(0, 4))).toEqual([...Array(10).fill('send'), 'edit'])
})

test('after an edit nothing else is sent to the chat at once', async () => {
  await bot.seen('Otter', 'live')
  await delivered('Otter')
  const pauses: number[] = []
  const { platform } = harness
  const other = await harness.bot({
    platform: {
      name: 'telegram',
      startSpacing: 30,
      send: (...message) => platform.send(...message),
      msUntilSlot: () => platform.msUntilSlot(),
      gap: () => 30,
      localeOf: () => 'en',
      health: platform.health,
      edit: async () => {
        const row = await bot.store.selectFrom('chats').select('next_at_ms').executeTakeFirst()
        pauses.push((row?.next_at_ms ?? 0) - harness.now())
      },
    },
  })
  await bot.notifier.stop()
  other.notifier.start()
  other.liveMessageUpdater.start()
  harness.advance(130_000)
  await eventually(() => expect(pauses).toHaveLength(1))
  expect(pauses[0]).toBeGreaterThan(20_000)
})
