import { PermissionFlagsBits as P } from 'discord-api-types/v10'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ada, adminRole, ben, club, gavel, news, otterClub } from '../../../sandbox/discord/cast.ts'
import { DiscordServer } from '../../../sandbox/discord/server.ts'
import { call, callback, Line, nextInteraction, token } from './discord-bot.ts'

let server: DiscordServer
let clock: number
/** Has the rate limits of its own server, or none. */
const limited = async (rateLimits: boolean | { factor: number } = true) => {
  await server.stop()
  server = await DiscordServer.start({ token, rateLimits, now: () => clock })
}
beforeEach(async () => {
  clock = Date.now()
  server = await DiscordServer.start({ token, rateLimits: false, now: () => clock })
})
afterEach(() => server.stop())

const sent = z.object({ id: z.string() }).loose()
const post = (content: string, more: object = {}, channel: string = club.id) =>
  call(server, `POST /channels/${channel}/messages`, { content, ...more })
const reads = () => server.people.messages(club.id, ada.id).map(({ content }) => content)

describe('access', () => {
  test.each(['', 'Bot wrong', token])(
    'is refused for the authorization %j',
    async (authorization) => {
      const reply = await call(server, 'GET /users/@me', undefined, {
        Authorization: authorization,
      })
      expect(reply).toMatchObject({ status: 401, code: 0 })
    },
  )

  test('to another version of the API is refused', async () => {
    const response = await fetch(server.root.replace('/api', '/api/v6/users/@me'))
    expect(await response.json()).toMatchObject({ code: 50041 })
  })

  test('is by a path of which parts may be escaped', async () => {
    const me = await call(server, 'GET /users/%40me')
    expect(me.json).toEqual((await call(server, 'GET /users/@me')).json)
    expect(me.json).toMatchObject({ id: gavel.id })
    expect(await call(server, 'GET /users/%')).toMatchObject({ status: 404, code: 0 })
  })

  test('is refused if the bot lacks a permission, or can’t see the channel', async () => {
    server.world.deny(club.id, P.SendMessages)
    expect(await post('x')).toMatchObject({ status: 403, code: 50013 })
    server.world.deny(club.id, P.ViewChannel)
    expect(await post('x')).toMatchObject({ status: 403, code: 50001 })
    server.world.deny(club.id, 0n)
    expect(await post('x')).toMatchObject({ status: 200 })
  })

  test('to a deleted channel is lost, and to a person who takes no messages refused', async () => {
    server.world.removeChannel(club.id)
    expect(await post('x')).toMatchObject({ status: 404, code: 10003 })
    const dm = await call(server, 'POST /users/@me/channels', { recipient_id: ben.id })
    expect(dm.json).toMatchObject({ type: 1, recipients: [{ id: ben.id }] })
    server.people.takeDms(ben.id, false)
    const channel = server.people.dm(ben.id)
    expect(await post('x', {}, channel)).toMatchObject({ status: 403, code: 50007 })
    server.people.takeDms(ben.id, true)
    expect(await post('x', {}, channel)).toMatchObject({ status: 200 })
  })

  test('to other people’s messages ends at reading', async () => {
    const theirs = server.people.text(ada.id, club.id, 'hello')
    const path = `/channels/${club.id}/messages/${theirs.id}`
    expect(await call(server, `PATCH ${path}`, { content: 'x' })).toMatchObject({ code: 50005 })
  })
})

