import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { reviewed } from './launch-steps.ts'
import { type LaunchTown, startLaunchTown } from './launch-town.ts'
import { TelegramVisitor } from './visitor.ts'

let town: LaunchTown
beforeAll(async () => {
  town = await startLaunchTown()
})
afterAll(() => town?.stopAll())

function counts() {
  const { built, uploaded } = town.upstream.launches
  return { published: town.ipfs.added, uploaded: uploaded.length, built: built.length }
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
  ['while the picture is published', 'PICTURE', () => ({ published: 1, uploaded: 0, built: 0 })],
  ['while the metadata is uploaded', 'METADATA', () => ({ published: 1, uploaded: 0, built: 0 })],
  ['while the payload is built', 'PAYLOAD', () => ({ published: 1, uploaded: 1, built: 0 })],
])('killed %s, it goes on where it was and does nothing twice', async (_, symbol, reached) => {
  const ada = new TelegramVisitor(town)
  await reviewed(ada, town, symbol)
  const before = counts()
  if (symbol === 'PICTURE') town.ipfs.fault = { kind: 'slow', delayMs: 60_000 }
  if (symbol === 'METADATA') town.upstream.faults.set({ match: '/ipfs', kind: 'hang' })
  if (symbol === 'PAYLOAD') town.upstream.faults.set({ match: '/auction-templates', kind: 'hang' })
  await ada.presses('Confirm').catch(() => undefined)
  await vi.waitFor(() => {
    const { published, uploaded, built } = counts()
    const done = {
      published: published - before.published,
      uploaded: uploaded - before.uploaded,
      built: built - before.built,
    }
    expect(done).toEqual(reached())
  })
  await crash()
  await goesOn(ada)
  const after = counts()
  expect(after.uploaded - before.uploaded).toBe(1)
  expect(after.built - before.built).toBe(1)
})
