import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club, lodge, news } from '../../sandbox/telegram/cast.ts'
import type { Button, View } from '../../src/chat/view.ts'
import { viewOf } from '../chat/scripted-bot.ts'
import { startFrontedChat } from './telegram-chat.ts'

type Fronted = Awaited<ReturnType<typeof startFrontedChat>>

let chat: Fronted
beforeEach(async () => {
  chat = await startFrontedChat()
})
afterEach(() => chat.stop())

const launched = viewOf('launched')
const toBen = { kind: 'person', id: String(ben.id) } as const
const toChat = (id: number) => ({ kind: 'chat', id: String(id) }) as const

const send = (to: Parameters<Fronted['platform']['send']>[0], view: View = launched) =>
  chat.platform.send(to, view, 'k1')

function refusal(error_code: number, description: string, parameters?: object): string {
  return JSON.stringify({ ok: false, error_code, description, parameters })
}

/** Every call of a method is answered so. */
function answers(method: string, status: number, body: string): void {
  chat.front.mishap = (called) => (called === method ? { status, body } : undefined)
}

describe('a message that nobody asked for', () => {
  test('reaches a person in their private chat, with its buttons and below its files', async () => {
    chat.server.people.text(ben.id, ben.id, '/ask moon')
    await chat.sees(ben.id, 'ask moon')
    const bytes = Buffer.from('{}')
    const buttons: Button[][] = [[{ label: 'Card', run: 'asset 0x42' }]]
    const files = [{ name: 'a.json', type: 'application/json', bytes }]
    await send(toBen, { ...launched, buttons, files })
    const [document, text] = chat.server.people.messages(ben.id).slice(-2)
    expect(document?.document?.name).toBe('a.json')
    expect(text?.text).toBe('launched')
    const id = text?.id ?? 0
    await chat.server.people.press(ben.id, ben.id, id, { label: 'Card' }, 20_000)
    expect(chat.bot.lines.at(-1)).toBe('asset 0x42')
  })

  test.each([club.id, lodge.id, news.id])('reaches the chat %s', async (id) => {
    await send(toChat(id))
    expect(chat.server.people.messages(id).map(({ text }) => text)).toEqual(['launched'])
  })

  test('follows a group that became a supergroup', async () => {
    const id = chat.server.people.migrate(club.id)
    await send(toChat(club.id))
    const texts = chat.server.people.messages(id).map(({ text }) => text)
    expect(texts.at(-1)).toBe('launched')
  })

  test('follows it once, not for ever', async () => {
    const moved = { migrate_to_chat_id: club.id }
    answers('sendMessage', 400, refusal(400, 'Bad Request: group chat was upgraded', moved))
    await expect(send(toChat(club.id))).rejects.toMatchObject({ name: 'SendError', final: true })
    expect(chat.front.calls.filter((method) => method === 'sendMessage')).toHaveLength(2)
  })
})

