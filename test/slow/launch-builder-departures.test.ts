import type { Address } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { moduleAt, protocol } from '../../sandbox/chain/modules.ts'
import { plainText } from '../../src/core/catalogue.ts'
import type { Row } from '../../src/launch/table.ts'
import { walletOn } from '../unit/chain/on-chain.ts'
import { answers, chainId, LaunchHarness, stranger, wallet } from '../unit/launch/harness.ts'
import { localChain } from '../unit/launch/local-chain.ts'
import * as tampering from '../unit/launch/tampering.ts'
import { builds, type Params, pool, shared, token } from '../unit/launch/tampering.ts'
import {
  alarmOf,
  expectUnverified,
  expectVerified,
  lineAfter,
  rowOf,
} from '../unit/launch/unverified.ts'
import { textOf } from '../unit/launch/view-reading.ts'

const chain = await localChain()
const thief: Address = `0x${'ee'.repeat(20)}`
const launchpad = {
  governanceFactory: moduleAt('LaunchpadGovernanceFactory'),
  governanceFactoryData: tampering.account(thief),
}

let works: LaunchHarness
beforeEach(async () => {
  works = await LaunchHarness.start({ chain })
})

type Case = [
  what: string,
  change: (params: Params) => Partial<Params>,
  row: Row['key'],
  says: RegExp,
]

// Payload and parameters are changed alike and the chain takes it, so only the table can tell.
const cases: Case[] = [
  [
    'somebody else gets the fees',
    (params) => ({
      poolInitializerData: pool(params, { beneficiaries: shared([thief, 95], [protocol, 5]) }),
    }),
    'shares',
    /95% .*eeee…eeee.*5% .*protocol.*You asked for: 95% .*you.*5% .*protocol/iu,
  ],
  [
    'somebody else gets a hundredth of a percent of the fees',
    (params) => {
      const beneficiaries = shared([wallet, 94.99], [thief, 0.01], [protocol, 5])
      return { poolInitializerData: pool(params, { beneficiaries }) }
    },
    'shares',
    /94\.99% .*you.*0\.01% .*eeee…eeee.*You asked for: 95%/iu,
  ],
  [
    'the protocol gets more of the fees than was said',
    (params) => {
      const beneficiaries = shared([wallet, 90], [protocol, 10])
      return { poolInitializerData: pool(params, { beneficiaries }) }
    },
    'shares',
    /90% .*you.*10% .*protocol.*You asked for: 95% .*you.*5% /u,
  ],
  [
    'nobody gets fees before a graduation that never comes',
    (params) => ({ poolInitializerData: pool(params, { beneficiaries: [] }) }),
    'shares',
    /not to you.*You asked for: 95%/u,
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
    'vesting',
    /100,000,000 tokens.*10%.*eeee…eeee.*1 day.*You asked for: none/iu,
  ],
  [
    'a launchpad’s multisig gets the rest of the supply',
    () => launchpad,
    'rest',
    /400,000,000 tokens.*40%.*eeee…eeee.*account that nobody named/iu,
  ],
  [
    'a launchpad’s multisig decides alone',
    () => launchpad,
    'governance',
    /eeee…eeee.*account that nobody named/iu,
  ],
  [
    'somebody else gets a part of the proceeds',
    (params) => ({
      poolInitializerData: pool(params, { beneficiaries: [] }),
      liquidityMigrator: moduleAt('UniswapV2MigratorSplit'),
      liquidityMigratorData: tampering.split(thief, 50n),
    }),
    'proceeds',
    /50% .*eeee…eeee/iu,
  ],
  [
    'somebody else gets the fees after graduation',
    (params) => ({
      poolInitializerData: pool(params, { beneficiaries: [] }),
      liquidityMigrator: moduleAt('UniswapV4Migrator'),
      liquidityMigratorData: tampering.onV4(3000, shared([thief, 95], [protocol, 5])),
    }),
    'laterShares',
    /95% .*eeee…eeee.*5% .*protocol.*account that nobody named/iu,
  ],
  [
    'the liquidity goes to somebody else',
    (params) => ({
      ...launchpad,
      poolInitializerData: pool(params, { beneficiaries: [] }),
      liquidityMigrator: moduleAt('UniswapV4Migrator'),
      liquidityMigratorData: tampering.onV4(3000, shared([wallet, 95], [protocol, 5])),
    }),
    'liquidity',
    /90% .*eeee…eeee.*account that nobody named/iu,
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
    'hook',
    /2% of each trade.*eeee…eeee/iu,
  ],
]

