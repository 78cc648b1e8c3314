import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ada, ben, club, lodge, news } from '../../../sandbox/telegram/cast.ts'
import type { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { call, startTelegram } from './telegram-call.ts'

let server: TelegramServer

beforeEach(async () => {
  server = await startTelegram()
})

afterEach(() => server.stop())

interface Got {
  update_id: number
  [kind: string]: unknown
}

async function poll(body: Record<string, unknown> = {}): Promise<Got[]> {
  const { result } = await call(server, 'getUpdates', body)
  return Array.isArray(result) ? result : []
}

test('a long poll waits for the next update and gives it at once', async () => {
  const waiting = poll({ timeout: 50 })
  await vi.waitFor(() => expect(server.api.queue.isWaiting).toBe(true))
  server.people.text(ada.id, ada.id, '/start')
  expect(await waiting).toMatchObject([
    {
      message: {
        message_id: 1,
        text: '/start',
        from: ada,
        chat: { id: ada.id, type: 'private', first_name: 'Ada' },
        entities: [{ type: 'bot_command', offset: 0, length: 6 }],
      },
    },
  ])
})

test('updates stay until an offset confirms them, and come in order up to the limit', async () => {
  for (const word of ['a', 'b', 'c']) server.people.text(ada.id, ada.id, word)
  const first = await poll({ limit: 2 })
  expect(first).toMatchObject([{ message: { text: 'a' } }, { message: { text: 'b' } }])
  expect(await poll({ limit: 2 })).toEqual(first)
  const second = await poll({ offset: (first[1]?.update_id ?? 0) + 1 })
  expect(second).toMatchObject([{ message: { text: 'c' } }])
  expect(second[0]?.update_id).toBe((first[1]?.update_id ?? 0) + 1)
  expect(await poll({ offset: -1 })).toEqual(second)
  expect(await poll({ offset: (second[0]?.update_id ?? 0) + 1 })).toEqual([])
})

test('only the kinds that were asked for are kept', async () => {
  await poll({ allowed_updates: ['callback_query'] })
  server.people.text(ada.id, ada.id, 'x')
  expect(await poll()).toEqual([])
  await poll({ allowed_updates: [] })
  server.people.text(ada.id, ada.id, 'y')
  expect(await poll()).toMatchObject([{ message: { text: 'y' } }])
})

test('a second poller ends the first with 409, and so does a webhook', async () => {
  const first = call(server, 'getUpdates', { timeout: 50 })
  await vi.waitFor(() => expect(server.api.queue.isWaiting).toBe(true))
  const second = call(server, 'getUpdates', { timeout: 50 })
  expect(await first).toMatchObject({
    status: 409,
    description:
      'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
  })
  await call(server, 'setWebhook', { url: 'http://127.0.0.1:1/' })
  expect(await second).toMatchObject({
    status: 409,
    description: 'Conflict: terminated by setWebhook request',
  })
  expect(await call(server, 'getUpdates')).toMatchObject({
    status: 409,
    description:
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
  })
})

test('a client that hangs up frees its poll and loses no update', async () => {
  const hangUp = new AbortController()
  const waiting = call(server, 'getUpdates', { timeout: 50 }, hangUp.signal).catch(() => 'gone')
  await vi.waitFor(() => expect(server.api.queue.isWaiting).toBe(true))
  hangUp.abort()
  expect(await waiting).toBe('gone')
  await vi.waitFor(() => expect(server.api.queue.isWaiting).toBe(false))
  server.people.text(ada.id, ada.id, 'still here')
  expect(await poll({ timeout: 50 })).toMatchObject([{ message: { text: 'still here' } }])
})

test('in groups the bot sees commands, mentions and replies to it, and nothing else', async () => {
  const { people } = server
  people.text(ben.id, club.id, 'hello all')
  people.text(ben.id, club.id, '/start@other_bot')
  people.text(ben.id, club.id, '/help')
  people.text(ben.id, lodge.id, '/help@gavel_bot', { thread: 2 })
  people.text(ben.id, club.id, 'hey @Gavel_Bot')
  const { result } = await call(server, 'sendMessage', { chat_id: club.id, text: 'hi' })
  const id =
    typeof result === 'object' && result && 'message_id' in result ? Number(result.message_id) : 0
  people.text(ben.id, club.id, 'thanks', { replyTo: id })
  expect(await poll()).toMatchObject([
    { message: { text: '/help', chat: { type: 'group' } } },
    { message: { text: '/help@gavel_bot', message_thread_id: 2, is_topic_message: true } },
    { message: { text: 'hey @Gavel_Bot' } },
    { message: { text: 'thanks', reply_to_message: { message_id: id, text: 'hi' } } },
  ])
})

test('a channel gives posts without a sender, and only its administrator writes there', async () => {
  server.people.text(ada.id, news.id, '/assets')
  const [update] = await poll()
  expect(update).toMatchObject({ channel_post: { text: '/assets', sender_chat: { id: news.id } } })
  expect(update?.channel_post).not.toHaveProperty('from')
  expect(() => server.people.text(ben.id, news.id, 'me too')).toThrow('only administrators')
})

test('blocking and kicking are told as my_chat_member', async () => {
  server.people.block(ada.id)
  server.people.kick(club.id)
  expect(await poll()).toMatchObject([
    { my_chat_member: { from: { id: ada.id }, new_chat_member: { status: 'kicked' } } },
    { my_chat_member: { chat: { id: club.id }, old_chat_member: { status: 'member' } } },
  ])
})

interface Notifier {
  headers: IncomingHttpHeaders
  update: Got
}

/** A bot's webhook that answers with the given statuses in turn, then with 200. */
async function webhook(statuses: number[], answer = '', hold?: Promise<void>) {
  const got: Notifier[] = []
  const http = createServer(async (request, response) => {
    got.push({ headers: request.headers, update: JSON.parse(await text(request)) })
    await hold
    response.writeHead(statuses.shift() ?? 200).end(answer)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  const port = typeof address === 'object' ? address?.port : 0
  const stop = async () => {
    http.close()
    http.closeAllConnections()
    await once(http, 'close')
  }
  return { got, url: `http://127.0.0.1:${port}/hook`, stop }
}

test('a webhook gets each update in order with the secret, again until it takes it', async () => {
  const hook = await webhook([500])
  try {
    server.people.text(ada.id, ada.id, 'old')
    const set = { url: hook.url, secret_token: 'Se-cr_et1', drop_pending_updates: true }
    expect((await call(server, 'setWebhook', set)).ok).toBe(true)
    server.people.text(ada.id, ada.id, 'a')
    server.people.text(ada.id, ada.id, 'b')
    await vi.waitFor(() => expect(hook.got).toHaveLength(3))
    expect(hook.got.map(({ update }) => update.message)).toMatchObject([
      { text: 'a' },
      { text: 'a' },
      { text: 'b' },
    ])
    expect(hook.got[0]?.headers['x-telegram-bot-api-secret-token']).toBe('Se-cr_et1')
    await vi.waitFor(() => expect(server.api.queue.length).toBe(0))
    expect((await call(server, 'getWebhookInfo')).result).toMatchObject({
      url: hook.url,
      pending_update_count: 0,
      last_error_message: 'Wrong response from the webhook: 500 Internal Server Error',
    })
    await call(server, 'deleteWebhook')
    server.people.text(ada.id, ada.id, 'c')
    expect(await poll()).toMatchObject([{ message: { text: 'c' } }])
  } finally {
    await hook.stop()
  }
})

test.each([
  [100, ['a1', 'b1', 'press']],
  [2, ['a1', 'b1']],
  [1, ['a1']],
])(
  'a webhook gets those of a chat one after another, of %i chats side by side',
  async (max_connections, atFirst) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const hook = await webhook([], '', promise)
    const got = () =>
      hook.got.map(({ update: { message } }) =>
        typeof message === 'object' && message && 'text' in message ? message.text : 'press',
      )
    try {
      await call(server, 'setWebhook', { url: hook.url, max_connections })
      for (const word of ['a1', 'a2', 'a3']) server.people.text(ada.id, ada.id, word)
      for (const word of ['b1', 'b2']) server.people.text(ben.id, ben.id, word)
      const press = { id: '1', from: ada, chat_instance: '1', data: 'x' }
      server.api.queue.push({ callback_query: press })
      await vi.waitFor(() => expect(got()).toEqual(atFirst))
      resolve()
      await vi.waitFor(() => expect(got()).toHaveLength(6))
      expect(got().filter((word) => String(word).startsWith('a'))).toEqual(['a1', 'a2', 'a3'])
      expect(got().filter((word) => String(word).startsWith('b'))).toEqual(['b1', 'b2'])
    } finally {
      resolve()
      await hook.stop()
    }
  },
)

test('a webhook may answer with a call', async () => {
  const hook = await webhook(
    [],
    JSON.stringify({ method: 'sendMessage', chat_id: ada.id, text: 'by answer' }),
  )
  try {
    await call(server, 'setWebhook', { url: hook.url })
    server.people.text(ada.id, ada.id, 'x')
    expect((await server.people.waitFor(ada.id, () => true)).text).toBe('by answer')
  } finally {
    await hook.stop()
  }
})

test.each([
  [{ url: 'http://example.com/hook' }, 'bad webhook: An HTTPS URL must be provided for webhook'],
  [
    { url: 'https://example.com:8080/' },
    'bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443',
  ],
  [{ url: 'nonsense' }, 'bad webhook: Invalid URL specified'],
  [
    { url: 'https://example.com', secret_token: 'a b' },
    'secret token contains unallowed characters',
  ],
  [{ url: 'https://example.com', secret_token: 'a'.repeat(257) }, 'secret token is too long'],
])('setWebhook refuses %j', async (body, why) => {
  expect(await call(server, 'setWebhook', body)).toMatchObject({
    status: 400,
    description: `Bad Request: ${why}`,
  })
})
