import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { Api, GrammyError, InputFile } from 'grammy'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club, lodge, news } from '../../../sandbox/telegram/cast.ts'
import type { Fault, TelegramServer } from '../../../sandbox/telegram/server.ts'
import { call, idOf, mayPost, startTelegram, token } from './telegram-call.ts'

let server: TelegramServer
let now = 1_700_000_000_000
beforeEach(async () => {
  now = 1_700_000_000_000
  server = await startTelegram({ now: () => now })
})
afterEach(() => server.stop())

const send = (chat_id: number, signal?: AbortSignal) =>
  call(server, 'sendMessage', { chat_id, text: 'x' }, signal)

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
  await expect.poll(() => server.api.queue.isWaiting).toBe(true)
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
  // Who polls the same again within half a second gets one update.
  expect(await poll({ limit: 2 })).toEqual(first.slice(0, 1))
  now += 500
  expect(await poll({ limit: 2 })).toEqual(first)
  const second = await poll({ offset: (first[1]?.update_id ?? 0) + 1 })
  expect(second).toMatchObject([{ message: { text: 'c' } }])
  expect(second[0]?.update_id).toBe((first[1]?.update_id ?? 0) + 1)
  expect(await poll({ offset: -1 })).toEqual(second)
  expect(await poll({ offset: (second[0]?.update_id ?? 0) + 1 })).toEqual([])
})

test('only the requested kinds of updates are stored', async () => {
  await poll({ allowed_updates: ['callback_query'] })
  server.people.text(ada.id, ada.id, 'x')
  // Who polls again within three seconds, and gets nothing, waits as long.
  now += 3_000
  expect(await poll()).toEqual([])
  now += 3_000
  await poll({ allowed_updates: [] })
  server.people.text(ada.id, ada.id, 'y')
  expect(await poll()).toMatchObject([{ message: { text: 'y' } }])
})

test('a second poller ends the first with 409, and so does a webhook', async () => {
  const first = call(server, 'getUpdates', { timeout: 50 })
  await expect.poll(() => server.api.queue.isWaiting).toBe(true)
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
  await expect.poll(() => server.api.queue.isWaiting).toBe(true)
  hangUp.abort()
  expect(await waiting).toBe('gone')
  await expect.poll(() => server.api.queue.isWaiting).toBe(false)
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
  const id = idOf(await call(server, 'sendMessage', { chat_id: club.id, text: 'hi' }))
  people.text(ben.id, club.id, 'thanks', { replyTo: id })
  expect(await poll()).toMatchObject([
    { message: { text: '/help', chat: { type: 'group' } } },
    { message: { text: '/help@gavel_bot', message_thread_id: 2, is_topic_message: true } },
    { message: { text: 'hey @Gavel_Bot' } },
    { message: { text: 'thanks', reply_to_message: { message_id: id, text: 'hi' } } },
  ])
})

test('where the bot is an administrator, as in the lodge, it sees all that is written', async () => {
  server.people.text(ben.id, lodge.id, 'look at $OTTER', { thread: 2 })
  expect(await poll()).toMatchObject([{ message: { text: 'look at $OTTER' } }])
})

test('a channel gives posts without a sender, and only its administrator writes there', async () => {
  server.people.text(ada.id, news.id, '/assets')
  const [update] = await poll()
  expect(update).toMatchObject({ channel_post: { text: '/assets', sender_chat: { id: news.id } } })
  expect(update?.channel_post).not.toHaveProperty('from')
  expect(() => server.people.text(ben.id, news.id, 'me too')).toThrow('only administrators')
})

test('blocking and kicking are sent as my_chat_member', async () => {
  server.people.block(ada.id)
  server.people.kick(club.id)
  expect(await poll()).toMatchObject([
    { my_chat_member: { from: { id: ada.id }, new_chat_member: { status: 'kicked' } } },
    { my_chat_member: { chat: { id: club.id }, old_chat_member: { status: 'member' } } },
  ])
})

interface Received {
  headers: IncomingHttpHeaders
  update: Got
}

