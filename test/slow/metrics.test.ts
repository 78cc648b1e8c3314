import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as discordCast from '../../sandbox/discord/cast.ts'
import * as telegramCast from '../../sandbox/telegram/cast.ts'
import { AlertHarness, eventually, type Subscriber } from '../e2e/alert-harness.ts'
import { figures, page, readiness } from '../e2e/bot-pages.ts'
import { DiscordUser, TelegramUser } from '../e2e/users.ts'

vi.setConfig({ testTimeout: 60_000 })

const typed = 'hunter2-what-a-person-typed'

let alerts: AlertHarness
beforeAll(async () => {
  alerts = await AlertHarness.start({
    telegramFloodLimits: true,
    // More than Telegram permits, so that it refuses some.
    env: { TELEGRAM_LIMITS: '{"all":30,"person":9,"group":20}' },
  })
})
afterAll(() => alerts?.stop())

/** Waits until a figure is larger than it was before something happened. */
async function grows(
  name: string,
  labels: Record<string, string>,
  happens: () => unknown,
): Promise<void> {
  const before = (await figures(alerts.harness)).value(name, labels) ?? 0
  await happens()
  await eventually(async () =>
    expect((await figures(alerts.harness)).value(name, labels)).toBeGreaterThan(before),
  )
}

const asks = {
  telegram: () => new TelegramUser(alerts.harness),
  discord: () => new DiscordUser(alerts.harness),
}
const channels: Record<'telegram' | 'discord', Subscriber> = {
  telegram: { platform: 'telegram', kind: 'chat', id: String(telegramCast.news.id) },
  discord: { platform: 'discord', kind: 'chat', id: discordCast.news.id },
}

describe.each(['telegram', 'discord'] as const)('on %s', (platform) => {
  const kind = platform === 'telegram' ? 'message' : 'command'

  test('updates are counted by kind', () =>
    grows('gavel_updates_total', { platform, kind }, () => asks[platform]().says('/help')))

  test('commands are counted by outcome, with their duration', async () => {
    const name = 'gavel_command_duration_seconds_count'
    const ada = asks[platform]()
    await grows(name, { platform, command: 'help', outcome: 'answered' }, () => ada.says('/help'))
    const refused = { platform, command: 'asset', outcome: 'refused' }
    await grows(name, refused, () => ada.says(`/asset ${typed} chain:base`))
  })

  test('alerts are counted by outcome', async () => {
    await alerts.follows([channels[platform]])
    await grows('gavel_deliveries_total', { platform, outcome: 'sent' }, () => alerts.goesLive())
  })

  test('refusals of too much are counted', () => {
    const { discord, telegram } = alerts.harness
    return grows('gavel_rate_limited_total', { service: platform }, () => {
      if (platform === 'discord') {
        discord.faults.set({ kind: 'limited', times: 1, retryAfter: 0.1 })
        return asks.discord().says('/help')
      }
      for (let each = 0; each < 9; each += 1) telegram.people.text(2, 2, '/help')
      return undefined
    })
  })
})

test('a chat that is gone is a failed send and a paused chat, and another a time from event to alert', async () => {
  const platform = 'telegram'
  const [other = 0] = alerts.harness.telegram.circumstances.crowd(1)
  await alerts.follows([{ platform, kind: 'chat', id: '-1009999999999' }, person(other)])
  await grows('gavel_sends_failed_total', { platform, reason: 'gone' }, () =>
    grows('gavel_paused_chats', { platform, loss: 'gone' }, () =>
      grows('gavel_delivery_latency_seconds_count', { platform }, () => alerts.goesLive()),
    ),
  )
})

