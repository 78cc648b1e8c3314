import { PermissionFlagsBits as P } from 'discord-api-types/v10'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ada, ben, club, news, otterClub } from '../../../sandbox/discord/cast.ts'
import { crowdOfChannels } from '../../../sandbox/discord/crowd.ts'
import { DiscordServer } from '../../../sandbox/discord/server.ts'
import { call, Line, token } from './discord-bot.ts'

let server: DiscordServer
let clock: number
beforeEach(async () => {
  clock = Date.now()
  server = await DiscordServer.start({ token, rateLimits: false, now: () => clock })
})
afterEach(() => server.stop())

const sent = z.object({ id: z.string() })
const post = (content: string, more: object = {}, channel: string = club.id) =>
  call(server, `POST /channels/${channel}/messages`, { content, ...more })
const reads = () => server.people.messages(club.id, ada.id).map(({ content }) => content)

describe('a crowd', () => {
  test('of thousands of channels is written to as any, and people’s private chats are found', async () => {
    const channels = crowdOfChannels(server.world, 3_000)
    expect(new Set(channels).size).toBe(3_000)
    expect((await post('x', {}, channels[2_999])).status).toBe(200)
    const opened = await call(server, 'POST /users/@me/channels', { recipient_id: ben.id })
    expect(sent.parse(opened.json).id).toBe(server.people.dm(ben.id))
  })

  test('keeps few messages of each', async () => {
    const [channel = ''] = crowdOfChannels(server.world, 1)
    for (let index = 0; index < 8; index += 1) await post(String(index), {}, channel)
    const kept = server.people.messages(channel, ada.id).map(({ content }) => content)
    expect(kept).toEqual(['3', '4', '5', '6', '7'])
  })
})

describe('the tally', () => {
  test('counts new messages of the bot by channel, repeated ones, edits, and when', async () => {
    const { tally } = server.world
    server.people.text(ada.id, club.id, 'gm')
    expect([tally.total, tally.firstAt]).toEqual([0, undefined])
    const { id } = sent.parse((await post('x', { nonce: 'a', enforce_nonce: true })).json)
    clock += 1_000
    await post('x', { nonce: 'a', enforce_nonce: true })
    await post('y', {}, news.id)
    await call(server, `PATCH /channels/${club.id}/messages/${id}`, { content: 'z' })
    expect([...tally.sent]).toEqual([
      [club.id, 1],
      [news.id, 1],
    ])
    expect([tally.total, tally.repeated, tally.edited]).toEqual([2, 1, 1])
    expect([tally.firstAt, tally.lastAt]).toEqual([clock - 1_000, clock])
    tally.clear()
    expect([tally.total, tally.lastAt]).toEqual([0, undefined])
  })

  test('counts what was too many, by route and in all', async () => {
    await server.stop()
    server = await DiscordServer.start({ token, now: () => clock })
    for (let index = 0; index < 6; index += 1) await post('x')
    const asked = await Promise.all(
      Array.from({ length: 50 }, () => call(server, `GET /users/${ada.id}`)),
    )
    expect(asked.filter(({ status }) => status === 429)).toHaveLength(6)
    const { tally } = server.world
    expect([...tally.limited]).toEqual([
      ['POST /channels/:id/messages', 1],
      ['global', 6],
    ])
    expect(tally.refusals).toBe(7)
  })
})