/** A bot's webhook that answers with the given statuses in turn, then with 200. */
async function webhook(statuses: number[], answer = '', hold?: Promise<void>) {
  const got: Received[] = []
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
    await expect.poll(() => hook.got).toHaveLength(3)
    expect(hook.got.map(({ update }) => update.message)).toMatchObject([
      { text: 'a' },
      { text: 'a' },
      { text: 'b' },
    ])
    expect(hook.got[0]?.headers['x-telegram-bot-api-secret-token']).toBe('Se-cr_et1')
    await expect.poll(() => server.api.queue.length).toBe(0)
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
      await expect.poll(() => got()).toEqual(atFirst)
      resolve()
      await expect.poll(() => got()).toHaveLength(6)
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

describe('a link to the bot', () => {
  test.each([
    ['https://t.me/gavel_bot?start=abc_-1', '/start abc_-1'],
    ['https://t.me/Gavel_Bot?start=abc', '/start abc'],
    ['https://t.me/gavel_bot', '/start'],
    ['https://t.me/gavel_bot?start=', '/start'],
    // Telegram hands on nothing that is too long or holds anything odd.
    [`https://t.me/gavel_bot?start=${'x'.repeat(64)}`, `/start ${'x'.repeat(64)}`],
    [`https://t.me/gavel_bot?start=${'x'.repeat(65)}`, '/start'],
    ['https://t.me/gavel_bot?start=a%20b', '/start'],
  ])('%s opens the private chat with %j', (url, text) => {
    server.people.open(ben.id, url)
    expect(server.people.messages(ben.id).map((message) => message.text)).toEqual([text])
  })

  test.each([
    'https://t.me/another_bot?start=abc',
    'https://evil.example/gavel_bot?start=abc',
    'http://t.me/gavel_bot?start=abc',
    'nonsense',
  ])('%s is none', (url) => {
    expect(() => server.people.open(ben.id, url)).toThrow('does not lead to @gavel_bot')
    expect(server.people.messages(ben.id)).toEqual([])
  })
})

const channel = {
  request_id: 1,
  chat_is_channel: true,
  user_administrator_rights: mayPost,
  bot_administrator_rights: mayPost,
}

test('a chat is shared only through an existing button, if it is of the kind and the person has the rights', async () => {
  for (const { id } of [ada, ben]) {
    server.people.text(id, id, '/start')
    const keyboard = [[{ text: 'Pick', request_chat: channel }]]
    await call(server, 'sendMessage', { chat_id: id, text: 'x', reply_markup: { keyboard } })
  }
  expect(() => server.people.share(ada.id, 2, news.id)).toThrow('no such button')
  expect(() => server.people.share(ada.id, 1, club.id)).toThrow('another kind')
  expect(() => server.people.share(ada.id, 1, ada.id)).toThrow('another kind')
  expect(() => server.people.share(ben.id, 1, news.id)).toThrow('rights')
  server.circumstances.role(ben.id, news.id, 'administrator')
  server.circumstances.stands(ben.id, news.id, { silent: true })
  expect(() => server.people.share(ben.id, 1, news.id)).toThrow('rights')
  server.circumstances.stands(ben.id, news.id, {})
  expect(server.people.share(ben.id, 1, news.id).chat_shared).toMatchObject({
    request_id: 1,
    chat_id: news.id,
  })
  const reply_markup = { remove_keyboard: true }
  await call(server, 'sendMessage', { chat_id: ada.id, text: 'x', reply_markup })
  expect(() => server.people.share(ada.id, 1, news.id)).toThrow('no such button')
})

describe('flood limits', () => {
  beforeEach(async () => {
    await server.stop()
    server = await startTelegram({ floodLimits: true, now: () => now })
    server.people.text(ada.id, ada.id, '/start')
  })

  test('one chat takes a few at once and then one a second', async () => {
    for (let sent = 0; sent < 5; sent++) expect((await send(ada.id)).status).toBe(200)
    expect(await send(ada.id)).toMatchObject({
      status: 429,
      description: 'Too Many Requests: retry after 1',
      parameters: { retry_after: 1 },
    })
    now += 1_000
    expect(await send(ada.id)).toMatchObject({ status: 200 })
    expect(await send(ada.id)).toMatchObject({ status: 429 })
  })

  test('a group takes 20 a minute', async () => {
    let sent = 0
    for (let second = 0; second < 40; second++) {
      if ((await send(club.id)).status === 200) sent++
      now += 1_000
    }
    expect(sent).toBe(33)
    const { parameters } = await send(club.id)
    expect(parameters.retry_after).toBeGreaterThan(0)
  })

  test('all chats together take 30 a second', async () => {
    const people = Array.from({ length: 31 }, (_, index) => 500_000 + index)
    for (const id of people) server.people.text(id, id, '/start')
    const statuses: number[] = []
    for (const id of people) statuses.push((await send(id)).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    expect(statuses.at(-1)).toBe(429)
  })

  test('edits count, answers to presses do not', async () => {
    const reply_markup = { inline_keyboard: [[{ text: 'a', callback_data: 'a' }]] }
    const id = idOf(await call(server, 'sendMessage', { chat_id: ada.id, text: 'x', reply_markup }))
    const edits: number[] = []
    for (let edit = 0; edit < 5; edit++)
      edits.push(
        (
          await call(server, 'editMessageText', {
            chat_id: ada.id,
            message_id: id,
            text: `${edit}`,
          })
        ).status,
      )
    expect(edits).toEqual([200, 200, 200, 200, 429])
    const pressed = server.people.press(ada.id, ada.id, id, { data: 'a' })
    const { result: updates } = await call(server, 'getUpdates', { offset: -1, timeout: 5 })
    const query = Array.isArray(updates) ? updates[0]?.callback_query : undefined
    expect(
      (await call(server, 'answerCallbackQuery', { callback_query_id: query?.id })).status,
    ).toBe(200)
    expect(await pressed).toMatchObject({ kind: 'answer' })
  })
})

describe('a fault', () => {
  test.each<[Fault, number, number]>([
    ['stumble', 500, 1],
    ['fail', 500, 0],
  ])('"%s" is answered with %i after %i messages', async (fault, status, messages) => {
    server.fault = (method) => (method === 'sendMessage' ? fault : undefined)
    expect((await send(club.id)).status).toBe(status)
    expect(server.api.tally.total).toBe(messages)
    expect((await call(server, 'getMe')).status).toBe(200)
  })

  test('"mute" does what is asked and never answers', async () => {
    server.fault = () => 'mute'
    const ending = new AbortController()
    const sending = send(club.id, ending.signal).catch(String)
    await server.people.waitFor(club.id, ({ text }) => text === 'x')
    ending.abort()
    expect(await sending).toContain('Abort')
  })

  test('"cut" does nothing and breaks the line', async () => {
    server.fault = () => 'cut'
    await expect(send(club.id)).rejects.toThrow('fetch failed')
    expect(server.api.tally.total).toBe(0)
  })
})

test('while down it refuses connections, and is back at the same address with all its data', async () => {
  const { root } = server
  server.people.text(ada.id, ada.id, '/start')
  await server.down()
  await server.down()
  await expect(send(ada.id)).rejects.toThrow('fetch failed')
  await server.up()
  expect(server.root).toBe(root)
  expect((await send(ada.id)).status).toBe(200)
  const { result } = await call(server, 'getUpdates', { timeout: 0 })
  expect(result).toHaveLength(1)
  await server.down()
})

describe('media and rights', () => {
  let api: Api
  beforeEach(() => {
    server.people.text(ada.id, ada.id, '/start')
    api = new Api(token, { apiRoot: server.root })
  })

  async function png(background: string): Promise<InputFile> {
    const drawn = sharp({ create: { width: 40, height: 20, channels: 3, background } })
    return new InputFile(await drawn.png().toBuffer(), 'card.png')
  }

  const described = (error: unknown) =>
    error instanceof GrammyError ? error.description : `no refusal: ${String(error)}`
  const last = () => server.people.messages(ada.id).at(-1)

  describe('editMessageMedia', () => {
    test('turns a text message into a picture, whose caption replaces its text', async () => {
      const { message_id } = await api.sendMessage(ada.id, '<b>words</b>', { parse_mode: 'HTML' })
      const edited = await api.editMessageMedia(
        ada.id,
        message_id,
        { type: 'photo', media: await png('red'), caption: '<i>sold</i>', parse_mode: 'HTML' },
        { reply_markup: { inline_keyboard: [[{ text: 'a', callback_data: 'a' }]] } },
      )
      expect(edited).toMatchObject({
        message_id,
        caption: 'sold',
        photo: [{ width: 40, height: 20 }],
      })
      expect(last()).toMatchObject({ id: message_id, text: 'sold', photo: { width: 40 } })
      expect(last()?.entities).toMatchObject([{ type: 'italic' }])
      expect(last()?.buttons).toHaveLength(1)
    })

    test('changes a picture by its id, and takes the caption away that is left out', async () => {
      const red = await api.sendPhoto(ada.id, await png('red'), { caption: 'red' })
      const blue = await api.sendPhoto(ada.id, await png('blue'))
      const media = blue.photo[0]?.file_id ?? ''
      await api.editMessageMedia(ada.id, red.message_id, { type: 'photo', media })
      const [, seen] = server.people.messages(ada.id)
      expect(seen).toMatchObject({ id: red.message_id, text: '', photo: { fileId: media } })
    })

    test('refuses what the Bot API refuses', async () => {
      const { message_id, photo } = await api.sendPhoto(ada.id, await png('red'), { caption: 'x' })
      const same = photo[0]?.file_id ?? ''
      const { document } = await api.sendDocument(
        ada.id,
        new InputFile(Buffer.from('{}'), 'a.json'),
      )
      const edit = (media: object) =>
        call(server, 'editMessageMedia', { chat_id: ada.id, message_id, media }).then(
          ({ description }) => description,
        )
      expect(await edit({ type: 'photo', media: same, caption: 'x' })).toContain('is not modified')
      expect(await edit({ type: 'photo', media: 'AgACunknown' })).toContain('file identifier')
      expect(await edit({ type: 'photo', media: document.file_id })).toContain("can't use file")
      expect(await edit({ type: 'photo', media: same, caption: 'x'.repeat(1_025) })).toContain(
        'caption is too long',
      )
      expect(
        await edit({ type: 'photo', media: same, caption: '<b>', parse_mode: 'HTML' }),
      ).toContain("can't parse entities")
      expect(await edit({ type: 'video', media: same })).toContain('photos only')
      expect(last()?.text).toBe('')
    })
  })

  test('a photo has no text to edit, and a text no caption', async () => {
    const photo = await api.sendPhoto(ada.id, await png('red'))
    const text = await api.sendMessage(ada.id, 'x')
    expect(await api.editMessageText(ada.id, photo.message_id, 'y').catch(described)).toContain(
      'there is no text in the message to edit',
    )
    expect(
      await api.editMessageCaption(ada.id, text.message_id, { caption: 'y' }).catch(described),
    ).toContain('there is no caption in the message to edit')
  })

  test('a bot deletes what others wrote in private chats within two days, and in groups as an administrator', async () => {
    const inPrivate = server.people.text(ada.id, ada.id, 'x').message_id
    expect(await api.deleteMessage(ada.id, inPrivate)).toBe(true)
    const old = server.people.text(ada.id, ada.id, 'x').message_id
    now += 48 * 3_600_000
    expect(await api.deleteMessage(ada.id, old).catch(described)).toContain("can't be deleted")
    const inGroup = server.people.text(ada.id, club.id, 'x').message_id
    expect(await api.deleteMessage(club.id, inGroup).catch(described)).toContain("can't be deleted")
    server.people.invite(club.id, 'administrator')
    expect(await api.deleteMessage(club.id, inGroup)).toBe(true)
  })

  test('a bot takes back what it wrote within two days, and later only as an administrator', async () => {
    const { message_id } = await api.sendMessage(club.id, 'x')
    now += 48 * 3_600_000
    expect(await api.deleteMessage(club.id, message_id).catch(described)).toContain(
      "can't be deleted",
    )
    server.people.invite(club.id, 'administrator')
    expect(await api.deleteMessage(club.id, message_id)).toBe(true)
  })

  describe('rights', () => {
    test('a closed topic, a deleted one and a muted bot are refused as such', async () => {
      const { circumstances } = server
      circumstances.role(server.api.world.bot.id, lodge.id, 'member')
      const inTopic = (message_thread_id: number) =>
        api.sendMessage(lodge.id, 'x', { message_thread_id }).then(() => 'sent', described)
      circumstances.botMay(lodge.id, 'texts')
      expect(await api.sendPhoto(lodge.id, await png('red')).catch(described)).toBe(
        'Bad Request: not enough rights to send photos to the chat',
      )
      expect(await inTopic(2)).toBe('sent')
      circumstances.botMay(lodge.id, 'nothing')
      expect(await inTopic(2)).toBe(
        'Bad Request: not enough rights to send text messages to the chat',
      )
      circumstances.botMay(lodge.id, 'everything')
      circumstances.closeTopic(lodge.id, 2)
      circumstances.deleteTopic(lodge.id, 3)
      expect(await inTopic(2)).toBe('Bad Request: TOPIC_CLOSED')
      expect(await inTopic(3)).toBe('Bad Request: message thread not found')
      server.people.invite(lodge.id, 'administrator')
      expect(await inTopic(2)).toBe('sent')
    })

    test('accounts and groups that are deleted are gone', async () => {
      for (const { id } of [ada, club]) server.circumstances.deleteChat(id)
      expect(await api.sendMessage(ada.id, 'x').catch(described)).toBe(
        'Forbidden: user is deactivated',
      )
      expect(await api.sendMessage(club.id, 'x').catch(described)).toBe(
        'Forbidden: the group chat was deleted',
      )
    })

    test('getChatMember gives anonymous administrators and each one’s rights in a channel', async () => {
      const { circumstances } = server
      const [channel = 0] = circumstances.channels(1, ada.id)
      circumstances.stands(ada.id, lodge.id, { anonymous: true })
      expect(await api.getChatMember(lodge.id, ada.id)).toMatchObject({
        status: 'creator',
        is_anonymous: true,
      })
      circumstances.role(ada.id, channel, 'administrator')
      circumstances.stands(ada.id, channel, { silent: true })
      expect(await api.getChatMember(channel, ada.id)).toMatchObject({
        status: 'administrator',
        can_post_messages: false,
      })
      circumstances.role(ada.id, lodge.id, 'administrator')
      expect(await api.getChatMember(lodge.id, ada.id)).not.toHaveProperty('can_post_messages')
    })
  })
})
