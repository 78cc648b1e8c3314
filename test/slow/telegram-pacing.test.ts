import { setTimeout as sleep } from 'node:timers/promises'
import { Api } from 'grammy'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club, lodge, news } from '../../sandbox/telegram/cast.ts'
import { TelegramServer } from '../../sandbox/telegram/server.ts'
import type { LocalisedView } from '../../src/core/view.ts'
import { Pacing } from '../../src/telegram/pacing.ts'
import { defaultMessageLimits, type MessageLimits } from '../../src/telegram/platform.ts'
import { viewOf } from '../unit/core/scripted-bot.ts'
import {
  type Connection,
  connection,
  startFrontedChat,
  toChat,
  token,
  toPerson,
} from '../unit/telegram/telegram-chat.ts'

const patience = { timeout: 20_000 }

/** Telegram and the bot, ten times as fast as they are: what takes minutes is done in seconds. */
const factor = 10
const limits: MessageLimits = { all: 30 * factor, person: factor, group: 20 * factor }

let server: TelegramServer
let bot: Connection
beforeEach(async () => {
  server = await TelegramServer.start({ token, floodLimits: { factor } })
  bot = connection(server.root, token, undefined, { limits })
})
afterEach(async () => {
  await bot.platform.stop()
  await server.stop()
})

/** Sends a view to each of these people, as soon as there is room. */
async function tell(
  people: readonly number[],
  view: LocalisedView,
  platform = bot.platform,
): Promise<void> {
  const sends: Promise<unknown>[] = []
  for (const id of people) {
    for (let wait = platform.msUntilSlot(); wait > 0; wait = platform.msUntilSlot())
      await sleep(wait)
    sends.push(platform.send(toPerson(id), view, 'k'))
  }
  await Promise.all(sends)
}

/** The bot's messages in a chat. */
const answersIn = (chat: number) =>
  server.people
    .messages(chat)
    .filter(({ sender }) => sender.isBot)
    .map(({ text }) => text)

describe('a thousand people', () => {
  const first = 5_000_000
  const people = Array.from({ length: 1_000 }, (_, index) => first + index)

  /** Each asks twice. */
  function ask(): void {
    for (const [index, id] of people.entries()) server.api.world.guest(id, index)
    for (const line of ['/ask moon', '/ask otter']) {
      for (const id of people) server.people.text(id, id, line)
    }
  }

  async function expectAnswers(): Promise<void> {
    await expect.poll(() => server.api.tally.total, patience).toBe(2 * people.length)
    expect(server.api.tally.refused).toBe(0)
    for (const id of people) expect(answersIn(id)).toEqual(['ask moon', 'ask otter'])
  }

  test('who ask within a second are all answered, each in order, and none is refused', async () => {
    await bot.platform.start()
    ask()
    await expectAnswers()
  })

  test('who asked while the bot was away are so, too', async () => {
    ask()
    await bot.platform.start()
    await expectAnswers()
  })

  test('who ask are answered before people get news, which then nobody lacks', async () => {
    // Slow enough that a busy machine keeps up: what it can't answer leaves room for news.
    const slower = await TelegramServer.start({ token, floodLimits: { factor: factor / 2 } })
    const half = { all: limits.all / 2, person: limits.person / 2, group: limits.group / 2 }
    const { platform } = connection(slower.root, token, undefined, { limits: half })
    try {
      await platform.start()
      const told = slower.circumstances.crowd(500)
      const telling = tell(told, viewOf('news'), platform)
      await slower.people.flood({ count: 1_000, text: '/ask moon', firstUserId: first })
      // Room that news had already is all that it gets meanwhile.
      expect(told.filter((id) => slower.api.tally.in(id) > 0).length).toBeLessThan(150)
      await telling
      expect(slower.api.tally.refused).toBe(0)
      expect(told.map((id) => slower.api.tally.in(id))).toEqual(told.map(() => 1))
    } finally {
      await platform.stop()
      await slower.stop()
    }
  })
})

test('who waits longer for an answer sees that the bot is typing, once', async () => {
  const slow = connection(server.root, token, undefined, { limits: { ...limits, all: 20 } })
  await slow.platform.start()
  try {
    await server.people.flood({ count: 80, text: '/ask moon', firstUserId: 6_000_000 })
    const typing = server.calls.of('sendChatAction').map(({ payload }) => payload.chat_id)
    expect(typing.length).toBeGreaterThanOrEqual(20)
    expect(typing.length).toBeLessThan(60)
    expect(new Set(typing).size).toBe(typing.length)
  } finally {
    await slow.platform.stop()
  }
})

