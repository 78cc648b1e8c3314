import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club, lodge } from '../../sandbox/telegram/cast.ts'
import { webhookSecret } from '../../src/telegram/webhook.ts'
import { later, says } from '../unit/core/scripted-bot.ts'
import { connection, token } from '../unit/telegram/telegram-chat.ts'
import { Called } from '../unit/telegram/webhook-bot.ts'
import { statusOfBegun } from '../unit/web/begun.ts'

const patience = { timeout: 25_000, interval: 20 }
const secret = webhookSecret(token)

let called: Called
beforeEach(async () => {
  called = await Called.open()
})
afterEach(() => called.close())

const soon = <Value>(read: () => Value) => expect.poll(read, patience)

function post(
  address: string,
  body: string | ReadableStream<Uint8Array>,
  headers: Record<string, string> = {},
) {
  return fetch(`${address}/telegram`, { method: 'POST', body, headers, duplex: 'half' })
}

const bySecret = { 'x-telegram-bot-api-secret-token': secret }
const genuine = (id: number) => ({
  update_id: id,
  message: {
    message_id: id,
    date: 1,
    chat: { id: ada.id, type: 'private', first_name: 'Ada' },
    from: ada,
    text: '/ask otter',
    entities: [{ type: 'bot_command', offset: 0, length: 4 }],
  },
})

describe('Telegram is told', () => {
  test('the address, what it shall say so that it is known, and what is wanted', async () => {
    const { platform } = await called.replica()
    const set = called.server.calls.all.find(({ method }) => method === 'setWebhook')
    const digest = createHash('sha256').update(`webhook of ${token}`).digest('base64url')
    expect(set?.payload).toMatchObject({
      url: `${called.balancer.url}/telegram`,
      secret_token: digest,
      max_connections: 100,
      allowed_updates: [
        'message',
        'channel_post',
        'callback_query',
        'inline_query',
        'my_chat_member',
      ],
    })
    expect(platform.receivers.map(({ name }) => name)).toEqual(['telegram webhook'])
    expect(platform.state()).toBe('connected')
  })

  test('by replicas that start together one after the other, as it takes one call a second', async () => {
    const strict = await Called.open({ floodLimits: true })
    try {
      await Promise.all([strict.replica(), strict.replica(), strict.replica()])
      const statuses = strict.server.calls.all.flatMap(({ method, status }) =>
        method === 'setWebhook' ? [status] : [],
      )
      expect(statuses.filter((status) => status === 200)).toHaveLength(3)
      expect(new Set(statuses)).toEqual(new Set([200, 429]))
    } finally {
      await strict.close()
    }
  })

  test('an address that it does not take is refused with what to set', async () => {
    const publicUrl = 'http://gavel.example'
    const { platform, log } = connection(called.server.root, token, undefined, { publicUrl })
    await expect(platform.start()).rejects.toThrow(/PUBLIC_URL.*https/u)
    await platform.stop()
    expect(JSON.stringify(log.lines)).not.toContain(secret)
  })
})

describe('a call', () => {
  test('without the secret, or with another, is refused and not handled', async () => {
    const { address, bot } = await called.replica()
    const body = JSON.stringify(genuine(1))
    expect((await post(address, body)).status).toBe(401)
    for (const wrong of ['', 'x', `${secret}x`, secret.slice(1), secret.toUpperCase()]) {
      const answer = await post(address, body, { 'x-telegram-bot-api-secret-token': wrong })
      expect(answer.status).toBe(401)
    }
    expect(bot.lines).toEqual([])
    expect((await post(address, body, bySecret)).status).toBe(200)
    expect(bot.lines).toEqual(['ask otter'])
  })

  test.each(['', 'garbage', '[]', '{}', 'null', '{"update_id":-1}', '{"update_id":"1"}'])(
    'that brings no update is refused: %s',
    async (body) => {
      const { address, bot } = await called.replica()
      expect((await post(address, body, bySecret)).status).toBe(503)
      expect(bot.lines).toEqual([])
    },
  )

  test('without the secret is refused before it has said all', async () => {
    const { address } = await called.replica()
    expect(await statusOfBegun(`${address}/telegram`, {})).toBe(401)
  })

  test('that comes before the bot knows who it is is refused, and handled when it comes again', async () => {
    const { server } = called
    const body = JSON.stringify(genuine(1))
    const early: Promise<Response>[] = []
    server.fault = (method) => {
      const [address = ''] = called.targets
      if (/^get(?:Me|WebhookInfo)$/u.test(method)) early.push(post(address, body, bySecret))
      return undefined
    }
    server.people.text(ben.id, ben.id, '/ask backlog')
    server.answerDelayMs = 300
    const { address, bot } = await called.replica()
    const statuses = (await Promise.all(early)).map(({ status }) => status)
    expect(statuses).toEqual([503, 503])
    expect((await post(address, body, bySecret)).status).toBe(200)
    await soon(() => bot.lines).toContain('ask otter')
  })

  test('of more than half a megabyte is refused, said or streamed', async () => {
    const { address, bot } = await called.replica()
    const long = JSON.stringify({ ...genuine(1), padding: 'x'.repeat(512 * 1024) })
    expect((await post(address, long, bySecret)).status).toBe(503)
    expect((await post(address, new Blob([long]).stream(), bySecret)).status).toBe(503)
    expect(bot.lines).toEqual([])
  })

  test('is answered with neither the secret nor what it holds, and neither is logged', async () => {
    const { address, bot } = await called.replica()
    bot.on('ask otter', () => Promise.reject(new Error('no otter')))
    const answers = await Promise.all([
      post(address, JSON.stringify(genuine(1)), bySecret),
      post(address, 'garbage', bySecret),
    ])
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    await soon(() => bot.explained.map(({ error }) => String(error))).toEqual(['Error: no otter'])
    for (const text of [...texts, called.written()]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain('ask otter')
      expect(text).not.toContain(token)
    }
  })
})

