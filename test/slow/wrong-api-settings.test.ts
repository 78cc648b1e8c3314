import { afterEach, expect, test, vi } from 'vitest'
import { ada } from '../../sandbox/telegram/cast.ts'
import { readiness } from '../e2e/bot-pages.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'

vi.setConfig({ testTimeout: 60_000 })

const patience = { timeout: 45_000 }
const connected = { database: 'ok', telegram: 'connected', discord: 'connected' }

let harness: Harness
afterEach(() => harness?.stop())

const fatal = () => harness.bot.logs.filter(({ level }) => level === 'fatal').map(({ msg }) => msg)

test.each([
  ['API_KEY', 'a-wrong-key'],
  ['API_BASE_URL', undefined],
])('with a wrong %s the bot says so once, and is degraded', async (setting, value) => {
  harness = await startHarness({
    prepare: async (url) => ({ [setting]: value ?? url.replace(/v1$/u, 'other/v1') }),
  })
  const parts = { ...connected, interface: `wrong ${setting}` }
  await expect
    .poll(() => readiness(harness), patience)
    .toEqual({ code: 200, status: 'degraded', parts })
  for (const term of ['otter', 'lantern'])
    harness.telegram.people.text(ada.id, ada.id, `/search ${term}`)
  const answers = () =>
    harness.telegram.people.messages(ada.id).filter(({ sender }) => sender.isBot)
  await expect.poll(() => answers().length, patience).toBe(2)
  expect(fatal()).toEqual([expect.stringContaining(setting)])
})

test('a key that is refused while the bot runs is said once, with its end', async () => {
  harness = await startHarness()
  await expect.poll(() => readiness(harness), patience).toMatchObject({ status: 'ready' })
  harness.apiServer.faults.set({ kind: 'status', status: 401 })
  harness.telegram.people.text(ada.id, ada.id, '/search otter')
  await expect.poll(() => readiness(harness), patience).toMatchObject({ status: 'degraded' })
  expect(fatal()).toEqual([expect.stringContaining('API_KEY')])
  harness.apiServer.faults.clear()
  harness.telegram.people.text(ada.id, ada.id, '/top')
  await expect.poll(() => readiness(harness), patience).toMatchObject({ status: 'ready' })
  expect(harness.bot.logs.map(({ msg }) => msg)).toContain('the API accepts API_KEY again')
  expect(fatal()).toHaveLength(1)
})

test('a firewall before the API is no wrong key: /readyz, /healthz and the log say what to ask for', async () => {
  harness = await startHarness()
  await expect.poll(() => readiness(harness), patience).toMatchObject({ status: 'ready' })
  harness.apiServer.faults.set({ kind: 'html' })
  harness.telegram.people.text(ada.id, ada.id, '/search otter')
  const words =
    'the API’s firewall refuses this server’s address: ask the API’s operator to allow it'
  await expect
    .poll(() => readiness(harness), patience)
    .toEqual({ code: 200, status: 'degraded', parts: { ...connected, interface: words } })
  const health = await (await fetch(harness.bot.healthUrl ?? '')).json()
  expect(health).toMatchObject({ parts: { interface: { state: 'down', reason: words } } })
  expect(fatal()).toEqual([expect.stringContaining(words)])
  expect(fatal().join()).not.toContain('API_KEY')
  harness.apiServer.faults.clear()
  await expect.poll(() => readiness(harness), patience).toMatchObject({ status: 'ready' })
  expect(fatal()).toHaveLength(1)
})
