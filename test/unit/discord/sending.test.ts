import { createServer, type Server } from 'node:http'
import { PermissionFlagsBits as P, REST } from 'discord.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ada, ben, club } from '../../../sandbox/discord/cast.ts'
import type { ChatAddress, Loss } from '../../../src/core/adapter.ts'
import type { LocalisedView } from '../../../src/core/view.ts'
import { renderDiscord } from '../../../src/discord/render.ts'
import { isTooLongToWait, Post } from '../../../src/discord/send.ts'
import { createTransport, requestQueue } from '../../../src/discord/transport.ts'
import { memoryCallbacks } from '../core/memory-callbacks.ts'
import { viewOf } from '../core/scripted-bot.ts'
import {
  type Chat,
  connection,
  failure,
  startChat,
  startServer,
  textOf,
  toClub,
  token,
} from './discord-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const toBen: ChatAddress = { kind: 'person', id: ben.id }
const send = (to: ChatAddress, view: LocalisedView | string, key: string) =>
  chat.platform.send(to, typeof view === 'string' ? viewOf(view) : view, key)
const benReads = () =>
  chat.server.people.messages(chat.server.people.dm(ben.id), ben.id).map(textOf)
const openings = () =>
  chat.server.calls.filter(({ route }) => route === '/users/@me/channels').length
const clubReads = () => chat.server.people.messages(club.id, ada.id).map(textOf)

describe('a message sent by the bot itself', () => {
  test('goes to a person’s private chat, and to a channel, with its files', async () => {
    const picture = { name: 'otter.webp', type: 'image/webp', bytes: Buffer.from('RIFF') }
    await send(toBen, { ...viewOf('Launched.'), files: [picture] }, 'one')
    await send(toClub, 'Ben launched OTTER.', 'two')
    expect([benReads(), clubReads()]).toEqual([['Launched.'], ['Ben launched OTTER.']])
    const [message] = chat.server.people.messages(chat.server.people.dm(ben.id), ben.id)
    expect(message?.attachments.map(({ filename }) => filename)).toEqual(['otter.webp'])
  })

  test('has an id, by which it can be edited', async () => {
    const channel = chat.server.people.dm(ben.id)
    for (const [to, place] of [
      [toBen, channel],
      [toClub, club.id],
    ] as const) {
      const { message } = await send(to, 'Selling: 10%', 'one')
      const files = [{ name: 'o.webp', type: 'image/webp', bytes: Buffer.from('RIFF') }]
      await chat.platform.edit(to, message, { ...viewOf('Selling: 20%'), files })
      await chat.platform.edit(to, message, { ...viewOf('Sold out'), files })
      const [only, ...others] = chat.server.people.messages(place, ben.id)
      expect([only?.id, only && textOf(only), others]).toEqual([message, 'Sold out', []])
      expect(only?.attachments).toHaveLength(1)
    }
  })

  test('has the same id when it is sent again under its key', async () => {
    expect(await send(toClub, 'x', 'one')).toEqual(await send(toClub, 'x', 'one'))
  })

  test('to a person opens the private chat once', async () => {
    for (const key of ['one', 'two', 'three']) await send(toBen, key, key)
    expect(benReads()).toEqual(['one', 'two', 'three'])
    expect(openings()).toBe(1)
  })

  test('to a person who wrote to the bot opens no private chat', async () => {
    chat.server.people.text(ben.id, chat.server.people.dm(ben.id), 'gm')
    await expect.poll(() => benReads().length, { timeout: 20_000 }).toBe(2)
    await send(toBen, 'one', 'one')
    expect([benReads().at(-1), openings()]).toEqual(['one', 0])
  })

  test('is sent once even if the answer was lost', async () => {
    chat.server.faults.set({ kind: 'reset', match: 'POST /channels/:id/messages', times: 1 })
    const { final, uncertain } = await failure(send(toClub, 'x', 'one'))
    expect([final, uncertain]).toEqual([false, true])
    await send(toClub, 'x', 'one')
    expect(clubReads()).toEqual(['x'])
  })

  test('is sent once however often it is sent under its key, and pings nobody', async () => {
    const key = `launched ${'x'.repeat(500)}`
    await send(toClub, '@everyone', key)
    await send(toClub, '@everyone', key)
    await send(toClub, '@everyone', `${key}y`)
    expect(clubReads()).toHaveLength(2)
    expect(chat.server.people.messages(club.id, ada.id).some((each) => each.mention_everyone)).toBe(
      false,
    )
    const sent = z.object({ nonce: z.string(), enforce_nonce: z.literal(true) })
    const nonces = chat.server.calls
      .filter(({ route }) => route === '/channels/:id/messages')
      .map(({ body }) => sent.parse(body).nonce.length)
    expect(nonces).toEqual([25, 25, 25])
  })
})

