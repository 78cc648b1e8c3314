import { encodeAbiParameters, encodeFunctionData, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../sandbox/chain/chain.ts'
import { launchAbi } from '../../src/chain/airlock/abi.ts'
import { type CreateParams, decodeCreate } from '../../src/chain/airlock/calldata.ts'
import { readTokenData } from '../../src/chain/launch/token-data.ts'
import { curves, poolLayouts, protocol, tokenLayouts } from '../chain/launch/sample.ts'
import { handsOn } from '../chain/on-chain.ts'
import { linkToken, textOf, watchful } from './seen.ts'
import {
  ada,
  answers,
  type Bot,
  chainId,
  confirm,
  launcher,
  presses,
  stranger,
  Works,
  wallet,
} from './works.ts'

const thief = `0x${'ee'.repeat(20)}` as const

let works: Works
beforeEach(async () => {
  works = await Works.start()
})
afterEach(() => works.stop())

/** Has the interface build something else than what was asked, and say so in its params too. */
function builds(
  change: (params: CreateParams) => Partial<CreateParams>,
  { upstream } = works,
): void {
  upstream.launches.tamper = (result) => {
    const params = decodeCreate(result.encoded_payload)
    if (!params) throw new Error('the stand-in built no create')
    const built = { ...params, ...change(params) }
    const data = encodeFunctionData({ abi: launchAbi, functionName: 'create', args: [built] })
    const answered = {
      ...result.params,
      token_factory_data: built.tokenFactoryData,
      pool_initializer_data: built.poolInitializerData,
      liquidity_migrator_data: built.liquidityMigratorData,
    }
    return { ...result, encoded_payload: data, params: answered, token_address: undefined }
  }
}

/** Pool data that share the fees so, in ten-thousandths of a per cent. */
function shared(...parts: [who: Hex, share: number][]): Hex {
  const beneficiaries = parts.map(([beneficiary, share]) => ({
    beneficiary,
    shares: BigInt(share) * 10n ** 12n,
  }))
  beneficiaries.sort((left, right) =>
    BigInt(left.beneficiary) < BigInt(right.beneficiary) ? -1 : 1,
  )
  const data = { fee: 10_000, tickSpacing: 200, curves, beneficiaries }
  return encodeAbiParameters(poolLayouts.multicurve, [data])
}

/** Nothing is handed out until the person says so a second time, and it is marked then. */
async function expectAsked(bot: Bot, changes: Parameters<Works['draft']>[1] = {}): Promise<string> {
  const draft = await works.draft(bot, changes)
  const view = await confirm(bot, draft)
  const text = textOf(view)
  expect(view.tone).not.toBe('good')
  expect(text).not.toContain('Ready to sign')
  expect(() => linkToken(view)).toThrow()
  expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
  const handed = await presses(bot, view, 'Hand it out unverified')
  expect(handed.tone).toBe('warn')
  expect(textOf(handed)).toContain('Not verified: Moon Otter')
  const request = await bot.desk.open(linkToken(handed))
  expect(request).toMatchObject({ state: 'open', verified: false })
  return text
}

describe('a payload that gives other than what was confirmed is only handed out after a second confirmation', () => {
  test('the person’s own share goes to somebody else', async () => {
    const bot = await works.bot()
    builds(() => ({ poolInitializerData: shared([thief, 950_000], [protocol, 50_000]) }))
    const text = await expectAsked(bot)
    expect(text).toContain('It does not give what you confirmed:')
    expect(text).toContain('Fees to you: asked 95 %, gets nothing')
    expect(text).toContain('Fees to others: asked at most 5 %, get 100 %')
  })

  test('those who were named get next to nothing, and what was to vest is not there', async () => {
    const bot = await works.bot()
    const poolInitializerData = shared(
      [stranger, 1],
      [wallet, 1],
      [thief, 949_998],
      [protocol, 50_000],
    )
    builds(({ tokenFactoryData }) => {
      const token = readTokenData(tokenFactoryData)
      const { name = '', symbol = '', uri = '' } = token ?? {}
      const values = [name, symbol, 0n, 0n, [], [], uri] as const
      return {
        poolInitializerData,
        tokenFactoryData: encodeAbiParameters(tokenLayouts.DERC20, values),
      }
    })
    const text = await expectAsked(bot, {
      answers: {
        ...answers,
        beneficiaries: [{ beneficiary: stranger, shares: '350000000000000000' }],
        vesting: [{ address: stranger, percentage: '5' }],
      },
    })
    expect(text).toContain('Fees to you: asked 60 %, gets 0.0001 %')
    expect(text).toContain('Fees to 0x7099…79C8: asked 35 %, gets 0.0001 %')
    expect(text).toContain('Vesting to 0x7099…79C8: asked 50,000,000 tokens, gets nothing')
  })

  test('a large share stands behind many small ones, and is shown first', async () => {
    const bot = await works.bot()
    const dust = '123456'.split('').map((n): [Hex, number] => [`0x${n.repeat(40)}`, 1000])
    builds(() => ({ poolInitializerData: shared(...dust, [wallet, 1000], [thief, 993_000]) }))
    const text = await expectAsked(bot)
    expect(text).toContain('Fees 1: 0.1 % to you')
    expect(text).toMatch(/Fees 2: 99\.3 % to 0x[Ee]{4}…[Ee]{4}/u)
    expect(text).toContain('Fees: 2 more: 0.2 % together')
  })

  test('its pool has a layout that is not known', async () => {
    const bot = await works.bot()
    builds(() => ({ poolInitializerData: '0x1234' }))
    const text = await expectAsked(bot)
    expect(text).toContain('so who gets the fees can’t be read')
    expect(text).toContain('Fees: not recognised')
  })

  test('a pool that can’t tell of the beneficiaries who were named', async () => {
    const bot = await works.bot()
    const text = await expectAsked(bot, {
      answers: {
        ...answers,
        template: 'sandbox-dynamic',
        beneficiaries: [{ beneficiary: stranger, shares: '350000000000000000' }],
      },
    })
    expect(text).toContain('asked 35 %, what it gets is not told in these data')
  })

  test('going on instead does not hand it out', async () => {
    const bot = await works.bot()
    builds(() => ({ poolInitializerData: shared([thief, 950_000], [protocol, 50_000]) }))
    const draft = await works.draft(bot)
    await confirm(bot, draft)
    const again = await bot.handover.act('continue', [draft.id], ada, watchful().show)
    expect(textOf(again)).toContain('It does not give what you confirmed:')
    expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
  })
})

describe.each(['sandbox-standard', 'sandbox-hook', 'sandbox-dynamic'])('%s', (template) => {
  test('gives what was confirmed, so that one confirmation is enough', async () => {
    const bot = await works.bot()
    const vesting = [{ address: stranger, percentage: '5' } as const]
    const draft = await works.draft(bot, { answers: { ...answers, template, vesting } })
    const view = await confirm(bot, draft)
    expect(view.tone).toBe('good')
    expect(textOf(view)).toContain('Ready to sign')
    expect((await bot.payloads.active(draft.id))?.verified).toBe(true)
  })
})

test('minting later and a migrator with data of its own are told', async () => {
  const bot = await works.bot()
  const split = [{ type: 'tuple[]', components: [{ type: 'address' }, { type: 'uint96' }] }]
  builds(({ tokenFactoryData }) => {
    const token = readTokenData(tokenFactoryData)
    const { name = '', symbol = '', uri = '' } = token ?? {}
    const values = [name, symbol, 10n ** 19n, 0n, [], [], uri] as const
    return {
      tokenFactoryData: encodeAbiParameters(tokenLayouts.DERC20, values),
      liquidityMigratorData: encodeAbiParameters(split, [[[thief, 10n ** 18n]]]),
    }
  })
  const template = 'sandbox-dynamic'
  const view = await confirm(bot, await works.draft(bot, { answers: { ...answers, template } }))
  expect(textOf(view)).toContain('Minted later: up to 1,000 % of the supply a year')
  expect(textOf(view)).toContain('Migrator: has data of its own, which are not read here')
  expect(textOf(view)).toContain('Fees: not told in these data')
})

describe('on a chain, which takes it', () => {
  let chain: LocalChain
  let near: Works
  beforeAll(async () => {
    chain = await startChain({ chainId, launcher })
    near = await Works.start({ chain })
  })
  afterAll(async () => {
    await near.stop()
    await chain.stop()
  })

  test('a split of the fees that is hidden by a word behind it is not verified', async () => {
    const bot = await near.bot()
    const hidden = `${shared([protocol, 50_000], [thief, 950_000])}${'00'.repeat(32)}` as const
    builds(() => ({ poolInitializerData: hidden }), near)
    const draft = await near.draft(bot)
    const view = await confirm(bot, draft)
    expect(textOf(view)).toContain('so who gets the fees can’t be read')
    const handed = await presses(bot, view, 'Hand it out unverified')
    expect(textOf(handed)).toContain('Not verified: Moon Otter')
    const payload = await bot.payloads.active(draft.id)
    if (!payload) throw new Error('nothing was handed out')
    expect(payload).toMatchObject({ verified: false, simulation: { kind: 'passed' } })
    expect((await handsOn(chain).send(payload.to, payload.calldata)).status).toBe('success')
  })
})
