import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import { type ModuleName, moduleAt } from '../../../sandbox/chain/modules.ts'
import type { Template } from '../../../src/launch/draft.ts'
import { templatesSchema } from '../../../src/launch/settings.ts'
import { handsOn } from '../chain/on-chain.ts'
import { textOf } from './seen.ts'
import * as tampering from './tampering.ts'
import { builds, type Params, pool, shared, token, whole } from './tampering.ts'
import {
  alarmOf,
  departing,
  expectUnverified,
  expectVerified,
  lineAfter,
  rowOf,
} from './unverified.ts'
import { answers, chainId, confirm, launcher, stranger, Works, wallet } from './works.ts'

const weth = '0x4200000000000000000000000000000000000006'
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const names: ModuleName[] = [
  'TokenFactory80',
  'NoOpGovernanceFactory',
  'UniswapV4MulticurveInitializer',
  'NoOpMigrator',
]

/** The rows of the sandbox's plain template, as an operator writes them down. */
const expects = {
  supply: '1000000000',
  sale: { tokens: '600000000', percent: '60' },
  rest: { to: 'nobody', percent: '40' },
  minting: null,
  limit: null,
  quote: weth,
  opening: { cap: ['10', '20'] },
  trading: { from: 'now' },
  tradingFee: { first: '1' },
  hook: null,
  shares: [
    { to: 'you', percent: '95' },
    { to: 'protocol', percent: '5' },
  ],
  vesting: [{ to: 'asked', cliff: 0, duration: 31_536_000 }],
  proceeds: { locked: true },
  governance: { form: 'none' },
  contracts: names.map(moduleAt),
}

const vested = { ...answers, vesting: [{ address: stranger, percentage: '5' } as const] }

/** The plain template with rows pinned. */
function templates(pinned: object): readonly Template[] {
  const template = { id: 'sandbox-standard', label: 'Standard', chain: chainId, expects: pinned }
  return templatesSchema.parse([template])
}

let chain: LocalChain
beforeAll(async () => {
  chain = await startChain({ chainId, launcher })
})
afterAll(() => chain.stop())

let works: Works
beforeEach(async () => {
  works = await Works.start({ chain, settings: { templates: templates(expects) } })
})
afterEach(() => works.stop())

test('a payload that does what its template pins is verified, and each pinned row is marked as asked', async () => {
  const read = await expectVerified(works, { answers: vested })
  const present = ['supply', 'sale', 'rest', 'quote', 'opening', 'trading', 'tradingFee'] as const
  for (const key of [
    ...present,
    'shares',
    'vesting',
    'proceeds',
    'governance',
    'contracts',
  ] as const) {
    const row = rowOf(read, key)
    expect(row, key).toMatchObject({ state: 'same' })
    expect(lineAfter(read.text, `${row.label}: `)).toMatch(/ ✓(?: rehearsed)?$/u)
  }
})

type Case = [what: keyof typeof expects, says: RegExp, change: (params: Params) => Partial<Params>]

const cases: Case[] = [
  ['supply', /2,000,000,000.*Asked: 1,000,000,000/u, () => ({ initialSupply: 2n * 10n ** 27n })],
  ['sale', /50%.*Asked: .*60%/u, () => ({ numTokensToSell: 5n * 10n ** 26n })],
  ['rest', /45%.*Asked: .*35%/u, () => ({ numTokensToSell: 5n * 10n ** 26n })],
  [
    'rest',
    /35%.*DAO.*Asked: .*35%.*nobody/u,
    () => ({
      governanceFactory: moduleAt('GovernanceFactory'),
      governanceFactoryData: tampering.dao('Moon Otter'),
    }),
  ],
  [
    'governance',
    /a DAO.*Asked: none/u,
    () => ({
      governanceFactory: moduleAt('GovernanceFactory'),
      governanceFactoryData: tampering.dao('Moon Otter'),
    }),
  ],
  [
    'minting',
    /2%.*Asked: /u,
    (params) => ({ tokenFactoryData: token(params, { yearlyMintRate: whole / 50n }) }),
  ],
  ['quote', /USDC.*Asked: 0x4200…0006/u, () => ({ numeraire: usdc })],
  [
    'opening',
    /market cap 5\.\d+ WETH.*Asked: .*between 10\.00 and 20\.00 WETH/u,
    (params) => ({ poolInitializerData: curves(params, -191_000) }),
  ],
  [
    'trading',
    /starts 2.*Asked: starts at once/u,
    (params) => ({
      poolInitializer: moduleAt('UniswapV4ScheduledMulticurveInitializer'),
      poolInitializerData: tampering.scheduled(params, works.now() + 3600),
    }),
  ],
  [
    'tradingFee',
    /2%.*Asked: 1%/u,
    (params) => ({ poolInitializerData: pool(params, { fee: 20_000 }) }),
  ],
  [
    'shares',
    /90%.*10%.*Asked: 95%/u,
    (params) => {
      const beneficiaries = shared([wallet, 90], [protocolOf(params), 10])
      return { poolInitializerData: pool(params, { beneficiaries }) }
    },
  ],
  [
    'vesting',
    /5%.*730 days.*Asked: 5%.*365 days/u,
    (params) => ({ tokenFactoryData: token(params, { vestingDuration: 63_072_000n }) }),
  ],
  [
    'proceeds',
    /Uniswap V2.*Asked: stays in the pool/u,
    (params) => ({
      poolInitializerData: pool(params, { beneficiaries: [] }),
      liquidityMigrator: moduleAt('UniswapV2Migrator'),
    }),
  ],
  [
    'hook',
    /2% of each trade/u,
    (params) => ({
      poolInitializer: moduleAt('DopplerHookInitializer'),
      poolInitializerData: tampering.hooked(params, {
        address: moduleAt('RehypeDopplerHookInitializer'),
        data: tampering.rehype(params, wallet, 20_000),
      }),
    }),
  ],
  [
    'contracts',
    /Scheduled.*Asked: /u,
    (params) => ({
      poolInitializer: moduleAt('UniswapV4ScheduledMulticurveInitializer'),
      poolInitializerData: tampering.scheduled(params, works.now() - 3600),
    }),
  ],
]

