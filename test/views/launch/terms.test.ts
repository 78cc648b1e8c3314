import { describe, expect, test } from 'vitest'
import { chainById } from '../../../src/chain/chains.ts'
import type { LaunchTerms } from '../../../src/chain/launch/terms.ts'
import type { Departure } from '../../../src/launch/departures.ts'
import { type TermsParts, termsBlocks } from '../../../src/views/launch/terms.ts'
import { shown } from '../shown.ts'

const account = (digit: string) => `0x${digit.repeat(40)}` as const
const whole = 10n ** 18n

const said: LaunchTerms = {
  supply: 10n ** 27n,
  numTokensToSell: 6n * 10n ** 26n,
  numeraire: account('0'),
  integrator: account('9'),
  modules: {
    tokenFactory: account('a'),
    governanceFactory: account('b'),
    poolInitializer: account('c'),
    liquidityMigrator: account('d'),
  },
  unread: { governanceFactory: 0, liquidityMigrator: 0 },
  token: {
    layout: 'DERC20',
    name: 'Moon Otter',
    symbol: 'OTTER',
    uri: 'ipfs://x',
    vesting: [
      { recipient: account('2'), amount: 1_500_000_000_000_000_000n, duration: 0n },
      { recipient: account('1'), amount: 5n * whole, cliff: 86_400n, duration: 31_536_000n },
    ],
  },
  pool: {
    layout: 'multicurve',
    beneficiaries: [
      { beneficiary: account('2'), shares: whole / 20n },
      { beneficiary: account('1'), shares: (whole * 935n) / 1000n },
      { beneficiary: account('9'), shares: (whole * 15n) / 1000n },
    ],
  },
}

function lines(changes: Partial<TermsParts> = {}): string[] {
  const parts: TermsParts = {
    payload: {
      to: account('e'),
      airlock: account('e'),
      token: account('f'),
      simulation: { kind: 'passed', gas: '3400000' },
    },
    said,
    chain: chainById(8453),
    own: [account('1')],
    departures: [],
    integrator: account('9'),
    digest: '0x1234 … abcd',
    ...changes,
  }
  return shown({ title: [], blocks: termsBlocks(parts) }).filter((line) => line !== '')
}

test('everything is said in words, the person’s own shares first', () => {
  expect(lines()).toEqual([
    'Supply: 1,000,000,000 tokens',
    'For sale: 600,000,000 (60 %)',
    'Paid in: ETH',
    'Chain: Base (8453)',
    'Token address: 0xffff…ffff',
    'Contract: 0xeeee…eeee',
    'Calldata digest: 0x1234 … abcd',
    'Vesting 1: 5 to you (0x1111…1111), over 365 days, none before 1 day',
    'Vesting 2: 1.5 to 0x2222…2222, at once',
    'Fees 1: 93.5 % to you (0x1111…1111)',
    'Fees 2: 5 % to 0x2222…2222',
    'Fees 3: 1.5 % to 0x9999…9999 (the integrator)',
    'Integrator: 0x9999…9999 (the one that is set for this bot)',
    'Simulation: passed, about 3,400,000 gas',
    'Your wallet pays the gas. The bot takes nothing. The integrator gets 1.5 % of the fees.',
  ])
})

test('parts with a layout that is not known say so, and are no “nobody”', () => {
  const told = lines({ said: { ...said, token: undefined, pool: undefined } }).join('\n')
  expect(told).toContain('Token: not recognised')
  expect(told).toContain('Vesting: not recognised')
  expect(told).toContain('Fees: not recognised')
  expect(told).not.toContain('nobody')
})

test('calldata that can’t be read leave what is known without it', () => {
  const told = lines({ said: undefined })
  expect(told[0]).toBe('Chain: Base (8453)')
  expect(told.join('\n')).not.toContain('Supply')
})

test('where the launcher forwards, both contracts are named', () => {
  const payload = {
    to: account('e'),
    airlock: account('d'),
    token: undefined,
    simulation: { kind: 'none' as const, reason: 'no node is set up' },
  }
  const told = lines({ payload })
  expect(told).toContain('Forwards to: 0xdddd…dddd')
  expect(told).toContain('Token address: not known before the launch')
  expect(told).toContain('Not simulated: no node is set up')
})

test('what departs from the answers comes before all else, asked and given side by side', () => {
  const departures: Departure[] = [
    { of: 'fees', who: 'you', asked: (whole * 95n) / 100n, gets: whole / 2n },
    { of: 'fees', who: 'others', asked: whole / 20n, gets: whole / 2n },
    { of: 'fees', who: 'all', asked: whole, gets: 2n * whole },
    { of: 'fees', who: account('8'), asked: whole / 10n, gets: undefined },
    { of: 'vesting', who: account('7'), asked: 1000n * whole, gets: 0n },
    { of: 'vesting', who: 'others', asked: 0n, gets: 5n * whole },
  ]
  expect(lines({ departures }).slice(0, 8)).toEqual([
    'It does not give what you confirmed:',
    'Fees to you: asked 95 %, gets 50 %',
    'Fees to others: asked at most 5 %, get 50 %',
    'Fees, all together: asked 100 %, gets 200 %',
    'Fees to 0x8888…8888: asked 10 %, what it gets is not told in these data',
    'Vesting to 0x7777…7777: asked 1,000 tokens, gets nothing',
    'Vesting to others: asked nothing, get 5 tokens',
    'Supply: 1,000,000,000 tokens',
  ])
})

