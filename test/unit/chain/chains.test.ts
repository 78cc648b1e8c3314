import { describe, expect, test } from 'vitest'
import {
  addressUrl,
  chainById,
  knownDecimals,
  knownLaunchers,
  numeraireSymbol,
  tokenUrl,
  wrappedCoin,
} from '../../../src/chain/chains.ts'

const address = '0x4200000000000000000000000000000000000006'

test('a known chain has a name and an explorer', () => {
  const base = chainById(8453)
  expect(base).toMatchObject({ id: 8453, name: 'Base', slug: 'base', coin: 'ETH' })
  expect(addressUrl(base, address)).toBe(`https://basescan.org/address/${address}`)
  expect(tokenUrl(base, address)).toBe(`https://basescan.org/token/${address}`)
})

test.each(Object.keys(knownLaunchers).map(Number))(
  'chain %i, for which a launcher is known, is in the table',
  (id) => {
    const chain = chainById(id)
    expect(chain.name).not.toBe(`Chain ${id}`)
    expect(chain.explorer).toMatch(/^https:\/\/[a-z0-9.-]+$/u)
    expect(chain.slug).toMatch(/^[a-z0-9-]+$/u)
    expect(Object.keys(chain.tokens)).toEqual(
      Object.keys(chain.tokens).map((key) => key.toLowerCase()),
    )
  },
)

test('a chain that the table lacks works under its number, without an explorer', () => {
  const chain = chainById(999_999)
  expect(chain).toMatchObject({ id: 999_999, name: 'Chain 999999', slug: '999999' })
  expect(addressUrl(chain, address)).toBeUndefined()
  expect(tokenUrl(chain, address)).toBeUndefined()
})

test('the token that stands for a chain’s own coin is known, whatever that is called', () => {
  expect(wrappedCoin(chainById(8453))).toBe(address)
  expect(wrappedCoin(chainById(143))).toBe('0x3bd359C1119dA7Da1D913D1C4D2B7c461115433A')
  expect(wrappedCoin(chainById(999_999))).toBeUndefined()
})

describe('the symbol of a numeraire', () => {
  const base = chainById(8453)
  test.each([
    [address, 'WETH'],
    ['0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'USDC'],
    [`0x${'0'.repeat(40)}`, 'ETH'],
    [`0x${'5'.repeat(40)}`, undefined],
    ['constructor', undefined],
    ['__proto__', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s is %s', (numeraire, symbol) => {
    expect(numeraireSymbol(base, numeraire)).toBe(symbol)
  })
})

test('the decimals of a numeraire are known where its symbol is', () => {
  const base = chainById(8453)
  expect(knownDecimals(base, address)).toBe(18)
  expect(knownDecimals(base, `0x${'0'.repeat(40)}`)).toBe(18)
  expect(knownDecimals(base, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')).toBe(6)
  expect(knownDecimals(base, `0x${'5'.repeat(40)}`)).toBeUndefined()
})

test('a chain whose coin is worth nothing is a testnet', () => {
  const testnets = Object.keys(knownLaunchers)
    .map(Number)
    .filter((id) => chainById(id).testnet)
  expect(testnets).toEqual([4801, 6343, 10143, 84532, 763373, 11155111])
})
