import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import type { View } from '../../../src/core/view.ts'
import type { Draft } from '../../../src/launch/draft.ts'
import { linkToken, textOf, watchful } from './seen.ts'
import { builds, hides, type Params, type TokenTerms, token } from './tampering.ts'
import { ada, answers, type Bot, bob, chainId, confirm, launcher, presses, Works } from './works.ts'

let chain: LocalChain
beforeAll(async () => {
  chain = await startChain({ chainId, launcher })
})
afterAll(() => chain.stop())

let works: Works
beforeEach(async () => {
  works = await Works.start({ chain })
})
afterEach(() => works.stop())

const { show: unseen } = watchful()

describe('a payload that does not say what it should', () => {
  const address = `0x${'ee'.repeat(20)}` as const
  const changes: [what: string, change: Partial<Params>][] = [
    ['total supply', { initialSupply: 1n }],
    ['tokens to sell', { numTokensToSell: 1n }],
    ['quote token', { numeraire: address }],
    ['token factory', { tokenFactory: address }],
    ['token factory data', { tokenFactoryData: '0x1234' }],
    ['governance factory', { governanceFactory: address }],
    ['governance factory data', { governanceFactoryData: '0x1234' }],
    ['pool initializer', { poolInitializer: address }],
    ['pool initializer data', { poolInitializerData: '0x1234' }],
    ['liquidity migrator', { liquidityMigrator: address }],
    ['liquidity migrator data', { liquidityMigratorData: '0x1234' }],
    ['integrator', { integrator: address }],
    ['salt', { salt: `0x${'01'.repeat(32)}` }],
  ]

  test.each(changes)('%s: is not handed out, and both values are named', async (what, change) => {
    const bot = await works.bot()
    const draft = await works.draft(bot)
    hides(works, () => change)
    const view = await confirm(bot, draft)
    const lines = textOf(view).split('\n')
    expect(lines.some((line) => line.startsWith(`${what}: expected `))).toBe(true)
    await expectNothingHanded(bot, draft, view)
  })

  const typed: [what: string, change: Partial<TokenTerms>][] = [
    ['name', { name: 'Sun Otter' }],
    ['symbol', { symbol: 'SUN' }],
    ['token URI', { uri: 'ipfs://bafkreigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi' }],
  ]

  test.each(typed)('%s, in calldata and params alike: is not handed out', async (what, change) => {
    const bot = await works.bot()
    const draft = await works.draft(bot)
    builds(works, (params) => ({ tokenFactoryData: token(params, change) }))
    const view = await confirm(bot, draft)
    const value = Object.values(change).join()
    expect(textOf(view)).toContain(`${what}: expected `)
    expect(textOf(view)).toContain(`found ${value}`)
    await expectNothingHanded(bot, draft, view)
  })

  test('a token address that the chain disagrees with is not handed out', async () => {
    const bot = await works.bot()
    const draft = await works.draft(bot)
    works.upstream.launches.tamper = (result) => ({ ...result, token_address: address })
    const view = await confirm(bot, draft)
    expect(textOf(view)).toMatch(/it would create the token 0x\w{40}, not 0x[Ee]{40}/u)
    await expectNothingHanded(bot, draft, view)
  })

  test('a token that is there already is not handed out', async () => {
    const bot = await works.bot()
    const draft = await works.draft(bot)
    works.upstream.launches.tamper = (result) => ({ ...result, token_address: launcher.to })
    const view = await confirm(bot, draft)
    expect(textOf(view)).toContain(`there is a contract at ${launcher.to} already`)
    await expectNothingHanded(bot, draft, view)
  })

  test('a payload with a module that the launch contract does not know is not handed out', async () => {
    const bot = await works.bot()
    const draft = await works.draft(bot)
    builds(works, () => ({ tokenFactory: address }))
    const view = await confirm(bot, draft)
    expect(textOf(view)).toContain('the launch contract does not know')
    await expectNothingHanded(bot, draft, view)
  })

  test('an integrator other than the operator’s is not handed out', async () => {
    const other = await Works.start({ chain, settings: { integrator: address } })
    try {
      const bot = await other.bot()
      const draft = await other.draft(bot)
      const view = await confirm(bot, draft)
      expect(textOf(view)).toContain(`integrator that the operator set: expected ${address}`)
      await expectNothingHanded(bot, draft, view)
    } finally {
      await other.stop()
    }
  })

  test('“Build again” shows the review, and another Confirm builds anew without a second upload', async () => {
    const bot = await works.bot()
    const draft = await works.draft(bot)
    works.upstream.launches.tamper = (result) => ({ ...result, token_address: address })
    const blocked = await confirm(bot, draft)
    works.upstream.launches.tamper = undefined
    expect(textOf(await presses(bot, blocked, 'Build again'))).toContain('Review: Moon Otter')
    const open = await bot.drafts.find(draft.id)
    if (!open) throw new Error('no draft')
    linkToken(await confirm(bot, open))
    expect(works.calls).toEqual({ uploads: 1, builds: 2 })
  })
})

describe('a payload that can’t be read', () => {
  const strange = '0xdeadbeef00'

  test('is handed out as “not verified” after a second confirmation alone', async () => {
    const bot = await works.bot()
    const draft = await works.draft(bot)
    works.upstream.launches.tamper = (result) => ({ ...result, encoded_payload: strange })
    const view = await confirm(bot, draft)
    expect(textOf(view)).toContain('not verified')
    expect(textOf(view)).toContain('it calls 0xdeadbeef')
    expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
    const handed = await presses(bot, view, 'Hand it out unverified')
    expect(textOf(handed)).toContain('Not verified: Moon Otter')
    const request = await bot.signingService.open(linkToken(handed))
    expect(request).toMatchObject({ state: 'open', verified: false, data: strange })
    expect(works.calls).toEqual({ uploads: 1, builds: 1 })
  })

  test('is not handed out by going on, by somebody else, or from before a change', async () => {
    const bot = await works.bot()
    const draft = await works.draft(bot)
    works.upstream.launches.tamper = (result) => ({ ...result, encoded_payload: strange })
    const view = await confirm(bot, draft)
    const again = await bot.launches.press(`continue ${draft.id}`, ada, unseen)
    expect(textOf(again)).toContain('not verified')
    await expect(presses(bot, view, 'Hand it out unverified', bob)).rejects.toThrow(
      'no such launch',
    )
    const now = await bot.drafts.find(draft.id)
    if (!now) throw new Error('no draft')
    await bot.drafts.save({ ...now, answers: { ...answers, name: 'Sun Otter' } })
    await expect(presses(bot, view, 'Hand it out unverified')).rejects.toThrow('already answered')
    expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
  })
})

describe('without a node', () => {
  test('the offline checks run, and it says that it was not rehearsed', async () => {
    const other = await Works.start()
    try {
      const bot = await other.bot()
      const view = await confirm(bot, await other.draft(bot))
      expect(textOf(view)).toContain('Not rehearsed: no node is set up for this chain')
      linkToken(view)
      const next = await other.draft(bot)
      other.upstream.launches.tamper = (result) => ({
        ...result,
        params: { ...result.params, salt: `0x${'02'.repeat(32)}` },
      })
      await expectNothingHanded(bot, next, await confirm(bot, next))
    } finally {
      await other.stop()
    }
  })
})

async function expectNothingHanded(bot: Bot, draft: Draft, view: View): Promise<void> {
  expect(textOf(view)).toContain('❌ Check')
  expect(() => linkToken(view)).toThrow()
  expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
  expect((await bot.drafts.find(draft.id))?.state).toBe('open')
}
