import { setTimeout as sleep } from 'node:timers/promises'
import { Api } from 'grammy'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ben, club, lodge, news } from '../../sandbox/telegram/cast.ts'
import type { View } from '../../src/chat/view.ts'
import { Pacing } from '../../src/telegram/pacing.ts'
import { viewOf } from '../chat/scripted-bot.ts'
import { type Chat, startChat, startFrontedChat } from './telegram-chat.ts'

let chat: Chat
let fronted: Awaited<ReturnType<typeof startFrontedChat>>
beforeEach(async () => {
  chat = await startChat({ floodLimits: true })
  fronted = await startFrontedChat()
})
afterEach(() => Promise.all([chat.stop(), fronted.stop()]))

const patience = { timeout: 20_000 }

const toPerson = (id: number) => ({ kind: 'person', id: String(id) }) as const

/** Sends a view to each of these people, as soon as there is room. */
async function tell(people: readonly number[], view: View): Promise<void> {
  const sends: Promise<unknown>[] = []
  for (const id of people) {
    for (let wait = chat.platform.room(); wait > 0; wait = chat.platform.room()) await sleep(wait)
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

  test('waits for a moment after one chat’s refusal, and for all of it after another’s', async () => {
    const { platform, front, server } = fronted
    const refusal = { ok: false, error_code: 429, description: 'Too Many Requests: retry after 25' }
    const body = JSON.stringify({ ...refusal, parameters: { retry_after: 25 } })
    front.mishap = (method) => (method === 'sendMessage' ? { status: 429, body } : undefined)
    const send = ({ id }: { id: number }) =>
      platform.send({ kind: 'chat', id: String(id) }, viewOf('x'), 'k').catch(() => undefined)
    await send(club)
    expect(platform.room()).toBeGreaterThan(0)
    expect(platform.room()).toBeLessThanOrEqual(1_000)
    await send(club)
    expect(platform.room()).toBeLessThanOrEqual(1_000)
    await send(news)
    expect(platform.room()).toBeGreaterThan(20_000)
    front.mishap = () => undefined
    server.people.text(ben.id, ben.id, '/ask moon')
    await fronted.sees(ben.id, 'ask moon')
    expect(platform.room()).toBeGreaterThan(0)
  })

  test('waits while many wait for the same picture to go up, which happens once', async () => {
    const { platform, front, server } = fronted
    const people = server.circumstances.crowd(12)
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const picture = { key: 'red', name: 'card.png', type: 'image/png', bytes }
    const held: (() => void)[] = []
    front.hold = (method) =>
      method === 'sendPhoto' && held.length === 0
        ? new Promise((resolve) => held.push(resolve))
        : undefined
    let begun = 0
    while (platform.room() === 0) {
      const [id = 0] = people.slice(begun++)
      void platform.send(toPerson(id), { ...viewOf('live'), picture }, 'k')
    }
    await expect.poll(() => held.length, patience).toBe(1)
    expect(begun).toBeLessThan(people.length)
    expect(front.calls.filter((method) => method === 'sendPhoto')).toHaveLength(1)
    held[0]?.()
    await expect.poll(() => server.api.tally.messages, patience).toBe(begun)
    await expect.poll(() => platform.room(), patience).toBe(0)
  })

  test('leaves a group more where answers there have used up what it is permitted', async () => {
    const { server, platform } = fronted
    const toClub = { kind: 'chat', id: String(club.id) } as const
    for (let index = 0; index < 18; index += 1) server.people.text(ben.id, club.id, '/ask moon')
    await expect.poll(() => server.api.tally.in(club.id), patience).toBe(18)
    expect(platform.gap(toClub)).toBeGreaterThan(3.1)
  })

  test('takes one place for one message, and for each that comes without asking for room', async () => {
    let now = 0
    const pacing = new Pacing(() => now, { waiting: 0 })
    const api = new Api('1:token', { apiRoot: chat.server.root })
    api.config.use(pacing.unasked)
    const send = () => api.sendMessage(1, 'x').catch(() => undefined)
    const begun = async () => {
      let count = 0
      for (; count < 100 && pacing.room() === 0; count += 1) await send()
      return count
    }
    const atOnce = await begun()
    now += 60_000
    await send()
    await send()
    expect(await begun()).toBe(atOnce - 2)
  })

  test('leaves a person a second, and a group or channel three', () => {
    expect(chat.platform.gap(toPerson(ben.id))).toBe(1.1)
    expect(chat.platform.gap({ kind: 'chat', id: String(ben.id) })).toBe(1.1)
    for (const { id } of [club, lodge, news]) {
      expect(chat.platform.gap({ kind: 'chat', id: String(id) })).toBe(3.1)
    }
  })
})
