import { Api } from 'grammy'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada } from '../../../sandbox/telegram/cast.ts'
import { PollingLoop } from '../../../src/core/task.ts'
import { createLogger } from '../../../src/log.ts'
import { WebhookKeeper, webhookSecret } from '../../../src/telegram/webhook.ts'
import { connection, token } from '../../unit/telegram/telegram-chat.ts'
import { Called, type Replica } from '../../unit/telegram/webhook-bot.ts'

const patience = { timeout: 25_000, interval: 20 }
const soon = <Value>(read: () => Value) => expect.poll(read, patience)

let called: Called
beforeEach(async () => {
  called = await Called.open()
})
afterEach(() => called.close())

const checks = () => called.server.calls.all.filter(({ method }) => method === 'getWebhookInfo')
const address = () => called.server.api.webhook.settings?.url
const warnings = () => called.book.of('warn').join('\n')
const replica = (): Promise<Replica> => called.replica({ checkEvery: 50 })
/** As another process with the token calls Telegram. */
const stranger = () => new Api(token, { apiRoot: called.server.root })

describe('a webhook that another process', () => {
  test('took away is set again and said, and what came meanwhile is answered', async () => {
    await replica()
    await soon(() => checks().length).toBeGreaterThan(2)
    expect(warnings()).toBe('')
    await stranger().deleteWebhook()
    called.server.people.text(ada.id, ada.id, '/ask otter')
    await soon(address).toBe(`${called.balancer.url}/telegram`)
    await soon(() => called.texts(ada.id)).toEqual(['ask otter'])
    expect(warnings()).toMatch(/changed the webhook; this bot has set it again.*"found":"none"/u)
  })

  test('set to another address comes back, and the other’s path is not logged', async () => {
    await replica()
    await stranger().setWebhook('https://elsewhere.example/secret-path')
    await soon(address).toBe(`${called.balancer.url}/telegram`)
    expect(warnings()).toContain('"found":"elsewhere.example"')
    expect(called.written()).not.toContain('secret-path')
  })

  test('that asks as well took over comes back, and the other one ends with what to do', async () => {
    await replica()
    const other = connection(called.server.root)
    await other.platform.start()
    try {
      expect(other.log.of('warn').join()).toContain(`"host":"${new URL(called.balancer.url).host}"`)
      await soon(() => other.fatal.map(({ message }) => message)).toEqual([
        expect.stringContaining('TELEGRAM_UPDATES=webhook'),
      ])
      expect(address()).toBe(`${called.balancer.url}/telegram`)
    } finally {
      await other.platform.stop()
    }
  })
})

test('an address is logged when it is set, and once for each time that Telegram failed there', async () => {
  await replica()
  expect(called.book.of('info').join()).toContain('updates come to PUBLIC_URL')
  called.targets = []
  called.server.people.text(ada.id, ada.id, '/ask otter')
  await soon(warnings).toMatch(
    /could not deliver updates to PUBLIC_URL.*"reason":"Wrong.*"waiting":1/u,
  )
  const dates = () => called.book.lines.flatMap(({ last }) => (last === undefined ? [] : [last]))
  await soon(() => dates().length).toBeGreaterThan(1)
  expect(new Set(dates()).size).toBe(dates().length)
})

test('the webhook is set again if Telegram ended the call because another replica made one', async () => {
  const api = stranger()
  let calls = 0
  const description = 'Conflict: terminated by other setWebhook'
  api.config.use(async (previous, method, payload, signal) => {
    calls += 1
    if (calls > 1) return previous(method, payload, signal)
    return { ok: false, error_code: 409, description }
  })
  const url = `${called.balancer.url}/telegram`
  const log = createLogger('silent', [])
  await new WebhookKeeper({ api, url, secret: webhookSecret(token), log }).set()
  expect([calls, address()]).toEqual([2, url])
})

describe('what failed', () => {
  const tells = 'could not deliver updates to PUBLIC_URL'
  const failed = () => soon(() => called.server.api.webhook.lastError)
  const arrived = () => soon(() => called.server.api.queue.length).toBe(0)
  const asks = () => called.server.people.text(ada.id, ada.id, '/ask otter')

  /** Keeps it as the role comes to a replica, until that is done. */
  const keepFor = async (work: () => Promise<void>) => {
    const url = `${called.balancer.url}/telegram`
    const log = createLogger('trace', [], called.book)
    const api = stranger()
    const keeper = new WebhookKeeper({ api, url, secret: webhookSecret(token), log })
    const task = keeper.keep()
    const looking = new PollingLoop({
      poll: async () => keeper.look(await api.getWebhookInfo()),
      everyMs: 20,
      onFault: (error) => log.error({ err: error }, 'the webhook could not be looked at'),
    })
    await work()
    await looking.stop()
    await task.stop()
  }
  const seesMore = async (times: number) => {
    const before = checks().length
    await soon(() => checks().length).toBeGreaterThan(before + times)
  }
  /** An update that comes at the second try. */
  const fail = async () => {
    const { targets } = called
    called.targets = []
    asks()
    await failed().toBeDefined()
    called.targets = targets
    await arrived()
  }
  beforeEach(async () => {
    await called.replica({ checkEvery: 3_600_000 })
  })

  test('before its first look is not told where all has come since', async () => {
    await fail()
    await keepFor(() => seesMore(3))
    expect(warnings()).toBe('')
  })

  test('before its first look is told where something waits', async () => {
    called.targets = []
    asks()
    await failed().toBeDefined()
    // Nothing fails from now on.
    await called.server.api.webhook.stop()
    await keepFor(() => soon(warnings).toContain(tells))
  })

  test('between two looks is told, whatever has come since', async () => {
    await keepFor(async () => {
      await seesMore(1)
      called.server.fault = (method) => (method === 'getWebhookInfo' ? 'fail' : undefined)
      await fail()
      expect(warnings()).not.toContain(tells)
      called.server.fault = () => undefined
      await soon(warnings).toContain(tells)
    })
  })
})

test('where Telegram can’t be asked, it is asked again', async () => {
  const { platform } = await replica()
  called.server.fault = (method) => (method === 'getWebhookInfo' ? 'fail' : undefined)
  await soon(warnings).toContain('telegram does not answer')
  called.server.fault = () => undefined
  await stranger().deleteWebhook()
  await soon(address).toBe(`${called.balancer.url}/telegram`)
  expect(platform.state()).toBe('connected')
})

test('a poller that finds no webhook takes none away and warns of nothing', async () => {
  const { platform, log } = connection(called.server.root)
  await platform.start()
  await platform.stop()
  expect(called.server.calls.all.map(({ method }) => method)).not.toContain('deleteWebhook')
  expect(log.of('warn')).toEqual([])
})

test.each([
  ['that is the bot’s own is shared', 'https://gavel.example/telegram'],
  ['that is away is set again', ''],
  ['of the bot before is changed', 'https://elsewhere.example/secret-path'],
])('an address %s', async (_, before) => {
  await stranger().setWebhook(before)
  const publicUrl = 'https://gavel.example'
  const { platform } = connection(called.server.root, token, undefined, { publicUrl })
  await platform.start()
  await platform.stop()
  expect(address()).toBe(`${publicUrl}/telegram`)
})
