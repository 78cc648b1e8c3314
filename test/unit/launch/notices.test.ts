import { beforeEach, describe, expect, test } from 'vitest'
import { SendError } from '../../../src/core/adapter.ts'
import type { Draft } from '../../../src/launch/draft.ts'
import { type Bot, LaunchHarness } from './harness.ts'
import { payloadBody } from './payload-body.ts'
import { textOf } from './view-reading.ts'

const hour = 3_600
const day = 24 * hour

let harness: LaunchHarness
let bot: Bot
beforeEach(async () => {
  harness = await LaunchHarness.start()
  bot = await harness.bot()
  bot.queue.start()
})

async function launched(changes: Partial<Draft> = {}) {
  const begun = await harness.draft(bot, changes)
  const draft = await bot.drafts.save({ ...begun, state: 'launched' })
  const payload = await bot.payloads.create(draft.id, payloadBody)
  return { draft, payload }
}

/** The sent messages, each by the first words of its title. */
function sentTitles(): string[] {
  return harness.sent.map(({ view }) => textOf(view).split(':')[0] ?? '')
}

async function jobs() {
  const rows = await bot.store.selectFrom('jobs').selectAll().where('kind', '=', 'launch-notice')
  return rows.execute()
}

function platformDown(sends: number): void {
  const down = new SendError('Telegram can’t be reached.', { final: false })
  harness.refusals.push(...Array.from({ length: sends }, () => down))
}

/** Lets the time of the next try come, and waits until it was made; the seconds that it waited. */
async function nextTry(): Promise<number> {
  const before = harness.refusals.length
  await expect.poll(async () => (await jobs())[0]?.attempts).toBe(0)
  const [job] = await jobs()
  const pause = (job?.run_at_s ?? 0) - (job?.updated_at_s ?? 0)
  harness.ahead += pause
  await bot.queue.runNow({ key: 'to look at the clock' })
  await expect.poll(() => harness.refusals.length).toBe(before - 1)
  return pause
}

test('a notice survives a two-day outage of the platform, and is sent once', async () => {
  const { draft, payload } = await launched()
  platformDown(400)
  await bot.notices.launched(payload, draft)
  await expect.poll(() => harness.refusals.length).toBe(399)
  const pauses: number[] = []
  for (let each = 0; each < 25; each += 1) pauses.push(await nextTry())
  expect(pauses.every((pause, n) => pause >= (pauses[n - 1] ?? 0))).toBe(true)
  expect(Math.max(...pauses)).toBe(600)
  harness.ahead += 2 * day
  await bot.queue.runNow({ key: 'to look at the clock' })
  await expect.poll(() => harness.refusals.length).toBe(373)
  harness.refusals.length = 0
  harness.ahead += 600
  await bot.queue.runNow({ key: 'to look at the clock' })
  await expect.poll(sentTitles).toEqual(['🚀 Launched'])
  await expect.poll(async () => (await jobs())[0]?.state).toBe('done')
  await bot.notices.launched(payload, draft)
  expect(await jobs()).toHaveLength(1)
})

test('a notice to a group that migrated to another id is sent there alone', async () => {
  const { draft, payload } = await launched()
  const moved = (movedTo: string) => new SendError('Upgraded.', { final: false, movedTo })
  harness.refusals.push(moved('-1001'))
  await bot.notices.launched(payload, draft)
  await expect.poll(sentTitles).toEqual(['🚀 Launched'])
  expect(harness.sent[0]?.to).toEqual({ kind: 'chat', id: '-1001' })
  await expect.poll(async () => (await jobs())[0]?.state).toBe('done')
})

test('a token that is listed already is shown by its card, without a promise of one', async () => {
  const listed = harness.apiServer.world.tokens.find(({ chain }) => chain === payloadBody.chain)
  const draft = await harness.draft(bot)
  const token = listed?.address
  const payload = await bot.payloads.create(draft.id, { ...payloadBody, token })
  await bot.notices.launched(payload, draft)
  await expect.poll(sentTitles).toEqual(['🚀 Launched'])
  const text = textOf(harness.sent[0]?.view ?? expect.unreachable())
  expect(text).toContain('MC ')
  expect(text).not.toContain('works once')
})

