import { setTimeout as sleep } from 'node:timers/promises'
import { Api } from 'grammy'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club, lodge, news } from '../../sandbox/telegram/cast.ts'
import { noReplicas } from '../../src/core/pubsub.ts'
import type { View } from '../../src/core/view.ts'
import { Pacing } from '../../src/telegram/transport.ts'
import { viewOf } from '../unit/core/scripted-bot.ts'
import {
  type Chat,
  startChat,
  startFrontedChat,
  toChat,
  toPerson,
} from '../unit/telegram/telegram-chat.ts'

let chat: Chat
let fronted: Awaited<ReturnType<typeof startFrontedChat>>
beforeEach(async () => {
  chat = await startChat({ floodLimits: true })
  fronted = await startFrontedChat()
})
afterEach(() => Promise.all([chat.stop(), fronted.stop()]))

const patience = { timeout: 20_000 }

/** Telegram takes no message any more, and says to wait so long. */
function refuses(wait: unknown): void {
  const refusal = { ok: false, error_code: 429, description: 'Too Many Requests' }
  const body = JSON.stringify({ ...refusal, parameters: { retry_after: wait } })
  fronted.front.mishap = (method) => (method === 'sendMessage' ? { status: 429, body } : undefined)
}

async function attempt(id: number): Promise<void> {
  await fronted.platform.send(toChat(id), viewOf('x'), 'k').catch(() => undefined)
}

type Policy = Parameters<Pacing['run']>[0]

/** A pacing on a clock that a test moves, and calls that Telegram refuses for a long time. */
function clocked() {
  const clock = { now: 0 }
  const pacing = new Pacing({
    now: () => clock.now,
    uploads: { waiting: 0 },
    pubsub: noReplicas,
  })
  const api = new Api('1:token', { apiRoot: fronted.front.root })
  api.config.use(...pacing.transformers)
  const send = (policy: Policy, id: number) =>
    pacing.run(policy, () => api.sendMessage(id, 'x')).catch(() => undefined)
  const refused = (policy: Policy, id: number) => {
    refuses(25)
    return send(policy, id)
  }
  /** How many may begin at once. */
  const begins = () => {
    let count = 0
    while (count < 100 && pacing.capacity() === 0) count += 1
    return count
  }
  return { clock, pacing, api, send, refused, begins }
}

/** Sends a view to each of these people, as soon as there is room. */
async function tell(people: readonly number[], view: View): Promise<void> {
  const sends: Promise<unknown>[] = []
  for (const id of people) {
    for (let wait = chat.platform.capacity(); wait > 0; wait = chat.platform.capacity())
      await sleep(wait)
    sends.push(chat.platform.send(toPerson(id), view, 'k'))
  }
  await Promise.all(sends)
}

