import { createServer, type Server } from 'node:http'
import { REST } from 'discord.js'
import { PermissionFlagsBits } from 'discord-api-types/v10'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ada, ben, club, news } from '../../sandbox/discord/cast.ts'
import type { DiscordServer } from '../../sandbox/discord/server.ts'
import { type Destination, SendError } from '../../src/chat/platform.ts'
import type { View } from '../../src/chat/view.ts'
import { renderDiscord } from '../../src/discord/render.ts'
import { isTooLongToWait, sendMessage } from '../../src/discord/sending.ts'
import { keptLines } from '../chat/kept-lines.ts'
import { viewOf } from '../chat/scripted-bot.ts'
import { type Connection, connection, startServer, textOf, token } from './discord-chat.ts'

let server: DiscordServer
let parts: Connection
beforeEach(async () => {
  server = await startServer()
  parts = connection(server.root)
  await parts.platform.start()
})
afterEach(async () => {
  await parts.platform.stop()
  await server.stop()
})

const toBen: Destination = { kind: 'person', id: ben.id }
const toClub: Destination = { kind: 'chat', id: club.id }
const send = (to: Destination, view: View | string, key: string) =>
  parts.platform.send(to, typeof view === 'string' ? viewOf(view) : view, key)
const failure = async (sending: Promise<void>): Promise<SendError> => {
  const error: unknown = await sending.catch((reason: unknown) => reason)
  if (error instanceof SendError) return error
  throw new Error('nothing was refused', { cause: error })
}
const benReads = () => server.people.messages(server.people.dm(ben.id), ben.id).map(textOf)
const clubReads = () => server.people.messages(club.id, ada.id).map(textOf)

describe('a message of the bot’s own', () => {
  test('goes to a person’s private chat, and to a channel, with its files', async () => {
    const picture = { name: 'otter.webp', type: 'image/webp', bytes: Buffer.from('RIFF') }
    await send(toBen, { ...viewOf('Launched.'), files: [picture] }, 'one')
    await send(toClub, 'Ben launched OTTER.', 'two')
    expect([benReads(), clubReads()]).toEqual([['Launched.'], ['Ben launched OTTER.']])
    const [message] = server.people.messages(server.people.dm(ben.id), ben.id)
    expect(message?.attachments.map(({ filename }) => filename)).toEqual(['otter.webp'])
  })

  test('is there once however often it is sent under its key, and pings nobody', async () => {
    const key = `launched ${'x'.repeat(500)}`
    await send(toClub, '@everyone', key)
    await send(toClub, '@everyone', key)
    await send(toClub, '@everyone', `${key}y`)
    expect(clubReads()).toHaveLength(2)
    expect(server.people.messages(club.id, ada.id).some((each) => each.mention_everyone)).toBe(
      false,
    )
    const sent = z.object({ nonce: z.string(), enforce_nonce: z.literal(true) })
    const nonces = server.calls
      .filter(({ route }) => route === '/channels/:id/messages')
      .map(({ body }) => sent.parse(body).nonce.length)
    expect(nonces).toEqual([25, 25, 25])
  })
})

describe('a message that can’t be sent', () => {
  const unknown = '1300000000000009999'
  const unshowable = viewOf(
    'x',
    Array.from({ length: 60 }, () => ({ label: 'x', run: 'ask' })),
  )

  test.each<[string, Destination, View | string, () => void]>([
    ['to who closed their private chat', toBen, 'x', () => server.people.takeDms(ben.id, false)],
    ['to a channel that is gone', toClub, 'x', () => server.world.removeChannel(club.id)],
    ['to a channel unknown', { kind: 'chat', id: unknown }, 'x', () => {}],
    ['to a person unknown', { kind: 'person', id: unknown }, 'x', () => {}],
    [
      'where the bot may not write',
      toClub,
      'x',
      () => server.world.deny(club.id, PermissionFlagsBits.SendMessages),
    ],
    [
      'where the bot sees nothing',
      toClub,
      'x',
      () => server.world.deny(club.id, PermissionFlagsBits.ViewChannel),
    ],
    ['that does not fit', toClub, unshowable, () => {}],
    ['that Discord refuses', toClub, viewOf('x', [{ label: 'x', url: 'no address' }]), () => {}],
  ])('%s is given up for good', async (_, to, view, act) => {
    act()
    expect((await failure(send(to, view, 'one'))).final).toBe(true)
  })

  test.each(['', '../../users/@me', '12', `${club.id}/x`, 'x'.repeat(19)])(
    'to the id %j is given up without a call',
    async (id) => {
      const before = server.calls.length
      for (const kind of ['chat', 'person'] as const) {
        expect((await failure(send({ kind, id }, 'x', 'one'))).final).toBe(true)
      }
      expect(server.calls.length).toBe(before)
    },
  )

  test('because Discord can’t be reached may be tried again', async () => {
    const port = Number(new URL(server.root).port)
    await server.stop()
    const { final, cause } = await failure(send(toClub, 'x', 'one'))
    expect([final, cause]).toEqual([false, expect.objectContaining({ code: 'ECONNREFUSED' })])
    server = await startServer({ port })
  })
})

