import { afterEach, beforeEach, expect, test } from 'vitest'
import { openAlerts } from '../../../src/alerts/open.ts'
import { createLogger } from '../../../src/log.ts'
import { defaultTables } from '../api/server.ts'
import { chain, key, WatcherHarness } from './watcher-harness.ts'

const patience = { timeout: 20_000, interval: 10 }

let harness: WatcherHarness
beforeEach(async () => {
  harness = await WatcherHarness.start()
})
afterEach(() => harness.stop())

test('a replica that stops watching has no lag until it watches again', async () => {
  const { server, store, units } = harness
  const alerts = openAlerts({
    store,
    api: {
      baseUrl: server.baseUrl,
      key,
      ...defaultTables,
      chains: [chain],
    },
    units,
    settings: { interval: 0.05, perChat: 10 },
    links: [],
    pictures: undefined,
    adapters: { telegram: undefined, discord: undefined },
    log: createLogger('debug', [], harness.log),
  })
  const seen = () => alerts.lag().map(({ seconds }) => seconds !== undefined)
  try {
    expect(alerts.lag()).toEqual([])
    for (let time = 0; time < 2; time += 1) {
      const task = alerts.startWatcher()
      await expect.poll(seen, patience).toEqual([true])
      const stopped = task.stop()
      expect(alerts.lag()).toEqual([])
      await stopped
      expect(alerts.lag()).toEqual([])
    }
  } finally {
    await alerts.close()
  }
})
