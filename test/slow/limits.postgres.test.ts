import { afterEach, expect, test } from 'vitest'
import { type Harness, startHarness } from '../e2e/harness.ts'

let harness: Harness | undefined
afterEach(() => harness?.stop())

test('answers of three replicas together keep Telegram’s limits once these know of each other', async () => {
  harness = await startHarness({ telegramFloodLimits: true, replicas: { count: 3 } })
  harness.balancer?.inTurn()
  const { people, api } = harness.telegram
  let firstUserId = 1_000_000
  const refusedOf = async () => {
    const before = api.tally.refused
    const latencies = await people.flood({ count: 120, text: '/help', firstUserId })
    firstUserId += latencies.length
    return api.tally.refused - before
  }
  await expect.poll(refusedOf, { timeout: 50_000 }).toBe(0)
})