test('a group that asks for more than Telegram takes there holds up nobody else', async () => {
  const few = connection(server.root, token, undefined, { limits: { ...limits, group: 10 } })
  await few.platform.start()
  try {
    for (let each = 0; each < 15; each += 1) server.people.text(ben.id, club.id, `/ask ${each}`)
    await expect.poll(() => answersIn(club.id).length, patience).toBe(9)
    server.people.text(ben.id, ben.id, '/ask moon')
    server.people.text(ada.id, lodge.id, '/ask otter')
    await expect.poll(() => answersIn(ben.id), patience).toEqual(['ask moon'])
    await expect.poll(() => answersIn(lodge.id), patience).toEqual(['ask otter'])
    expect(few.platform.msUntilSlot()).toBe(0)
    expect(answersIn(club.id)).toHaveLength(9)
  } finally {
    await few.platform.stop(0)
  }
})

let fronted: Awaited<ReturnType<typeof startFrontedChat>>
describe('at a door where calls are refused', () => {
  beforeEach(async () => {
    fronted = await startFrontedChat({ limits: undefined })
  })
  afterEach(() => fronted.stop())

  /** Telegram takes no message any more, and says to wait so long; or not the next few. */
  function refuses(wait: unknown, times = Number.POSITIVE_INFINITY): void {
    const refusal = { ok: false, error_code: 429, description: 'Too Many Requests' }
    const body = JSON.stringify({ ...refusal, parameters: { retry_after: wait } })
    let left = times
    fronted.front.mishap = (method) =>
      method.startsWith('send') && method !== 'sendChatAction' && left-- > 0
        ? { status: 429, body }
        : undefined
  }

  /** The calls, but for those that ask for updates, or read and set the bot's profile after a start. */
  const made = () => fronted.front.calls.filter((method) => !/^(?:get|set)[A-Z]/u.test(method))

  async function attempt(id: number): Promise<void> {
    await fronted.platform.send(toChat(id), viewOf('x'), 'k').catch(() => undefined)
  }

  /** A pacing on a clock that a test moves, and calls that are refused. */
  function clocked() {
    const clock = { now: 0 }
    const pacing = new Pacing({
      limits: defaultMessageLimits,
      now: () => clock.now,
      uploads: { waiting: 0 },
    })
    const api = new Api(token, { apiRoot: fronted.front.root })
    api.config.use(pacing.transformer)
    const send = (id: number) =>
      pacing.run('background', () => api.sendMessage(id, 'x')).catch(() => undefined)
    /** How many may begin at once. */
    const begins = () => {
      let count = 0
      for (; count < 100 && pacing.msUntilSlot() === 0; count += 1) void send(10_000 + count)
      return count
    }
    return { clock, pacing, api, send, begins }
  }

  test('the answers come later, and in order', async () => {
    const { server: telegram, botTexts } = fronted
    refuses(1, 7)
    for (const line of ['/ask one', '/ask two', '/ask three']) {
      for (const id of [ada.id, ben.id]) telegram.people.text(id, id, line)
    }
    const expected = ['ask one', 'ask two', 'ask three']
    for (const id of [ada.id, ben.id]) {
      await expect.poll(() => botTexts(id), patience).toEqual(expected)
    }
  })

  test('the answer is given up, and logged, where the wait is longer than anybody’s', async () => {
    const { server: telegram, log } = fronted
    refuses(86_400, 1)
    telegram.people.text(ben.id, ben.id, '/ask one')
    const given = () => log.of('error').filter((line) => line.includes('was not answered'))
    await expect.poll(() => given().length, patience).toBe(1)
    telegram.people.text(ada.id, ada.id, '/ask moon')
    await fronted.sees(ada.id, 'ask moon')
  })

  test.each([86_400, 1e300])('a chat waits for ten minutes at most: %d', async (wait) => {
    const { pacing, send } = clocked()
    refuses(wait, 1)
    await send(ada.id)
    expect(pacing.gap(toChat(ada.id))).toBe(600)
  })

  test('what nobody asked for waits with the chat, and in all once a third is refused', async () => {
    const { platform, front, server: telegram } = fronted
    refuses(25)
    for (const { id } of [club, club, news]) {
      await attempt(id)
      await expect.poll(() => platform.msUntilSlot(), patience).toBe(0)
      expect(platform.gap(toChat(id))).toBeGreaterThan(20)
    }
    await attempt(lodge.id)
    expect(platform.msUntilSlot()).toBeGreaterThan(20_000)
    front.mishap = () => undefined
    telegram.people.text(ben.id, ben.id, '/ask moon')
    await fronted.sees(ben.id, 'ask moon')
    expect(platform.msUntilSlot()).toBeGreaterThan(20_000)
  })

  test.each([86_400, 'soon', null, -5])(
    'what nobody asked for waits a minute at most, however long it is told to (%j)',
    async (wait) => {
      refuses(wait)
      for (const { id } of [ada, ben, club, lodge]) await attempt(id)
      expect(fronted.platform.msUntilSlot()).toBeGreaterThan(0)
      expect(fronted.platform.msUntilSlot()).toBeLessThanOrEqual(60_000)
    },
  )

  test('each message and edit that people wait for is counted, and nothing else that is asked', async () => {
    const atOnce = clocked().begins()
    const { api, begins } = clocked()
    const chat = ben.id
    const all = [
      api.sendChatAction(chat, 'typing'),
      api.getChat(chat),
      api.deleteMessage(chat, 1),
      api.sendMessage(chat, 'x'),
      api.sendDocument(chat, 'file'),
      api.editMessageText(chat, 1, 'x'),
      api.editMessageReplyMarkup(chat, 1),
    ]
    await Promise.allSettled(all)
    expect(begins()).toBe(atOnce - 4)
  })

  test('edits of what people look at go before answers, and answers before news', async () => {
    const parts = { now: () => performance.now(), uploads: { waiting: 0 }, isSpread: false }
    // Slow enough that the calls before leave nothing, however long a busy machine takes to answer them.
    const pacing = new Pacing({ ...parts, limits: { ...defaultMessageLimits, all: 2 } })
    const api = new Api(token, { apiRoot: fronted.front.root })
    api.config.use(pacing.transformer)
    await Promise.allSettled([1, 2, 3].map((id) => api.sendMessage(id, 'x')))
    fronted.front.calls.length = 0
    await Promise.allSettled([
      pacing.run('background', () => api.sendMessage(club.id, 'x')),
      api.sendDocument(ada.id, 'file'),
      api.editMessageText(ben.id, 1, 'x'),
    ])
    expect(made()).toEqual(['editMessageText', 'sendDocument', 'sendMessage'])
  })

  test('signs of typing are left out where there are too many', async () => {
    const { api } = clocked()
    fronted.front.calls.length = 0
    const all = Array.from({ length: 100 }, () => api.sendChatAction(ben.id, 'typing'))
    await Promise.allSettled(all)
    expect(made()).toHaveLength(20)
  })

  test('interim views are left out while answers wait, and shown where there is room', async () => {
    const { pacing, api, begins } = clocked()
    const show = () => pacing.run('interim', () => api.sendMessage(club.id, 'x'))
    await show()
    begins()
    await expect(show()).rejects.toThrow('others go first')
  })

  test('interim views leave half of a group’s messages to answers', async () => {
    const { pacing, api, clock } = clocked()
    const show = () => pacing.run('interim', () => api.sendMessage(club.id, 'x'))
    for (let each = 0; each < 10; each += 1) {
      clock.now += 2_000
      await show()
    }
    clock.now += 2_000
    await expect(show()).rejects.toThrow('others go first')
    await api.sendMessage(club.id, 'x')
  })

  test('an alert that has no slot is put off before others may take it for lost', async () => {
    const { pacing, api } = clocked()
    // Answers take all that there is at once, and the clock stands still.
    await Promise.allSettled(Array.from({ length: 8 }, (_, id) => api.sendMessage(id + 1, 'x')))
    const sending = pacing.run('background', () => api.sendMessage(lodge.id, 'x'))
    await expect(sending).rejects.toThrow('others go first')
  })

  test.each(['alerts', 'answers'])(
    'a group is left more time where %s there have used up what it is permitted',
    async (what) => {
      const { pacing, api, send, clock } = clocked()
      for (let each = 0; each < 19; each += 1) {
        clock.now += 2_000
        await (what === 'alerts' ? send(club.id) : api.sendMessage(club.id, 'x'))
      }
      expect(pacing.gap(toChat(club.id))).toBeGreaterThan(20)
      expect(pacing.gap(toChat(lodge.id))).toBe(3.1)
    },
  )

  test('alerts wait while many wait for the same picture to go up, which happens once', async () => {
    const { platform, front, server: telegram } = fronted
    const people = telegram.circumstances.crowd(40)
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const picture = { key: 'red', name: 'card.png', type: 'image/png', bytes }
    const held: (() => void)[] = []
    const sends: Promise<unknown>[] = []
    front.hold = (method) =>
      method === 'sendPhoto' && held.length === 0
        ? new Promise((resolve) => held.push(resolve))
        : undefined
    let [begun, waits] = [0, 0]
    // Long enough for all of them to begin, were it for the number of messages alone.
    while (begun < people.length && waits < 60) {
      if (platform.msUntilSlot() > 0) {
        waits += 1
        await sleep(25)
      } else {
        waits = 0
        const [id = 0] = people.slice(begun++)
        sends.push(platform.send(toPerson(id), { ...viewOf('live'), picture }, 'k'))
        await sleep(platform.startSpacing)
      }
    }
    await expect.poll(() => held.length, patience).toBe(1)
    expect(begun).toBeLessThan(people.length)
    expect(front.calls.filter((method) => method === 'sendPhoto')).toHaveLength(1)
    held[0]?.()
    await Promise.all(sends)
    expect(telegram.api.tally.total).toBe(begun)
    await expect.poll(() => platform.msUntilSlot(), patience).toBe(0)
  })

  test('a person is left a second, and a group or channel three', () => {
    const { platform } = fronted
    expect(platform.gap(toPerson(ben.id))).toBe(1.1)
    expect(platform.gap(toChat(ben.id))).toBe(1.1)
    for (const { id } of [club, lodge, news]) expect(platform.gap(toChat(id))).toBe(3.1)
  })
})