describe('a channel of a server', () => {
  test('has its members, who see it and write there', async () => {
    expect(await parts.platform.isMember(club.id, ben.id)).toBe(true)
    const dana = server.people.join('Dana')
    expect(await parts.platform.isMember(club.id, dana)).toBe(true)
    server.people.leave(dana)
    expect(await parts.platform.isMember(club.id, dana)).toBe(false)
  })

  test.each([
    ['see it', PermissionFlagsBits.ViewChannel],
    ['write there', PermissionFlagsBits.SendMessages],
  ])('has none that don’t %s', async (_, missing) => {
    server.world.deny(news.id, missing, ben.id)
    await expect
      .poll(() => parts.platform.isMember(news.id, ben.id), { timeout: 20_000 })
      .toBe(false)
    expect(await parts.platform.isMember(news.id, ada.id)).toBe(true)
  })

  test.each<[string, string, string]>([
    ['a person unknown', club.id, '1300000000000009999'],
    ['a channel unknown', '1300000000000009999', ben.id],
  ])('%s takes part in nothing', async (_, chat, person) => {
    expect(await parts.platform.isMember(chat, person)).toBe(false)
  })

  test.each([
    ['../../users/@me', ben.id],
    [club.id, '@me'],
    ['', ''],
  ])('is not asked of Discord by what is no id, as %j and %j', async (chat, person) => {
    const before = server.calls.length
    expect(await parts.platform.isMember(chat, person)).toBe(false)
    expect(server.calls.length).toBe(before)
  })

  test('is not the private chat', async () => {
    expect(await parts.platform.isMember(server.people.dm(ben.id), ben.id)).toBe(false)
  })

  test('can’t be told while Discord can’t be reached', async () => {
    const port = Number(new URL(server.root).port)
    await server.stop()
    expect(await parts.platform.isMember(club.id, ben.id)).toBe(false)
    server = await startServer({ port })
  })
})

describe('before the start', () => {
  test('nothing can be sent yet, and nobody is known', async () => {
    const { platform } = connection(server.root)
    expect((await failure(platform.send(toClub, viewOf('x'), 'one'))).final).toBe(false)
    expect(await platform.isMember(club.id, ben.id)).toBe(false)
    await platform.stop()
  })
})

describe('an answer of Discord', () => {
  let home: Server
  let rest: REST
  let answers: { status: number; code?: number; retryAfter?: number }[]
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
    rest = new REST({ api, rejectOnRateLimit: isTooLongToWait }).setToken(token)
  })
  afterEach(async () => {
    rest.clearHashSweeper()
    rest.clearHandlerSweeper()
    home.closeAllConnections()
    await new Promise((resolve) => home.close(resolve))
  })

  const sends = async (to: Destination) => {
    const body = await renderDiscord(viewOf('x'), keptLines())
    return sendMessage(rest, to, { body, files: [] }, 'one')
  }

  test.each<[number, number, boolean]>([
    [400, 50_035, true],
    [401, 0, false],
    [403, 50_007, true],
    [403, 50_001, true],
    [403, 50_013, true],
    [403, 40_003, false],
    [404, 10_003, true],
    [413, 40_005, true],
    [500, 0, false],
    [502, 0, false],
  ])('%i with code %i: final is %s', async (status, code, final) => {
    answers = Array(9).fill({ status, code })
    expect((await failure(sends(toClub))).final).toBe(final)
    calls = 0
    expect((await failure(sends(toBen))).final).toBe(final)
  })

  test('that there are too many messages says how long to wait, and does not wait itself', async () => {
    for (const to of [toClub, toBen]) {
      calls = 0
      answers = [{ status: 429, retryAfter: 600 }]
      const { final, retryAfter } = await failure(sends(to))
      expect([final, retryAfter, calls]).toEqual([false, 601, 1])
    }
  })

  test('that there were a few too many is waited out', async () => {
    answers = [{ status: 429, retryAfter: 1 }, { status: 200 }]
    await sends(toClub)
    expect(calls).toBe(2)
  })
})
