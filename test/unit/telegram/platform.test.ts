import { describe, expect, test, vi } from 'vitest'
import { ben } from '../../../sandbox/telegram/cast.ts'
import { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { PlatformError } from '../../../src/core/adapter.ts'
import { withTimeout } from '../../../src/core/task.ts'
import { later, says } from '../core/scripted-bot.ts'
import { Front } from './fault-proxy.ts'
import { type Connection, connection, token } from './telegram-chat.ts'

// `expect.poll` knows its test only where one runs at a time.
const patience = { timeout: 20_000 }

/** A stand-in of its own for each test, which they need to run side by side, and what connects to it. */
class Ground {
  readonly server: TelegramServer
  readonly front: Front
  readonly #opened: Connection[] = []

  constructor(server: TelegramServer) {
    this.server = server
    this.front = new Front(server.root)
  }

  open(withToken = token): Connection {
    const parts = connection(this.front.root, withToken)
    this.#opened.push(parts)
    return parts
  }

  answers(text: string) {
    return this.server.people.waitFor(ben.id, (message) => message.text.includes(text), {
      timeoutMs: 20_000,
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#opened.map(({ platform }) => platform.stop()))
    await this.front.shut()
    await this.server.stop()
  }
}

async function startGround(): Promise<Ground> {
  const ground = new Ground(await TelegramServer.start({ token, floodLimits: false }))
  await ground.front.open()
  return ground
}

describe.concurrent('the start', () => {
  test('requests the kinds of updates that are handled, and listens', async () => {
    await using ground = await startGround()
    const { platform } = ground.open()
    expect(platform.state()).toBe('starting')
    await platform.start()
    expect(platform.state()).toBe('connected')
    ground.server.people.text(ben.id, ben.id, '/ask moon')
    await ground.answers('ask moon')
    expect(ground.server.calls.of('getUpdates')[0]?.payload).toMatchObject({
      allowed_updates: [
        'message',
        'channel_post',
        'callback_query',
        'inline_query',
        'my_chat_member',
      ],
    })
  })

  test.each(['4242:another-token', '4343:telegram-token-for-tests'])(
    'with a wrong token (%s) ends with what to set',
    async (wrong) => {
      await using ground = await startGround()
      const { platform, log } = ground.open(wrong)
      const error: unknown = await platform.start().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(PlatformError)
      expect(error).toMatchObject({
        message: expect.stringContaining('TELEGRAM_TOKEN'),
        cause: { error_code: 401 },
      })
      expect(log.of('warn')).toEqual([])
    },
  )

  test('at an address that is no Bot API ends with what to set', async () => {
    await using ground = await startGround()
    ground.front.mishap = () => ({
      status: 400,
      body: '{"ok":false,"error_code":400,"description":"no"}',
    })
    await expect(ground.open().platform.start()).rejects.toMatchObject({
      name: 'PlatformError',
      message: expect.stringContaining('TELEGRAM_API_ROOT'),
    })
  })

  test.each([
    ['a 502', { status: 502, body: '{"ok":false,"error_code":502,"description":"Bad Gateway"}' }],
    ['a page of a proxy', { status: 502, body: '<html>Bad Gateway</html>' }],
    ['a reset', 'reset'],
    ['too many requests', { status: 429, body: tooMany(1) }],
  ] as const)('waits out %s half-way', async (_, mishap) => {
    await using ground = await startGround()
    // The start asks first, and whoever begins to poll asks again: each fails once or more.
    const answers = [mishap, mishap, undefined, mishap, undefined]
    ground.front.mishap = (method) => (method === 'getWebhookInfo' ? answers.shift() : undefined)
    const { platform } = ground.open()
    await platform.start()
    expect(ground.front.calls.filter((method) => method === 'getWebhookInfo')).toHaveLength(5)
    expect(platform.state()).toBe('connected')
  })

  test('can be aborted while Telegram can’t be reached', async () => {
    await using ground = await startGround()
    await ground.front.shut()
    const { platform, log } = ground.open()
    const starting = platform.start().catch((reason: unknown) => reason)
    await vi.waitFor(() => expect(log.of('warn').length).toBeGreaterThan(0), patience)
    await platform.stop()
    expect(platform.state()).toBe('stopped')
    await starting
    expect(platform.state()).toBe('stopped')
  })
})

describe.concurrent('the connection', () => {
  test.each(['{}', 'null', '"soon"', '7'])(
    'survives updates that are no list: %s',
    async (result) => {
      await using ground = await startGround()
      let left = 2
      ground.front.mishap = (method) =>
        method === 'getUpdates' && left-- > 0
          ? { status: 200, body: `{"ok":true,"result":${result}}` }
          : undefined
      const { platform, fatal } = ground.open()
      await platform.start()
      ground.server.people.text(ben.id, ben.id, '/ask moon')
      await ground.answers('ask moon')
      expect(fatal).toEqual([])
    },
  )

  test('to a chat that blocked the bot is no error', async () => {
    await using ground = await startGround()
    const { platform, bot, log } = ground.open()
    await platform.start()
    bot.on('ask moon', () => {
      ground.server.people.block(ben.id)
      return says('too late')
    })
    ground.server.people.text(ben.id, ben.id, '/ask moon')
    await vi.waitFor(() => expect(log.of('info').join()).toContain('bot was blocked'), patience)
    expect(log.of('error')).toEqual([])
  })

  test('that refuses an answer is an error, and the next is answered', async () => {
    await using ground = await startGround()
    const { platform, log } = ground.open()
    await platform.start()
    const body = JSON.stringify({ ok: false, error_code: 400, description: 'Bad Request: odd' })
    ground.front.mishap = (method) => (method === 'sendMessage' ? { status: 400, body } : undefined)
    ground.server.people.text(ben.id, ben.id, '/ask moon')
    await vi.waitFor(() => expect(log.of('error').join()).toContain('was not answered'), patience)
    ground.front.mishap = () => undefined
    ground.server.people.text(ben.id, ben.id, '/ask again')
    await ground.answers('ask again')
  })

  test('that has to wait a moment for Telegram waits, and the answer is sent once', async () => {
    await using ground = await startGround()
    const { platform } = ground.open()
    await platform.start()
    let left = 1
    ground.front.mishap = (method) =>
      method === 'sendMessage' && left-- > 0 ? { status: 429, body: tooMany(1) } : undefined
    ground.server.people.text(ben.id, ben.id, '/ask moon')
    await ground.answers('ask moon')
    expect(ground.server.calls.of('sendMessage')).toHaveLength(1)
  })
})

describe.concurrent('a stop', () => {
  test('lets answers under way arrive', async () => {
    await using ground = await startGround()
    const { platform, bot } = ground.open()
    await platform.start()
    const slow = later()
    bot.on('ask slow', slow.script)
    ground.server.people.text(ben.id, ben.id, '/ask slow')
    await vi.waitFor(() => expect(bot.lines).toEqual(['ask slow']), patience)
    const stopping = platform.stop()
    // A stop that waits for nobody would be over, and its connections closed, before the answer comes.
    await withTimeout(stopping, 500)
    slow.come(says('at last'))
    await stopping
    expect(ground.server.people.messages(ben.id).map(({ text }) => text)).toEqual([
      '/ask slow',
      'at last',
    ])
  })

  test('does not wait for ever for an answer that never comes', async () => {
    await using ground = await startGround()
    const never = later()
    const { platform, bot } = ground.open()
    await platform.start()
    bot.on('ask slow', never.script)
    ground.server.people.text(ben.id, ben.id, '/ask slow')
    await vi.waitFor(() => expect(bot.lines).toEqual(['ask slow']), patience)
    await platform.stop(200)
    never.come(says('too late'))
    expect(platform.state()).toBe('stopped')
  })

  test('also ends while Telegram is out of reach', async () => {
    await using ground = await startGround()
    const { platform, fatal } = ground.open()
    await platform.start()
    await ground.front.shut()
    await vi.waitFor(() => expect(platform.state()).toBe('reconnecting'), patience)
    await platform.stop()
    expect(platform.state()).toBe('stopped')
    expect(fatal).toEqual([])
  })

  test('leaves nothing to be answered twice after the next start, and loses nothing in between', async () => {
    await using ground = await startGround()
    const first = ground.open()
    await first.platform.start()
    ground.server.people.text(ben.id, ben.id, '/ask moon')
    await ground.answers('ask moon')
    await first.platform.stop()
    ground.server.people.text(ben.id, ben.id, '/ask sun')
    const second = ground.open()
    await second.platform.start()
    await ground.answers('ask sun')
    expect([first.bot.lines, second.bot.lines]).toEqual([['ask moon'], ['ask sun']])
  })
})

// What follows goes back to a port that it gave away: nothing beside it may take that.

test('the start waits for a Telegram that can’t be reached, and says so with the cause', async () => {
  await using ground = await startGround()
  await ground.front.shut()
  const { platform, log } = ground.open()
  const starting = platform.start()
  await vi.waitFor(() => expect(log.of('warn').join()).toContain('ECONNREFUSED'), patience)
  expect(log.of('warn').join()).toContain('telegram can’t be reached')
  expect(platform.state()).toBe('starting')
  await ground.front.open()
  await starting
  expect(platform.state()).toBe('connected')
})

test('the connection comes back by itself after an outage of Telegram, and nothing is lost', async () => {
  await using ground = await startGround()
  const { platform, log, fatal } = ground.open()
  await platform.start()
  await ground.front.shut()
  await vi.waitFor(() => expect(platform.state()).toBe('reconnecting'), patience)
  ground.server.people.text(ben.id, ben.id, '/ask moon')
  await ground.front.open()
  await ground.answers('ask moon')
  expect(platform.state()).toBe('connected')
  expect(log.of('warn').join()).toContain('telegram does not answer')
  expect(log.of('info').join()).toContain('telegram is back')
  expect(fatal).toEqual([])
})

function tooMany(seconds: number): string {
  const description = `Too Many Requests: retry after ${seconds}`
  const parameters = { retry_after: seconds }
  return JSON.stringify({ ok: false, error_code: 429, description, parameters })
}
