import type { Address, Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { sqrtPriceAt } from '../../../src/chain/airlock/curve.ts'
import { type Effects, effectsOf } from '../../../src/chain/airlock/effects.ts'
import { decodePayload } from '../../../src/chain/airlock/modules.ts'
import { t } from '../../../src/core/view.ts'
import { rehearsePayload, storedRehearsal } from '../../../src/launch/check-built.ts'
import { isDeviation, type Row } from '../../../src/launch/table.ts'
import {
  type Check,
  checkSchema,
  type Rehearsal,
  type Verdict,
  verdictOf,
} from '../../../src/launch/verdict.ts'
import { hostileNames } from '../../hostile.ts'
import {
  book,
  builtAt,
  encode,
  encodeBundle,
  multicurve,
  read,
  sale,
  somebody,
  staticSale,
  tokenAddress,
  v3Pool,
} from '../chain/airlock/sdk.ts'
import { say } from './effects-sample.ts'

const wallet = somebody('ada')
const [bob, eve] = [somebody('bob'), somebody('eve')]
const manager = somebody('pool manager')
const dead: Address = '0x000000000000000000000000000000000000dEaD'
const dao = somebody('timelock')
const vesting = {
  duration: 31_536_000,
  cliffDuration: 0,
  recipients: [bob],
  amounts: [10n ** 26n],
}

const plain = encode(multicurve({ vesting }))
const governed = encode(multicurve({ vesting, governance: { type: 'default' } }))

function effectsIn(calldata: Hex): Effects {
  return effectsOf(read(calldata), { token: tokenAddress, quoteDecimals: 18 })
}

/** What a node shows of the plain launch. */
function rehearsal(changes: Partial<Rehearsal> = {}): Rehearsal {
  const { pool = 0n, rest = 0n } = effectsIn(plain)
  return {
    holders: [
      { address: manager, amount: String(pool) },
      { address: dead, amount: String(rest) },
      { address: tokenAddress, amount: String(10n ** 26n) },
    ],
    timelock: dead,
    governance: dead,
    integrator: somebody('integrator'),
    // The token stands above WETH, so that the price is that of the pool turned over.
    pool: { holders: [manager], sqrtPrice: String(sqrtPriceAt(180_000)), fee: 3000 },
    taken: { coins: '0', quote: '0' },
    ...changes,
  }
}

function checked(calldata: Hex, changes: Partial<Check> = {}): Check {
  const check: Check = {
    token: tokenAddress,
    quote: { symbol: 'WETH', known: true, decimals: 18 },
    protocol: somebody('protocol'),
    integrator: somebody('integrator'),
    now: builtAt - 3600,
    modules: read(calldata).modules.flatMap(({ module }) => module ?? []),
    asked: {
      vesting: [{ to: bob, percent: '10' }],
      shares: [
        { to: 'you', percent: '95' },
        { to: 'protocol', percent: '5' },
      ],
    },
    rehearsal: rehearsal(),
    metadata: { kind: 'same' },
    doubts: [],
    ...changes,
  }
  // As it is read from the store.
  return checkSchema.parse(JSON.parse(JSON.stringify(check)))
}

function tell(changes: Partial<Check> = {}, calldata = plain) {
  return inWords(verdictOf(calldata, wallet, checked(calldata, changes), 'ETH'))
}

/** A verdict with its reasons in words. */
function inWords({ rows, doubts, ...rest }: Verdict) {
  return {
    ...rest,
    doubts: doubts.map((doubt) => say(doubt)),
    rows: rows.map(({ why, ...row }) => ({ ...row, ...(why && { why: say(why) }) })),
  }
}

function seen(changes: Partial<Rehearsal>, calldata = plain) {
  return tell({ rehearsal: rehearsal(changes) }, calldata)
}

function rehearsedRows({ rows }: ReturnType<typeof tell>): string[] {
  return rows.filter((row) => row.rehearsed).map(({ key }) => key)
}

function departing({ rows }: ReturnType<typeof tell>): string[] {
  return rows.filter(isDeviation).map(({ key }) => key)
}

function wordsOf(key: string, told: ReturnType<typeof tell>): string {
  return say(told.rows.find((row) => row.key === key)?.does)
}

describe('a payload that does what was asked', () => {
  test('is verified, and what the rehearsal showed is marked', () => {
    const told = tell()
    expect(told.doubts).toEqual([])
    expect(rehearsedRows(told).sort()).toEqual(
      ['governance', 'integrator', 'opening', 'rest', 'sale', 'tradingFee', 'vesting'].sort(),
    )
  })

  test('is verified without a node, and nothing is marked as rehearsed', () => {
    const told = tell({ rehearsal: undefined })
    expect(told.doubts).toEqual([])
    expect(rehearsedRows(told)).toEqual([])
  })

  test('is verified where the node rounds otherwise in the ninth digit', () => {
    const { pool = 0n, rest = 0n } = effectsIn(plain)
    const holders = [
      { address: manager, amount: String(pool - 10n ** 17n) },
      { address: dead, amount: String(rest + 10n ** 17n) },
      { address: tokenAddress, amount: String(10n ** 26n) },
    ]
    expect(seen({ holders }).doubts).toEqual([])
  })
})

describe('the rehearsal contradicts', () => {
  const { pool = 0n, rest = 0n } = effectsIn(plain)
  const held = (...changes: [who: Address, amount: bigint][]) => {
    const usual: typeof changes = [
      [manager, pool],
      [dead, rest],
      [tokenAddress, 10n ** 26n],
    ]
    return [...new Map([...usual, ...changes])].map(([address, amount]) => ({
      address,
      amount: String(amount),
    }))
  }
  test.each<[what: string, rows: Row['key'][], changes: Partial<Rehearsal>]>([
    [
      'a pool that got less',
      ['sale', 'rest'],
      { holders: held([manager, pool - 10n ** 20n], [dead, rest + 10n ** 20n]) },
    ],
    [
      'a rest that went elsewhere',
      ['rest', 'stranger'],
      { holders: held([dead, 0n], [eve, rest]) },
    ],
    [
      'vesting that is not there',
      ['vesting', 'rest'],
      { holders: held([tokenAddress, 0n], [dead, rest + 10n ** 26n]) },
    ],
    [
      'somebody who decides',
      ['governance', 'rest'],
      { timelock: eve, holders: held([dead, 0n], [eve, rest]) },
    ],
    [
      'another opening price',
      ['opening'],
      { pool: { holders: [manager], sqrtPrice: String(sqrtPriceAt(179_999)) } },
    ],
    ['a pool without a price', ['opening'], { pool: { holders: [manager], sqrtPrice: '0' } }],
    ['no pool', ['sale', 'opening', 'stranger'], { pool: undefined }],
    ['another integrator', ['integrator'], { integrator: eve }],
    [
      'another fee',
      ['tradingFee'],
      { pool: { holders: [manager], sqrtPrice: String(sqrtPriceAt(180_000)), fee: 3001 } },
    ],
  ])('%s', (_, keys, changes) => {
    const told = seen(changes)
    expect(departing(told).sort()).toEqual([...keys].sort())
    expect(told.doubts.length).toBeGreaterThan(0)
    for (const row of told.rows.filter(isDeviation)) expect(row.why).toMatch(/simulation/u)
  })

  test('by a stranger who gets tokens, who is named first with how many', () => {
    const told = seen({ holders: held([dead, rest - 5n * 10n ** 17n], [eve, 5n * 10n ** 17n]) })
    const [first] = told.rows
    expect([say(first?.label), say(first?.does)]).toEqual(['Also gets tokens', 'EVE: 0.5 tokens'])
    expect(told.doubts[0]).toBe(
      'in the simulation an account gets tokens that the launch does not name',
    )
  })

  test.each<[string, Partial<Rehearsal>, string, string]>([
    [
      'coins that are taken',
      { taken: { coins: '1', quote: '0' } },
      'it takes more from your wallet than the network fee',
      'in the simulation it takes money from your wallet that the transaction does not send',
    ],
    [
      'quote tokens that are taken',
      { taken: { coins: '0', quote: '1' } },
      'it takes more from your wallet than the network fee',
      'in the simulation it takes money from your wallet that the transaction does not send',
    ],
  ])('with %s', (_, changes, words, why) => {
    const told = seen(changes)
    expect(say(told.rows[0]?.does)).toBe(words)
    expect(told.doubts).toEqual([why])
  })
})

describe('the rehearsal says nothing against', () => {
  test('a fee that a hook sets', () => {
    const pool = { holders: [manager], sqrtPrice: String(sqrtPriceAt(180_000)) }
    const told = seen({ pool })
    expect(told.doubts).toEqual([])
    expect(rehearsedRows(told)).not.toContain('tradingFee')
  })

  test('a DAO’s timelock, of which the address is known from it alone', () => {
    const { pool = 0n, rest = 0n } = effectsIn(governed)
    const holders = [
      { address: manager, amount: String(pool) },
      { address: dao, amount: String(rest) },
      { address: tokenAddress, amount: String(10n ** 26n) },
    ]
    expect(seen({ holders, timelock: dao }, governed).doubts).toEqual([])
    expect(departing(seen({}, governed)).sort()).toEqual(['governance', 'rest'])
  })

  test('an integrator that is the protocol where none is named', () => {
    const params = multicurve({ vesting, integrator: '0x0000000000000000000000000000000000000000' })
    const calldata = encode(params)
    expect(seen({ integrator: somebody('protocol') }, calldata).doubts).toEqual([])
    expect(departing(seen({ integrator: eve }, calldata))).toEqual(['integrator'])
  })
})

describe('the metadata', () => {
  test('were not checked, which keeps nothing from being verified', () => {
    const told = tell({ metadata: { kind: 'not checked', why: 'no gateway is set up\u200b' } })
    expect(wordsOf('metadata', told)).toBe('not checked: no gateway is set up\\u{200b}')
    expect(told.doubts).toEqual([])
  })

  test('are what was typed, with links of others: it is verified, and the fields are named', () => {
    const links = ['image_url', ...hostileNames.map(([, text]) => text)]
    const told = tell({ metadata: { kind: 'same', links } })
    expect(told.doubts).toEqual([])
    const words = wordsOf('metadata', told)
    expect(words).toMatch(/^checked, as you typed it\. It also has links .* in “image_url”, “/u)
    expect(words.split('”')).toHaveLength(6)
    expect(words).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
    expect(told.rows.find(({ key }) => key === 'metadata')?.state).toBe('unasked')
  })

  test('are not what was typed: it is not verified, and what differs is named', () => {
    const fields = [
      { name: 'description', typed: 'A bird.', found: 'A scam.' },
      ...hostileNames.map(([, text]) => ({ name: text, typed: text, found: text })),
    ]
    const told = tell({ metadata: { kind: 'different', fields } })
    expect(told.doubts).toHaveLength(1)
    expect(told.doubts[0]).toMatch(/^the metadata on IPFS is not what you typed: description, /u)
    const words = wordsOf('metadata', told)
    expect(words).toMatch(/^description: A scam\. \(you typed A bird\.\), /u)
    expect(words.split(' (you typed ')).toHaveLength(6)
    expect(words + told.doubts.join()).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
  })
})

describe('a picture', () => {
  test('that was not read back has a row, which keeps nothing from being verified', () => {
    const told = tell({ picture: 'not read back' })
    expect(wordsOf('picture', told)).toMatch(/^uploaded; not read back, /u)
    expect(told.doubts).toEqual([])
  })

  test('that is known has none', () => {
    expect(tell().rows.map(({ key }) => key)).not.toContain('picture')
  })
})

describe('the cost', () => {
  const gas = (cost: Check['cost']) => wordsOf('gas', tell({ cost }))

  test('is in the coin and in dollars, as far as they are known', () => {
    expect(gas({ gas: '5000000', price: '1000000000', usd: '3000' })).toBe(
      'about 0.005 ETH ($15.00), paid by your wallet',
    )
    expect(gas({ gas: '5000000', price: '1000000000' })).toBe(
      'about 0.005 ETH, paid by your wallet',
    )
    expect(gas({ gas: '5000000' })).toBe('about 5,000,000 gas, paid by your wallet')
    expect(tell().rows.some(({ key }) => key === 'gas')).toBe(false)
  })

  test('is warned of from the first unit of gas on that no transaction may use', () => {
    expect(gas({ gas: '16777216' })).not.toContain('more gas')
    const rows = (gas: string) => tell({ cost: { gas } }).rows.filter(({ first }) => first)
    expect(rows('16777216').map(({ key }) => key)).toEqual([])
    expect(rows('16777217').map(({ key }) => key)).toEqual(['gas'])
    expect(gas({ gas: '16777217' })).toContain(
      'more gas than one transaction may use (16.78M): the chain will refuse it',
    )
    expect(tell({ cost: { gas: '16777217' } }).doubts).toEqual([])
  })

  test.each([
    ['1', '1000000000000000000000000000000000000000', '3000'],
    ['9'.repeat(80), '9'.repeat(80), '1e300'],
    ['1', '1', 'a lot'],
  ])('is told whatever a node says: %s at %s', (amount, price, usd) => {
    expect(gas({ gas: amount, price, usd })).toMatch(/^about .* ETH.*, paid by your wallet/u)
  })
})

describe('a payload is not verified', () => {
  test('for a module that the check did not find', () => {
    const modules = read(plain)
      .modules.flatMap(({ module }) => module ?? [])
      .slice(1)
    expect(tell({ modules }).doubts[0]).toMatch(
      /^the token factory 0x[0-9a-fA-F]{40} is not one that is known on this chain$/u,
    )
  })

  test('for what speaks against it besides its bytes', () => {
    expect(tell({ doubts: ['no contract is known'] }).doubts).toEqual(['no contract is known'])
  })

  test('where nobody knows the decimals of its quote token: its prices can’t be told', () => {
    const told = tell({ quote: { symbol: 'ROTT', known: false } })
    expect(told.doubts).toContain(
      'its prices are unknown, because nothing says how many decimals its quote token has',
    )
    expect(told.rows.some(({ key }) => key === 'opening')).toBe(false)
  })

  test('where a row is not as asked, or unusual: named by its label, or by why', () => {
    const asked = { vesting: [], shares: [{ to: 'you', percent: '100' }] }
    const told = tell({ asked, quote: { symbol: 'X', known: false, decimals: 18 } })
    expect(told.doubts).toEqual([
      '“Vesting” is not what you asked for',
      'buyers pay with a token that this bot does not know',
      '“Trading fees go” is not what you asked for',
    ])
  })

  test('if it can’t be read: there is no table then, and all else that speaks against it is told', () => {
    const unreadable = 'it calls 0xdeadbeef, which is not a known way to launch a token'
    const read = (changes: Partial<Check>) =>
      inWords(verdictOf('0xdeadbeef', wallet, checked(plain, changes), 'ETH'))
    expect(read({})).toEqual({ rows: [], effects: undefined, doubts: [unreadable] })
    const fields = [{ name: 'name', typed: 'Moon Otter', found: 'Evil Otter' }]
    const metadata = { kind: 'different', fields } as const
    expect(read({ doubts: ['no contract is known'], metadata }).doubts).toEqual([
      unreadable,
      'no contract is known',
      'the metadata on IPFS is not what you typed: name',
    ])
  })
})

describe('a launch that buys in its own transaction', () => {
  test('is not verified, and all else that it does is told', async () => {
    const params = await staticSale({ pool: { ...v3Pool, fee: 10_000, startTick: 175_000 } })
    const calldata = encodeBundle(params, '0x0b00', ['0x12'])
    const decoded = decodePayload(calldata, book)
    if (!decoded.call) throw new Error(decoded.problems.join())
    const check: Check = {
      token: tokenAddress,
      quote: { symbol: 'WETH', known: true, decimals: 18 },
      now: 1_700_000_000,
      modules: decoded.modules.flatMap(({ module }) => module ?? []),
      asked: {},
      metadata: { kind: 'same' },
      doubts: [],
    }
    const { doubts, rows } = verdictOf(calldata, wallet, check, 'ETH')
    expect(doubts[0]).toEqual(t('terms-why-purchase'))
    const plainly = verdictOf(encode(params), wallet, check, 'ETH')
    expect(plainly.doubts).toEqual(doubts.slice(1))
    expect(rows).toEqual(plainly.rows)
  })
})

test('of a rehearsal what leaves the wallet is kept', () => {
  const pool = somebody('pool')
  const nobody = somebody('nobody')
  const pools = { pool, migrationPool: pool, poolInitializer: pool, liquidityMigrator: pool }
  const owners = { timelock: dead, governance: dead, integrator: nobody, numeraire: nobody }
  const amounts = { numTokensToSell: 1n, totalSupply: 1n }
  const rehearsed = {
    holders: [],
    supply: 1n,
    pool: undefined,
    assetData: { ...pools, ...owners, ...amounts },
    protocol: nobody,
    coins: [{ from: wallet, to: pool, amount: 7n }],
    moved: [
      { from: wallet, to: nobody, amount: 2n },
      { from: wallet, to: pool, amount: 3n },
      { from: nobody, to: wallet, amount: 100n },
    ],
  }
  expect(storedRehearsal(rehearsed, wallet).taken).toEqual({ coins: '7', quote: '5' })
})

test('a payload is rehearsed as it will be sent: by the wallet', async () => {
  const to = somebody('launcher')
  const sent = { to, airlock: to, calldata: plain, wallet, token: tokenAddress }
  const asked: unknown[] = []
  const rehearse = async (subject: unknown) => {
    asked.push(subject)
    return { kind: 'refused', reason: t('refused-silent') } as const
  }
  await rehearsePayload({ rehearse }, sent, read(plain))
  expect(asked).toMatchObject([
    {
      to,
      airlock: to,
      calldata: plain,
      from: wallet,
      token: tokenAddress,
      quote: sale.numeraire,
      supply: effectsIn(plain).supply,
    },
  ])
})
