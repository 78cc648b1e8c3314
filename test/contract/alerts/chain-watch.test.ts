import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ChainWatch, Recorder } from '../../../src/alerts/watcher.ts'
import type { Api } from '../../../src/api/client.ts'
import { ApiError } from '../../../src/errors.ts'
import { createLogger } from '../../../src/log.ts'
import { chain, Watching } from '../../unit/alerts/watching.ts'

const patient = { timeout: 20_000, interval: 5 }
let watching: Watching
beforeEach(async () => {
  watching = await Watching.start({ population: 20 })
})
afterEach(() => watching.stop())

/** The milliseconds between the looks of a watch whose jitter is at its longest, at least. */
async function gaps(
  count: number,
  interval: number,
  answer: (look: number) => ReturnType<Api['assets']>,
): Promise<number[]> {
  const { assets, units, now } = watching
  const looks: number[] = []
  const api: Pick<Api, 'assets' | 'asset'> = {
    asset: (address, on) => watching.api.asset(address, on),
    assets: (filter) => {
      // Each look begins with this list.
      if (filter.status !== 'incoming') return watching.api.assets(filter)
      looks.push(performance.now())
      return answer(looks.length)
    },
  }
  const log = createLogger('debug', [], watching.log)
  const onEvents = () => undefined
  const recorder = new Recorder(watching)
  const parts = { api, assets, recorder, units, chain, interval, log, now, onEvents }
  const watch = new ChainWatch({ ...parts, chance: () => 1 })
  watch.start()
  await vi.waitFor(() => expect(looks.length).toBeGreaterThan(count), patient)
  await watch.stop()
  // Timers may come a millisecond early.
  return looks.slice(1).map((at, index) => at - (looks[index] ?? 0) + 2)
}

test('looks are spread by a tenth of the interval, so that chains and bots don’t ask in step', async () => {
  const all = await gaps(4, 0.5, () => watching.api.assets({ chain, status: 'incoming' }))
  expect(Math.min(...all)).toBeGreaterThanOrEqual(550)
})

test('an interface that fails is asked ever less often, and one that asks for it is left alone', async () => {
  const all = await gaps(4, 0.1, async (look) => {
    throw new ApiError('rate-limited', 'no', look === 4 ? { retryAfter: 3 } : {})
  })
  const least = [220, 440, 880, 3000]
  for (const [index, each] of least.entries()) expect(all[index]).toBeGreaterThanOrEqual(each)
})
