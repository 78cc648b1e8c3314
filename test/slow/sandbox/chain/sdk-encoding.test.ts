import {
  type CreateParams,
  computePoolId,
  getSqrtRatioAtTick,
} from '@whetstone-research/doppler-sdk/evm'
import {
  type Address,
  erc20Abi,
  getAddress,
  isAddressEqual,
  parseAbi,
  parseEventLogs,
  slice,
  toHex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../../../sandbox/chain/chain.ts'
import { moduleAt } from '../../../../sandbox/chain/modules.ts'
import { airlockAbi, encodeCreate, otter, somebody } from '../../../unit/chain/airlock/sample.ts'
import { salt, tokenAbi, walletOn } from '../../../unit/chain/on-chain.ts'
import { refusalOf } from './refusal.ts'
import { encodedBySdk, multisig, sdkChain, sdkLaunches, vestedBySdk } from './sdk-launches.ts'

const airlock = somebody('airlock of the SDK')
const nobody = '0x000000000000000000000000000000000000dEaD'
const assetDataAbi = parseAbi([
  'function owner() view returns (address)',
  'function getAssetData(address asset) view returns (address numeraire, address timelock, address governance, address liquidityMigrator, address poolInitializer, address pool, address migrationPool, uint256 numTokensToSell, uint256 totalSupply, address integrator)',
])
const v4Abi = parseAbi([
  'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
])
const v3Abi = parseAbi(['event Initialize(uint160 sqrtPriceX96, int24 tick)'])

let chain: LocalChain
let hands: ReturnType<typeof walletOn>
let salts = 0

beforeAll(async () => {
  chain = await startChain({ chainId: sdkChain, launcher: { to: airlock, airlock } })
  hands = walletOn(chain)
})

afterAll(() => chain.stop())

function isAuction({ poolInitializer }: CreateParams): boolean {
  return isAddressEqual(poolInitializer, moduleAt('UniswapV4Initializer'))
}

/**
 * The launch as the SDK encodes it. The SDK mines an auction's salt for the bytecode of the real contracts, which puts
 * the token above the numeraire; the stand-ins' bytecode needs another salt for that.
 */
async function encode(kind: string): Promise<CreateParams> {
  const params = await encodedBySdk(kind, chain, airlock)
  if (!isAuction(params)) return params
  for (let tries = 0; tries < 50; tries += 1) {
    salts += 1
    const tried = { ...params, salt: salt(salts) }
    if ((await refusal(tried)) === undefined) return tried
  }
  throw new Error('no salt puts the token above the numeraire')
}

const refusal = (params: CreateParams) => refusalOf(chain, airlock, encodeCreate(params))

async function launch(params: CreateParams) {
  const receipt = await hands.send(airlock, encodeCreate(params))
  expect(receipt.status).toBe('success')
  const [created] = parseEventLogs({ abi: airlockAbi, eventName: 'Create', logs: receipt.logs })
  if (!created) throw new Error('nothing was created')
  const { asset, poolOrHook } = created.args
  const data = await hands.client.readContract({
    address: airlock,
    abi: assetDataAbi,
    functionName: 'getAssetData',
    args: [asset],
  })
  const [
    numeraire,
    timelock,
    governance,
    migrator,
    initializer,
    pool,
    ,
    toSell,
    supply,
    integrator,
  ] = data
  expect([numeraire, migrator, initializer, pool, toSell, supply, integrator]).toEqual([
    params.numeraire,
    params.liquidityMigrator,
    params.poolInitializer,
    poolOrHook,
    params.numTokensToSell,
    params.initialSupply,
    params.integrator,
  ])
  return { receipt, asset, pool, timelock, governance }
}

type Launched = Awaited<ReturnType<typeof launch>>

/** Who has how much of it in the end, of all who ever got some. */
async function holdersOf({ asset, receipt }: Launched) {
  const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipt.logs })
  const ever = new Set(transfers.map(({ args }) => getAddress(args.to)))
  const held = new Map<Address, bigint>()
  for (const holder of ever) {
    const args = [holder] as const
    const amount = await hands.client.readContract({
      address: asset,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args,
    })
    if (amount > 0n) held.set(holder, amount)
  }
  return held
}

const timelocks: Record<string, string> = {
  [moduleAt('NoOpGovernanceFactory')]: nobody,
  [moduleAt('LaunchpadGovernanceFactory')]: multisig,
}