describe('pings', () => {
  const hostile = `@everyone @here <@${ada.id}> <@!${ben.id}> <@&${adminRole.id}>`
  const pings = (reply: { json: unknown }) =>
    z
      .object({
        mention_everyone: z.boolean(),
        mentions: z.array(z.object({ id: z.string() })),
        mention_roles: z.array(z.string()),
      })
      .transform((m) => [m.mention_everyone, m.mentions.map((user) => user.id), m.mention_roles])
      .parse(reply.json)

  test('are what the text says unless the message forbids them', async () => {
    expect(pings(await post(hostile))).toEqual([true, [ada.id, ben.id], [adminRole.id]])
    expect(pings(await post(hostile, { allowed_mentions: { parse: [] } }))).toEqual([false, [], []])
    expect(
      pings(await post(hostile, { allowed_mentions: { parse: [], users: [ben.id] } })),
    ).toEqual([false, [ben.id], []])
    expect(pings(await post(hostile, { allowed_mentions: { parse: ['everyone'] } }))).toEqual([
      true,
      [],
      [],
    ])
  })

  test('come from text displays too, however deep, and from edits', async () => {
    const components = [{ type: 17, components: [{ type: 10, content: hostile }] }]
    const loud = await call(server, `POST /channels/${club.id}/messages`, {
      flags: 1 << 15,
      components,
    })
    expect(pings(loud)).toEqual([true, [ada.id, ben.id], [adminRole.id]])
    const path = `PATCH /channels/${club.id}/messages/${sent.parse(loud.json).id}`
    const quiet = await call(server, path, { components, allowed_mentions: { parse: [] } })
    expect(pings(quiet)).toEqual([false, [], []])
  })
})

describe('a nonce', () => {
  test('with enforce_nonce returns the first message for some minutes', async () => {
    const first = sent.parse((await post('one', { nonce: 'n', enforce_nonce: true })).json)
    const again = sent.parse((await post('two', { nonce: 'n', enforce_nonce: true })).json)
    expect(again).toMatchObject({ id: first.id, content: 'one' })
    expect(server.people.messages(club.id, ada.id)).toHaveLength(1)
    const loose = sent.parse((await post('three', { nonce: 'n' })).json)
    expect(loose.id).not.toBe(first.id)
    clock += 10 * 60_000
    const later = sent.parse((await post('four', { nonce: 'n', enforce_nonce: true })).json)
    expect(later.id).not.toBe(first.id)
  })

  test('has 25 characters at most', async () => {
    const reply = await post('x', { nonce: 'n'.repeat(26), enforce_nonce: true })
    expect(reply.faults).toEqual(['nonce BASE_TYPE_MAX_LENGTH'])
    expect((await post('x', { nonce: 'n'.repeat(25), enforce_nonce: true })).status).toBe(200)
  })
})

describe('rate limits', () => {
  test('give each channel five messages in five seconds, with headers that say so', async () => {
    await limited()
    const replies = []
    for (let i = 0; i < 6; i++) replies.push(await post(`${i}`))
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200, 200, 429])
    const [first, last] = [replies[0]?.headers, replies[5]?.headers]
    expect(first?.get('x-ratelimit-limit')).toBe('5')
    expect(first?.get('x-ratelimit-remaining')).toBe('4')
    expect(first?.get('x-ratelimit-reset-after')).toBe('5.000')
    expect(first?.get('x-ratelimit-bucket')).toBe(last?.get('x-ratelimit-bucket'))
    expect(last?.get('retry-after')).toBe('5')
    expect(last?.get('x-ratelimit-scope')).toBe('user')
    expect(replies[5]?.json).toMatchObject({ retry_after: 5, global: false })
    expect((await post('elsewhere', {}, news.id)).status).toBe(200)
    clock += 5_000
    expect((await post('later')).status).toBe(200)
  })

  test('allow fifty requests a second in all, and interactions beside them', async () => {
    await limited()
    await call(server, `PUT /applications/${gavel.id}/commands`, [
      { name: 'ask', description: 'Ask' },
    ])
    const line = new Line(server)
    await line.identify()
    await line.when('GUILD_CREATE')
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        call(server, `GET ${i % 2 ? '/users/@me' : '/gateway/bot'}`),
      ),
    )
    const refused = replies.filter((reply) => reply.status === 429)
    expect(refused).toHaveLength(11)
    expect(refused[0]?.headers.get('x-ratelimit-global')).toBe('true')
    expect(refused[0]?.json).toMatchObject({ global: true })
    const from = line.frames.length
    server.people.slash(ada.id, club.id, 'ask')
    const answer = { type: 4, data: { content: 'x' } }
    expect((await callback(server, await nextInteraction(line, from), answer)).status).toBe(204)
    await line.close()
  })

  test('let more through after the stand-in stood still: it reads at once what came in the meantime', async () => {
    await limited()
    const refusedOf60 = async () => {
      const calls = Array.from({ length: 60 }, (_, i) =>
        call(server, `GET ${i % 2 ? '/users/@me' : '/gateway/bot'}`),
      )
      return (await Promise.all(calls)).filter(({ status }) => status === 429).length
    }
    // It looks at its clock every 10 ms; five calls fit into 100 ms.
    clock += 110
    expect(await refusedOf60()).toBe(5)
    // A second and more in which it does not: the last eleven of these calls count in the same second as the sixty.
    for (let looks = 0; looks < 110; looks += 1) {
      clock += 10
      await call(server, 'GET /channels/1')
    }
    expect(await refusedOf60()).toBe(11 + 10)
  })
})