test('limits can be larger than Discord’s', async () => {
  await server.stop()
  server = await DiscordServer.start({ token, now: () => clock, rateLimits: { factor: 3 } })
  const statuses: number[] = []
  for (let index = 0; index < 16; index += 1) statuses.push((await post('x')).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(15)
  const asked = await Promise.all(
    Array.from({ length: 140 }, (_, index) => call(server, `GET /channels/${index}`)),
  )
  expect(asked.filter(({ status }) => status === 429)).toHaveLength(6)
})

describe('a fault', () => {
  const route = 'POST /channels/:id/messages'

  test('answers with a status and does nothing, as often as it is to', async () => {
    server.faults.set({ kind: 'status', status: 403, code: 50278, route, times: 2 })
    const replies = [await post('x'), await post('x'), await post('y')]
    expect(replies.map(({ status, code }) => [status, code])).toEqual([
      [403, 50278],
      [403, 50278],
      [200, undefined],
    ])
    expect(reads()).toEqual(['y'])
    server.faults.set({ kind: 'status' })
    expect((await call(server, 'GET /users/@me')).status).toBe(500)
    server.faults.clear()
    expect((await call(server, 'GET /users/@me')).status).toBe(200)
  })

  test('refuses as too many, of one route or of all', async () => {
    server.faults.set({ kind: 'limited', route, times: 1, retryAfter: 7 })
    const one = await post('x')
    expect([one.status, one.headers.get('retry-after')]).toEqual([429, '7'])
    expect(one.headers.get('x-ratelimit-global')).toBeNull()
    server.faults.set({ kind: 'limited', global: true, times: 1 })
    expect((await post('x')).headers.get('x-ratelimit-global')).toBe('true')
  })

  test.each([
    ['silent', []],
    ['mute', ['x']],
  ] as const)('never answers: %s', async (kind, after) => {
    server.faults.set({ kind, route, times: 1 })
    const waiting = post('x').catch(() => 'cut off')
    await expect.poll(() => server.calls.length, { timeout: 20_000 }).toBe(1)
    expect(await Promise.race([waiting, Promise.resolve('nothing yet')])).toBe('nothing yet')
    expect(reads()).toEqual(after)
    await server.goDown()
    expect(await waiting).toBe('cut off')
  })

  test('breaks the connection after it has done what was asked', async () => {
    server.faults.set({ kind: 'reset', route, times: 1 })
    await expect(post('x')).rejects.toThrow()
    expect(reads()).toEqual(['x'])
  })

  test('refuses all connections until it is back, with all that was there', async () => {
    const line = new Line(server)
    await line.identify()
    await post('x')
    const { root } = server
    await server.goDown()
    await line.closed
    await expect(post('y')).rejects.toThrow()
    await server.comeBack()
    expect([server.root, (await post('z')).status]).toEqual([root, 200])
    expect(reads()).toEqual(['x', 'z'])
  })
})

describe('the bot that is taken out of the server', () => {
  test('learns of it, may nothing there any more, and hears of nothing', async () => {
    const line = new Line(server)
    await line.identify()
    await line.when('GUILD_CREATE')
    server.world.removeBot()
    expect((await line.when('GUILD_DELETE')).d).toEqual({ id: otterClub.id })
    expect(await post('x')).toMatchObject({ status: 403, code: 50001 })
    expect((await call(server, `GET /channels/${club.id}`)).code).toBe(50001)
    expect((await call(server, `GET /guilds/${otterClub.id}/members/${ada.id}`)).code).toBe(10004)
    expect((await call(server, 'GET /users/@me/guilds')).json).toEqual([])
    const before = line.frames.length
    server.world.removeChannel(news.id)
    server.people.text(ben.id, server.people.dm(ben.id), 'gm')
    await line.when('MESSAGE_CREATE', before)
    expect(line.frames.slice(before).map(({ t }) => t)).not.toContain('CHANNEL_DELETE')
    expect(server.people.commands(ada.id, club.id)).toEqual([])
    await line.close()
  })
})

describe('a thread', () => {
  test('is known to the bot while it is open, and has the permissions of its channel', async () => {
    const thread = server.world.startThread(news.id, 'auctions')
    const other = server.world.startThread(club.id, 'gone')
    server.world.setThread(other, { archived: true, locked: false })
    const line = new Line(server)
    await line.identify()
    const created = z.object({ threads: z.array(sent) })
    const { threads } = created.parse((await line.when('GUILD_CREATE')).d)
    expect(threads.map(({ id }) => id)).toEqual([thread])
    expect((await post('x', {}, thread)).status).toBe(200)
    const may = (id: string) =>
      (server.world.permissions(ben.id, id) & P.SendMessagesInThreads) > 0n
    expect([may(thread), may(other)]).toEqual([false, true])
    server.world.deny(club.id, P.SendMessagesInThreads)
    expect(await post('x', {}, other)).toMatchObject({ status: 403, code: 50013 })
    await line.close()
  })

  test('is opened by a message, edited only while open, and closed to all when it is locked', async () => {
    const thread = server.world.startThread(club.id, 'auctions')
    const { id } = sent.parse((await post('x', {}, thread)).json)
    const edit = () => call(server, `PATCH /channels/${thread}/messages/${id}`, { content: 'y' })
    server.world.setThread(thread, { archived: true, locked: false })
    expect((await edit()).code).toBe(50083)
    expect((await post('x', {}, thread)).status).toBe(200)
    expect((await edit()).status).toBe(200)
    server.world.setThread(thread, { archived: false, locked: true })
    expect((await post('x', {}, thread)).code).toBe(160005)
    server.world.setThread(thread, { archived: true, locked: true })
    expect((await post('x', {}, thread)).code).toBe(50083)
  })
})

test('a permission can be given to one person in one channel, and taken back', () => {
  const has = (channel: string) =>
    (server.world.permissions(ben.id, channel) & P.ManageWebhooks) > 0n
  server.world.allow(news.id, P.ManageWebhooks, ben.id)
  expect([has(news.id), has(club.id)]).toEqual([true, false])
  server.world.allow(news.id, 0n, ben.id)
  expect(has(news.id)).toBe(false)
})
