import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { LoggedRequest } from '../../sandbox/api/server.ts'
import { showcaseAddresses } from '../../sandbox/api/showcase.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'
import { TelegramUser } from '../e2e/users.ts'

let harness: Harness
afterEach(() => harness.stop())

test.each([
  ['the watcher', '/assets/'],
  ['a person', '/assets/0x'],
])(
  'after a 429 to a call of %s, nothing of the bot calls the API until its Retry-After has passed',
  async (_, match) => {
    harness = await startHarness({ env: { WATCH_INTERVAL: '1' } })
    const { apiServer } = harness
    await expect.poll(() => apiServer.requests.length).toBeGreaterThan(10)
    apiServer.faults.set({ kind: '429', retryAfter: 20, times: 1, match })
    const ada = new TelegramUser(harness)
    if (match === '/assets/0x') await ada.says(`/asset ${showcaseAddresses.harbor}`)
    await expect.poll(() => harness.output()).toContain('"status":429')
    // What was under way with it arrives.
    await delay(300)
    const asked = apiServer.requestCount
    // The watcher would have polled two chains three times.
    await delay(3_000)
    await ada.says('/search lantern')
    await ada.sees('Too busy')
    expect(apiServer.requestCount).toBe(asked)
  },
)

test('in the minutes after a 429 a card asks for the token alone: what it says of risk is left out', async () => {
  harness = await startHarness()
  const { apiServer } = harness
  const ada = new TelegramUser(harness)
  const isOfRisk = ({ path, query }: LoggedRequest) =>
    path.includes('search') || Object.keys(query).some((name) => name.includes('creator'))
  /** Lists that the API is asked for beside the token itself. */
  const lists = async (token: string) => {
    const before = apiServer.requests.length
    await ada.says(`/asset ${token}`)
    await ada.sees(token)
    await delay(500)
    return apiServer.requests.slice(before).filter(isOfRisk).length
  }
  expect(await lists(showcaseAddresses.moonOtter)).toBe(2)
  apiServer.faults.set({ kind: '429', retryAfter: 1, times: 1, match: '/assets/0x' })
  await lists(showcaseAddresses.harbor)
  expect(await lists(showcaseAddresses.lantern)).toBe(0)
})