describe('a payload that does other than was confirmed is not verified', () => {
  test.each(cases)('%s', async (_, change, row, says) => {
    builds(works, change)
    expect(alarmOf(await expectUnverified(works), row)).toMatch(says)
  })

  test('the named accounts get next to nothing, and the vesting is absent', async () => {
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
    const read = await expectUnverified(works, {
      answers: {
        ...answers,
        beneficiaries: [{ beneficiary: stranger, shares: '350000000000000000' }],
        vesting: [{ address: stranger, percentage: '5' }],
      },
    })
    const fees = alarmOf(read, 'shares')
    expect(fees).toMatch(/95% .*eeee…eeee.*5% .*protocol.*0\.0001%/iu)
    expect(fees).toMatch(/You asked for: 60% .*you.*35% .*7099…79C8.*5% .*protocol/iu)
    expect(alarmOf(read, 'vesting')).toMatch(/: none\. You asked for: 5% .*7099…79C8/iu)
    expect(lineAfter(read.text, 'Not verified: ')).toMatch(/Fees|fees/u)
  })

  test('an account with vesting gets a token less', async () => {
    const vesting = [{ address: stranger, percentage: '5' } as const]
    builds(works, (params) => ({
      tokenFactoryData: token(params, { amounts: [5n * 10n ** 25n - 1n] }),
    }))
    const read = await expectUnverified(works, { answers: { ...answers, vesting } })
    expect(alarmOf(read, 'vesting')).toContain('49,999,999.999999999999999999 tokens')
  })

  test('a large share stands behind many small ones, and is shown first', async () => {
    const dust = '123456'.split('').map((n): [Address, number] => [`0x${n.repeat(40)}`, 0.1])
    builds(works, (params) => {
      const beneficiaries = shared(...dust, [protocol, 5], [wallet, 0.1], [thief, 94.3])
      return { poolInitializerData: pool(params, { beneficiaries }) }
    })
    const fees = alarmOf(await expectUnverified(works), 'shares')
    expect(fees).toMatch(/: 94\.3% .*eeee…eeee.*5% .*protocol.*and 3 more/iu)
  })

  test('a pool without beneficiaries, though some were named, is in a review that comes before anything is built', async () => {
    const template = { id: 'sandbox-dynamic', label: 'Auction', chain: chainId }
    const unpinned = await LaunchHarness.start({ chain, settings: { templates: [template] } })
    const bot = await unpinned.bot()
    const draft = await unpinned.draft(bot, {
      answers: {
        ...answers,
        template: 'sandbox-dynamic',
        beneficiaries: [{ beneficiary: stranger, shares: '350000000000000000' }],
      },
    })
    const text = textOf(await bot.confirm(draft))
    expect(text).toMatch(/^Review: .*/u)
    expect(text).toMatch(/^Trading fees go: not to you\./mu)
    expect(text).toContain('Check them below as they are now, then confirm.')
    expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
  })

  test('“Go on” does not hand it out', async () => {
    const bot = await works.bot()
    builds(works, (params) => ({
      poolInitializerData: pool(params, { beneficiaries: shared([thief, 95], [protocol, 5]) }),
    }))
    const draft = await works.draft(bot)
    await bot.confirm(draft)
    const again = await bot.press(`continue ${draft.id}`)
    expect(textOf(again)).toContain('Not verified: ')
    expect(textOf(again)).toMatch(/95% to 0xeeee…eeee/iu)
    expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
  })
})

test('a split of the fees that is hidden by a word behind it is not verified, though the chain takes it', async () => {
  builds(works, (params) => {
    const beneficiaries = shared([protocol, 5], [thief, 95])
    return { poolInitializerData: `${pool(params, { beneficiaries })}${'00'.repeat(32)}` }
  })
  const { text, payload } = await expectUnverified(works)
  expect(lineAfter(text, 'Not verified: ')).toMatch(
    /data of the pool initializer .*not in the layout/u,
  )
  expect((await walletOn(chain).send(payload.to, payload.calldata)).status).toBe('success')
})

describe.each(['sandbox-standard', 'sandbox-hook', 'sandbox-dynamic'])('%s', (template) => {
  test.each([
    ['with a node', true],
    ['without a node', false],
  ])('gives what was confirmed, so that one confirmation is enough, %s', async (_, hasNode) => {
    const vesting = [{ address: stranger, percentage: '5' } as const]
    const harness = hasNode ? works : await LaunchHarness.start()
    const read = await expectVerified(harness, { answers: { ...answers, template, vesting } })
    const row = rowOf(read, 'vesting')
    expect(row).toMatchObject({ state: 'same', ...(hasNode && { rehearsed: true }) })
    const told = lineAfter(read.text, `${plainText(row.label)}: `)
    expect(told).toMatch(/50,000,000 tokens.*5%.*7099…79C8.*365 days/iu)
    expect(told.endsWith(hasNode ? ' ✓ simulated' : ' ✓')).toBe(true)
    expect(read.text.includes('a test run on the chain showed the same')).toBe(hasNode)
  })
})
