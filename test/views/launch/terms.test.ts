import { expect, test } from 'vitest'
import { chainById } from '../../../src/chain/chains.ts'
import type { LaunchTerms } from '../../../src/chain/launch/terms.ts'
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
    asked: { vesting: [], fees: [] },
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
    'Your wallet pays the gas. The bot takes nothing. The integrator gets 1.5 % of the fees, as above.',
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

test('what was asked for and is not in the calldata is pointed out', () => {
  const told = lines({ asked: { vesting: [account('7'), account('1')], fees: [account('8')] } })
  const from = told.indexOf('You asked for it, but the payload does not give it:')
  expect(told.slice(from + 1, from + 3)).toEqual([
    'Vesting to: 0x7777…7777',
    'Fees to: 0x8888…8888',
  ])
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

test('of many rows the first are shown and the rest is counted', () => {
  const beneficiaries = Array.from({ length: 9 }, (_, index) => ({
    beneficiary: account(String(index + 1)),
    shares: whole / 9n,
  }))
  const told = lines({ said: { ...said, pool: { layout: 'multicurve', beneficiaries } } })
  expect(told.filter((line) => line.startsWith('Fees'))).toHaveLength(7)
  expect(told).toContain('Fees: 3 more, in the raw payload')
})

test('an integrator that is nobody is called so', () => {
  expect(lines({ said: { ...said, integrator: account('0') } })).toContain('Integrator: nobody')
})