describe('the counters', () => {
  test('counts new messages of the bot by channel and repeated ones', async () => {
    const { tally } = server.world
    server.people.text(ada.id, club.id, 'gm')
    expect(tally.total).toBe(0)
    await post('x', { nonce: 'a', enforce_nonce: true })
    await post('x', { nonce: 'a', enforce_nonce: true })
    await post('y', {}, news.id)
    expect([...tally.sent]).toEqual([
      [club.id, 1],
      [news.id, 1],
    ])
    expect([tally.total, tally.repeated]).toEqual([2, 1])
  })
})

test('limits can be larger than Discord’s', async () => {
  await limited({ factor: 3 })
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

  test('answers with a status and does nothing, as often as set', async () => {
    server.faults.set({ kind: 'status', status: 403, code: 50278, match: route, times: 2 })
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

  test('answers 429, for one route or for all', async () => {
    server.faults.set({ kind: 'limited', match: route, times: 1, retryAfter: 7 })
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
    server.faults.set({ kind, match: route, times: 1 })
    const waiting = post('x').catch(() => 'cut off')
    await expect.poll(() => server.calls.length, { timeout: 20_000 }).toBe(1)
    expect(await Promise.race([waiting, Promise.resolve('nothing yet')])).toBe('nothing yet')
    expect(reads()).toEqual(after)
    await server.down()
    expect(await waiting).toBe('cut off')
  })

  test('breaks the connection after it has done what was asked', async () => {
    server.faults.set({ kind: 'reset', match: route, times: 1 })
    await expect(post('x')).rejects.toThrow()
    expect(reads()).toEqual(['x'])
  })

  test('refuses all connections until it is back, with all its data', async () => {
    const line = new Line(server)
    await line.identify()
    await post('x')
    const { root } = server
    await server.down()
    await line.closed
    await expect(post('y')).rejects.toThrow()
    await server.up()
    expect([server.root, (await post('z')).status]).toEqual([root, 200])
    expect(reads()).toEqual(['x', 'z'])
  })
})

describe('a bot that is removed from the server', () => {
  test('is notified, has no rights there, and receives no more events', async () => {
    const line = new Line(server)
    await line.identify()
    await line.when('GUILD_CREATE')
    server.world.removeBot()
    expect((await line.when('GUILD_DELETE')).d).toEqual({ id: otterClub.id })
    expect(await post('x')).toMatchObject({ status: 403, code: 50001 })
    expect((await call(server, `GET /channels/${club.id}`)).code).toBe(50001)
    expect((await call(server, `GET /guilds/${otterClub.id}/members/${ada.id}`)).code).toBe(10004)
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

  test('is opened by a message, can be edited only while open, and is closed to all once locked', async () => {
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
