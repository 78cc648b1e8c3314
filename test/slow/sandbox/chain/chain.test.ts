import {
  type Address,
  encodeAbiParameters,
  type Hex,
  parseAbiParameters,
  slice,
  stringToHex,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../../../sandbox/chain/chain.ts'
import { moduleAt, protocol } from '../../../../sandbox/chain/modules.ts'
import type { CreateParams } from '../../../../src/chain/airlock/calldata.ts'
import {
  ada,
  airlockAbi,
  beneficiaries,
  curves,
  dynamicData,
  encodeCreate,
  otter,
  poolLayouts,
  somebody,
  tokenLayouts,
} from '../../../unit/chain/airlock/sample.ts'
import { paramsOn, salt, tokenAbi, walletOn } from '../../../unit/chain/on-chain.ts'
import { refusalOf } from './refusal.ts'

const airlock = somebody('airlock of this chain')
const whole = 10n ** 18n
const percent = 10n ** 25n
const { name, symbol, uri } = otter

let chain: LocalChain
let hands: ReturnType<typeof walletOn>

beforeAll(async () => {
  chain = await startChain({ chainId: 84532, launcher: { to: airlock, airlock } })
  hands = walletOn(chain)
})

afterAll(() => chain.stop())

/** A token of which these parts of the supply vest, in percent. */
function vesting(parts: readonly bigint[], mintRate = 0n): Partial<CreateParams> {
  const recipients = parts.map((_, index) => somebody(`recipient ${index}`))
  const amounts = parts.map((part) => part * percent)
  const values = [name, symbol, mintRate, 86_400n, recipients, amounts, uri] as const
  return {
    tokenFactory: moduleAt('TokenFactory'),
    tokenFactoryData: encodeAbiParameters(tokenLayouts.DERC20, values),
    numTokensToSell: 10n * percent,
  }
}

function dn404(unit: bigint): Partial<CreateParams> {
  const values = [name, symbol, uri, unit] as const
  return {
    tokenFactory: moduleAt('DN404Factory'),
    tokenFactoryData: encodeAbiParameters(tokenLayouts.DN404, values),
  }
}

/** A token of which one account may have one percent. */
function limited(): Partial<CreateParams> {
  const until = 4_000_000_000
  const excluded = [chain.poolManager, moduleAt('UniswapV4MulticurveInitializer')]
  const values = [name, symbol, [], [], [], [], uri, percent, until, ada, excluded] as const
  return {
    tokenFactory: moduleAt('DopplerERC20V1Factory'),
    tokenFactoryData: encodeAbiParameters(tokenLayouts.DopplerERC20V1, values),
  }
}

const plain = { fee: 10_000, tickSpacing: 200, curves, beneficiaries }

function multicurve(change: Partial<typeof plain>): Partial<CreateParams> {
  const data = { ...plain, ...change }
  return { poolInitializerData: encodeAbiParameters(poolLayouts.multicurve, [data]) }
}

function hooked(
  farTick: number,
  dopplerHook: Hex = zeroAddress,
  onInitializationData: Hex = '0x',
): Partial<CreateParams> {
  const told = { onInitializationData, graduationData: '0x' } as const
  const data = { ...plain, farTick, dopplerHook, ...told }
  return {
    poolInitializer: moduleAt('DopplerHookInitializer'),
    poolInitializerData: encodeAbiParameters(poolLayouts.hook, [data]),
  }
}

function decaying(startFee: number): Partial<CreateParams> {
  const layout = parseAbiParameters([
    'InitData data',
    'struct InitData { uint24 startFee; uint24 fee; uint32 duration; int24 tickSpacing; Curve[] curves; Beneficiary[] beneficiaries; uint32 startingTime; }',
    'struct Curve { int24 tickLower; int24 tickUpper; uint16 numPositions; uint256 shares; }',
    'struct Beneficiary { address beneficiary; uint96 shares; }',
  ])
  const data = { ...plain, startFee, duration: 60, startingTime: 0 }
  return {
    poolInitializer: moduleAt('DecayMulticurveInitializer'),
    poolInitializerData: encodeAbiParameters(layout, [data]),
  }
}

function fixed(fee: number): Partial<CreateParams> {
  const layout = parseAbiParameters('uint24, int24, int24, uint16, uint256')
  return {
    poolInitializer: moduleAt('UniswapV3Initializer'),
    poolInitializerData: encodeAbiParameters(layout, [fee, 180_000, 240_000, 10, whole / 2n]),
  }
}

function auction(startingTime: bigint, endingTime: bigint): Partial<CreateParams> {
  const poolInitializerData = dynamicData(startingTime, endingTime)
  return { poolInitializer: moduleAt('UniswapV4Initializer'), poolInitializerData }
}

function split(share: bigint): Partial<CreateParams> {
  const layout = parseAbiParameters('address, uint256')
  return {
    liquidityMigrator: moduleAt('UniswapV2MigratorSplit'),
    liquidityMigratorData: encodeAbiParameters(layout, [ada, share]),
  }
}

const shared = (...parts: [who: Hex, shares: bigint][]) =>
  multicurve({
    beneficiaries: parts
      .map(([beneficiary, shares]) => ({ beneficiary, shares }))
      .toSorted((left, right) => (BigInt(left.beneficiary) < BigInt(right.beneficiary) ? -1 : 1)),
  })
const [curve = { tickLower: 0, tickUpper: 0, numPositions: 0, shares: 0n }] = curves
const soon = 4_000_000_000n

// The selectors are those that were found on the real contracts.
const cases: [what: string, selector: Hex, changes: () => Partial<CreateParams>][] = [
  ['a supply that is no multiple of a DN404’s unit', '0x33b7a3d7', () => dn404(7n)],
  ['a module of another kind', '0x69a346ca', () => ({ tokenFactory: moduleAt('NoOpMigrator') })],
  ['a quarter of the supply for one', '0x0887f672', () => vesting([25n])],
  ['three tenths of the supply for two', '0x23f3f88b', () => vesting([15n, 15n])],
  ['to sell more than there is', '0x7939f424', () => ({ numTokensToSell: 101n * percent })],
  ['to mint 3% a year', '0x0ca514df', () => vesting([], (whole / 100n) * 3n)],
  ['fees without the protocol', '0xdfa06864', () => shared([ada, whole])],
  [
    'fees of which the protocol gets 1%',
    '0x2b6dc823',
    () => shared([ada, (whole / 100n) * 99n], [protocol, whole / 100n]),
  ],
  ['fees of which a part is nobody’s', '0x3a7be37b', () => shared([protocol, whole / 2n])],
  [
    'somebody twice among the beneficiaries',
    '0xfc6e3bef',
    () => shared([protocol, whole / 2n], [protocol, whole / 2n]),
  ],
  [
    'curves that are not the whole',
    '0x3a7be37b',
    () => multicurve({ curves: [{ ...curve, shares: whole / 2n }] }),
  ],
  [
    'a tick between two of the pool’s',
    '0x624f4151',
    () => multicurve({ curves: [{ ...curve, tickLower: -180_100 }] }),
  ],
  ['a far tick beyond the curves', '0xaaf421e9', () => hooked(-100_000)],
  ['a hook that is not allowed', '0x3c7a8b61', () => hooked(-160_000, ada)],
  ['a fee of more than all', '0x14002113', () => multicurve({ fee: 1_000_001 })],
  ['a fee that begins at 95%', '0x1c69152c', () => decaying(950_000)],
  ['a fee that Uniswap V3 doesn’t have', '0x9ae5d65e', () => fixed(2000)],
  ['a split of 60% of the proceeds', '0x6d2cca41', () => split((whole / 10n) * 6n)],
  ['an auction that should have begun', '0xb290253c', () => auction(1n, 6001n)],
  ['an auction whose price doesn’t move', '0x248d3d6a', () => auction(soon, soon + 600_000n)],
]

test.each(cases)('%s is refused as on the real chain', async (_, selector, changes) => {
  const params = paramsOn(chain, { ...changes(), salt: salt(1) })
  const refusal = await refusalOf(chain, airlock, encodeCreate(params))
  expect(slice(refusal ?? '0x00000000', 0, 4)).toBe(selector)
})

describe('the data of a hook', () => {
  const fields =
    'address numeraire; address buybackDst; uint24 startFee; uint24 endFee; uint32 duration; uint32 startingTime; uint8 routing; uint256[8] distribution;'
  const beneficiary = 'struct Beneficiary { address beneficiary; uint96 shares; }'
  const former = parseAbiParameters(['Fees fees', `struct Fees { ${fields} }`])
  const today = parseAbiParameters([
    'Fees fees',
    `struct Fees { ${fields} Beneficiary[] feeBeneficiaries; }`,
    beneficiary,
  ])
  const fees = {
    numeraire: zeroAddress,
    buybackDst: ada,
    startFee: 10_000,
    endFee: 5000,
    duration: 60,
    startingTime: 0,
    routing: 1,
    distribution: [whole, 0n, 0n, 0n, 0n, whole, 0n, 0n],
    feeBeneficiaries: [{ beneficiary: ada, shares: whole }],
  } as const
  const dataOf = (change: { startFee?: number } = {}) =>
    [
      encodeAbiParameters(former, [{ ...fees, ...change }]),
      encodeAbiParameters(today, [{ ...fees, ...change }]),
    ] as const
  const hooks = [moduleAt('FormerRehypeHook'), moduleAt('RehypeDopplerHookInitializer')] as const

  const refusal = (hook: Hex, data: Hex) => {
    const params = paramsOn(chain, { ...hooked(-160_000, hook, data), salt: salt(4) })
    return refusalOf(chain, airlock, encodeCreate(params))
  }

  test('each version accepts only its own data', async () => {
    const data = dataOf()
    expect(await refusal(hooks[0], data[0])).toBeUndefined()
    expect(await refusal(hooks[1], data[1])).toBeUndefined()
    expect(await refusal(hooks[0], data[1])).toBe('0x')
    expect(await refusal(hooks[1], data[0])).toBe('0x')
    expect(await refusal(hooks[1], '0x')).toBe('0x')
  })

  test('neither takes more than 80%', async () => {
    const data = dataOf({ startFee: 800_001 })
    for (const refused of [await refusal(hooks[0], data[0]), await refusal(hooks[1], data[1])]) {
      expect(slice(refused ?? '0x00000000', 0, 4)).toBe('0x1c69152c')
    }
  })
})

test('the rest may be more than the timelock may hold', async () => {
  const params = paramsOn(chain, { ...limited(), salt: salt(2) })
  const refusal = await refusalOf(chain, airlock, encodeCreate(params))
  expect(refusal).toContain(stringToHex('TRANSFER_FAILED').slice(2))
})

test('a clone is not made twice', async () => {
  const values = [name, symbol, 0n, [], [], [], [], uri] as const
  const params = paramsOn(chain, {
    tokenFactory: moduleAt('CloneDERC20VotesV2Factory'),
    tokenFactoryData: encodeAbiParameters(tokenLayouts.CloneDERC20VotesV2, values),
    salt: salt(3),
  })
  expect((await hands.send(airlock, encodeCreate(params))).status).toBe('success')
  expect(await refusalOf(chain, airlock, encodeCreate(params))).toBe('0x30116425')
})

async function tokenOf(params: CreateParams, account: Address = ada): Promise<Address> {
  const { result } = await hands.client.simulateContract({
    address: airlock,
    abi: airlockAbi,
    functionName: 'create',
    args: [params],
    account,
  })
  return result[0]
}

test('the chain has the id that was asked for, and accounts with coins', async () => {
  expect(await hands.client.getChainId()).toBe(84532)
  for (const { address, privateKey } of chain.accounts) {
    expect(privateKeyToAccount(privateKey).address).toBe(address)
    expect(await hands.client.getBalance({ address })).toBeGreaterThan(10n ** 21n)
  }
})

test('whoever sends the calldata launches the same token, and only once; another salt makes another', async () => {
  const params = paramsOn(chain, { salt: salt(5) })
  const token = await tokenOf(params)
  expect(await tokenOf(params, somebody('bob'))).toBe(token)
  expect(await tokenOf(paramsOn(chain, { salt: salt(6) }))).not.toBe(token)
  expect((await hands.send(airlock, encodeCreate(params))).status).toBe('success')
  await expect(tokenOf(params)).rejects.toThrow()
  const balanceOf = (account: Address) =>
    hands.client.readContract({
      address: token,
      abi: tokenAbi,
      functionName: 'balanceOf',
      args: [account],
    })
  // The whole supply is there: in the pool, in the token what vests, and the rest with nobody.
  const [pooled, vested] = [await balanceOf(chain.poolManager), await balanceOf(token)]
  // Each of ten positions loses a part in rounding, which nobody has.
  expect(pooled).toBe(params.numTokensToSell - 10n)
  expect(vested).toBe(51n * 10n ** 24n)
  const nobody = '0x000000000000000000000000000000000000dEaD'
  expect(await balanceOf(nobody)).toBe(params.initialSupply - pooled - vested)
})

test('a fifth of the supply may vest for one', async () => {
  const params = paramsOn(chain, { ...vesting([20n]), salt: salt(7) })
  expect(await refusalOf(chain, airlock, encodeCreate(params))).toBeUndefined()
})

test('coins sent with the transaction are refused', async () => {
  const data = encodeCreate(paramsOn(chain, { salt: salt(8) }))
  const sending = hands.wallet.sendTransaction({ to: airlock, data, value: 1n })
  await expect(sending).rejects.toThrow(/revert/u)
})
