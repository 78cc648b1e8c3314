import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { ApiServer } from '../../../sandbox/api/server.ts'
import type { Fault } from '../../../sandbox/faults.ts'
import { AccessCheck } from '../../../src/api/access.ts'
import { Api } from '../../../src/api/client.ts'
import { createLogger } from '../../../src/log.ts'
import { LogBook } from '../core/log-book.ts'
import { defaultTables, failure } from './server.ts'

const key = 'test-key'
const patience = { timeout: 10_000, interval: 5 }

let server: ApiServer
let book: LogBook
const closing: (() => Promise<void>)[] = []
beforeEach(async () => {
  server = await ApiServer.start({ key })
  closing.push(() => server.stop())
  book = new LogBook()
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A client of the API, and the check that its calls are noted by. */
function checked({ baseUrl = server.baseUrl, apiKey = key, everyMs = 20, spacingMs = 5 } = {}) {
  const log = createLogger('trace', [key], book)
  const api = new Api({
    baseUrl,
    key: apiKey,
    ...defaultTables,
    chains: [8453],
    log,
    cacheMs: 0,
    retryPauseMs: 1,
    onCall: (call) => access.note(call),
  })
  const access: AccessCheck = new AccessCheck({ ask: () => api.probe(), log, everyMs, spacingMs })
  closing.push(async () => {
    access.stop()
    await api.close()
  })
  return { api, access }
}

const fatal = () => book.of('fatal')
const messagesAtInfo = () =>
  book.lines.filter(({ level }) => level === 'info').map(({ msg }) => msg)
const requests = () => server.requests.length
/** Lists that were asked for: a list may have the client look up quote tokens, too. */
const lists = () => server.requests.filter(({ path }) => path === '/assets/').length
/** Until the API was asked so many times more. */
async function askedAgain(times: number): Promise<void> {
  const before = requests()
  await expect.poll(requests, patience).toBeGreaterThan(before + times)
}

test('a wrong key is found at the start, and logged once however long it stays', async () => {
  const { access } = checked({ apiKey: 'another-key' })
  access.start()
  await expect.poll(() => access.obstacle(), patience).toBe('API_KEY')
  await askedAgain(3)
  expect(fatal()).toEqual([expect.stringContaining('API_KEY')])
  expect(fatal().join()).not.toContain('another-key')
})

test('a wrong path is found at the start', async () => {
  const { access } = checked({ baseUrl: server.baseUrl.replace(/v1$/u, 'else/v1') })
  access.start()
  await expect.poll(() => access.obstacle(), patience).toBe('API_BASE_URL')
  expect(fatal()).toEqual([expect.stringContaining('API_BASE_URL')])
})

test('an API that answers well is asked once', async () => {
  const { api, access } = checked()
  access.start()
  await expect.poll(requests, patience).toBe(1)
  await api.assets({})
  await api.search({ term: 'otter' })
  expect(lists()).toBe(2)
  expect(access.obstacle()).toBeUndefined()
  expect(fatal()).toEqual([])
})

test.each<[string, Fault, string]>([
  ['a key that is revoked', { kind: 'status', status: 401 }, 'API_KEY'],
  ['a key that is forbidden', { kind: 'status', status: 403 }, 'API_KEY'],
  ['a page in place of the API', { kind: 'html', status: 200 }, 'API_BASE_URL'],
  ['a path that is gone', { kind: 'status', status: 404 }, 'API_BASE_URL'],
])('%s later is found by the next call, and its end is logged', async (_, fault, setting) => {
  const { api, access } = checked()
  access.start()
  await expect.poll(requests, patience).toBe(1)
  server.faults.set(fault)
  await failure(api.assets({}))
  await expect.poll(() => access.obstacle(), patience).toBe(setting)
  expect(fatal()).toEqual([expect.stringContaining(setting)])
  server.faults.clear()
  await expect.poll(() => access.obstacle(), patience).toBeUndefined()
  expect(messagesAtInfo()).toEqual([expect.stringContaining(`${setting} again`)])
  expect(fatal()).toHaveLength(1)
})

test('a firewall before the API is told as such, and tried again after ever longer pauses', async () => {
  const { api, access } = checked({ everyMs: 10, spacingMs: 5 })
  server.faults.set({ kind: 'html' })
  access.start()
  await expect.poll(() => access.obstacle(), patience).toBe('firewall')
  expect(fatal()).toEqual([
    expect.stringContaining(
      'the API’s firewall refuses this server’s address: ask the API’s operator',
    ),
  ])
  expect(fatal().join()).not.toContain('API_KEY')
  expect(access.obstacleText()).toContain('firewall refuses this server’s address')
  expect((await failure(api.assets({}))).kind).toBe('blocked')
  await askedAgain(3)
  server.faults.clear()
  await expect.poll(() => access.obstacle(), patience).toBeUndefined()
  expect(messagesAtInfo()).toEqual(['the API’s firewall lets this server through again'])
  expect(fatal()).toHaveLength(1)
})

test('the pauses before a firewall grow to ten times the usual one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const asked: number[] = []
  const ask = async () => {
    asked.push(performance.now())
    return 'blocked' as const
  }
  const log = createLogger('silent', [])
  const access = new AccessCheck({ ask, log, everyMs: 1_000, spacingMs: 3_000 })
  access.start()
  await vi.advanceTimersByTimeAsync(50_000)
  access.stop()
  const pauses = asked.slice(1).map((at, index) => at - (asked[index] ?? 0))
  expect(pauses).toEqual([3_000, 6_000, 10_000, 10_000, 10_000, 10_000])
})

test.each<[string, Fault]>([
  ['that one endpoint refuses', { match: '/assets/search', kind: 'status', status: 403 }],
  ['that one endpoint answers with a page', { match: '/assets/search', kind: 'html' }],
])('what says no more than %s is no wrong setting', async (_, fault) => {
  const { api, access } = checked()
  access.start()
  await expect.poll(requests, patience).toBe(1)
  server.faults.set(fault)
  await failure(api.search({ term: 'otter' }))
  // The search, and the question that it raised.
  await expect.poll(requests, patience).toBe(3)
  await api.assets({})
  expect(access.obstacle()).toBeUndefined()
  expect(fatal()).toEqual([])
})

test('a token that is not found raises no doubt', async () => {
  const { api, access } = checked()
  access.start()
  await expect.poll(requests, patience).toBe(1)
  await failure(api.asset(`0x${'12'.repeat(20)}`))
  await api.assets({})
  expect(lists()).toBe(2)
  expect(access.obstacle()).toBeUndefined()
})

test('an API that is down leaves the settings as they were known', async () => {
  const { access } = checked({ apiKey: 'another-key' })
  access.start()
  await expect.poll(() => access.obstacle(), patience).toBe('API_KEY')
  server.faults.set({ kind: 'status', status: 503 })
  await askedAgain(3)
  expect(access.obstacle()).toBe('API_KEY')
  expect(fatal()).toHaveLength(1)
})
