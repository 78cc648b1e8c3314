import { PermissionFlagsBits as P } from 'discord-api-types/v10'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club, news } from '../../../sandbox/discord/cast.ts'
import { type Chat, connection, startChat, startServer } from './discord-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const unknown = '1300000000000009999'

describe('a channel of a server', () => {
  test('has its members, who see it and write there', async () => {
    expect(await chat.platform.isMember(club.id, ben.id)).toBe(true)
    const dana = chat.server.world.join('Dana')
    expect(await chat.platform.isMember(club.id, dana)).toBe(true)
    chat.server.world.leave(dana)
    expect(await chat.platform.isMember(club.id, dana)).toBe(false)
  })

  test('is not the private chat', async () => {
    expect(await chat.platform.isMember(chat.server.people.dm(ben.id), ben.id)).toBe(false)
  })

  test('fails while Discord can’t be reached', async () => {
    const port = Number(new URL(chat.server.root).port)
    await chat.server.stop()
    expect(await chat.platform.isMember(club.id, ben.id)).toBe(false)
    chat.server = await startServer({ port })
  })

  test.each([
    ['see it', P.ViewChannel],
    ['write there', P.SendMessages],
  ])('has none that don’t %s', async (_, missing) => {
    chat.server.world.deny(news.id, missing, ben.id)
    await expect
      .poll(() => chat.platform.isMember(news.id, ben.id), { timeout: 20_000 })
      .toBe(false)
    expect(await chat.platform.isMember(news.id, ada.id)).toBe(true)
  })

  test.each<[string, string, string]>([
    ['a person unknown', club.id, '1300000000000009999'],
    ['a channel unknown', '1300000000000009999', ben.id],
  ])('%s is no member', async (_, channel, person) => {
    expect(await chat.platform.isMember(channel, person)).toBe(false)
  })

  test.each([
    ['../../users/@me', ben.id],
    [club.id, '@me'],
    ['', ''],
  ])('is not requested with invalid ids such as %j and %j', async (channel, person) => {
    const before = chat.server.calls.length
    expect(await chat.platform.isMember(channel, person)).toBe(false)
    expect(chat.server.calls.length).toBe(before)
  })
})

describe('who decides what the bot writes in a channel', () => {
  const manages = (channel: string, person: string) => chat.platform.manages(channel, person)
  /** Permissions reach the bot a moment later. */
  const soon = (channel: string, person: string) =>
    expect.poll(() => manages(channel, person), { timeout: 20_000 })

  test('is an administrator, and not any member', async () => {
    expect([await manages(club.id, ada.id), await manages(club.id, ben.id)]).toEqual([true, false])
  })

  test('is a person who may manage webhooks in it, and in no other', async () => {
    chat.server.world.allow(news.id, P.ManageWebhooks, ben.id)
    await soon(news.id, ben.id).toBe(true)
    expect(await manages(club.id, ben.id)).toBe(false)
    chat.server.world.allow(news.id, 0n, ben.id)
    await soon(news.id, ben.id).toBe(false)
  })

  test('is also a manager of the thread’s channel', async () => {
    chat.server.world.allow(news.id, P.ManageWebhooks, ben.id)
    const [inNews, inClub] = [news, club].map(({ id }) =>
      chat.server.world.startThread(id, 'auctions'),
    )
    await soon(inNews ?? '', ben.id).toBe(true)
    expect(await manages(inClub ?? '', ben.id)).toBe(false)
  })

  test('is a manager of the server who sees the channel', async () => {
    const everyone = chat.server.world.roles[0]
    if (everyone) everyone.permissions = String(BigInt(everyone.permissions) | P.ManageGuild)
    await chat.platform.stop()
    Object.assign(chat, connection(chat.server.root))
    await chat.platform.start()
    expect(await manages(club.id, ben.id)).toBe(true)
    chat.server.world.deny(club.id, P.ViewChannel, ben.id)
    await soon(club.id, ben.id).toBe(false)
  })

  test('is nobody who left or is timed out', async () => {
    chat.server.world.allow(news.id, P.ManageWebhooks, ben.id)
    await soon(news.id, ben.id).toBe(true)
    const member = chat.server.world.members.get(ben.id)
    if (member) member.communication_disabled_until = new Date(Date.now() + 600_000).toISOString()
    expect(await manages(news.id, ben.id)).toBe(false)
    chat.server.world.leave(ada.id)
    expect(await manages(club.id, ada.id)).toBe(false)
  })

  test('is nobody of another server', async () => {
    expect(await manages(club.id, unknown)).toBe(false)
    expect(await manages(chat.server.people.dm(ben.id), ben.id)).toBe(false)
    const before = chat.server.calls.length
    for (const id of ['', '@me', '../../users/@me']) {
      expect([await manages(id, ben.id), await manages(club.id, id)]).toEqual([false, false])
    }
    expect(chat.server.calls.length).toBe(before)
  })

  test('fails for a deleted channel, or while Discord fails', async () => {
    await expect(manages(unknown, ada.id)).rejects.toMatchObject({ final: true, loss: 'gone' })
    chat.server.faults.set({ kind: 'status', status: 500 })
    await expect(manages(club.id, ada.id)).rejects.toMatchObject({ final: false })
  })

  test('fails if the bot was removed', async () => {
    chat.server.world.removeBot()
    const refused = async () => manages(club.id, ada.id).then(String, (error) => error.loss)
    await expect.poll(refused, { timeout: 20_000 }).toBe('removed')
  })
})

test('a channel is named by its name, if Discord gives it', async () => {
  expect(await chat.platform.title(club.id)).toBe(`#${club.name}`)
  expect(await chat.platform.title(unknown)).toBeUndefined()
  expect(await chat.platform.title('-200')).toBeUndefined()
})
