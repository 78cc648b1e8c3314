import {
  type Address,
  decodeEventLog,
  encodeAbiParameters,
  encodeFunctionData,
  encodeFunctionResult,
  getAddress,
  type Hex,
  parseAbi,
  parseAbiParameters,
  parseEther,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { moduleAt, wrappedCoin } from '../../../sandbox/chain/modules.ts'
import { type Asset, assetSchema } from '../../../src/api/schema.ts'
import type { CreateParams } from '../../../src/chain/airlock/calldata.ts'
import { curvePositions, decimal, priceAt, sqrtPriceAt } from '../../../src/chain/airlock/curve.ts'
import { traderAbi, traderCode } from '../../../src/chain/airlock/rehearsed-launch.ts'
import { ChainNode } from '../../../src/chain/node.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import { ChainReader, readFacts } from '../../../src/doctor/facts.ts'
import { launcher, type Stage, startStage } from '../chain/airlock/rehearsing.ts'
import {
  airlockAbi,
  beneficiaries,
  curves,
  dynamicData,
  encodeCreate,
  poolLayouts,
  somebody,
} from '../chain/airlock/sample.ts'
import { reply, serveNode, serveProvider } from '../chain/node-server.ts'
import { paramsOn, salt } from '../chain/on-chain.ts'

const chainId = 4663
const { airlock } = launcher
const trader = somebody('trader')
const managerAbi = parseAbi([
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'struct SwapParams { bool zeroForOne; int256 amountSpecified; uint160 sqrtPriceLimitX96; }',
  'function swap(PoolKey key, SwapParams params, bytes hookData) returns (int256)',
  'function extsload(bytes32 slot) view returns (bytes32)',
])
const positionsAbi = parseAbi([
  'struct Position { int24 tickLower; int24 tickUpper; uint128 liquidity; bytes32 salt; }',
  'function getPositions(address asset) view returns (Position[])',
])

let stage: Stage
let salts = 0

beforeAll(async () => {
  stage = await startStage()
})

afterAll(() => stage.chain.stop())

/** Each salt makes another token. */
function unusedSalt(): Hex {
  salts += 1
  return salt(salts)
}

/** Launches for real and says which token came of it. */
async function launch(
  changes: Partial<CreateParams> = {},
): Promise<{ asset: Address; pool: Address }> {
  const params = paramsOn(stage.chain, { salt: unusedSalt(), ...changes })
  const { logs } = await stage.hands.send(launcher.to, encodeCreate(params))
  const [created] = logs
    .filter(({ address }) => getAddress(address) === getAddress(airlock))
    .map(({ topics, data }) => decodeEventLog({ abi: airlockAbi, topics, data }).args)
  if (!created) throw new Error('nothing was launched')
  return { asset: created.asset, pool: created.poolOrHook }
}

function listed(asset: Address, more: object = {}): Asset {
  return assetSchema.parse({ asset_address: asset, ...more })
}

function nodeAt(rpcUrl = stage.chain.rpcUrl): ChainNode {
  return new ChainNode({ rpcUrl, chainId })
}

function truthOf(asset: Address, node = nodeAt()) {
  return readFacts({ node, airlock }, listed(asset))
}

function priceAtTick(tick: number, isToken0: boolean): string {
  return decimal(priceAt(sqrtPriceAt(tick), isToken0), 18)
}

const call = z.tuple([z.object({ to: z.string(), data: z.templateLiteral(['0x', z.string()]) })])

/** A provider that answers the calls of some views itself, by their signature, with data or with an error. */
function instead(views: Record<string, (data: Hex, to: string) => Hex | Error | undefined>) {
  const bySelector = new Map(
    Object.entries(views).map(([signature, answer]) => [toFunctionSelector(signature), answer]),
  )
  return serveProvider(stage.chain, ({ method, params }) => {
    if (method !== 'eth_call') return undefined
    const [{ to, data }] = call.parse(params.slice(0, 1))
    const said = bySelector.get(`0x${data.slice(2, 10)}`)?.(data, to.toLowerCase())
    if (said === undefined) return undefined
    return said instanceof Error ? { error: { code: 3, message: said.message } } : { result: said }
  })
}

function number(value: bigint): Hex {
  return encodeAbiParameters(parseAbiParameters('uint256'), [value])
}

const plain = {
  tokenDecimals: 18,
  quoteDecimals: 18,
  supply: '1000000000',
  toSell: '600000000',
}
const scheduledData = encodeAbiParameters(
  parseAbiParameters([
    'InitData data',
    'struct InitData { uint24 fee; int24 tickSpacing; Curve[] curves; Beneficiary[] beneficiaries; uint32 startingTime; }',
    'struct Curve { int24 tickLower; int24 tickUpper; uint16 numPositions; uint256 shares; }',
    'struct Beneficiary { address beneficiary; uint96 shares; }',
  ]),
  [{ fee: 3000, tickSpacing: 200, curves, beneficiaries, startingTime: 4_000_000_000 }],
)
const hookData = encodeAbiParameters(poolLayouts.hook, [
  {
    fee: 3000,
    tickSpacing: 200,
    farTick: -130_000,
    curves,
    beneficiaries,
    dopplerHook: zeroAddress,
    onInitializationData: '0x',
    graduationData: '0x1234',
  },
])

describe('the price and the amounts of a sale', () => {
  test.each<[string, Partial<CreateParams>]>([
    ['a multicurve', {}],
    [
      'a scheduled multicurve',
      {
        poolInitializer: moduleAt('UniswapV4ScheduledMulticurveInitializer'),
        poolInitializerData: scheduledData,
      },
    ],
    [
      'a multicurve with a hook, whose initializer stores more',
      {
        poolInitializer: moduleAt('DopplerHookInitializer'),
        poolInitializerData: hookData,
      },
    ],
  ])('of %s', async (_, changes) => {
    const { asset } = await launch(changes)
    const price = priceAtTick(180_000, false)
    expect(price).toMatch(/^0\.0000000152436919819/u)
    expect(await truthOf(asset)).toEqual({ asset, ...plain, price })
  })

  test.each([['below'], ['above']])(
    'of a pool of Uniswap V3 whose token is %s its quote token',
    async (side) => {
      const { asset } = await v3(side === 'below')
      const price = priceAtTick(side === 'below' ? -180_000 : 180_000, side === 'below')
      expect(price).toMatch(/^0\.00000001524/u)
      expect(await truthOf(asset)).toEqual({ asset, ...plain, price })
    },
  )

  test('of an auction: its hook says what is sold and raised without fees', async () => {
    const { asset, pool } = await auction()
    const price = priceAtTick(160_000, false)
    const fresh = { asset, ...plain, price, sold: '0', raised: '0' }
    expect(await truthOf(asset)).toEqual(fresh)
    const got = await trade(asset, pool, 'buy', parseEther('0.5'))
    const raised = '0.4985'
    expect(await truthOf(asset)).toEqual({ ...fresh, raised, sold: decimal(ratio(got), 40) })
    await trade(asset, pool, 'sell', got / 2n)
    const { sold, raised: left } = (await truthOf(asset)) ?? {}
    expect(Number(sold)).toBeCloseTo((Number(got) / 1e18) * (1 - 0.997 / 2), 3)
    expect(Number(left)).toBeCloseTo(0.4985 * (1 - 0.997 / 2), 9)
  })

  test.each([
    ['first', true],
    ['second', false],
  ])(
    'of a curve whose token comes %s follow from its positions and the price',
    async (_, first) => {
      const { asset } = await launch(first ? await below(wrappedCoin) : { numeraire: zeroAddress })
      const supply = 6n * 10n ** 26n
      const positions = curvePositions(curves, 200, supply, first)
      const tick = first ? -150_000 : 150_000
      await using provider = await instead({
        'getPositions(address)': () =>
          encodeFunctionResult({
            abi: positionsAbi,
            functionName: 'getPositions',
            result: positions.map((each) => ({ ...each, salt: salt(0) })),
          }),
        'extsload(bytes32)': () => number(sqrtPriceAt(tick)),
      })
      const truth = await truthOf(asset, nodeAt(provider.url))
      // Each of ten positions begins a tenth further on; all end where 1.0001^tick is -120000.
      const root = (at: number) => 1.0001 ** (at / 2)
      let [sold, raised] = [0, 0]
      for (let index = 0; index < 10; index += 1) {
        const start = -180_000 + index * 6000
        const liquidity = 6e7 / (1 / root(start) - 1 / root(-120_000))
        const until = Math.max(start, -150_000)
        sold += liquidity * (1 / root(start) - 1 / root(until))
        raised += liquidity * (root(until) - root(start))
      }
      expect(Number(truth?.sold) / sold).toBeCloseTo(1, 6)
      expect(Number(truth?.raised) / raised).toBeCloseTo(1, 6)
      expect(truth).toMatchObject({ ...plain, price: priceAtTick(tick, first) })
    },
  )

  test('of a V3 curve follow from what its initializer stores', async () => {
    const { asset } = await v3(false)
    const state = parseAbiParameters(
      'address, address, int24, int24, uint16, bool, bool, uint256, uint256',
    )
    const stored = [asset, wrappedCoin, 120_000, 180_000, 10, true, false] as const
    await using provider = await instead({
      'getState(address)': () =>
        encodeAbiParameters(state, [...stored, parseEther('0.5'), 6n * 10n ** 26n]),
      'slot0()': () => number(sqrtPriceAt(120_000)),
    })
    const truth = await truthOf(asset, nodeAt(provider.url))
    // At the far end half of the tokens are sold, and nothing of the rest behind it.
    expect(Number(truth?.sold)).toBeCloseTo(3e8, 3)
    expect(Number(truth?.raised)).toBeGreaterThan(100)
    // The lockable initializer stores a shape that leaves the positions open.
    await using lockable = await instead({
      'getState(address)': () =>
        encodeAbiParameters(
          parseAbiParameters('address, address, int24, int24, uint256, uint256, uint8'),
          [asset, wrappedCoin, 120_000, 180_000, parseEther('0.5'), 6n * 10n ** 26n, 2],
        ),
    })
    expect(await truthOf(asset, nodeAt(lockable.url))).toEqual({
      asset,
      ...plain,
      price: priceAtTick(180_000, false),
    })
  })
})

describe('what depends on decimals', () => {
  test('is counted in those of the quote token', async () => {
    const { asset } = await launch({ numeraire: wrappedCoin })
    await using provider = await instead({
      'decimals()': (_, to) => (to === wrappedCoin.toLowerCase() ? number(6n) : undefined),
    })
    const plainPrice = Number((await truthOf(asset))?.price)
    const truth = await truthOf(asset, nodeAt(provider.url))
    expect(truth).toMatchObject({ tokenDecimals: 18, quoteDecimals: 6 })
    expect(Number(truth?.price) / plainPrice).toBeCloseTo(1e12, -3)
    expect(truth?.price).not.toMatch(/e/iu)
  })

  test.each([
    ['too many', number(78n)],
    ['a word that is no number of decimals', number(2n ** 256n - 1n)],
    ['half a word', `0x${'00'.repeat(16)}` as const],
    ['a word and a half', `0x${'00'.repeat(31)}12${'00'.repeat(16)}` as const],
    ['nothing', '0x' as const],
  ])('is absent if the token says %s', async (_, said) => {
    const { asset } = await auction()
    await using provider = await instead({
      'decimals()': () => said,
    })
    expect(await truthOf(asset, nodeAt(provider.url))).toEqual({
      asset,
      quoteDecimals: 18,
      raised: '0',
    })
  })
})

describe('what can’t be read', () => {
  test('is the price of an asset that graduated: its auction’s totals stay', async () => {
    const sale = await auction()
    const curve = await launch()
    await using provider = await instead({
      'owner()': () => encodeAbiParameters(parseAbiParameters('address'), [somebody('timelock')]),
    })
    const node = nodeAt(provider.url)
    expect(await truthOf(sale.asset, node)).toEqual({
      asset: sale.asset,
      ...plain,
      sold: '0',
      raised: '0',
    })
    expect(await truthOf(curve.asset, node)).toEqual({ asset: curve.asset, ...plain })
  })

  const parts = {
    'totalSupply()': ['supply'],
    'decimals()': ['tokenDecimals', 'supply', 'toSell', 'sold', 'price'],
    'getAssetData(address)': ['toSell', 'sold', 'price', 'raised', 'quoteDecimals'],
    'owner()': ['price'],
    'state()': ['sold', 'raised', 'price'],
    'poolKey()': ['price'],
    'poolManager()': ['price'],
    'extsload(bytes32)': ['price'],
  }

  test.each(Object.entries(parts))('affects no other part: %s', async (signature, gone) => {
    const { asset } = await auction()
    const whole = await truthOf(asset)
    expect(Object.values(whole ?? {})).toHaveLength(8)
    const left = Object.entries(whole ?? {}).filter(([part]) => !gone.includes(part))
    for (const answer of [new Error('execution reverted'), '0x', '0x1234'] as const) {
      await using provider = await instead({ [signature]: () => answer })
      expect(await truthOf(asset, nodeAt(provider.url))).toEqual(Object.fromEntries(left))
    }
  })

  test('is everything of an address without a token', async () => {
    expect(await truthOf(somebody('nobody'))).toBeUndefined()
  })

  test('is the sale of a token that another contract launched', async () => {
    const { asset } = await launch()
    const source = { node: nodeAt(), airlock: somebody('another') }
    const inCoins = listed(asset, { asset_numeraire_address: zeroAddress })
    const { tokenDecimals, quoteDecimals, supply } = plain
    expect(await readFacts(source, inCoins)).toEqual({
      asset,
      tokenDecimals,
      quoteDecimals,
      supply,
    })
    const without = { ...source, airlock: undefined }
    expect(await readFacts(without, listed(asset))).toEqual({ asset, tokenDecimals, supply })
  })

  test('is told apart from a node that fails, or is one of another chain', async () => {
    const { asset } = await launch()
    await using broken = await serveNode((_, response) => {
      response.writeHead(503).end()
    })
    const unavailable = { kind: 'unavailable' }
    await expect(truthOf(asset, nodeAt(broken.url))).rejects.toMatchObject(unavailable)
    const other = new ChainNode({ rpcUrl: stage.chain.rpcUrl, chainId: 8453 })
    await expect(truthOf(asset, other)).rejects.toMatchObject({ kind: 'wrong-chain' })
  })
})

describe('a node', () => {
  test('gets at most twelve calls for an asset', async () => {
    const launches = [await auction(), await v3(false), await launch()]
    for (const { asset } of launches) {
      await using provider = await instead({})
      await truthOf(asset, nodeAt(provider.url))
      const views = provider.asked.filter(({ method }) => method === 'eth_call')
      expect(views.length).toBeLessThanOrEqual(12)
    }
  })

  test('is asked about five assets: those of different quote tokens first, with the most informative auctions', async () => {
    await using node = await serveNode((question, response) => {
      const isChain = question.method === 'eth_chainId'
      reply(response, question, { result: isChain ? `0x${chainId.toString(16)}` : number(18n) })
    })
    const asset = (word: string, quote: string, amounts: number, more: object = {}) =>
      listed(somebody(word), {
        asset_numeraire_address: somebody(quote),
        auction_pool: {
          pool_current_price: amounts > 0 ? '1' : '0',
          pool_current_total_proceeds: amounts > 1 ? '2.5' : null,
          pool_market_data: { pool_price: amounts > 2 ? '3' : '0' },
        },
        ...more,
      })
    const graduated = {
      graduation_pool: { pool_address: somebody('pool'), pool_current_price: '1' },
    }
    const reader = new ChainReader({
      rpcUrls: { [chainId]: node.url },
      settings: { launchers: {} },
    })
    const { facts } = await reader.read(chainId, [
      asset('graduated', 'weth', 3, graduated),
      asset('empty', 'weth', 0),
      asset('some', 'weth', 2),
      asset('little', 'weth', 1),
      asset('most', 'weth', 3),
      asset('dollars', 'usdc', 1),
      asset('graduated dollars', 'usdc', 3, graduated),
      asset('stock', 'share', 0),
    ])
    const words = ['most', 'dollars', 'stock', 'some', 'graduated dollars']
    expect(facts.map(({ asset: read }) => read)).toEqual(words.map(somebody))
  })
})

/** An auction that starts in a minute, in the chain's coin. */
async function auction(): Promise<{ asset: Address; pool: Address }> {
  const { timestamp } = await stage.hands.client.getBlock()
  const starts = timestamp + 60n
  return launch({
    poolInitializer: moduleAt('UniswapV4Initializer'),
    poolInitializerData: dynamicData(starts, starts + 86_400n),
  })
}

/** A salt whose token is below its quote token, or above it. */
async function below(numeraire: Address, isBelow = true): Promise<Partial<CreateParams>> {
  for (;;) {
    const changes = { salt: unusedSalt(), numeraire }
    const rehearsal = await stage.rehearse(paramsOn(stage.chain, changes))
    if (rehearsal.kind === 'refused') throw new Error(plainText(rehearsal.reason))
    if (BigInt(rehearsal.asset) < BigInt(numeraire) === isBelow) return changes
  }
}

/** A curve on Uniswap V3 that opens where the price is lowest. */
async function v3(isBelow: boolean) {
  const [tickLower, tickUpper] = isBelow ? [-180_000, -120_000] : [120_000, 180_000]
  const data = parseAbiParameters('uint24, int24, int24, uint16, uint256')
  return launch({
    ...(await below(wrappedCoin, isBelow)),
    poolInitializer: moduleAt('UniswapV3Initializer'),
    poolInitializerData: encodeAbiParameters(data, [
      3000,
      tickLower,
      tickUpper,
      10,
      parseEther('0.5'),
    ]),
  })
}

/** Buys for coins, or sells, tokens of an auction that has begun; the trader's tokens afterwards. */
async function trade(asset: Address, hook: Address, side: 'buy' | 'sell', amount: bigint) {
  const { client, send } = stage.hands
  await client.setCode({ address: trader, bytecode: traderCode })
  await client.setBalance({ address: trader, value: parseEther('10') })
  await client.increaseTime({ seconds: 120 })
  const key = {
    currency0: zeroAddress,
    currency1: asset,
    fee: 0x800000,
    tickSpacing: 8,
    hooks: hook,
  } as const
  const swap = encodeFunctionData({
    abi: managerAbi,
    functionName: 'swap',
    args: [
      key,
      { zeroForOne: side === 'buy', amountSpecified: -amount, sqrtPriceLimitX96: 4_295_128_740n },
      '0x',
    ],
  })
  const [from, to] = side === 'buy' ? [zeroAddress, asset] : [asset, zeroAddress]
  const args = [stage.chain.poolManager, true, from, to, swap] as const
  const data = encodeFunctionData({ abi: traderAbi, functionName: 'trade', args })
  const { status } = await send(trader, data)
  expect(status).toBe('success')
  const held = { abi: traderAbi, functionName: 'holding', args: [asset, trader] } as const
  return client.readContract({ address: trader, ...held })
}

function ratio(units: bigint) {
  return { numerator: units, denominator: 10n ** 18n }
}