describe('a card that the API lists late', () => {
  async function listedLate() {
    const listed = harness.apiServer.world.tokens.find(({ chain }) => chain === payloadBody.chain)
    const draft = await harness.draft(bot)
    const unlisted = `0x${'ab'.repeat(20)}` as const
    const payload = await bot.payloads.create(draft.id, { ...payloadBody, token: unlisted })
    await bot.notices.launched(payload, draft)
    await expect.poll(sentTitles).toEqual(['🚀 Launched'])
    expect(textOf(harness.sent[0]?.view ?? expect.unreachable())).toContain('works once')
    await bot.payloads.change(payload.id, (each) => ({ ...each, token: listed?.address }))
    return () => bot.queue.runNow({ key: `launch-notified:${payload.id}:card` })
  }

  test('is put into the message that was sent', async () => {
    const look = await listedLate()
    await look()
    await expect.poll(() => harness.edited.map(({ key }) => key)).toEqual(['1'])
    expect(textOf(harness.edited[0]?.view ?? expect.unreachable())).toContain('MC ')
    expect(sentTitles()).toHaveLength(1)
  })

  test('is sent by itself if that message can’t be changed any more', async () => {
    const look = await listedLate()
    harness.refusals.push(new SendError('Too old.', { final: true }))
    await look()
    await expect.poll(sentTitles).toHaveLength(2)
    expect(harness.edited).toEqual([])
  })
})

test('a launch that was announced in its group by hand is not announced there again', async () => {
  const { draft, payload } = await launched({ origin: '-100', announce: true })
  await bot.payloads.change(payload.id, (each) => ({ ...each, announced: ['-100'] }))
  await bot.notices.launched(payload, draft)
  await expect.poll(sentTitles).toEqual(['🚀 Launched'])
  harness.ahead = hour
  await bot.queue.runNow({ key: 'to look at the clock' })
  await expect.poll(async () => (await jobs()).map(({ state }) => state)).toEqual(['done', 'done'])
  expect(harness.sent.map(({ to }) => to.kind)).toEqual(['person'])
})

test('a notice that could not be sent for three days is dropped, with the reason in the log', async () => {
  const { payload } = await launched()
  platformDown(400)
  await bot.notices.expired(payload)
  await expect.poll(() => harness.refusals.length).toBe(399)
  await expect.poll(async () => (await jobs())[0]?.attempts).toBe(0)
  harness.ahead = 3 * day + 1
  await bot.queue.runNow({ key: 'to look at the clock' })
  await expect.poll(async () => (await jobs())[0]?.state).toBe('done')
  expect(harness.sent).toEqual([])
  expect(harness.log.of('error').join()).toContain('Telegram can’t be reached.')
})

test('a group is notified even if the platform can’t say who is in it', async () => {
  harness.member = false
  const { draft, payload } = await launched({ origin: '-100', announce: true })
  await bot.notices.launched(payload, draft)
  await expect.poll(sentTitles).toEqual(['🚀 Launched'])
  harness.ahead = hour
  await bot.queue.runNow({ key: 'to look at the clock' })
  await expect.poll(() => harness.log.of('info').join()).toContain('not in that group')
  harness.member = true
  harness.ahead = 3 * hour
  await bot.queue.runNow({ key: 'to look at the clock' })
  await expect.poll(sentTitles).toEqual(['🚀 Launched', '🚀 Launched'])
})

test('a notice for a platform that is no longer set up is given up at once, also one to a group', async () => {
  await bot.queue.stop()
  bot = await harness.bot({ hasTelegram: false })
  bot.queue.start()
  const { draft, payload } = await launched({ origin: '-100', announce: true })
  await bot.notices.launched(payload, draft)
  harness.ahead = hour
  await bot.queue.runNow({ key: 'to look at the clock' })
  await expect.poll(async () => (await jobs()).map(({ state }) => state)).toEqual(['done', 'done'])
  expect(
    harness.log
      .of('warn')
      .join()
      .match(/no longer set up/gu),
  ).toHaveLength(2)
})

test('a transaction that failed long ago is not reported', async () => {
  const { payload } = await launched()
  const hash = `0x${'ab'.repeat(32)}` as const
  const reported = { hash, account: payloadBody.wallet, at: harness.now() - 30 * day }
  await bot.notices.reverted({ ...payload, reported }, hash)
  expect(await jobs()).toEqual([])
  await bot.notices.reverted({ ...payload, reported: { ...reported, at: harness.now() } }, hash)
  await expect.poll(sentTitles).toEqual(['Not launched'])
})
