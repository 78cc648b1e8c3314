import { beforeEach, expect, test } from 'vitest'
import type { DraftState } from '../../../src/launch/draft.ts'
import { rawCid } from '../../../src/launch/image.ts'
import { ada, type Bot, kept, LaunchHarness } from './harness.ts'
import { payloadBody } from './payload-body.ts'

const day = 86_400
const answer = JSON.stringify({ encoded_payload: 'ab'.repeat(1_000) })

let harness: LaunchHarness
let bot: Bot
beforeEach(async () => {
  harness = await LaunchHarness.start()
  bot = await harness.bot()
})

/** A draft of a person of its own in this state, which was built. */
async function draftIn(state: DraftState, person: string) {
  const draft = await harness.draft(
    bot,
    { stepResults: { metadata: { of: 'x', uri: 'ipfs://y' }, built: { of: 'x', answer } } },
    { ...ada, user: person },
  )
  return state === 'open' ? draft : bot.drafts.save({ ...draft, state })
}

async function ids() {
  const drafts = await bot.store.selectFrom('drafts').select('id').execute()
  const payloads = await bot.store.selectFrom('payloads').select('id').execute()
  return [...drafts, ...payloads].map(({ id }) => id)
}

test.each([
  ['cancelled', 90],
  ['done', 90],
  // A week after it was last touched it expired.
  ['expired', 97],
  ['launched', 365],
] as const)('a %s draft is deleted with its payloads after %i days', async (state, days) => {
  const draft = await draftIn(state, '1')
  const payload = await bot.payloads.create(draft.id, payloadBody)
  await bot.payloads.change(payload.id, (each) => ({ ...each, state: 'expired' }))
  harness.ahead = days * day - 60
  expect(await bot.launches.prune(kept)).toEqual({ drafts: 0, pictures: 0 })
  expect(await ids()).toEqual([draft.id, payload.id])
  harness.ahead = days * day + 60
  expect(await bot.launches.prune(kept)).toEqual({ drafts: 1, pictures: 0 })
  expect(await ids()).toEqual([])
})

test('a handed-out draft ends with the last of its payloads', async () => {
  const draft = await draftIn('handed', '1')
  const { id } = await bot.payloads.create(draft.id, payloadBody)
  harness.ahead = 300 * day
  expect((await bot.launches.prune(kept)).drafts).toBe(0)
  await bot.payloads.change(id, (each) => ({ ...each, state: 'revoked' }))
  harness.ahead = 390 * day - 60
  expect((await bot.launches.prune(kept)).drafts).toBe(0)
  expect(await ids()).toEqual([draft.id, id])
  harness.ahead = 390 * day + 60
  expect((await bot.launches.prune(kept)).drafts).toBe(1)
  expect(await ids()).toEqual([])
})

test('a build result is kept while the draft is being built, and deleted with its end, without the rest of the draft', async () => {
  const open = await draftIn('open', '1')
  const launched = await draftIn('launched', '2')
  await bot.launches.prune(kept)
  expect(await bot.drafts.find(launched.id)).toEqual(launched)
  harness.ahead = day + 60
  await bot.launches.prune(kept)
  expect(await bot.drafts.find(open.id)).toEqual(open)
  const { built: _, ...done } = launched.stepResults
  expect(await bot.drafts.find(launched.id)).toEqual({ ...launched, stepResults: done })
})

test('a stored picture is found by any link to it on IPFS, and another one is not', async () => {
  const bytes = Uint8Array.of(1, 2, 3)
  const cid = await rawCid(bytes)
  await bot.pictures.keep({ cid, type: 'image/webp', bytes })
  const { launches } = bot
  expect(await launches.storedPicture(`https://gateway.example/ipfs/${cid}`)).toEqual(bytes)
  expect(await launches.storedPicture(`ipfs://${cid}`)).toEqual(bytes)
  const other = await rawCid(Uint8Array.of(4))
  expect(await launches.storedPicture(`https://gateway.example/ipfs/${other}`)).toBeUndefined()
  expect(await launches.storedPicture('https://pictures.example/otter.png')).toBeUndefined()
})

test.each([
  ['cancelled', 14],
  ['launched', 30],
] as const)('a %s draft is deleted earlier if that is set', async (state, days) => {
  const draft = await draftIn(state, '1')
  const shorter = { drafts: 14, launches: 30 }
  harness.ahead = days * day - 60
  expect((await bot.launches.prune(shorter)).drafts).toBe(0)
  harness.ahead = days * day + 60
  expect((await bot.launches.prune(kept)).drafts).toBe(0)
  expect((await bot.launches.prune(shorter)).drafts).toBe(1)
  expect(await bot.drafts.find(draft.id)).toBeUndefined()
})
