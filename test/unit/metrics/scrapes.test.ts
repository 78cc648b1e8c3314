import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../../src/db/schema.ts'
import { EmbeddedQueue } from '../../../src/jobs/embedded.ts'
import type { ScrapesParts } from '../../../src/metrics/scrapes.ts'
import { TestDatabase } from '../../database.ts'
import { silent } from '../api/server.ts'
import { labels, openScrapes, seconds } from './open-scrapes.ts'

let database: TestDatabase
let store: Store
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
})
afterEach(() => database.remove())

const open = (changes: Partial<ScrapesParts> = {}) => openScrapes(store, changes)

test('every series is there from the start at 0, so that the first event is visible', async () => {
  const { metrics, read } = open()
  metrics.platform('telegram', labels)
  const figures = await read()
  const zeros: [name: string, labels: Record<string, string>][] = [
    ['updates_total', { platform: 'telegram', kind: 'message' }],
    [
      'command_duration_seconds_count',
      { platform: 'telegram', command: 'asset', outcome: 'failed' },
    ],
    [
      'command_duration_seconds_bucket',
      { platform: 'telegram', command: 'words', outcome: 'answered', le: '2' },
    ],
    ['upstream_call_duration_seconds_count', { endpoint: 'search', result: 'unauthorised' }],
    ['deliveries_total', { platform: 'telegram', outcome: 'given-up' }],
    ['delivery_latency_seconds_count', { platform: 'telegram' }],
    ['sends_failed_total', { platform: 'telegram', reason: 'no-answer' }],
    ['chats_paused_total', { platform: 'telegram', loss: 'refused' }],
    ['paused_chats', { platform: 'telegram', loss: 'blocked' }],
    ['figures_hidden_total', { field: 'pool_price' }],
    ['rate_limited_total', { service: 'upstream' }],
    ['rate_limited_total', { service: 'telegram' }],
    ['jobs_given_up_total', {}],
    ['jobs', { state: 'retrying' }],
    ['launches', { state: 'signed' }],
    ['database_query_duration_seconds_count', {}],
    ['database_queries_failed_total', {}],
  ]
  for (const [name, of] of zeros) {
    expect({ name, value: figures.value(`gavel_${name}`, of) }).toEqual({ name, value: 0 })
  }
  expect(figures.value('gavel_rate_limited_total', { service: 'discord' })).toBeUndefined()
})

test('the version of the bot and of Node.js are told', async () => {
  const figures = await open().read()
  const build = { version: '0.1.0', node: process.versions.node }
  expect(figures.value('gavel_build_info', build)).toBe(1)
})

test.each([
  'gavel_command_duration_seconds',
  'gavel_upstream_call_duration_seconds',
  'gavel_delivery_latency_seconds',
  'gavel_database_query_duration_seconds',
])('%s has buckets of 1, 2 and 3 seconds', async (name) => {
  const { metrics, read } = open()
  metrics.platform('telegram', labels)
  const { samples } = await read()
  const bounds = samples
    .filter((sample) => sample.name === `${name}_bucket`)
    .map(({ labels: { le } }) => le)
  expect(bounds).toEqual(expect.arrayContaining(['1', '2', '3']))
})

test('everything that the parts report is counted', async () => {
  const { metrics, read } = open()
  const { onUpdate, onLimited } = metrics.platform('discord', labels)
  onUpdate('command')
  onUpdate('command')
  onLimited()
  metrics.api.onLimited()
  metrics.api.onCall({ endpoint: 'asset', result: 'ok', seconds: 0.2 })
  metrics.api.onCall({ endpoint: 'asset', result: 'unavailable', seconds: 8 })
  const answered = { platform: 'discord', command: 'asset', outcome: 'answered' } as const
  metrics.onAnswered({ ...answered, seconds: 0.03 })
  metrics.onHidden('pool_price')
  metrics.onResult({ platform: 'discord', result: 'sent', deliveries: 3 })
  metrics.onPaused('discord', 'refused')
  const figures = await read()
  expect(figures.value('gavel_updates_total', { platform: 'discord', kind: 'command' })).toBe(2)
  expect(figures.value('gavel_rate_limited_total', { service: 'discord' })).toBe(1)
  expect(figures.value('gavel_rate_limited_total', { service: 'upstream' })).toBe(1)
  const calls = 'gavel_upstream_call_duration_seconds'
  expect(figures.value(`${calls}_count`, { endpoint: 'asset', result: 'unavailable' })).toBe(1)
  expect(figures.value(`${calls}_bucket`, { endpoint: 'asset', result: 'ok', le: '0.25' })).toBe(1)
  expect(figures.value(`${calls}_bucket`, { endpoint: 'asset', result: 'ok', le: '0.1' })).toBe(0)
  expect(figures.value('gavel_command_duration_seconds_sum', answered)).toBe(0.03)
  expect(figures.value('gavel_figures_hidden_total', { field: 'pool_price' })).toBe(1)
  expect(figures.value('gavel_deliveries_total', { platform: 'discord', outcome: 'sent' })).toBe(3)
  expect(figures.value('gavel_chats_paused_total', { platform: 'discord', loss: 'refused' })).toBe(
    1,
  )
  expect(figures.value('gavel_chats_paused_total', { platform: 'discord', loss: 'blocked' })).toBe(
    0,
  )
})

