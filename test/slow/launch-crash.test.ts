import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { reviewed } from '../e2e/launch-steps.ts'
import { type LaunchTown, startLaunchTown } from '../e2e/launch-town.ts'
import { TelegramVisitor } from '../e2e/visitor.ts'

let town: LaunchTown
beforeAll(async () => {
  town = await startLaunchTown()
})
afterAll(() => town?.stopAll())

function counts() {
  const { built, uploaded } = town.upstream.launches
  return { published: town.ipfs.added, uploaded: uploaded.length, built: built.length }
}

/** How often the interface was asked for this: a step that is asked for has its forerunners stored. */
function asked(path: string): number {
  return town.upstream.requests.filter(({ path: each }) => each.includes(path)).length
}

async function crash(): Promise<void> {
  await town.bot.kill()
  town.upstream.faults.clear()
  town.ipfs.fault = undefined
  await town.startBot()
}

/** After the crash: /launch offers to go on, and that ends in a link. */
async function goesOn(ada: TelegramVisitor): Promise<void> {
  await ada.says('/launch')
  await ada.sees('Review')
  await ada.presses('Confirm')
  await ada.sees('Ready to sign')
}

test.each([
  ['while the picture is published', 'PICTURE', () => town.ipfs.added],
  ['while the metadata is uploaded', 'METADATA', () => asked('/ipfs')],
  ['while the payload is built', 'PAYLOAD', () => asked('/auction-templates')],
])('killed %s, it goes on where it was and does nothing twice', async (_, symbol, reached) => {
  const ada = new TelegramVisitor(town)
  await reviewed(ada, town, symbol)
  const before = counts()
  const reachedBefore = reached()
  if (symbol === 'PICTURE') town.ipfs.fault = { kind: 'slow', delayMs: 60_000 }
  if (symbol === 'METADATA') town.upstream.faults.set({ match: '/ipfs', kind: 'hang' })
  if (symbol === 'PAYLOAD') town.upstream.faults.set({ match: '/auction-templates', kind: 'hang' })
  await ada.presses('Confirm').catch(() => undefined)
  await vi.waitFor(() => expect(reached()).toBe(reachedBefore + 1), { timeout: 10_000 })
  await crash()
  await goesOn(ada)
  const after = counts()
  // A picture that was on its way may have arrived: its CID is the same, and publishing it again changes nothing.
  expect(after.published - before.published).toBe(symbol === 'PICTURE' ? 2 : 1)
  expect(after.uploaded - before.uploaded).toBe(1)
  expect(after.built - before.built).toBe(1)
})
