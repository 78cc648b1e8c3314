import { type Hex, padHex, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import type { View } from '../../../src/core/view.ts'
import { reportsOf } from '../../../src/launch/reports.ts'
import { linkToken, textOf, watchful } from './seen.ts'
import { ada, type Bot, chainId, confirm, launcher, presses, Works, wallet } from './works.ts'

let chain: LocalChain
beforeAll(async () => {
  chain = await startChain({ chainId, launcher })
})
afterAll(() => chain.stop())

let works: Works
afterEach(() => works.stop())

const hash = `0x${'ab'.repeat(32)}` as const

async function handed(options: Parameters<typeof Works.start>[0]) {
  works = await Works.start(options)
  const bot = await works.bot()
  const draft = await works.draft(bot)
  const view = await confirm(bot, draft)
  const payload = await bot.payloads.active(draft.id)
  if (!payload) throw new Error(textOf(view))
  return { bot, draft, view, payload, token: linkToken(view) }
}

function madeUp(number: number): Hex {
  return padHex(toHex(number + 1), { size: 32 })
}

/** Unix seconds that a view names. */
function timesIn({ blocks }: View): number[] {
  const spans = blocks.flatMap((block) => (block.kind === 'text' ? block.spans : []))
  return spans.flatMap((span) => (typeof span === 'object' && 'time' in span ? [span.time] : []))
}

async function revoked(bot: Bot, view: View): Promise<View> {
  return presses(bot, await presses(bot, view, 'Revoke…'), 'Revoke')
}

describe('a transaction that was reported, and that the node doesn’t know,', () => {
  test('holds it up for two minutes, says until when, and not against the launcher’s will', async () => {
    const { bot, draft, view, token } = await handed({ chain })
    await bot.signingService.report(token, { account: wallet, hash })
    const until = (await bot.payloads.findByLink(token))?.reported?.at ?? 0
    const ended = await revoked(bot, view)
    expect(textOf(ended)).toContain(hash)
    const warned = await presses(bot, ended, 'Build again')
    expect(textOf(warned)).toContain(hash)
    expect(textOf(warned)).toContain('launches a second one')
    expect(timesIn(warned)).toEqual([until + 120])
    expect((await bot.drafts.find(draft.id))?.state).toBe('handed')
    expect(textOf(await presses(bot, warned, 'Build again anyway'))).toContain('Review: ')
    // Confirm does not ask once more.
    const open = await bot.drafts.find(draft.id)
    if (!open) throw new Error('no draft')
    linkToken(await confirm(bot, open))
  })

  test('holds nothing up after two minutes', async () => {
    const { bot, view, token } = await handed({ chain })
    await bot.signingService.report(token, { account: wallet, hash })
    const ended = await revoked(bot, view)
    works.ahead = 119
    expect(textOf(await presses(bot, ended, 'Build again'))).toContain('Launched already?')
    works.ahead = 121
    expect(textOf(await presses(bot, ended, 'Build again'))).toContain('Review: ')
  })

  test('holds nothing up for longer, though another one is made up each minute', async () => {
    const { bot, view, token } = await handed({ chain })
    for (let minute = 0; minute < 20; minute += 1) {
      works.ahead = minute * 60
      await bot.signingService.report(token, { account: wallet, hash: madeUp(minute) })
    }
    const ended = await revoked(bot, view)
    expect(textOf(await presses(bot, ended, 'Build again'))).toContain('Launched already?')
    for (let minute = 20; minute < 23; minute += 1) {
      works.ahead = minute * 60
      await bot.signingService.report(token, { account: wallet, hash: madeUp(minute) })
    }
    expect(textOf(await presses(bot, ended, 'Build again'))).toContain('Review: ')
  })

  test.each(['revoked', 'expired'] as const)(
    'holds nothing up where its link is %s',
    async (state) => {
      const { bot, draft, payload, token } = await handed({ chain })
      await bot.payloads.change(payload.id, (each) => ({ ...each, state }))
      expect(await bot.signingService.report(token, { account: wallet, hash })).toEqual({ state })
      const ended = await bot.launches.press(`show ${payload.id}`, ada, watchful().show)
      expect(textOf(await presses(bot, ended, 'Build again'))).toContain('Review: ')
      await bot.signingService.report(token, { account: wallet, hash: madeUp(1) })
      const open = await bot.drafts.find(draft.id)
      if (!open) throw new Error('no draft')
      linkToken(await confirm(bot, open))
    },
  )

  test('is not taken at all from a link that another one replaced', async () => {
    const { bot, view, payload, token } = await handed({ chain })
    await presses(bot, view, 'New link')
    expect(await bot.signingService.report(token, { account: wallet, hash })).toBeUndefined()
    expect(await bot.payloads.find(payload.id)).toMatchObject({ reports: 0 })
    expect(textOf(await presses(bot, await revoked(bot, view), 'Build again'))).toContain('Review')
  })

  test('through a link that had run out is not shown as sent by the next one', async () => {
    const { bot, view, token } = await handed({ chain })
    works.ahead = 3_600
    expect(await bot.signingService.report(token, { account: wallet, hash })).toEqual({
      state: 'expired',
    })
    const next = linkToken(await presses(bot, view, 'New link'))
    expect(await bot.signingService.progress(next)).toEqual({ launched: false })
  })

  test('is not shown as sent for ever by the page of a link that works', async () => {
    const { bot, token } = await handed({ chain })
    await bot.signingService.report(token, { account: wallet, hash })
    expect(await bot.signingService.progress(token)).toMatchObject({ transaction: { hash } })
    works.ahead = 121
    expect(await bot.signingService.progress(token)).toEqual({ launched: false })
  })

  test('drops none that was reported while the link worked, where it comes after its end', async () => {
    const { bot, view, token } = await handed({ chain })
    const before = Array.from({ length: 5 }, (_, each) => madeUp(each))
    for (const each of before)
      await bot.signingService.report(token, { account: wallet, hash: each })
    await revoked(bot, view)
    await bot.signingService.report(token, { account: wallet, hash })
    const payload = await bot.payloads.findByLink(token)
    const kept = payload && reportsOf(payload).map((each) => each.hash)
    expect(kept).toEqual(before.reverse())
  })
})

test('without a node, what is reported after the link has ended is said once not to be checked, before anything is built', async () => {
  const { bot, draft, view, token } = await handed({})
  await presses(bot, await revoked(bot, view), 'Build again')
  await bot.signingService.report(token, { account: wallet, hash })
  const open = await bot.drafts.find(draft.id)
  if (!open) throw new Error('no draft')
  const warned = await confirm(bot, open)
  expect(textOf(warned)).toContain(hash)
  expect(textOf(warned)).toContain('after its link had ended')
  expect(textOf(warned)).toContain('It was not checked')
  expect(works.calls.builds).toBe(1)
  expect(textOf(await presses(bot, warned, 'Build again anyway'))).toContain('Review: ')
  // Whoever makes up more of them changes nothing.
  await bot.signingService.report(token, { account: wallet, hash: madeUp(1) })
  const again = await bot.drafts.find(draft.id)
  if (!again) throw new Error('no draft')
  linkToken(await confirm(bot, again))
})