describe('what nobody asked for', () => {
  test('is sent to many without one refusal, beside the answers to those who ask', async () => {
    const { server } = chat
    const people = server.circumstances.crowd(150)
    const told = tell(people, viewOf('news'))
    for (let wave = 0; wave < 8; wave += 1) {
      const firstUserId = 3_000_000 + wave * 100
      await server.people.flood({ count: 8, text: '/ask moon', firstUserId })
      await sleep(400)
    }
    await told
    expect(server.api.tally.refused).toBe(0)
    expect(people.map((id) => server.api.tally.in(id))).toEqual(people.map(() => 1))
  })

  test('waits for a moment after the refusals of two chats, and for all of it after a third’s', async () => {
    const { platform, front, server } = fronted
    refuses(25)
    for (const { id } of [club, club, news]) {
      await attempt(id)
      expect(platform.capacity()).toBeGreaterThan(0)
      expect(platform.capacity()).toBeLessThanOrEqual(1_000)
    }
    await attempt(lodge.id)
    expect(platform.capacity()).toBeGreaterThan(20_000)
    front.mishap = () => undefined
    server.people.text(ben.id, ben.id, '/ask moon')
    await fronted.sees(ben.id, 'ask moon')
    expect(platform.capacity()).toBeGreaterThan(0)
  })

  test.each([86_400, 'soon', null, -5])(
    'waits a minute at most, however long it is told to (%j)',
    async (wait) => {
      refuses(wait)
      for (const { id } of [ada, ben, club, lodge]) await attempt(id)
      expect(fronted.platform.capacity()).toBeGreaterThan(0)
      expect(fronted.platform.capacity()).toBeLessThanOrEqual(60_000)
    },
  )

  test('goes on where groups are refused in which answers used up what is permitted', async () => {
    const { platform } = fronted
    const groups = [club.id, lodge.id, news.id]
    for (const id of groups) {
      for (let each = 0; each < 19; each += 1) fronted.server.people.text(ada.id, id, '/ask moon')
      await expect.poll(() => fronted.server.api.tally.in(id), patience).toBe(19)
    }
    refuses(25)
    for (const id of groups) await attempt(id)
    await expect.poll(() => platform.capacity(), patience).toBe(0)
    expect(fronted.front.calls.length).toBeGreaterThan(50)
  })

  test('counts each message and edit that people wait for, and nothing else that is asked', async () => {
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

  test('leaves a group more where alerts there have used up what it is permitted', async () => {
    const { pacing, send } = clocked()
    await Promise.all(Array.from({ length: 18 }, () => send('background', club.id)))
    expect(pacing.gap(toChat(club.id))).toBeGreaterThan(3.1)
    expect(pacing.gap(toChat(lodge.id))).toBe(3.1)
  })

  test('waits after a person’s refusal, however much they were answered', async () => {
    const { pacing, send, refused, clock } = clocked()
    await Promise.all(Array.from({ length: 25 }, () => send('interim', ben.id)))
    clock.now += 5_000
    expect(pacing.capacity()).toBe(0)
    await refused('background', ben.id)
    expect(pacing.capacity()).toBe(1_000)
  })

  test('goes on whatever answers to people are refused', async () => {
    const { pacing, refused } = clocked()
    for (const chat of [1, 2, 3, 4, 5]) await refused('interim', chat)
    expect(pacing.capacity()).toBe(0)
  })

  test('waits for a moment only where chats are refused one after the other', async () => {
    const { pacing, refused, clock } = clocked()
    for (const chat of [1, 2, 3, 4, 5]) {
      clock.now += 2_000
      await refused('background', chat)
    }
    clock.now += 1_000
    expect(pacing.capacity()).toBe(0)
  })

  test('waits while many wait for the same picture to go up, which happens once', async () => {
    const { platform, front, server } = fronted
    const people = server.circumstances.crowd(40)
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
      if (platform.capacity() > 0) {
        waits += 1
        await sleep(25)
      } else {
        waits = 0
        const [id = 0] = people.slice(begun++)
        sends.push(platform.send(toPerson(id), { ...viewOf('live'), picture }, 'k'))
      }
    }
    await expect.poll(() => held.length, patience).toBe(1)
    expect(begun).toBeLessThan(people.length)
    expect(front.calls.filter((method) => method === 'sendPhoto')).toHaveLength(1)
    held[0]?.()
    await Promise.all(sends)
    expect(server.api.tally.total).toBe(begun)
    await expect.poll(() => platform.capacity(), patience).toBe(0)
  })

  test('leaves a group more where answers there have used up what it is permitted', async () => {
    const { server, platform } = fronted
    for (let index = 0; index < 18; index += 1) server.people.text(ben.id, club.id, '/ask moon')
    await expect.poll(() => server.api.tally.in(club.id), patience).toBe(18)
    expect(platform.gap(toChat(club.id))).toBeGreaterThan(3.1)
  })

  test('takes one place for one message, and for each that comes without asking for room', async () => {
    const { pacing, send, clock } = clocked()
    const begun = async () => {
      let count = 0
      for (; count < 100 && pacing.capacity() === 0; count += 1) await send('background', 1)
      return count
    }
    const atOnce = await begun()
    clock.now += 60_000
    await send('background', 1)
    await send('background', 1)
    expect(await begun()).toBe(atOnce - 2)
  })

  test('leaves a person a second, and a group or channel three', () => {
    expect(chat.platform.gap(toPerson(ben.id))).toBe(1.1)
    expect(chat.platform.gap(toChat(ben.id))).toBe(1.1)
    for (const { id } of [club, lodge, news]) {
      expect(chat.platform.gap(toChat(id))).toBe(3.1)
    }
  })
})
