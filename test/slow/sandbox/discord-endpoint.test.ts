import { createPublicKey, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ada, club, gavel } from '../../../sandbox/discord/cast.ts'
import { DiscordServer } from '../../../sandbox/discord/server.ts'
import { call, token } from './discord-bot.ts'

const payloadSchema = z.object({ id: z.string(), type: z.number(), token: z.string() })

interface Heard {
  isSigned: boolean
  payload: z.output<typeof payloadSchema>
}

let server: DiscordServer
let bot: Server
let url: string
let heard: Heard[]
/** How the bot answers; by itself it does all right. */
let answer: (heard: Heard) => { status: number; body?: string; type?: string }
/** When the bot answers; by itself at once. */
let answers: () => Promise<void>
beforeEach(async () => {
  server = await DiscordServer.start({ token, rateLimits: false })
  heard = []
  answer = right
  answers = async () => undefined
  bot = createServer(async (request, response) => {
    const each = await read(request)
    heard.push(each)
    await answers()
    const { status, body, type = 'application/json' } = answer(each)
    response.writeHead(status, body === undefined ? {} : { 'content-type': type }).end(body)
  })
  await new Promise<void>((resolve) => bot.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(bot.address() as AddressInfo).port}/calls?from=discord`
})
afterEach(async () => {
  await server.stop()
  await new Promise((resolve) => bot.close(resolve))
})

const pong = { status: 200, body: '{"type":1}' }

function right({ isSigned, payload }: Heard) {
  if (!isSigned) return { status: 401 }
  return payload.type === 1 ? pong : { status: 202 }
}

async function read(request: IncomingMessage): Promise<Heard> {
  const body = await text(request)
  const { 'x-signature-timestamp': at, 'x-signature-ed25519': signature } = request.headers
  const x = Buffer.from(server.endpoint.verifyKey, 'hex').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const isSigned = verify(
    null,
    Buffer.from(`${at}${body}`),
    key,
    Buffer.from(String(signature), 'hex'),
  )
  return { isSigned, payload: payloadSchema.parse(JSON.parse(body)) }
}

const applicationSchema = z.object({
  verify_key: z.string(),
  interactions_endpoint_url: z.string().nullable(),
})

const set = (interactions_endpoint_url: unknown) =>
  call(server, 'PATCH /applications/@me', { interactions_endpoint_url })
const known = async () =>
  applicationSchema.parse((await call(server, 'GET /applications/@me')).json)
    .interactions_endpoint_url

describe('an address', () => {
  test('is accepted if the bot verifies signatures', async () => {
    expect((await set(url)).status).toBe(200)
    expect(await known()).toBe(url)
    expect(heard.map(({ isSigned, payload }) => [isSigned, payload.type])).toEqual(
      expect.arrayContaining([
        [true, 1],
        [false, 1],
      ]),
    )
  })

  test.each<[string, typeof answer]>([
    ['lets everybody in', () => pong],
    ['lets nobody in', () => ({ status: 401 })],
    ['refuses others with another status', (each) => (each.isSigned ? pong : { status: 403 })],
    ['answers the ping later', (each) => (each.isSigned ? { status: 202 } : { status: 401 })],
    [
      'answers the ping with something else',
      (each) => (each.isSigned ? { status: 200, body: '{"type":4}' } : { status: 401 }),
    ],
    [
      'does not call its answer JSON',
      (each) => (each.isSigned ? { ...pong, type: 'text/plain' } : { status: 401 }),
    ],
  ])('of a bot that %s is refused', async (_, does) => {
    answer = does
    expect(await set(url)).toMatchObject({
      status: 400,
      code: 50035,
      faults: ['interactions_endpoint_url APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID'],
    })
    expect(await known()).toBeNull()
  })

  test.each(['http://127.0.0.1:1/', 'http://gavel.example.org/discord', 'gavel', '', 4])(
    'that is %j is refused',
    async (wrong) => {
      expect((await set(wrong)).status).toBe(400)
    },
  )

  test('is removed with null', async () => {
    await set(url)
    expect((await set(null)).status).toBe(200)
    expect(await known()).toBeNull()
  })

  test('is left as it is by a change of something else', async () => {
    await set(url)
    expect((await call(server, 'PATCH /applications/@me', { description: 'x' })).status).toBe(200)
    expect(await known()).toBe(url)
  })
})

describe('an interaction', () => {
  beforeEach(async () => {
    const command = { type: 1, name: 'ask', description: 'Ask' }
    await call(server, `PUT /applications/${gavel.id}/commands`, [command])
    await set(url)
    heard = []
  })

  test('goes to the address, signed, and is answered over the REST interface', async () => {
    const events: string[] = []
    server.world.events.on('dispatch', ({ name }) => events.push(name))
    const asked = server.people.slash(ada.id, club.id, 'ask')
    await expect.poll(() => heard.length).toBe(1)
    expect(events).not.toContain('INTERACTION_CREATE')
    const [each] = heard
    expect(each).toMatchObject({ isSigned: true, payload: { type: 2 } })
    await expect.poll(() => server.endpoint.answers).toEqual([{ status: 202, body: '' }])
    const { id, token: own } = each?.payload ?? { id: '', token: '' }
    const body = { type: 4, data: { content: 'hello' } }
    expect((await call(server, `POST /interactions/${id}/${own}/callback`, body)).status).toBe(204)
    expect((await asked.message()).content).toBe('hello')
  })

  const responds = (body: unknown) => {
    answer = () => ({ status: 200, body: JSON.stringify(body) })
  }
  const refusals = () => server.endpoint.answers.map(({ refusal }) => refusal)

  test('is responded to by the answer of its call', async () => {
    responds({ type: 4, data: { content: 'hello' } })
    expect((await server.people.slash(ada.id, club.id, 'ask').message()).content).toBe('hello')
    expect(refusals()).toEqual([undefined])
    const { id, token: own } = heard[0]?.payload ?? { id: '', token: '' }
    const again = { type: 4, data: { content: 'again' } }
    expect((await call(server, `POST /interactions/${id}/${own}/callback`, again)).code).toBe(40060)
    expect((await call(server, `POST /webhooks/${gavel.id}/${own}`, again.data)).status).toBe(200)
  })

  test.each<[string, unknown, string]>([
    ['a message without content', { type: 4, data: {} }, '"code":50006'],
    ['an update of no message', { type: 7, data: { content: 'x' } }, '"code":50035'],
    ['choices for a command', { type: 8, data: { choices: [] } }, '"code":50035'],
    ['nothing', null, '"code":50035'],
  ])('that is answered with %s is not responded to', async (_, body, code) => {
    responds(body)
    server.answerMs = 50
    const asked = server.people.slash(ada.id, club.id, 'ask')
    await expect(asked.taken).rejects.toThrow('The application did not respond')
    await expect.poll(refusals).toEqual([expect.stringContaining(code)])
  })

  test('is responded to once: what comes after a callback is refused', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    answers = () => promise
    responds({ type: 4, data: { content: 'second' } })
    const asked = server.people.slash(ada.id, club.id, 'ask')
    await expect.poll(() => heard).toHaveLength(1)
    const { id, token: own } = heard[0]?.payload ?? { id: '', token: '' }
    const first = { type: 4, data: { content: 'first' } }
    await call(server, `POST /interactions/${id}/${own}/callback`, first)
    resolve()
    await expect.poll(refusals).toEqual([expect.stringContaining('"code":40060')])
    expect((await asked.message()).content).toBe('first')
  })

  test('without an answer shows that the application did not respond', async () => {
    server.answerMs = 50
    const asked = server.people.slash(ada.id, club.id, 'ask')
    await expect(asked.taken).rejects.toThrow('The application did not respond')
    await expect.poll(() => heard).toHaveLength(1)
    expect(server.people.notices(club.id, ada.id)).toHaveLength(1)
  })

  test('for a bot that stopped is left unanswered, too', async () => {
    bot.closeAllConnections()
    await new Promise((resolve) => bot.close(resolve))
    server.answerMs = 50
    const asked = server.people.slash(ada.id, club.id, 'ask')
    await expect(asked.taken).rejects.toThrow('The application did not respond')
    await expect.poll(() => server.endpoint.answers).toEqual([{ status: 0, body: '' }])
  })

  test('messages to the bot go to no address', async () => {
    server.people.text(ada.id, server.people.dm(ada.id), 'gm')
    const asked = server.people.slash(ada.id, club.id, 'ask')
    await expect.poll(() => heard.length).toBe(1)
    expect(heard[0]?.payload.id).toBe(asked.interaction?.id)
  })
})
