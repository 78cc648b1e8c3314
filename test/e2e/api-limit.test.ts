import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { showcaseAddresses } from '../../sandbox/api/showcase.ts'
import { type Harness, startHarness } from './harness.ts'
import { TelegramUser } from './users.ts'

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
    const asked = apiServer.requestCount
    // The watcher would have polled two chains three times.
    await delay(3_000)
    await ada.says('/search lantern')
    await ada.sees('Too busy')
    expect(apiServer.requestCount).toBe(asked)
  },
)
