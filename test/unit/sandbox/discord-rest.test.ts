import { PermissionFlagsBits as P } from 'discord-api-types/v10'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ada, adminRole, ben, club, gavel, news, otterClub } from '../../../sandbox/discord/cast.ts'
import { DiscordServer } from '../../../sandbox/discord/server.ts'
import { call, callback, Line, nextInteraction, token } from './discord-bot.ts'

let server: DiscordServer
let clock: number

beforeEach(async () => {
  clock = Date.now()
  server = await DiscordServer.start({ token, now: () => clock })
})

afterEach(() => server.stop())

const sent = z.object({ id: z.string() }).loose()
const post = (content: string, more: object = {}, channel: string = club.id) =>
  call(server, `POST /channels/${channel}/messages`, { content, ...more })

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

  test.each<[string, number, number]>([
    ['GET /nothing', 404, 0],
    ['POST /users/@me', 405, 0],
    ['GET /channels/1', 404, 10003],
    ['GET /guilds/1', 404, 10004],
    [`GET /guilds/${otterClub.id}/members/1`, 404, 10007],
    [`GET /channels/${club.id}/messages/1`, 404, 10008],
    ['GET /users/1', 404, 10013],
  ])('to %s is %i %i', async (route, status, code) => {
    expect(await call(server, route)).toMatchObject({ status, code })
  })

  test('to another version of the API is refused', async () => {
    const response = await fetch(server.root.replace('/api', '/api/v6/users/@me'))
    expect(await response.json()).toMatchObject({ code: 50041 })
  })

  test('is refused where the bot lacks a permission, and where it sees nothing', async () => {
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
    expect(await call(server, `DELETE ${path}`)).toMatchObject({ code: 50013 })
  })

  test('counts the answers that could get an address banned', async () => {
    await call(server, 'GET /users/@me', undefined, { Authorization: 'Bot wrong' })
    server.world.deny(club.id, P.SendMessages)
    await post('x')
    await call(server, 'GET /channels/1')
    expect(server.invalidRequests).toBe(2)
  })
})

describe('a body', () => {
  const raw = (body: string, type: string) =>
    fetch(`${server.root}/v10/channels/${club.id}/messages`, {
      method: 'POST',
      headers: { Authorization: `Bot ${token}`, 'Content-Type': type },
      body,
    })

  test('that is no JSON is 50109, of another type 50035', async () => {
    const broken = await raw('{"content":', 'application/json')
    expect([broken.status, await broken.json()]).toMatchObject([400, { code: 50109 }])
    const typed = await raw('content=x', 'application/x-www-form-urlencoded')
    expect([typed.status, await typed.json()]).toMatchObject([400, { code: 50035 }])
  })

  test('with files is multipart: components refer to them and they are served', async () => {
    const form = new FormData()
    const media = { media: { url: 'attachment://card.png' } }
    const components = [
      { type: 12, items: [media] },
      { type: 10, content: 'x' },
    ]
    const attachments = [{ id: 0, description: 'An otter' }]
    form.append('payload_json', JSON.stringify({ flags: 1 << 15, components, attachments }))
    form.append('files[0]', new Blob(['picture'], { type: 'image/png' }), 'card.png')
    const reply = await call(server, `POST /channels/${club.id}/messages`, form)
    const shape = z.object({
      attachments: z.tuple([
        z.object({ url: z.string(), filename: z.string(), description: z.string() }),
      ]),
      components: z.tuple([
        z.object({
          id: z.number(),
          items: z.tuple([z.object({ media: z.object({ url: z.string() }) })]),
        }),
        z.object({ id: z.number() }),
      ]),
    })
    const message = shape.parse(reply.json)
    const [attachment] = message.attachments
    expect(attachment).toMatchObject({ filename: 'card.png', description: 'An otter' })
    expect(message.components[0].items[0].media.url).toBe(attachment.url)
    expect(message.components.map((each) => each.id)).toEqual([1, 2])
    const file = await fetch(attachment.url)
    expect([file.headers.get('content-type'), await file.text()]).toEqual(['image/png', 'picture'])
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
    expect(server.invalidRequests).toBe(1)
  })

  test('allow fifty requests a second in all, and interactions beside them', async () => {
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

  test('can be switched off', async () => {
    const free = await DiscordServer.start({ token, rateLimits: false })
    const reply = await call(free, 'GET /users/@me')
    expect(reply.headers.get('x-ratelimit-limit')).toBeNull()
    await free.stop()
  })
})

describe('the log of calls', () => {
  test('keeps method, route, body and status', async () => {
    await post('x')
    expect(server.calls.at(-1)).toMatchObject({
      method: 'POST',
      route: '/channels/:id/messages',
      body: { content: 'x' },
      status: 200,
    })
  })
})

describe('a delay', () => {
  test('holds answers back without holding up other work', async () => {
    server.answerDelayMs = 60_000
    const waiting = post('slow').catch(() => 'cut off')
    const seen = await server.people.until(club.id, ada.id, (messages) =>
      messages.find((message) => message.content === 'slow'),
    )
    expect(seen.author.id).toBe(gavel.id)
    await server.stop()
    expect(await waiting).toBe('cut off')
    server = await DiscordServer.start({ token })
  })
})