describe('what waits', () => {
  test('to be sent is counted by platform and priority', async () => {
    const figures = await open().read()
    const waiting = (priority: string) =>
      figures.value('gavel_messages_waiting', { platform: 'telegram', priority })
    expect(['edit', 'answer', 'background'].map(waiting)).toEqual([1, 2, 0])
  })

  test('is counted at each scrape, with how long it has been due', async () => {
    const { read } = open()
    const before = await read()
    expect(before.value('gavel_queue_due', { queue: 'jobs' })).toBe(0)
    expect(before.value('gavel_queue_due', { queue: 'telegram' })).toBe(0)
    expect(before.value('gavel_deliveries_waiting')).toBe(0)
    const queue = new EmbeddedQueue({ store, log: silent, now: seconds })
    await queue.add({ key: 'ada', kind: 'greet', body: {}, runAt: seconds() - 100 })
    const figures = await read()
    const of = (queue: string) => [
      figures.value('gavel_queue_due', { queue }),
      (figures.value('gavel_queue_oldest_due_seconds', { queue }) ?? 0) >= 100,
    ]
    expect(of('jobs')).toEqual([1, true])
  })

  test('is left out if the database gives no answer, and all else is there', async () => {
    const { metrics, read } = open()
    metrics.platform('telegram', labels).onUpdate('message')
    await database.close()
    const figures = await read()
    expect(figures.value('gavel_queue_due')).toBeUndefined()
    expect(figures.value('gavel_deliveries_waiting')).toBeUndefined()
    expect(figures.value('gavel_updates_total')).toBe(1)
  })

  test('is read by one scrape at a time, and once for several within a moment', async () => {
    let asked = 0
    const backlog = async () => {
      asked += 1
      return { due: asked, oldest: 0, waiting: 0, retrying: 0 }
    }
    const { read } = open({ queue: { backlog }, keepFor: 60_000 })
    const all = await Promise.all(Array.from({ length: 20 }, read))
    all.push(await read())
    expect(new Set(all.map((each) => each.value('gavel_queue_due', { queue: 'jobs' })))).toEqual(
      new Set([1]),
    )
  })
})

test('updates that wait at a platform are counted as it says, and left out if it does not', async () => {
  let pending: number | undefined = 7
  const platform = {
    name: 'telegram',
    waiting: () => ({ edit: 0, answer: 0, background: 0 }),
    pendingUpdates: () => pending,
  } as const
  const { read } = open({ platforms: [platform] })
  expect((await read()).value('gavel_pending_updates', { platform: 'telegram' })).toBe(7)
  pending = undefined
  expect((await read()).value('gavel_pending_updates')).toBeUndefined()
})

test('the leader is 1 in the process that leads, and 0 in others', async () => {
  let isLeader = true
  const { read } = open({ isLeader: () => isLeader })
  expect((await read()).value('gavel_leader')).toBe(1)
  isLeader = false
  expect((await read()).value('gavel_leader')).toBe(0)
})

test('a chain’s lag is the time since its last poll, or since the start; absent if another process watches', async () => {
  let lag = [
    { chain: 8453, seconds: 4, unseen: 4 },
    { chain: 1, seconds: undefined, unseen: 70 },
  ]
  const { read } = open({ lag: () => lag })
  const watching = await read()
  expect(watching.value('gavel_watcher_lag_seconds', { chain: '8453' })).toBe(4)
  expect(watching.value('gavel_watcher_lag_seconds', { chain: '1' })).toBe(70)
  lag = []
  expect((await read()).value('gavel_watcher_lag_seconds')).toBeUndefined()
})

test('names follow Prometheus’ conventions, and every metric has a help text', async () => {
  const { scrapes, read } = open()
  scrapes.watchProcess()
  const { families } = await read()
  for (const { name, type, help } of families.filter((each) => each.name.startsWith('gavel_'))) {
    expect(name).toMatch(type === 'counter' ? /^gavel_[a-z_]+_total$/u : /^gavel_[a-z_]+[a-z]$/u)
    expect(help).toMatch(/^[A-Z].*\.$/u)
  }
  expect(families.map(({ name }) => name)).toContain('process_resident_memory_bytes')
})
