import { beforeEach, expect, test } from 'vitest'
import { AdminError } from '../../../src/admin/action.ts'
import { administer } from '../../../src/admin/actions.ts'
import { noJobs } from '../../settings.ts'
import { ada, type Bot, bob, LaunchHarness } from '../launch/harness.ts'
import { payloadBody } from '../launch/payload-body.ts'

let harness: LaunchHarness
let bot: Bot
beforeEach(async () => {
  harness = await LaunchHarness.start()
  bot = await harness.bot()
})

async function says(line: string): Promise<readonly string[]> {
  const { lines } = await administer(line, 'ada', {
    store: bot.store,
    now: harness.now,
    jobs: noJobs,
  })
  return lines
}

test('launches under way are listed with what each waits for, and nothing that their creators wrote', async () => {
  const open = await bot.drafts.begin(ada, { goal: 'launch' })
  await bot.drafts.save({ ...open, answers: { name: 'Moon Otter', symbol: 'OTTER' } })
  const draft = await harness.draft(bot, {}, bob)
  const handed = await bot.drafts.save({ ...draft, state: 'handed' })
  const payload = await bot.payloads.create(handed.id, payloadBody)
  await bot.payloads.newLink(payload.id)
  harness.ahead += 90
  const listed = (await says('launches')).join('\n')
  expect(listed).toContain(
    `${open.id} open, begun 1 min ago, last change 1 min ago, telegram:7: waits for its creator’s next answer or the confirmation (2 answers so far)`,
  )
  expect(listed).toContain(
    `${handed.id} handed, begun 1 min ago, last change 1 min ago, telegram:8: waits for a signature; its link ends in 58 min`,
  )
  expect(listed).not.toMatch(/otter/iu)
})

test('what the chain has to show, an ended link and an ended payload are told apart', async () => {
  const draft = await harness.draft(bot)
  await bot.drafts.save({ ...draft, state: 'handed' })
  const payload = await bot.payloads.create(draft.id, payloadBody)
  expect((await says('launches'))[0]).toContain('handed out as a file')
  await bot.payloads.newLink(payload.id)
  harness.ahead += 3_700
  expect((await says('launches'))[0]).toContain('waits for its creator to ask for a new link')
  const hash = `0x${'ab'.repeat(32)}` as const
  const report = { hash, account: payloadBody.wallet, at: harness.now() }
  await bot.payloads.change(payload.id, (each) => ({ ...each, reported: report }))
  expect((await says('launches'))[0]).toContain(
    `waits for the chain to show its transaction ${hash}`,
  )
  await bot.payloads.change(payload.id, (each) => ({
    ...each,
    reported: undefined,
    state: 'expired',
  }))
  expect((await says('launches'))[0]).toContain('its payload expired')
})

test('they are found by state, person, draft and payload', async () => {
  const draft = await harness.draft(bot)
  const payload = await bot.payloads.create(draft.id, payloadBody)
  const other = await bot.drafts.begin(bob, { goal: 'metadata' })
  await bot.drafts.save({ ...other, state: 'cancelled' })
  expect((await says('launches cancelled')).join()).toMatch(
    new RegExp(
      `^${other.id} cancelled, begun .+ ago, last change .+ ago, telegram:8: nothing: it was discarded$`,
      'u',
    ),
  )
  expect((await says('launches all')).length).toBe(2)
  expect((await says('launches telegram:7'))[0]).toContain(draft.id)
  expect(await says('launches discord:7')).toEqual([
    'There is no such launch. “launches all” lists those of every state.',
  ])
  const detail = await says(`launches ${draft.id}`)
  expect(detail.join('\n')).toContain(`payload ${payload.id}: active, chain 8453, verified`)
  expect(await says(`launches ${payload.id}`)).toEqual(detail)
})

test.each([
  'launches nothing',
  "launches ' or 1=1 --",
  'launches x:1',
  'launches open open',
  'wipe',
])('%s is refused with what to type', async (line) => {
  await expect(says(line)).rejects.toThrow(AdminError)
})