describe('a message that can’t be sent', () => {
  const unknown = '1300000000000009999'
  const unshowable = viewOf(
    'x',
    Array.from({ length: 60 }, () => ({ label: 'x', line: 'ask' })),
  )

  const deny = (bits: bigint) => () => chat.server.world.deny(club.id, bits)
  test.each<[string, ChatAddress, LocalisedView | string, () => void, Loss | undefined]>([
    [
      'to who closed their private chat',
      toBen,
      'x',
      () => chat.server.people.takeDms(ben.id, false),
      'blocked',
    ],
    [
      'to a channel that is gone',
      toClub,
      'x',
      () => chat.server.world.removeChannel(club.id),
      'gone',
    ],
    ['to a channel unknown', { kind: 'chat', id: unknown }, 'x', () => {}, 'gone'],
    ['to a person unknown', { kind: 'person', id: unknown }, 'x', () => {}, 'gone'],
    ['where the bot may not write', toClub, 'x', deny(P.SendMessages), 'forbidden'],
    ['where the bot sees nothing', toClub, 'x', deny(P.ViewChannel), 'removed'],
    ['to a server without the bot', toClub, 'x', () => chat.server.world.removeBot(), 'removed'],
    ['that does not fit', toClub, unshowable, () => {}, undefined],
    [
      'that Discord refuses',
      toClub,
      viewOf('x', [{ label: 'x', url: `https://otter.example/${'x'.repeat(600)}` }]),
      () => {},
      undefined,
    ],
  ])('%s is given up for good', async (_, to, view, act, loss) => {
    act()
    expect(await failure(send(to, view, 'one'))).toMatchObject({ final: true, loss })
  })

  test.each(['', '../../users/@me', '12', `${club.id}/x`, 'x'.repeat(19)])(
    'to the id %j is given up without a call',
    async (id) => {
      const before = chat.server.calls.length
      for (const kind of ['chat', 'person'] as const) {
        expect((await failure(send({ kind, id }, 'x', 'one'))).final).toBe(true)
      }
      expect(chat.server.calls.length).toBe(before)
    },
  )

  test('because Discord can’t be reached may be tried again', async () => {
    const port = Number(new URL(chat.server.root).port)
    await chat.server.stop()
    const { final, uncertain, cause } = await failure(send(toClub, 'x', 'one'))
    expect([final, uncertain]).toEqual([false, false])
    expect(cause).toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    chat.server = await startServer({ port })
  })

  test('because Discord fails is tried once', async () => {
    chat.server.faults.set({ kind: 'status', status: 503, match: 'POST /channels/:id/messages' })
    const before = chat.server.calls.length
    expect(await failure(send(toClub, 'x', 'one'))).toMatchObject({
      final: false,
      uncertain: false,
    })
    expect(chat.server.calls.length - before).toBe(1)
  })
})

describe('before the start', () => {
  test('nothing can be sent yet, and no members are known', async () => {
    const { platform } = connection(chat.server.root)
    expect((await failure(platform.send(toClub, viewOf('x'), 'one'))).final).toBe(false)
    expect(await platform.isMember(club.id, ben.id)).toBe(false)
    const asking = platform.manages(club.id, ada.id)
    expect((await failure(asking)).final).toBe(false)
    await platform.stop()
  })
})

