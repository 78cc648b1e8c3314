import { encodeAbiParameters, parseAbiParameters } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { moduleAt } from '../../../sandbox/chain/modules.ts'
import type { Row } from '../../../src/launch/table.ts'
import * as tampering from './tampering.ts'
import { builds, type Params, pool, shared, token, whole } from './tampering.ts'
import { alarmOf, departing, expectUnverified, expectVerified, lineAfter } from './unverified.ts'
import { answers, chainId, stranger, Works, wallet } from './works.ts'

// Nothing is pinned by the template, so only what people expect of every launch can tell.

let works: Works
beforeEach(async () => {
  works = await Works.start()
})
afterEach(() => works.stop())

const year = 31_536_000n
const unknown = `0x${'ee'.repeat(20)}` as const
const protocol = `0x${'11'.repeat(20)}` as const

function hooked(params: Params, fee: number): Partial<Params> {
  const address = moduleAt('RehypeDopplerHookInitializer')
  const data = tampering.rehype(params, wallet, fee)
  return {
    poolInitializer: moduleAt('DopplerHookInitializer'),
    poolInitializerData: tampering.hooked(params, { address, data }),
  }
}

/** A token of which nobody may hold more than a hundredth, unless this account lifts that. */
function limited(params: Params, controller: `0x${string}`): Partial<Params> {
  const { name, symbol, uri } = tampering.tokenOf(params)
  const layout = parseAbiParameters([
    'string, string, Schedule[], address[], uint256[], uint256[], string, uint256, uint48, address, address[]',
    'struct Schedule { uint64 cliff; uint64 duration; }',
  ])
  return {
    tokenFactory: moduleAt('DopplerERC20V1Factory'),
    tokenFactoryData: encodeAbiParameters(layout, [
      name,
      symbol,
      [],
      [],
      [],
      [],
      uri,
      10n ** 25n,
      works.now() + 86_400,
      controller,
      [],
    ]),
  }
}

function opensAt(params: Params, tickLower: number): Partial<Params> {
  const curve = { tickLower, tickUpper: -120_000, numPositions: 10, shares: whole }
  return { poolInitializerData: pool(params, { curves: [curve] }) }
}

function migrates(params: Params, fee: number): Partial<Params> {
  return {
    poolInitializerData: pool(params, { beneficiaries: [] }),
    liquidityMigrator: moduleAt('UniswapV4Migrator'),
    liquidityMigratorData: tampering.onV4(fee, shared([wallet, 95], [protocol, 5])),
  }
}

function vests(params: Params, vestingDuration: bigint): Partial<Params> {
  return { tokenFactoryData: token(params, { vestingDuration }) }
}

type Case = [
  what: string,
  row: Row['key'],
  says: RegExp,
  change: (params: Params) => Partial<Params>,
  /** The least that is not unusual. */
  fine?: (params: Params) => Partial<Params>,
]