test.each(sdkLaunches)(
  '%s is launched from the encoding of the SDK: all of the supply is somewhere, and its pool open',
  async (kind) => {
    const params = await encode(kind)
    const launched = await launch(params)
    const { asset, pool, timelock, governance } = launched
    const read = (functionName: 'name' | 'symbol' | 'tokenURI') =>
      hands.client.readContract({ address: asset, abi: tokenAbi, functionName })
    expect([await read('name'), await read('symbol')]).toEqual([otter.name, otter.symbol])
    expect(await read('tokenURI')).toBe(otter.uri)

    const held = await holdersOf(launched)
    const places = [chain.poolManager, pool, asset, timelock].map((each) => getAddress(each))
    expect([...held.keys()].filter((holder) => !places.includes(holder))).toEqual([])
    const sum = [...held.values()].reduce((total, amount) => total + amount, 0n)
    expect(sum).toBe(params.initialSupply)
    expect(held.get(asset) ?? 0n).toBe(vestedBySdk(kind))
    if (kind.startsWith('static')) expectV3Pool(launched, held)
    else expectV4Pool(launched, params)

    const known = timelocks[params.governanceFactory]
    if (known) return expect([governance, timelock]).toEqual([nobody, known])
    for (const address of [governance, timelock]) {
      expect(await hands.client.getCode({ address })).toMatch(/^0x.{20}/u)
    }
  },
)

/** Uniswap rounds up what the SDK rounds down. */
function expectPrice(sqrtPriceX96: bigint | undefined, tick: number): void {
  const below = getSqrtRatioAtTick(tick)
  expect([below, below + 1n]).toContain(sqrtPriceX96)
}

/** It opens at the cheap end, or an auction at the dear one. */
function expectV4Pool({ receipt, asset, pool }: Launched, params: CreateParams): void {
  const [opened] = parseEventLogs({ abi: v4Abi, logs: receipt.logs })
  if (!opened) throw new Error('no pool was opened')
  const { id, sqrtPriceX96, tick, ...key } = opened.args
  expect(getAddress(opened.address)).toBe(chain.poolManager)
  expect(id).toBe(computePoolId(key))
  expectPrice(sqrtPriceX96, tick)
  const isToken0 = isAddressEqual(key.currency0, asset)
  const [low, high] = [asset, params.numeraire].toSorted((left, right) =>
    BigInt(left) < BigInt(right) ? -1 : 1,
  )
  expect([key.currency0, key.currency1]).toEqual([low, high])
  const asToken0 = isToken0 ? tick : -tick
  expect(asToken0).toBe(isAuction(params) ? -154_256 : -180_000)
  expect(pool).toBe(isAuction(params) ? key.hooks : asset)
}

/** It opens at the cheap end, and takes 47% of what is called for sale. */
function expectV3Pool({ receipt, pool }: Launched, held: ReadonlyMap<Address, bigint>): void {
  const [opened] = parseEventLogs({ abi: v3Abi, logs: receipt.logs })
  // The SDK has the token above the numeraire.
  expect(opened && getAddress(opened.address)).toBe(pool)
  expect(opened?.args.tick).toBe(225_000)
  expectPrice(opened?.args.sqrtPriceX96, 225_000)
  // Measured on the real contracts.
  expect((held.get(pool) ?? 0n) / 10n ** 18n).toBe(280_720_759n)
}

test('the pool of an auction gets what the first epochs sell; the hook keeps the rest', async () => {
  const params = await encode('Dutch auction of a launchpad that migrates with a hook')
  const launched = await launch(params)
  const held = await holdersOf(launched)
  // Six of 168 epochs: the next one, and as many as there are slugs.
  expect(held.get(chain.poolManager)).toBe((params.numTokensToSell * 6n) / 168n)
  expect(held.get(launched.pool)).toBe(
    params.numTokensToSell - (params.numTokensToSell * 6n) / 168n,
  )
})

describe('without the offset of its fields', () => {
  const withOffset = sdkLaunches.filter((kind) => /curve|hook init/u.test(kind))

  test.each(withOffset)('the same is refused without a reason: %s', async (kind) => {
    const params = await encode(kind)
    const isBare = isAddressEqual(params.poolInitializer, moduleAt('UniswapV3Initializer'))
    if (isBare)
      return expect(slice(params.poolInitializerData, 0, 32)).toBe(toHex(3000, { size: 32 }))
    expect(slice(params.poolInitializerData, 0, 32)).toBe(toHex(32, { size: 32 }))
    const bare = { ...params, poolInitializerData: slice(params.poolInitializerData, 32) }
    expect(await refusal(params)).toBeUndefined()
    expect(await refusal(bare)).toBe('0x')
  })
})