function protocolOf(params: Params) {
  const other = tampering.beneficiaries(params).find(({ beneficiary }) => beneficiary !== wallet)
  if (!other) throw new Error('the stand-in names no protocol')
  return other.beneficiary
}

function curves(params: Params, tickLower: number) {
  const curve = { tickLower, tickUpper: -120_000, numPositions: 10, shares: whole }
  return pool(params, { curves: [curve] })
}

describe('a payload that does something else than its template pins is not verified, and the row is named', () => {
  test.each(cases)('%s: %s', async (key, says, change) => {
    builds(works, change)
    const read = await expectUnverified(works, { answers: vested })
    expect(alarmOf(read, key)).toMatch(says)
    // The conversation asks for shares and vesting, but nobody asked for that.
    expect(lineAfter(read.text, 'Not verified: ')).toContain(rowOf(read, key).label)
    expect((await handsOn(chain).send(read.payload.to, read.payload.calldata)).status).toBe(
      'success',
    )
  })

  test('it says that the template changed, of what no answer asked for', async () => {
    builds(works, (params) => ({ poolInitializerData: pool(params, { fee: 20_000 }) }))
    const read = await expectUnverified(works, { answers: vested })
    expect(lineAfter(read.text, 'Not verified: ')).toContain('the template changed')
    expect(departing(read)).toEqual(['tradingFee'])
  })

  test('a row that is pinned but not there', async () => {
    const { limit: _, ...others } = expects
    const limit = { most: '1000000', until: 'now', controller: 'nobody', excluded: [] }
    const pinned = await Works.start({
      chain,
      settings: { templates: templates({ ...others, limit }) },
    })
    try {
      const read = await expectUnverified(pinned, { answers: vested })
      expect(alarmOf(read, 'limit')).toMatch(/Asked: .*1,000,000 tokens/u)
    } finally {
      await pinned.stop()
    }
  })

  test('what is pinned is fine, though it is unusual where nobody pinned it', async () => {
    const change = (params: Params) => ({ poolInitializerData: pool(params, { fee: 60_000 }) })
    const pinned = await Works.start({
      chain,
      settings: { templates: templates({ tradingFee: { first: '6' } }) },
    })
    const unpinned = await Works.start({ chain, settings: { templates: templates({}) } })
    try {
      builds(pinned, change)
      builds(unpinned, change)
      expect(rowOf(await expectVerified(pinned), 'tradingFee')).toMatchObject({ state: 'same' })
      expect(departing(await expectUnverified(unpinned))).toEqual(['tradingFee'])
    } finally {
      await pinned.stop()
      await unpinned.stop()
    }
  })

  test('another integrator than the one that is pinned is not handed out at all', async () => {
    const integrator = `0x${'ee'.repeat(20)}`
    const pinned = await Works.start({
      chain,
      settings: { templates: templates({ integrator }) },
    })
    try {
      const bot = await pinned.bot()
      const draft = await pinned.draft(bot)
      const text = textOf(await confirm(bot, draft))
      expect(text).toMatch(/integrator.*expected 0xeeee/iu)
      expect(text).not.toContain('Hand it out')
    } finally {
      await pinned.stop()
    }
  })
})