describe('an answer of Discord', () => {
  let home: Server
  let rest: REST
  let answers: { status: number; code?: number; retryAfter?: number | string }[]
  let calls: number
  beforeEach(async () => {
    calls = 0
    home = createServer((_, response) => {
      const { status, code = 0, retryAfter } = answers[calls] ?? { status: 500 }
      calls += 1
      const headers = retryAfter === undefined ? {} : { 'Retry-After': retryAfter }
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
      response.end(JSON.stringify({ code, message: 'no', retry_after: retryAfter, id: club.id }))
    })
    await new Promise<void>((resolve) => home.listen(0, '127.0.0.1', resolve))
    const address = home.address()
    const port = typeof address === 'object' ? address?.port : 0
    const api = `http://127.0.0.1:${port}`
    rest = new REST({ api, retries: 0, rejectOnRateLimit: isTooLongToWait }).setToken(token)
  })
  afterEach(async () => {
    rest.clearHashSweeper()
    rest.clearHandlerSweeper()
    home.closeAllConnections()
    await new Promise((resolve) => home.close(resolve))
  })

  const sends = async (to: ChatAddress) => {
    const body = await renderDiscord(viewOf('x'), memoryCallbacks())
    return new Post(rest).send(to, { body, files: [] }, 'one')
  }

  test.each<[number, number, boolean, Loss?]>([
    [400, 50_035, true],
    [401, 0, false],
    [403, 50_007, true, 'blocked'],
    [403, 50_278, true, 'blocked'],
    [403, 50_001, true, 'removed'],
    [403, 50_013, true, 'forbidden'],
    [403, 40_003, false],
    [403, 0, false],
    [404, 0, false],
    [404, 10_003, true, 'gone'],
    [400, 50_083, true, 'topic-closed'],
    [400, 160_005, true, 'topic-closed'],
    [400, 160_006, false],
    [413, 40_005, true],
    [500, 0, false],
    [502, 0, false],
  ])('%i with code %i: final is %s, lost is %s', async (status, code, final, loss) => {
    answers = Array(9).fill({ status, code })
    expect(await failure(sends(toClub))).toMatchObject({ final, loss })
    calls = 0
    expect(await failure(sends(toBen))).toMatchObject({ final, loss })
  })

  test.each([
    [400, 50_999, true],
    [400, 50_035, false],
    [413, 40_005, false],
    [403, 50_013, false],
  ])('%i with code %i: its reason is unknown is %s', async (status, code, isUnknown) => {
    answers = Array(9).fill({ status, code })
    expect(await failure(sends(toClub))).toMatchObject({ final: true, isUnknown })
  })

  test('that a private chat no longer exists has it opened again', async () => {
    const post = new Post(rest)
    const body = await renderDiscord(viewOf('x'), memoryCallbacks())
    const write = () => post.send(toBen, { body, files: [] }, 'one')
    post.notePrivateChat(ben.id, '1300000000000000402')
    answers = [{ status: 404, code: 10_003 }, { status: 200 }, { status: 200 }]
    expect(await failure(write())).toMatchObject({ final: false, loss: undefined })
    await write()
    expect(calls).toBe(3)
  })

  test.each([
    [403, 50_007, 'blocked'],
    [403, 0, undefined],
    [500, 0, undefined],
  ])(
    '%i with code %i is said as it is, and leaves the known private chat known',
    async (status, code, loss) => {
      const post = new Post(rest)
      const body = await renderDiscord(viewOf('x'), memoryCallbacks())
      const write = () => post.send(toBen, { body, files: [] }, 'one')
      post.notePrivateChat(ben.id, '1300000000000000402')
      const refusals = [{ status, code }]
      answers = [...refusals, { status: 200 }]
      const refused = await failure(write())
      expect(refused.loss).toBe(loss)
      expect(refused.message).not.toContain('opened again')
      await write()
      expect(calls).toBe(refusals.length + 1)
    },
  )

  test('that too many private chats were opened is not waited out', async () => {
    answers = [{ status: 429, retryAfter: 1 }]
    expect(await failure(sends(toBen))).toMatchObject({ final: false, retryAfter: 2 })
    expect(calls).toBe(1)
  })

  test('that says to wait briefly is waited out', async () => {
    answers = [{ status: 429, retryAfter: 1 }, { status: 200 }]
    await sends(toClub)
    expect(calls).toBe(2)
  })

  test('that there are too many messages is returned with how long to wait', async () => {
    for (const to of [toClub, toBen]) {
      calls = 0
      answers = [{ status: 429, retryAfter: 600 }]
      const { final, retryAfter } = await failure(sends(to))
      expect([final, retryAfter, calls]).toEqual([false, 601, 1])
    }
  })

  test.each([undefined, 'Wed, 25 Nov 2026 07:28:00 GMT'])(
    'of status 429 with no number of seconds (%s) is not retried at once',
    async (retryAfter) => {
      const transport = createTransport({ queue: requestQueue(() => performance.now()) })
      const { api } = rest.options
      const makeRequest = transport.makeRequest('background')
      rest = new REST({ api, makeRequest, rejectOnRateLimit: isTooLongToWait }).setToken(token)
      answers = Array(99).fill({ status: 429, retryAfter })
      const body = await renderDiscord(viewOf('x'), memoryCallbacks())
      const sending = new Post(rest).send(toClub, { body, files: [] }, 'one')
      expect(await failure(sending)).toMatchObject({ final: false, retryAfter: 11 })
      expect(calls).toBe(1)
      await transport.close()
    },
  )
})