describe('of the API', () => {
  const calls = 'gavel_upstream_call_duration_seconds_count'

  test('calls are counted with their duration, and failures by kind', async () => {
    await grows(calls, { endpoint: 'assets', result: 'ok' }, () => undefined)
    const { faults } = alerts.harness.apiServer
    faults.set({ kind: 'broken-json' })
    await grows(calls, { endpoint: 'assets', result: 'malformed' }, () => undefined)
    faults.clear()
  })

  test('calls of commands are counted together with those of the watcher', () =>
    grows(calls, { endpoint: 'search', result: 'ok' }, () =>
      asks.telegram().says(`/search ${typed}`),
    ))

  test('refusals of too much are counted', () => {
    const { faults } = alerts.harness.apiServer
    return grows('gavel_rate_limited_total', { service: 'upstream' }, () =>
      faults.set({ kind: '429', times: 1 }),
    )
  })

  test('the watcher’s lag is that of each chain, and grows while the chain can’t be seen', async () => {
    const { faults } = alerts.harness.apiServer
    const lag = async () =>
      (await figures(alerts.harness)).value('gavel_watcher_lag_seconds', { chain: '8453' })
    faults.set({ kind: 'status', status: 500 })
    await eventually(async () => expect(await lag()).toBeGreaterThan(4))
    faults.clear()
    await eventually(async () => expect(await lag()).toBeLessThan(3))
  })
})

test('what waits while a platform is down is counted, with its age', async () => {
  const { telegram } = alerts.harness
  const of = async (name: string, labels = {}) =>
    (await figures(alerts.harness)).value(name, labels)
  expect(await of('gavel_queue_due', { queue: 'jobs' })).toBe(0)
  await telegram.down()
  await alerts.follows(telegram.circumstances.crowd(20).map((id) => person(id)))
  alerts.goesLive()
  await eventually(async () => {
    expect(await of('gavel_deliveries_waiting')).toBeGreaterThan(0)
    expect(await of('gavel_queue_due', { queue: 'telegram' })).toBeGreaterThan(0)
    expect(await of('gavel_queue_oldest_due_seconds', { queue: 'telegram' })).toBeGreaterThan(1)
  })
  await telegram.up()
  await eventually(async () => {
    expect(await of('gavel_deliveries_waiting')).toBe(0)
    expect(await of('gavel_queue_due', { queue: 'telegram' })).toBe(0)
  })
})

describe('after a busy run', () => {
  test('labels are the bot’s own few words', async () => {
    const own = (await figures(alerts.harness)).samples.filter(
      ({ name }) => name.startsWith('gavel_') && name !== 'gavel_build_info',
    )
    const labels = own.flatMap(({ labels: { le: _, ...others } }) => Object.entries(others))
    expect(labels.length).toBeGreaterThan(50)
    for (const [label, value] of labels) {
      expect(value).toMatch(label === 'chain' ? /^8453$/u : /^[a-z][a-z0-9 _-]{1,40}$/u)
    }
    expect(new Set(own.map(({ name }) => name)).size).toBeGreaterThan(10)
  })

  test('health and metrics contain no secrets and nothing about users', async () => {
    const { secrets, apiServer, telegram, discord } = alerts.harness
    const words = [
      ...secrets,
      typed,
      ...apiServer.world.tokens.flatMap(({ name, address }) => [name, address]),
      ...[...telegram.api.world.places.keys()].map(String),
      ...discord.world.chats.keys(),
      discordCast.ada.id,
      new URL(telegram.root).host,
      new URL(apiServer.baseUrl).host,
    ].filter((word) => word.length > 4)
    expect(words.length).toBeGreaterThan(200)
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      const { text } = await page(alerts.harness, path)
      expect(words.filter((word) => stands(word, text))).toEqual([])
    }
  })
})

describe('/readyz', () => {
  test('is 503 while a platform is out of reach, and says which', async () => {
    const { telegram } = alerts.harness
    const connected = { database: 'ok', telegram: 'connected', discord: 'connected' }
    const ready = { code: 200, status: 'ready', parts: connected }
    expect(await readiness(alerts.harness)).toEqual(ready)
    await telegram.down()
    const parts = { ...connected, telegram: 'reconnecting' }
    await eventually(async () =>
      expect(await readiness(alerts.harness)).toEqual({ code: 503, status: 'not ready', parts }),
    )
    expect((await page(alerts.harness, '/healthz')).status).toBe(200)
    await telegram.up()
    await eventually(async () => expect(await readiness(alerts.harness)).toEqual(ready))
  })
})

/** A number stands there only where it is no part of another. */
function stands(word: string, text: string): boolean {
  if (!/^-?\d+$/u.test(word)) return text.includes(word)
  return new RegExp(`(?<![\\d.])${word}(?![\\d.])`, 'u').test(text)
}

function person(id: number): Subscriber {
  return { platform: 'telegram', kind: 'person', id: String(id) }
}
