import { sql } from 'kysely'
import { keccak256 } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import type { LaunchResult } from '../../../sandbox/interface/launch.ts'
import type { View } from '../../../src/core/view.ts'
import { handsOn } from '../chain/on-chain.ts'
import { failing, lineOf, linkToken, textOf } from './seen.ts'
import { type Bot, chainId, confirm, launcher, presses, Works, wallet } from './works.ts'

let chain: LocalChain
beforeAll(async () => {
  chain = await startChain({ chainId, launcher })
})
afterAll(() => chain.stop())

let works: Works
afterEach(() => works.stop())

const hash = `0x${'ab'.repeat(32)}` as const

async function handed(options: Parameters<typeof Works.start>[0], tamper?: typeof withoutToken) {
  works = await Works.start(options)
  works.upstream.launches.tamper = tamper
  const bot = await works.bot()
  const draft = await works.draft(bot)
  const view = await confirm(bot, draft)
  const payload = await bot.payloads.active(draft.id)
  if (!payload) throw new Error(textOf(view))
  return { bot, draft, view, payload, token: linkToken(view) }
}

function withoutToken(result: LaunchResult): unknown {
  const { token_address: _, ...rest } = result
  return rest
}

async function revoked(bot: Bot, view: View): Promise<View> {
  return presses(bot, await presses(bot, view, 'Revoke…'), 'Revoke')
}

describe('while a transaction is on its way, nothing is built again', () => {
  test('where the node knows that it waits for its block', async () => {
    const { bot, view, payload, token } = await handed({ chain })
    const { client, wallet: signer } = handsOn(chain)
    await client.setAutomine(false)
    try {
      const data = payload.calldata
      const sent = await signer.sendTransaction({ to: payload.to, data, gas: 8_000_000n })
      await bot.signingService.report(token, { account: wallet, hash: sent })
      const ended = await revoked(bot, view)
      works.ahead = 10_000
      await expect(presses(bot, ended, 'Build again')).rejects.toThrow(`on its way: ${sent}`)
    } finally {
      await client.setAutomine(true)
      await client.mine({ blocks: 1 })
    }
    expect(works.calls.builds).toBe(1)
  })

  test('also after it was opened again, from a page that was open when the link ended: Confirm says so', async () => {
    const { bot, draft, view, payload, token } = await handed({ chain })
    await presses(bot, await revoked(bot, view), 'Build again')
    const open = await bot.drafts.find(draft.id)
    if (!open) throw new Error('no draft')
    const { client, wallet: signer } = handsOn(chain)
    await client.setAutomine(false)
    try {
      const data = payload.calldata
      const sent = await signer.sendTransaction({ to: payload.to, data, gas: 8_000_000n })
      expect(await bot.signingService.report(token, { account: wallet, hash: sent })).toEqual({
        launched: false,
        transaction: { hash: sent, state: 'pending' },
      })
      expect(textOf(await confirm(bot, open))).toContain(`on its way: ${sent}`)
    } finally {
      await client.setAutomine(true)
      await client.mine({ blocks: 1 })
    }
    expect((await bot.watch.poll(payload)).payload.state).toBe('launched')
  })

  test('where the node hears of it only after the page of an ended link reported it', async () => {
    const { bot, view, payload, token } = await handed({ chain })
    const ended = await revoked(bot, view)
    const { client, wallet: signer } = handsOn(chain)
    const request = { to: payload.to, data: payload.calldata, gas: 8_000_000n }
    const raw = await signer.signTransaction(await signer.prepareTransactionRequest(request))
    const sent = keccak256(raw)
    const reported = await bot.signingService.report(token, { account: wallet, hash: sent })
    expect(reported).toEqual({ state: 'revoked' })
    await client.setAutomine(false)
    try {
      await client.sendRawTransaction({ serializedTransaction: raw })
      await expect(presses(bot, ended, 'Build again')).rejects.toThrow(`on its way: ${sent}`)
      await expect
        .poll(() => bot.signingService.progress(token))
        .toMatchObject({ transaction: { hash: sent, state: 'pending' } })
    } finally {
      await client.setAutomine(true)
      await client.mine({ blocks: 1 })
    }
    expect((await bot.watch.poll(payload)).payload).toMatchObject({
      state: 'launched',
      launchedBy: sent,
    })
  })

  test('but one that failed holds nothing up', async () => {
    const { bot, view, payload, token } = await handed({ chain })
    const failed = await failing(chain, payload)
    await bot.signingService.report(token, { account: wallet, hash: failed.transactionHash })
    expect(textOf(await presses(bot, await revoked(bot, view), 'Build again'))).toContain('Review')
  })
})

describe('without a node', () => {
  test('a token that is listed already is never handed out', async () => {
    works = await Works.start()
    const asked = { chain: chainId, status: 'all', limit: 1, offset: 0 } as const
    const [asset] = works.upstream.world.list(asked)
    works.upstream.launches.tamper = (result) => ({
      ...result,
      token_address: asset?.asset_address,
    })
    const bot = await works.bot()
    const draft = await works.draft(bot)
    const view = await confirm(bot, draft)
    expect(textOf(view)).toContain('❌ Check')
    expect(textOf(view)).toContain('lists a token at')
    expect(textOf(view)).toContain('My launches +launches')
    expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
  })

  test('an interface that can’t say whether it is listed is a step to try again', async () => {
    works = await Works.start()
    const bot = await works.bot()
    const draft = await works.draft(bot)
    works.upstream.faults.set({ match: '/assets', kind: 'status' })
    const failed = await confirm(bot, draft)
    expect(textOf(failed)).toContain('does not answer right now')
    expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
    works.upstream.faults.clear()
    linkToken(await presses(bot, failed, 'Go on'))
    expect(works.calls).toEqual({ uploads: 1, builds: 1 })
  })

  test('what was reported and can’t be seen is told at the end, and building again asks twice', async () => {
    const { bot, payload, token } = await handed({}, withoutToken)
    bot.queue.start()
    await bot.signingService.report(token, { account: wallet, hash })
    works.ahead = 25 * 3_600
    await bot.watch.pollSoon(payload.id)
    await expect.poll(() => works.sent.length).toBe(1)
    const [notice] = works.sent
    if (!notice) throw new Error('no notice')
    expect(textOf(notice.view)).toContain(hash)
    expect(textOf(notice.view)).not.toContain('Nobody signed')
    const asked = await presses(bot, notice.view, 'Build again')
    expect(textOf(asked)).toContain('launches a second one')
    expect((await bot.drafts.find(payload.draft))?.state).toBe('handed')
    expect(textOf(await presses(bot, asked, 'Build again anyway'))).toContain('Review: ')
    const open = await bot.drafts.find(payload.draft)
    if (!open) throw new Error('no draft')
    linkToken(await confirm(bot, open))
  })
})

test('a link that could not be stored is made by “Go on”', async () => {
  works = await Works.start({ chain })
  const bot = await works.bot()
  const draft = await works.draft(bot)
  await sql`create temp trigger full before update on main.payloads begin
    select raise(abort, 'database or disk is full'); end`.execute(bot.store)
  const failed = await confirm(bot, draft)
  expect(textOf(failed)).toContain('❌')
  expect((await bot.drafts.find(draft.id))?.state).toBe('handed')
  await sql`drop trigger full`.execute(bot.store)
  linkToken(await presses(bot, failed, 'Go on'))
  expect(works.calls).toEqual({ uploads: 1, builds: 1 })
  expect(lineOf(failed, 'Go on')).toMatch(/^continue /u)
})
