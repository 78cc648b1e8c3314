import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import { moduleAt, protocol } from '../../../sandbox/chain/modules.ts'
import type { View } from '../../../src/core/view.ts'
import { lineOf, linkToken, textOf } from './seen.ts'
import * as tampering from './tampering.ts'
import { builds, type Params, pool, shared, token } from './tampering.ts'
import { expectVerified, rowOf } from './unverified.ts'
import {
  ada,
  answers,
  type Bot,
  chainId,
  confirm,
  launcher,
  stranger,
  Works,
  wallet,
} from './works.ts'

let chain: LocalChain
beforeAll(async () => {
  chain = await startChain({ chainId, launcher })
})
afterAll(() => chain.stop())

let works: Works
let bot: Bot
beforeEach(async () => {
  works = await Works.start({ chain })
  bot = await works.bot()
})
afterEach(() => works.stop())

/** Confirms a draft whose payload nobody gets, not even after a second word. */
async function refusal(changes: Parameters<Works['draft']>[1] = {}): Promise<View> {
  const draft = await works.draft(bot, changes)
  const view = await confirm(bot, draft)
  const text = textOf(view)
  expect(text).toContain('❌ Check')
  expect(text).not.toContain('Hand it out')
  expect(() => linkToken(view)).toThrow()
  expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
  return view
}

function scheduled(start: number) {
  return (params: Params) => ({
    poolInitializer: moduleAt('UniswapV4ScheduledMulticurveInitializer'),
    poolInitializerData: tampering.scheduled(params, start),
  })
}

describe('a sale that starts before anybody can sign it', () => {
  const auctionOf = (start: number) => (params: Params) => ({
    poolInitializerData: tampering.auction(params, start),
  })
  const dynamic = { answers: { ...answers, template: 'sandbox-dynamic' } }

  test.each([
    ['a curve in a minute', 60, scheduled, {}],
    ['a curve in two minutes but a moment', 119, scheduled, {}],
    ['an auction in a minute', 60, auctionOf, dynamic],
    ['an auction that began', -60, auctionOf, dynamic],
  ] as const)('%s is refused, and it says what the operator should do', async (...each) => {
    const [, seconds, change, changes] = each
    builds(works, change(works.now() + seconds))
    const text = textOf(await refusal(changes))
    expect(text).toContain('starts before anybody can sign it')
    expect(text).toContain('the operator should ask for a later start')
  })

  test('is refused without a node, too', async () => {
    const other = await Works.start()
    try {
      const alone = await other.bot()
      builds(other, scheduled(other.now() + 60))
      const text = textOf(await confirm(alone, await other.draft(alone)))
      expect(text).toContain('starts before anybody can sign it')
    } finally {
      await other.stop()
    }
  })

  test('is fine where there are two minutes and some for it', async () => {
    const start = works.now() + 150
    builds(works, scheduled(start))
    const { does } = rowOf(await expectVerified(works), 'trading')
    expect(does).toContainEqual({ time: start })
  })

  test('a curve whose start has passed trades at once', async () => {
    builds(works, scheduled(works.now() - 60))
    expect(rowOf(await expectVerified(works), 'trading').does?.join('')).toContain('at once')
  })
})

describe('what the contracts refuse is said in words, with a button for what can be changed', () => {
  test('vesting of more than they allow leads to the question about it, and another answer is taken', async () => {
    const vested = { ...answers, vesting: [{ address: stranger, percentage: '25' } as const] }
    builds(works, () => ({ tokenFactory: moduleAt('TokenFactory') }))
    const view = await refusal({ answers: vested })
    expect(textOf(view)).toMatch(/vesting of 25% to one person is more than the 20%/u)
    const [action = '', at = '', ...words] = lineOf(view, 'Change vesting').split(' ')
    expect([action, ...words]).toEqual(['change', 'vesting'])
    const draft = await bot.drafts.current(ada)
    if (!draft) throw new Error('no draft')
    expect(at).toBe(`${draft.id}.${draft.rev}`)
    const question = await bot.conversation.step(action, at, words, ada)
    expect(textOf(question)).toContain('Vesting')
    await bot.conversation.receive({ text: `${stranger} 20%`, fields: {}, files: [] }, ada)
    const changed = await bot.drafts.current(ada)
    if (!changed) throw new Error('no draft')
    expect(changed.answers.vesting).toEqual([{ address: stranger, percentage: '20' }])
    const ready = await confirm(bot, changed)
    expect(textOf(ready)).toContain('Ready to sign')
    expect(works.calls).toEqual({ uploads: 2, builds: 2 })
  })

  test('fees without the protocol’s share lead to the question about who gets fees', async () => {
    builds(works, (params) => {
      const beneficiaries = shared([wallet, 97], [protocol, 3])
      return { poolInitializerData: pool(params, { beneficiaries }) }
    })
    const view = await refusal()
    expect(textOf(view)).toMatch(/protocol’s share of the fees, 3%, is less than the 5%/u)
    const [action, , ...words] = lineOf(view, 'Change who gets fees').split(' ')
    expect([action, ...words]).toEqual(['change', 'beneficiaries'])
  })

  const minting = (params: Params) => ({
    tokenFactoryData: token(params, { yearlyMintRate: 10n ** 18n }),
  })

  test('what the template is to blame for leads to the question about it', async () => {
    builds(works, minting)
    const view = await refusal()
    expect(textOf(view)).toMatch(/minting of 100% a year is more than the 2%/iu)
    expect(textOf(view)).toContain('choose another one, or tell the operator')
    const [action, , ...words] = lineOf(view, 'Change template').split(' ')
    expect([action, ...words]).toEqual(['change', 'template'])
  })

  test('where there is no other template the operator is to be told', async () => {
    const templates = [{ id: 'sandbox-standard', label: 'Standard', chain: chainId }]
    const alone = await Works.start({ chain, settings: { templates } })
    try {
      builds(alone, minting)
      const one = await alone.bot()
      const text = textOf(await confirm(one, await alone.draft(one)))
      expect(text).toContain('The template is at fault: tell the operator.')
      expect(text).not.toMatch(/^Change (?!an answer)/mu)
      expect(text).toContain('Build again')
    } finally {
      await alone.stop()
    }
  })
})
