import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../sandbox/chain/chain.ts'
import { moduleAt, protocol } from '../../sandbox/chain/modules.ts'
import { handsOn } from '../chain/on-chain.ts'
import { textOf, watchful } from './seen.ts'
import * as tampering from './tampering.ts'
import { builds, type Params, pool, shared, token } from './tampering.ts'
import { expectUnverified, expectVerified, lineAfter } from './unverified.ts'
import { ada, answers, chainId, confirm, launcher, stranger, Works, wallet } from './works.ts'

const thief: Address = `0x${'ee'.repeat(20)}`
const shortThief = '0xeeee…eeee'

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

type Case = [what: string, change: (params: Params) => Partial<Params>, row: string, says: string]

// Payload and parameters are changed alike and the chain takes it, so only the table can tell.
const cases: Case[] = [
  [
    'somebody else gets the fees',
    (params) => ({
      poolInitializerData: pool(params, { beneficiaries: shared([thief, 95], [protocol, 5]) }),
    }),
    'Who gets the fees',
    `95% ${shortThief}, 5% the protocol. Asked: 95% you, 5% the protocol`,
  ],
  [
    'somebody else gets a hundredth of a percent of the fees',
    (params) => {
      const beneficiaries = shared([wallet, 94.99], [thief, 0.01], [protocol, 5])
      return { poolInitializerData: pool(params, { beneficiaries }) }
    },
    'Who gets the fees',
    `94.99% you, 5% the protocol, 0.01% ${shortThief}`,
  ],
  [
    'the protocol gets more of the fees than was said',
    (params) => {
      const beneficiaries = shared([wallet, 90], [protocol, 10])
      return { poolInitializerData: pool(params, { beneficiaries }) }
    },
    'Who gets the fees',
    '90% you, 10% the protocol. Asked: 95% you, 5% the protocol',
  ],
  [
    'nobody gets fees before a graduation that never comes',
    (params) => ({ poolInitializerData: pool(params, { beneficiaries: [] }) }),
    'Who gets the fees',
    'you get none',
  ],
  [
    'somebody gets tokens over time',
    (params) => ({
      tokenFactoryData: token(params, {
        recipients: [thief],
        amounts: [10n ** 26n],
        vestingDuration: 86_400n,
      }),
    }),
    'Vesting',
    `100,000,000 tokens, 10% to ${shortThief}, over 1 day. Asked: nobody`,
  ],
  [
    'a launchpad’s multisig gets the rest of the supply',
    () => ({
      governanceFactory: moduleAt('LaunchpadGovernanceFactory'),
      governanceFactoryData: tampering.account(thief),
    }),
    'The rest of it',
    `400,000,000 tokens, 40% to ${shortThief} (part of the supply goes to an account that nobody named)`,
  ],
  [
    'a launchpad’s multisig decides alone',
    () => ({
      governanceFactory: moduleAt('LaunchpadGovernanceFactory'),
      governanceFactoryData: tampering.account(thief),
    }),
    'Governance',
    `${shortThief} decides alone (an account that nobody named decides alone)`,
  ],
  [
    'somebody else gets a part of the proceeds',
    (params) => ({
      poolInitializerData: pool(params, { beneficiaries: [] }),
      liquidityMigrator: moduleAt('UniswapV2MigratorSplit'),
      liquidityMigratorData: tampering.split(thief, 50n),
    }),
    'Proceeds',
    `50% to ${shortThief}, what is left becomes liquidity on Uniswap V2`,
  ],
  [
    'somebody else gets the fees after graduation',
    (params) => ({
      poolInitializerData: pool(params, { beneficiaries: [] }),
      liquidityMigrator: moduleAt('UniswapV4Migrator'),
      liquidityMigratorData: tampering.onV4(3000, shared([thief, 95], [protocol, 5])),
    }),
    'Who gets them then',
    `95% ${shortThief}, 5% the protocol (an account that nobody named gets fees)`,
  ],
  [
    'the liquidity goes to somebody else',
    (params) => ({
      poolInitializerData: pool(params, { beneficiaries: [] }),
      governanceFactory: moduleAt('LaunchpadGovernanceFactory'),
      governanceFactoryData: tampering.account(thief),
      liquidityMigrator: moduleAt('UniswapV4Migrator'),
      liquidityMigratorData: tampering.onV4(3000, shared([wallet, 95], [protocol, 5])),
    }),
    'Liquidity after',
    `90% to ${shortThief}`,
  ],
  [
    'a hook takes a part of each trade for somebody else',
    (params) => {
      const data = tampering.rehype(params, thief, 20_000)
      const address = moduleAt('RehypeDopplerHookInitializer')
      return {
        poolInitializer: moduleAt('DopplerHookInitializer'),
        poolInitializerData: tampering.hooked(params, { address, data }),
      }
    },
    'Hook fee',
    `2% of each trade besides; 5% of that is the protocol’s. What it takes in tokens: 100% to ${shortThief}`,
  ],
]

