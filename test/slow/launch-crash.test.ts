import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type LaunchHarness, startLaunchHarness } from '../e2e/launch-harness.ts'
import { reviewed } from '../e2e/launch-steps.ts'
import { TelegramUser } from '../e2e/users.ts'

let harness: LaunchHarness
beforeAll(async () => {
  harness = await startLaunchHarness()
})
afterAll(() => harness?.stopAll())

function counts() {
  const { built, uploaded } = harness.apiServer.launches
  return { published: harness.ipfs.added, uploaded: uploaded.length, built: built.length }
}

/** How often the API was asked for this: a step that is asked for has its forerunners stored. */
function asked(path: string): number {
  return harness.apiServer.requests.filter(({ path: each }) => each.includes(path)).length
}

async function crash(): Promise<void> {
  await harness.bot.kill()
  harness.apiServer.faults.clear()
  harness.ipfs.fault = undefined
  await harness.startBot()
}

test.each([
  ['while the picture is published', 'PICTURE', () => harness.ipfs.added],
  ['while the metadata is uploaded', 'METADATA', () => asked('/ipfs')],
  ['while the payload is built', 'PAYLOAD', () => asked('/auction-templates')],
])('killed %s, it goes on by itself and does nothing twice', async (_, symbol, reached) => {
  const ada = new TelegramUser(harness)
  await reviewed(ada, harness, symbol)
  const before = counts()
  const reachedBefore = reached()
  if (symbol === 'PICTURE') harness.ipfs.fault = { kind: 'slow', delayMs: 60_000 }
  if (symbol === 'METADATA') harness.apiServer.faults.set({ match: '/ipfs', kind: 'hang' })
  if (symbol === 'PAYLOAD')
    harness.apiServer.faults.set({ match: '/auction-templates', kind: 'hang' })
  await ada.presses('Confirm').catch(() => undefined)
  await vi.waitFor(() => expect(reached()).toBe(reachedBefore + 1), { timeout: 10_000 })
  await crash()
  // Telegram brings the press on Confirm again, which was not confirmed to it.
  await ada.sees('Ready to sign')
  const after = counts()
  // A picture that was on its way may have arrived: its CID is the same, and publishing it again changes nothing.
  expect(after.published - before.published).toBe(symbol === 'PICTURE' ? 2 : 1)
  expect(after.uploaded - before.uploaded).toBe(1)
  expect(after.built - before.built).toBe(1)
})