test('of many departures the first are shown and the rest is counted', () => {
  const departures = Array.from(
    { length: 13 },
    (): Departure => ({ of: 'vesting', who: account('7'), asked: whole, gets: 0n }),
  )
  expect(lines({ departures })[11]).toBe('And: 3 more that get other than was asked')
})

test('fees of a pool that does not tell of them are not said to be nobody’s', () => {
  const told = lines({ said: { ...said, pool: { layout: 'dynamic' } } })
  expect(told).toContain('Fees: not told in these data')
})

test('what can thin out, hold up or redirect is told', () => {
  const token: LaunchTerms['token'] = {
    layout: 'DopplerERC20V1',
    name: 'Moon Otter',
    symbol: 'OTTER',
    uri: 'ipfs://x',
    vesting: [],
    yearlyMintRate: 10n * whole,
    controller: account('7'),
    balanceLimit: {
      most: 2000n * whole,
      until: 1_800_000_000,
      excluded: [account('1'), account('2'), account('3'), account('4')],
    },
  }
  const pool: LaunchTerms['pool'] = {
    layout: 'hook initializer',
    beneficiaries: [],
    hook: { address: account('6'), size: 96 },
  }
  const unread = { governanceFactory: 192, liquidityMigrator: 1024 }
  const told = lines({ said: { ...said, token, pool, unread } })
  const from = told.indexOf('Minted later: up to 1,000 % of the supply a year')
  expect(told.slice(from + 1, from + 7)).toEqual([
    'Controller of the token: 0x7777…7777',
    expect.stringMatching(/^Most in one account: 2,000 tokens, until \S/u),
    'Free of that limit: you (0x1111…1111), 0x2222…2222, 0x3333…3333 and 1 more',
    'Hook in each trade: 0x6666…6666, with data of its own, which are not read here (96 bytes)',
    'Migrator: has data of its own, which are not read here (1,024 bytes)',
    'Governance: has data of its own, which are not read here (192 bytes)',
  ])
})

test('a limit without an end that a clock could show has none', () => {
  const balanceLimit = { most: whole, until: 2 ** 48 - 1, excluded: [] }
  const token = said.token && { ...said.token, balanceLimit, controller: account('0') }
  const told = lines({ said: { ...said, token } })
  expect(told).toContain('Most in one account: 1 tokens')
  expect(told.join('\n')).not.toContain('Controller')
})

test('what the data source did not repeat is named', () => {
  const payload = {
    to: account('e'),
    airlock: account('e'),
    token: account('f'),
    simulation: { kind: 'passed' as const, gas: '1' },
    unchecked: ['salt', 'numeraire'],
  }
  expect(lines({ payload }).join('\n')).toContain('did not repeat them: salt, numeraire.')
})

describe('of many rows', () => {
  const dust = (digit: string) => ({ beneficiary: account(digit), shares: whole / 1000n })
  const feesOf = (...beneficiaries: { beneficiary: `0x${string}`; shares: bigint }[]) =>
    lines({ said: { ...said, pool: { layout: 'multicurve', beneficiaries } } }).filter((line) =>
      line.startsWith('Fees'),
    )

  test('the largest are shown, and the rest is summed up', () => {
    const large = { beneficiary: account('e'), shares: (whole * 992n) / 1000n }
    expect(feesOf(...'12345678'.split('').map(dust), large)).toEqual([
      'Fees 1: 0.1 % to you (0x1111…1111)',
      'Fees 2: 99.2 % to 0xeeee…eeee',
      'Fees 3: 0.1 % to 0x2222…2222',
      'Fees 4: 0.1 % to 0x3333…3333',
      'Fees 5: 0.1 % to 0x4444…4444',
      'Fees 6: 0.1 % to 0x5555…5555',
      'Fees: 3 more: 0.3 % together, in the raw payload',
    ])
  })

  test('a crowd of one’s own does not hide who gets more', () => {
    const large = { beneficiary: account('e'), shares: (whole * 992n) / 1000n }
    expect(feesOf(...'11111111'.split('').map(dust), large)[2]).toBe(
      'Fees 3: 99.2 % to 0xeeee…eeee',
    )
  })

  test('what vests is summed up in tokens', () => {
    const vesting = Array.from({ length: 9 }, (_, index) => ({
      recipient: account(String(index + 1)),
      amount: BigInt(index + 1) * whole,
      duration: 0n,
    }))
    const token = said.token && { ...said.token, vesting }
    const told = lines({ said: { ...said, token } })
    expect(told).toContain('Vesting 2: 9 to 0x9999…9999, at once')
    expect(told).toContain('Vesting: 3 more: 9 tokens together, in the raw payload')
  })
})

test('an integrator that is nobody is called so', () => {
  expect(lines({ said: { ...said, integrator: account('0') } })).toContain('Integrator: nobody')
})