describe('a message that can’t be sent', () => {
  test.each([
    ['a person who never wrote', toBen],
    ['a person whom nobody knows', { kind: 'person', id: '77' } as const],
    ['no id at all', { kind: 'person', id: '' } as const],
  ])('to %s is given up', async (_, to) => {
    await expect(send(to)).rejects.toMatchObject({
      name: 'SendError',
      final: true,
      retryAfter: undefined,
    })
  })

  test('to who blocked the bot, or a group that removed it, is given up', async () => {
    chat.server.people.text(ben.id, ben.id, '/ask moon')
    await chat.sees(ben.id, 'ask moon')
    chat.server.people.block(ben.id)
    chat.server.people.kick(club.id)
    for (const to of [toBen, toChat(club.id)]) {
      const error: unknown = await send(to).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ name: 'SendError', final: true })
      expect(String(error)).toMatch(/blocked|kicked/u)
    }
  })

  test('because a view has more than a message takes is given up', async () => {
    const row = Array.from({ length: 101 }, () => ({ label: 'x', run: 'ask' }))
    await expect(send(toChat(club.id), { ...launched, buttons: [row] })).rejects.toMatchObject({
      name: 'SendError',
      final: true,
    })
  })

  test('because of too many requests says how long to wait, and waits for nothing itself', async () => {
    const wait = { retry_after: 25 }
    answers('sendMessage', 429, refusal(429, 'Too Many Requests: retry after 25', wait))
    await expect(send(toChat(club.id))).rejects.toMatchObject({ final: false, retryAfter: 25 })
    expect(chat.front.calls.filter((method) => method === 'sendMessage')).toHaveLength(1)
  })

  test.each([
    ['Telegram stumbles', 500, refusal(500, 'Internal Server Error')],
    ['a proxy answers', 502, '<html>Bad Gateway</html>'],
    ['the token is refused for now', 401, refusal(401, 'Unauthorized')],
  ])('because %s may be sent another time, and was tried once', async (_, status, body) => {
    answers('sendMessage', status, body)
    await expect(send(toChat(club.id))).rejects.toMatchObject({
      final: false,
      retryAfter: undefined,
    })
    expect(chat.front.calls.filter((method) => method === 'sendMessage')).toHaveLength(1)
  })

  test('because the connection breaks may be sent another time', async () => {
    chat.front.mishap = (method) => (method === 'sendMessage' ? 'reset' : undefined)
    await expect(send(toChat(club.id))).rejects.toMatchObject({ name: 'SendError', final: false })
  })
})

describe('who may have the bot write in a chat', () => {
  test.each([
    ['its creator', ada.id, club.id, true],
    ['a member', ben.id, lodge.id, true],
    ['who posts in a channel', ada.id, news.id, true],
    ['a subscriber, who only reads it', ben.id, news.id, false],
    ['nobody, of a private chat', ben.id, ben.id, false],
    ['somebody unknown', 77, club.id, false],
    ['nobody in a chat that there is not', ben.id, -77, false],
  ])('%s', async (_, person, place, isMember) => {
    expect(await chat.platform.isMember(String(place), String(person))).toBe(isMember)
  })

  test.each([
    ['left', {}, false],
    ['kicked', { until_date: 0 }, false],
    ['restricted', { is_member: true, can_send_messages: true }, true],
    ['restricted', { is_member: true, can_send_messages: false }, false],
    ['restricted', { is_member: true }, false],
    ['restricted', { is_member: false, can_send_messages: true }, false],
  ])('who is %s %j', async (status, more, isMember) => {
    const result = { status, user: ben, ...more }
    answers('getChatMember', 200, JSON.stringify({ ok: true, result }))
    expect(await chat.platform.isMember(String(club.id), String(ben.id))).toBe(isMember)
  })

  test.each([
    ['member', {}, false],
    ['administrator', {}, false],
    ['administrator', { can_post_messages: false }, false],
    ['administrator', { can_post_messages: true }, true],
  ])('who is %s of a channel %j', async (status, more, isMember) => {
    const result = { status, user: ben, ...more }
    answers('getChatMember', 200, JSON.stringify({ ok: true, result }))
    expect(await chat.platform.isMember(String(news.id), String(ben.id))).toBe(isMember)
  })

  test('is its administrators where nobody else may write', async () => {
    const result = { ...club, permissions: { can_send_messages: false } }
    answers('getChat', 200, JSON.stringify({ ok: true, result }))
    expect(await chat.platform.isMember(String(club.id), String(ada.id))).toBe(true)
    expect(await chat.platform.isMember(String(club.id), String(ben.id))).toBe(false)
  })

  test('is nobody where the bot can’t tell', async () => {
    expect(await chat.platform.isMember(String(club.id), 'ben')).toBe(false)
    chat.server.people.kick(club.id)
    expect(await chat.platform.isMember(String(club.id), String(ben.id))).toBe(false)
    for (const lost of ['getChatMember', 'getChat']) {
      chat.front.mishap = (method) => (method === lost ? 'reset' : undefined)
      expect(await chat.platform.isMember(String(lodge.id), String(ben.id)), lost).toBe(false)
    }
  })
})