const cases: Case[] = [
  [
    'a trading fee above 5%',
    'tradingFee',
    /5\.01%.*above 5%/u,
    (params) => ({ poolInitializerData: pool(params, { fee: 50_100 }) }),
    (params) => ({ poolInitializerData: pool(params, { fee: 50_000 }) }),
  ],
  [
    'a hook’s fee above 5%',
    'hook',
    /5\.01%.*hook’s fee is above 5%/u,
    (params) => hooked(params, 50_100),
    (params) => hooked(params, 40_000),
  ],
  [
    'fees of pool and hook above 5% together',
    'hook',
    /4\.01%.*above 5% together/u,
    (params) => hooked(params, 40_100),
  ],
  [
    'what the hook takes for an account that nobody named',
    'hook',
    /eeee…eeee.*account that nobody named/iu,
    (params) => {
      const data = tampering.rehype(params, unknown, 10_000)
      const address = moduleAt('RehypeDopplerHookInitializer')
      return {
        poolInitializer: moduleAt('DopplerHookInitializer'),
        poolInitializerData: tampering.hooked(params, { address, data }),
      }
    },
  ],
  [
    'supply to an account that nobody named',
    'rest',
    /40%.*eeee…eeee.*account that nobody named/iu,
    () => ({
      governanceFactory: moduleAt('LaunchpadGovernanceFactory'),
      governanceFactoryData: tampering.account(unknown),
    }),
    () => ({
      governanceFactory: moduleAt('LaunchpadGovernanceFactory'),
      governanceFactoryData: tampering.account(wallet),
    }),
  ],
  [
    'minting from graduation on',
    'minting',
    /2%.*minted later/u,
    (params) => ({
      ...migrates(params, 3000),
      tokenFactoryData: token(params, { yearlyMintRate: whole / 50n }),
    }),
  ],
  [
    'minting that never begins',
    'minting',
    /2%.*never/u,
    (params) => ({ tokenFactoryData: token(params, { yearlyMintRate: whole / 50n }) }),
  ],
  [
    'a quote token that is not known',
    'quote',
    /eeee…eeee.*does not know/iu,
    () => ({ numeraire: unknown }),
  ],
  [
    'an opening price at which all of it is worth less than a dollar',
    'opening',
    /less than a thousandth/u,
    (params) => opensAt(params, -290_000),
    // 15 times as much.
    (params) => opensAt(params, -260_000),
  ],
  [
    'vesting over more than four years',
    'vesting',
    /more than four years/u,
    (params) => vests(params, 5n * year),
    (params) => vests(params, 4n * year),
  ],
  [
    'a limit on balances that somebody else may lift',
    'limit',
    /eeee…eeee.*nobody named/iu,
    (params) => limited(params, unknown),
    (params) => limited(params, wallet),
  ],
  [
    'a fee above 5% after graduation',
    'laterFee',
    /6%.*above 5%/u,
    (params) => migrates(params, 60_000),
  ],
]

test('what an auction raises for an account that nobody named is a departure, and for the wallet it is none', async () => {
  const auction = { answers: { ...answers, template: 'sandbox-dynamic' } }
  const splits = (to: `0x${string}`) => () => ({
    liquidityMigrator: moduleAt('UniswapV2MigratorSplit'),
    liquidityMigratorData: tampering.split(to, 20n),
  })
  builds(works, splits(unknown))
  const read = await expectUnverified(works, auction)
  expect(departing(read)).toEqual(['proceeds'])
  expect(alarmOf(read, 'proceeds')).toMatch(/20% .*eeee…eeee.*account that nobody named/iu)
  builds(works, splits(wallet))
  await expectVerified(works, auction)
})

test('an integrator that nobody named is a departure where it gets the fees', async () => {
  const templates = [
    { id: 'sandbox-standard', label: 'Standard', chain: chainId },
    { id: 'sandbox-dynamic', label: 'Auction', chain: chainId, expects: { shares: [] } },
  ]
  const unpinned = await Works.start({ settings: { templates } })
  try {
    const auction = { answers: { ...answers, template: 'sandbox-dynamic' } }
    expect(departing(await expectUnverified(unpinned, auction))).toEqual(['integrator'])
    await expectVerified(unpinned)
  } finally {
    await unpinned.stop()
  }
})

test.each(cases)('%s is a departure of its own, though nobody asked otherwise', async (...each) => {
  const [, row, says, change, fine] = each
  const vesting = row === 'vesting' ? [{ address: stranger, percentage: '5' } as const] : []
  const changes = { answers: { ...answers, vesting } }
  builds(works, change)
  const read = await expectUnverified(works, changes)
  expect(alarmOf(read, row)).toMatch(says)
  expect(lineAfter(read.text, 'Not verified: ').length).toBeGreaterThan('Not verified: .'.length)
  if (!fine) return
  expect(departing(read)).toContain(row)
  const usual = await Works.start()
  try {
    builds(usual, fine)
    await expectVerified(usual, changes)
  } finally {
    await usual.stop()
  }
})