const chats = [ada.id, ben.id, club.id, lodge.id]

/** Each person and group says so many things. */
function talk(from: number, to: number): void {
  for (let number = from; number < to; number += 1) {
    for (const chat of chats) {
      called.server.people.text(chat === ben.id ? ben.id : ada.id, chat, `/ask ${number}`)
    }
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, number) => `ask ${number}`)

async function allAnswered(count: number): Promise<void> {
  const answered = () => chats.map((chat) => called.texts(chat).length)
  await soon(answered).toEqual(chats.map(() => count))
  for (const chat of chats) expect(called.texts(chat)).toEqual(numbers(count))
}

describe('with two replicas behind one address', () => {
  test('each update is answered once, and those of a chat in order', async () => {
    const replicas = [await called.replica(), await called.replica()]
    talk(0, 12)
    await allAnswered(12)
    for (const { address } of replicas)
      expect(called.balancer.calls.get(address)).toBeGreaterThan(0)
  })

  test('what Telegram brings again because its answer was lost is shown again at most', async () => {
    await called.replica()
    await called.replica()
    const losses = 4
    called.balancer.losses = losses
    talk(0, 6)
    const shown = () => chats.map((chat) => [...new Set(called.texts(chat))])
    await soon(shown).toEqual(chats.map(() => numbers(6)))
    await soon(() => called.server.api.queue.length).toBe(0)
    expect(called.balancer.losses).toBe(0)
    const count = chats.reduce((sum, chat) => sum + called.texts(chat).length, 0)
    expect(count).toBeLessThanOrEqual(6 * chats.length + losses)
  })

  test('what one replica is handling, or has handled, is not handled by it a second time', async () => {
    const { address, bot } = await called.replica()
    const slow = later()
    bot.on('ask otter', slow.script)
    const body = JSON.stringify(genuine(1))
    const calls = [post(address, body, bySecret), post(address, body, bySecret)]
    await soon(() => bot.lines).toEqual(['ask otter'])
    slow.come(says('otter'))
    for (const call of calls) expect((await call).status).toBe(200)
    expect((await post(address, body, bySecret)).status).toBe(200)
    expect(bot.lines).toEqual(['ask otter'])
  })

  test('nothing is lost while one stops and another starts', async () => {
    const first = await called.replica()
    const second = await called.replica()
    first.bot.on('ask 2', async () => {
      await new Promise((resolve) => setTimeout(resolve, 200))
      return says('ask 2')
    })
    talk(0, 8)
    await soon(() => [...first.bot.lines, ...second.bot.lines].length).toBeGreaterThan(4)
    // What spreads calls learns of it later than it happens.
    const stopped = first.stop()
    await called.replica()
    await stopped
    called.targets = called.targets.filter((each) => each !== first.address)
    talk(8, 10)
    await allAnswered(10)
  })

  test('what a stop broke off is answered by another', async () => {
    const first = await called.replica()
    const slow = later()
    first.bot.on('ask otter', slow.script)
    called.server.people.text(ben.id, ben.id, '/ask otter')
    await soon(() => first.bot.lines).toEqual(['ask otter'])
    const second = await called.replica()
    expect(second.bot.lines).toEqual([])
    await first.platform.stop(200)
    called.targets = called.targets.filter((each) => each !== first.address)
    slow.come(says('too late'))
    await soon(() => called.texts(ben.id)).toEqual(['ask otter'])
    expect(second.bot.lines).toEqual(['ask otter'])
  })

  test('what is asked while the database is away is answered', async () => {
    await called.replica()
    await called.replica()
    const letIn = await called.database.outage()
    talk(0, 3)
    await allAnswered(3)
    await letIn()
  })
})

describe('a bot that asks for updates', () => {
  test('takes back a webhook that was set, and gets what was not brought', async () => {
    const replica = await called.replica()
    await replica.stop()
    called.server.people.text(ada.id, ada.id, '/ask otter')
    await soon(() => called.server.api.webhook.lastError).toBeDefined()
    const polling = connection(called.server.root)
    await polling.platform.start()
    try {
      await soon(() => called.texts(ada.id)).toEqual(['ask otter'])
      expect(called.server.api.webhook.settings).toBeUndefined()
    } finally {
      await polling.platform.stop()
    }
  })

  test('is told of one that sets a webhook instead', async () => {
    const polling = connection(called.server.root, token, undefined, { conflictPauseMs: 100 })
    await polling.platform.start()
    try {
      await soon(() => called.server.api.queue.isWaiting).toBe(true)
      await called.replica()
      await soon(() => polling.fatal.map(({ message }) => message)).toEqual([
        expect.stringMatching(/another process set a webhook.*TELEGRAM_UPDATES/iu),
      ])
      talk(0, 1)
      await allAnswered(1)
    } finally {
      await polling.platform.stop()
    }
  })
})