describe('a payload that gives other than what was confirmed is not verified', () => {
  test.each(cases)('%s', async (_, change, row, says) => {
    builds(works, change)
    const text = await expectUnverified(works)
    expect(lineAfter(text, `⚠️ ${row}: `)).toContain(says)
    expect(text.indexOf(`⚠️ ${row}`)).toBeLessThan(text.indexOf('\nSupply: '))
  })

  test('those who were named get next to nothing, and what was to vest is not there', async () => {
    builds(works, (params) => {
      const beneficiaries = shared(
        [stranger, 0.0001],
        [wallet, 0.0001],
        [thief, 94.9998],
        [protocol, 5],
      )
      return {
        poolInitializerData: pool(params, { beneficiaries }),
        tokenFactoryData: token(params, { recipients: [], amounts: [] }),
      }
    })
    const text = await expectUnverified(works, {
      answers: {
        ...answers,
        beneficiaries: [{ beneficiary: stranger, shares: '350000000000000000' }],
        vesting: [{ address: stranger, percentage: '5' }],
      },
    })
    const fees = lineAfter(text, '⚠️ Who gets the fees: ')
    expect(fees).toContain(`Asked: 60% you, 35% 0x7099…79c8, 5% the protocol`)
    expect(fees).toMatch(/95% 0xeeee…eeee, 5% the protocol, .*you/u)
    expect(lineAfter(text, '⚠️ Vesting: ')).toBe('⚠️ Vesting: nobody. Asked: 5% to 0x7099…79c8')
  })

  test('who was to vest gets a token less', async () => {
    const vesting = [{ address: stranger, percentage: '5' } as const]
    builds(works, (params) => ({
      tokenFactoryData: token(params, { amounts: [5n * 10n ** 25n - 1n] }),
    }))
    const text = await expectUnverified(works, { answers: { ...answers, vesting } })
    expect(lineAfter(text, '⚠️ Vesting: ')).toContain('49,999,999.999999999999999999 tokens')
  })

  test('a large share stands behind many small ones, and is shown first', async () => {
    const dust = '123456'.split('').map((n): [Address, number] => [`0x${n.repeat(40)}`, 0.1])
    builds(works, (params) => {
      const beneficiaries = shared(...dust, [protocol, 5], [wallet, 0.1], [thief, 94.3])
      return { poolInitializerData: pool(params, { beneficiaries }) }
    })
    const fees = lineAfter(await expectUnverified(works), '⚠️ Who gets the fees: ')
    expect(fees).toContain(`: 94.3% ${shortThief}, 5% the protocol, `)
    expect(fees).toContain('and 3 more')
  })

  test('a pool without beneficiaries, though some were named', async () => {
    const template = { id: 'sandbox-dynamic', label: 'Auction', chain: chainId }
    const unpinned = await Works.start({ chain, settings: { templates: [template] } })
    try {
      const text = await expectUnverified(unpinned, {
        answers: {
          ...answers,
          template: 'sandbox-dynamic',
          beneficiaries: [{ beneficiary: stranger, shares: '350000000000000000' }],
        },
      })
      const fees = lineAfter(text, '⚠️ Who gets the fees: ')
      expect(fees).toContain('you get none')
      expect(fees).toContain('Asked: 60% you, 35% 0x7099…79c8, 5% the protocol')
    } finally {
      await unpinned.stop()
    }
  })

  test('going on instead does not hand it out', async () => {
    const bot = await works.bot()
    builds(works, (params) => ({
      poolInitializerData: pool(params, { beneficiaries: shared([thief, 95], [protocol, 5]) }),
    }))
    const draft = await works.draft(bot)
    await confirm(bot, draft)
    const again = await bot.handover.act('continue', [draft.id], ada, watchful().show)
    expect(textOf(again)).toContain('⚠️ Who gets the fees: ')
    expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
  })
})

test('a split of the fees that is hidden by a word behind it is not verified, though the chain takes it', async () => {
  const bot = await works.bot()
  builds(works, (params) => {
    const beneficiaries = shared([protocol, 5], [thief, 95])
    return { poolInitializerData: `${pool(params, { beneficiaries })}${'00'.repeat(32)}` }
  })
  const draft = await works.draft(bot)
  const text = await expectUnverified(works, {}, bot)
  expect(text).toContain(
    'the data of the pool initializer (Multicurve (sandbox)) are not in the layout of that module',
  )
  const [payload] = await bot.payloads.ofDraft(draft.id)
  if (!payload) throw new Error('nothing was handed out')
  expect((await handsOn(chain).send(payload.to, payload.calldata)).status).toBe('success')
})

describe.each(['sandbox-standard', 'sandbox-hook', 'sandbox-dynamic'])('%s', (template) => {
  test.each([
    ['with a node', true],
    ['without a node', false],
  ])('gives what was confirmed, so that one confirmation is enough, %s', async (_, hasNode) => {
    const vesting = [{ address: stranger, percentage: '5' } as const]
    const town = hasNode ? works : await Works.start()
    try {
      const text = await expectVerified(town, { answers: { ...answers, template, vesting } })
      expect(lineAfter(text, 'Vesting: ')).toBe(
        `Vesting: 50,000,000 tokens, 5% to 0x7099…79c8, over 365 days ${hasNode ? '✓✓' : '✓'}`,
      )
      expect(text.includes('shown by a rehearsal')).toBe(hasNode)
    } finally {
      if (town !== works) await town.stop()
    }
  })
})
