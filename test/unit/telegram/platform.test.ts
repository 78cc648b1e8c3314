import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ben } from '../../../sandbox/telegram/cast.ts'
import { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { PlatformError } from '../../../src/core/adapter.ts'
import { withTimeout } from '../../../src/core/task.ts'
import { later, says } from '../core/scripted-bot.ts'
import { Front } from './fault-proxy.ts'
import { type Connection, connection, token } from './telegram-chat.ts'

const patience = { timeout: 20_000 }

let server: TelegramServer
let front: Front
let opened: Connection[]
beforeEach(async () => {
  server = await TelegramServer.start({ token, floodLimits: false })
  front = new Front(server.root)
  await front.open()
  opened = []
})
afterEach(async () => {
  await Promise.all(opened.map(({ platform }) => platform.stop()))
  await front.shut()
  await server.stop()
})

function open(withToken = token): Connection {
  const parts = connection(front.root, withToken)
  opened.push(parts)
  return parts
}

const answers = (text: string) =>
  server.people.waitFor(ben.id, (message) => message.text.includes(text), { timeoutMs: 20_000 })

describe('the start', () => {
  test('tells Telegram the commands, asks for what is handled, and listens', async () => {
    const { platform, bot } = open()
    expect(platform.state()).toBe('starting')
    await platform.start()
    expect(platform.state()).toBe('connected')
    expect(server.calls.of('setMyCommands').map(({ payload }) => payload.commands)).toEqual([
      bot.menu.map(({ name, about }) => ({ command: name, description: about })),
    ])
    server.people.text(ben.id, ben.id, '/ask moon')
    await answers('ask moon')
    expect(server.calls.of('getUpdates')[0]?.payload).toMatchObject({
      allowed_updates: ['message', 'channel_post', 'callback_query', 'inline_query'],
    })
  })

  test.each(['4242:another-token', '4343:telegram-token-for-tests'])(
    'with a wrong token (%s) ends with what to set',
    async (wrong) => {
      const { platform, log } = open(wrong)
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
    front.mishap = () => ({ status: 400, body: '{"ok":false,"error_code":400,"description":"no"}' })
    await expect(open().platform.start()).rejects.toMatchObject({
      name: 'PlatformError',
      message: expect.stringContaining('TELEGRAM_API_ROOT'),
    })
  })

  test('waits for a Telegram that can’t be reached, and says so with the cause', async () => {
    await front.shut()
    const { platform, log } = open()
    const starting = platform.start()
    await expect.poll(() => log.of('warn').join(), patience).toContain('ECONNREFUSED')
    expect(log.of('warn').join()).toContain('telegram can’t be reached')
    expect(platform.state()).toBe('starting')
    await front.open()
    await starting
    expect(platform.state()).toBe('connected')
  })

  test.each([
    ['a 502', { status: 502, body: '{"ok":false,"error_code":502,"description":"Bad Gateway"}' }],
    ['a page of a proxy', { status: 502, body: '<html>Bad Gateway</html>' }],
    ['a reset', 'reset'],
    ['too many requests', { status: 429, body: tooMany(1) }],
  ] as const)('waits out %s half-way', async (_, mishap) => {
    let left = 2
    front.mishap = (method) => (method === 'getWebhookInfo' && left-- > 0 ? mishap : undefined)
    const { platform } = open()
    await platform.start()
    expect(front.calls.filter((method) => method === 'getWebhookInfo')).toHaveLength(3)
    expect(platform.state()).toBe('connected')
  })

  test('can be broken off while Telegram can’t be reached', async () => {
    await front.shut()
    const { platform, log } = open()
    const starting = platform.start().catch((reason: unknown) => reason)
    await expect.poll(() => log.of('warn').length, patience).toBeGreaterThan(0)
    await platform.stop()
    expect(platform.state()).toBe('stopped')
    await starting
    expect(platform.state()).toBe('stopped')
  })
})

describe('the connection', () => {
  test('comes back by itself when Telegram was away, and nothing is lost', async () => {
    const { platform, log, fatal } = open()
    await platform.start()
    await front.shut()
    await expect.poll(() => platform.state(), patience).toBe('reconnecting')
    server.people.text(ben.id, ben.id, '/ask moon')
    await front.open()
    await answers('ask moon')
    expect(platform.state()).toBe('connected')
    expect(log.of('warn').join()).toContain('telegram does not answer')
    expect(log.of('info').join()).toContain('telegram is back')
    expect(fatal).toEqual([])
  })

  test.each(['{}', 'null', '"soon"', '7'])(
    'survives updates that are no list: %s',
    async (result) => {
      let left = 2
      front.mishap = (method) =>
        method === 'getUpdates' && left-- > 0
          ? { status: 200, body: `{"ok":true,"result":${result}}` }
          : undefined
      const { platform, fatal } = open()
      await platform.start()
      server.people.text(ben.id, ben.id, '/ask moon')
      await answers('ask moon')
      expect(fatal).toEqual([])
    },
  )

  test('to a chat that shut the bot out is no error', async () => {
    const { platform, bot, log } = open()
    await platform.start()
    bot.on('ask moon', () => {
      server.people.block(ben.id)
      return says('too late')
    })
    server.people.text(ben.id, ben.id, '/ask moon')
    await expect.poll(() => log.of('info').join(), patience).toContain('bot was blocked')
    expect(log.of('error')).toEqual([])
  })

  test('that fails while an answer is sent is an error, and the next is answered', async () => {
    const { platform, log } = open()
    await platform.start()
    front.mishap = (method) => (method === 'sendMessage' ? 'reset' : undefined)
    server.people.text(ben.id, ben.id, '/ask moon')
    await expect.poll(() => log.of('error').join(), patience).toContain('was not answered')
    front.mishap = () => undefined
    server.people.text(ben.id, ben.id, '/ask again')
    await answers('ask again')
  })

  test('of which Telegram asks to wait a moment waits, and the answer is sent once', async () => {
    const { platform } = open()
    await platform.start()
    let left = 1
    front.mishap = (method) =>
      method === 'sendMessage' && left-- > 0 ? { status: 429, body: tooMany(1) } : undefined
    server.people.text(ben.id, ben.id, '/ask moon')
    await answers('ask moon')
    expect(server.calls.of('sendMessage')).toHaveLength(1)
  })
})

describe('a stop', () => {
  test('lets answers under way arrive', async () => {
    const { platform, bot } = open()
    await platform.start()
    const slow = later()
    bot.on('ask slow', slow.script)
    server.people.text(ben.id, ben.id, '/ask slow')
    await expect.poll(() => bot.lines, patience).toEqual(['ask slow'])
    const stopping = platform.stop()
    // A stop that waits for nobody would be over, and its connections closed, before the answer comes.
    await withTimeout(stopping, 500)
    slow.come(says('at last'))
    await stopping
    expect(server.people.messages(ben.id).map(({ text }) => text)).toEqual(['/ask slow', 'at last'])
  })

  test('does not wait for ever for an answer that never comes', async () => {
    const never = later()
    const { platform, bot } = open()
    await platform.start()
    bot.on('ask slow', never.script)
    server.people.text(ben.id, ben.id, '/ask slow')
    await expect.poll(() => bot.lines, patience).toEqual(['ask slow'])
    await platform.stop(200)
    never.come(says('too late'))
    expect(platform.state()).toBe('stopped')
  })

  test('also ends while Telegram is out of reach', async () => {
    const { platform, fatal } = open()
    await platform.start()
    await front.shut()
    await expect.poll(() => platform.state(), patience).toBe('reconnecting')
    await platform.stop()
    expect(platform.state()).toBe('stopped')
    expect(fatal).toEqual([])
  })

  test('leaves nothing to be answered twice by who starts next, and loses nothing in between', async () => {
    const first = open()
    await first.platform.start()
    server.people.text(ben.id, ben.id, '/ask moon')
    await answers('ask moon')
    await first.platform.stop()
    server.people.text(ben.id, ben.id, '/ask sun')
    const second = open()
    await second.platform.start()
    await answers('ask sun')
    expect([first.bot.lines, second.bot.lines]).toEqual([['ask moon'], ['ask sun']])
  })
})

function tooMany(seconds: number): string {
  const description = `Too Many Requests: retry after ${seconds}`
  const parameters = { retry_after: seconds }
  return JSON.stringify({ ok: false, error_code: 429, description, parameters })
}
