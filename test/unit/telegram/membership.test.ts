import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club, lodge, news } from '../../../sandbox/telegram/cast.ts'
import { startFrontedChat } from './telegram-chat.ts'

type Fronted = Awaited<ReturnType<typeof startFrontedChat>>

let chat: Fronted
beforeEach(async () => {
  chat = await startFrontedChat()
})
afterEach(() => chat.stop())

/** Every call of a method is answered so. */
function answers(method: string, result: object): void {
  const body = JSON.stringify({ ok: true, result })
  chat.front.mishap = (called) => (called === method ? { status: 200, body } : undefined)
}

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
    answers('getChatMember', result)
    expect(await chat.platform.isMember(String(club.id), String(ben.id))).toBe(isMember)
  })

  test.each([
    ['member', {}, false],
    ['administrator', {}, false],
    ['administrator', { can_post_messages: false }, false],
    ['administrator', { can_post_messages: true }, true],
  ])('who is %s of a channel %j', async (status, more, isMember) => {
    const result = { status, user: ben, ...more }
    answers('getChatMember', result)
    expect(await chat.platform.isMember(String(news.id), String(ben.id))).toBe(isMember)
  })

  test('is its administrators if nobody else may write', async () => {
    const result = { ...club, permissions: { can_send_messages: false } }
    answers('getChat', result)
    expect(await chat.platform.isMember(String(club.id), String(ada.id))).toBe(true)
    expect(await chat.platform.isMember(String(club.id), String(ben.id))).toBe(false)
  })

  test('is a person who may write in the supergroup that a group became', async () => {
    chat.server.people.migrate(club.id)
    expect(await chat.platform.isMember(String(club.id), String(ben.id))).toBe(true)
  })

  test('is nobody if Telegram does not say', async () => {
    expect(await chat.platform.isMember(String(club.id), 'ben')).toBe(false)
    chat.server.people.kick(club.id)
    expect(await chat.platform.isMember(String(club.id), String(ben.id))).toBe(false)
    for (const lost of ['getChatMember', 'getChat']) {
      chat.front.mishap = (method) => (method === lost ? 'reset' : undefined)
      expect(await chat.platform.isMember(String(lodge.id), String(ben.id)), lost).toBe(false)
    }
  })
})
