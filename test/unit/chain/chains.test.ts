import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  addressUrl,
  chainById,
  entryPoint,
  knownDecimals,
  knownLaunchers,
  launchersSchema,
  numeraireSymbol,
  quoteKind,
  quoteTokenBySymbol,
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

test('a chain that is not in the table is named by its number, without an explorer', () => {
  const chain = chainById(999_999)
  expect(chain).toMatchObject({ id: 999_999, name: 'Chain 999999', slug: '999999' })
  expect(addressUrl(chain, address)).toBeUndefined()
  expect(tokenUrl(chain, address)).toBeUndefined()
})

test('the wrapped token of a chain’s coin is known, whatever the coin is called', () => {
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

test('the decimals of a numeraire are known if its symbol is', () => {
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

describe('the operator’s launchers', () => {
  const own = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const other = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

  function refusal(given: unknown): string {
    const read = launchersSchema.safeParse(given)
    return read.success ? 'taken' : read.error.issues.map(({ message }) => message).join('; ')
  }

  test('the known launchers are those of the chains that launches happen on', () => {
    expect(Object.keys(knownLaunchers).map(Number)).toEqual([
      1, 130, 143, 4326, 4663, 4801, 6343, 8453, 10143, 42161, 57073, 84532, 763373, 11155111,
    ])
    expect(knownLaunchers[8453]?.to).toBe('0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12')
  })

  test('the transaction goes to the Airlock on every chain but Robinhood Chain', () => {
    const apart = Object.entries(knownLaunchers).filter(([, { to, airlock }]) => to !== airlock)
    expect(apart).toEqual([
      [
        '4663',
        {
          to: '0x22e99278308B393ea1260859B181AD7E78f5eeED',
          airlock: '0xeb7C034704eF8Dcd2D32324c1545f62fB4aD0862',
          launch: '0x1Eef016F22A943abC7DD11422EDeE9D235942104',
          bundle: '0xEdE0B5fae363232c396724Fa962250Fa197cc5a1',
        },
      ],
    ])
  })

  test('a payload goes to the contract that has the function which it calls', () => {
    const launcher = { to: own, airlock: own, bundle: other } as const
    expect(entryPoint(launcher, 'create')).toBe(own)
    expect(entryPoint(launcher, undefined)).toBe(own)
    expect(entryPoint(launcher, 'bundle')).toBe(other)
    expect(entryPoint(launcher, 'launch')).toBeUndefined()
  })

  test('every known address has its checksum', () => {
    for (const addresses of Object.values(knownLaunchers).map((each) => Object.values(each))) {
      expect(addresses).toEqual(addresses.map((each) => getAddress(each)))
    }
  })

  test('the operator’s launchers are added to the known ones', () => {
    const launchers = launchersSchema.parse({ 8453: own, 31337: { to: own, airlock: other } })
    expect(launchers).toEqual({
      ...knownLaunchers,
      8453: { to: own, airlock: own },
      31337: { to: own, airlock: other },
    })
    expect(launchersSchema.parse({})).toEqual(knownLaunchers)
  })

  test('contracts that launch through a known Airlock go with that one alone', () => {
    const { airlock = own, bundle } = knownLaunchers[8453] ?? {}
    expect(launchersSchema.parse({ 8453: airlock })[8453]).toEqual(knownLaunchers[8453])
    const forwarding = launchersSchema.parse({ 8453: { to: own, airlock } })
    expect(forwarding[8453]).toEqual({ to: own, airlock, bundle })
    const set = launchersSchema.parse({ 8453: { to: own, airlock: own, bundle: other } })
    expect(set[8453]).toEqual({ to: own, airlock: own, bundle: other })
    expect(launchersSchema.parse({ 4663: { to: own, airlock: own, launch: other } })[4663]).toEqual(
      {
        to: own,
        airlock: own,
        launch: other,
      },
    )
  })

  test('an address in lower case comes out with its checksum', () => {
    expect(launchersSchema.parse({ 5: own.toLowerCase() })[5]).toEqual({ to: own, airlock: own })
  })

  describe('refused', () => {
    test('a wrong checksum, with the chain and the reason', () => {
      const wrong = own.replace('Ae', 'ae')
      expect(refusal({ 8453: wrong })).toMatch(/^8453: .*checksum/u)
      expect(refusal({ 8453: { to: own, airlock: wrong } })).toMatch(/^8453: .*checksum/u)
    })

    test('what is no address', () => {
      expect(refusal({ 8453: 'airlock' })).toBe(
        '8453: An address starts with 0x, followed by 40 characters.',
      )
    })

    test.each([
      ['a list', []],
      ['a text', own],
      ['nothing', null],
      ['a chain that is no number', { base: own }],
      ['a chain that begins with zero', { '08453': own }],
      ['half a pair', { 8453: { to: own } }],
      ['a pair with more', { 8453: { to: own, airlock: own, from: own } }],
      ['a number', { 8453: 5 }],
      ['a bundler that is none', { 8453: { to: own, airlock: own, bundle: 5 } }],
    ])('%s, with an example', (_, given) => {
      expect(refusal(given)).toContain('must be a JSON object by chain id, such as {"8453":"0x…"}')
    })
  })
})

describe('quote tokens of Robinhood Chain', () => {
  const robinhood = chainById(4663)
  const tokens = [
    ['USDG', '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168', 6, 'dollar'],
    ['TSLA', '0x322F0929c4625eD5bAd873c95208D54E1c003b2d', 18, 'other'],
    ['NVDAx3L', '0xF51fb54DE60f6e16252E852A5Ed0E60B8307606A', 18, 'other'],
    ['AI', '0x2E8c31162b855A2ffa90F6F8634643Ad6F111e18', 18, 'other'],
    ['WETH', '0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73', 18, 'ether'],
    ['ETH', `0x${'0'.repeat(40)}`, 18, 'ether'],
  ] as const

  test.each(tokens)('%s is known by its address and its symbol', (symbol, at, decimals, kind) => {
    expect(numeraireSymbol(robinhood, at)).toBe(symbol)
    expect(knownDecimals(robinhood, at)).toBe(decimals)
    expect(quoteKind(at)).toBe(kind)
    expect(quoteTokenBySymbol(robinhood, symbol.toLowerCase())).toBe(at)
    expect(quoteTokenBySymbol(robinhood, symbol.toUpperCase())).toBe(at)
  })

  test('all 68 are there, each with a symbol of its own', () => {
    const symbols = Object.values(robinhood.tokens).map(({ symbol }) => symbol.toUpperCase())
    expect(new Set([...symbols, robinhood.coin]).size).toBe(68)
    expect(symbols).toHaveLength(67)
  })

  test('are not those of other chains, and unknown symbols have no address', () => {
    expect(quoteTokenBySymbol(chainById(8453), 'TSLA')).toBeUndefined()
    expect(quoteTokenBySymbol(chainById(8453), 'usdc')).toBe(
      '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    )
    for (const symbol of ['', 'constructor', 'TSLAA', '__proto__'])
      expect(quoteTokenBySymbol(robinhood, symbol)).toBeUndefined()
  })
})
