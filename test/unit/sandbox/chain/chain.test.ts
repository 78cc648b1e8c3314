import { type Address, encodeAbiParameters, type Hex, parseAbi, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../../../sandbox/chain/chain.ts'
import { type ModuleName, moduleAt } from '../../../../sandbox/chain/modules.ts'
import type { CreateParams } from '../../../../src/chain/airlock/calldata.ts'
import {
  ada,
  airlockAbi,
  beneficiaries,
  curves,
  dynamicData,
  encodeCreate,
  otter,
  otterData,
  poolLayouts,
  somebody,
  tokenLayouts,
} from '../../chain/airlock/sample.ts'
import { handsOn, paramsOn, salt, tokenAbi } from '../../chain/on-chain.ts'

const airlock = somebody('airlock of this chain')
const { name, symbol, uri } = otter
const errors = parseAbi([
  'error WrongModuleState(address module, uint8 expected, uint8 actual)',
  'error InvalidStartTime()',
  'error InvalidTotalShares()',
  'error UnorderedBeneficiaries()',
  'error TransferFromFailed()',
])
const schedules = [{ cliff: 86_400n, duration: 864_000n }]

let chain: LocalChain
let hands: ReturnType<typeof handsOn>

beforeAll(async () => {
  chain = await startChain({ chainId: 84532, launcher: { to: airlock, airlock } })
  hands = handsOn(chain)
})

afterAll(() => chain.stop())

const nobody = '0x000000000000000000000000000000000000dEaD'
const half = 10n ** 18n / 2n

function predict(params: CreateParams, account: Address = ada) {
  return hands.client.simulateContract({
    address: airlock,
    abi: [...airlockAbi, ...errors],
    functionName: 'create',
    args: [params],
    account,
  })
}

async function launch(params: CreateParams): Promise<Address> {
  const { result } = await predict(params)
  const { status } = await hands.send(airlock, encodeCreate(params))
  expect(status).toBe('success')
  return result[0]
}

async function wordsOf(address: Address) {
  const read = (functionName: 'name' | 'symbol' | 'tokenURI') =>
    hands.client.readContract({ address, abi: tokenAbi, functionName })
  return { name: await read('name'), symbol: await read('symbol'), uri: await read('tokenURI') }
}

test('the chain has the id that was asked for, and accounts with coins', async () => {
  expect(await hands.client.getChainId()).toBe(84532)
  for (const { address, privateKey } of chain.accounts) {
    expect(privateKeyToAccount(privateKey).address).toBe(address)
    expect(await hands.client.getBalance({ address })).toBeGreaterThan(10n ** 21n)
  }
})

describe('a token is made from data of the layout', () => {
  const layouts: [ModuleName, Hex][] = [
    ['TokenFactory', otterData],
    ['TokenFactory80', otterData],
    [
      'CloneDERC20VotesV2Factory',
      encodeAbiParameters(tokenLayouts.CloneDERC20VotesV2, [
        name,
        symbol,
        0n,
        schedules,
        [ada],
        [0n],
        [7n],
        uri,
      ]),
    ],
    [
      'DopplerERC20V1Factory',
      encodeAbiParameters(tokenLayouts.DopplerERC20V1, [
        name,
        symbol,
        schedules,
        [ada],
        [0n],
        [7n],
        uri,
        0n,
        0,
        ada,
        [],
      ]),
    ],
    ['DN404Factory', encodeAbiParameters(tokenLayouts.DN404, [name, symbol, uri, 10n ** 18n])],
  ]

  test.each(layouts)('%s', async (factory, tokenFactoryData) => {
    const tokenFactory = moduleAt(factory)
    const params = paramsOn(chain, { tokenFactory, tokenFactoryData })
    expect(await wordsOf(await launch(params))).toEqual(otter)
  })
})

describe('an auction is made from data of the layout', () => {
  const hook = encodeAbiParameters(poolLayouts.hook, [
    {
      fee: 10_000,
      tickSpacing: 200,
      farTick: -160_000,
      curves,
      beneficiaries,
      dopplerHook: zeroAddress,
      onInitializationData: '0x',
      graduationData: '0x',
    },
  ])
  test.each<[ModuleName, Hex]>([
    ['DopplerHookInitializer', hook],
    ['UniswapV4Initializer', dynamicData(4_000_000_000n, 4_000_006_000n)],
  ])('%s', async (initializer, poolInitializerData) => {
    const poolInitializer = moduleAt(initializer)
    const own = salt(poolInitializerData.length)
    await launch(paramsOn(chain, { poolInitializer, poolInitializerData, salt: own }))
  })
})

test('the whole supply is there: in the pool, in the token what vests, and the rest with nobody', async () => {
  const params = paramsOn(chain, { salt: salt(3) })
  const token = await launch(params)
  const balanceOf = (account: Address) =>
    hands.client.readContract({
      address: token,
      abi: tokenAbi,
      functionName: 'balanceOf',
      args: [account],
    })
  const [pooled, vested] = [await balanceOf(chain.poolManager), await balanceOf(token)]
  // Each of ten positions loses a part in rounding, which nobody has.
  expect(pooled).toBe(params.numTokensToSell - 10n)
  expect(vested).toBe(51n * 10n ** 24n)
  expect(await balanceOf(nobody)).toBe(params.initialSupply - pooled - vested)
})

test('whoever sends the calldata launches the same token, and only once', async () => {
  const params = paramsOn(chain, { salt: salt(4) })
  const [byAda, byBob] = [await predict(params, ada), await predict(params, somebody('bob'))]
  expect(byAda.result[0]).toBe(byBob.result[0])
  await launch(params)
  await expect(predict(params)).rejects.toThrow()
})

test('another salt makes another token', async () => {
  const [one, other] = [paramsOn(chain, { salt: salt(5) }), paramsOn(chain, { salt: salt(6) })]
  expect((await predict(one)).result[0]).not.toBe((await predict(other)).result[0])
})

describe('as the real contracts do, the stand-in refuses', () => {
  test.each<[string, Partial<CreateParams>, RegExp]>([
    ['a module that is not whitelisted', { poolInitializer: ada }, /WrongModuleState/u],
    ['shares that do not sum to one', { poolInitializerData: shares(1n) }, /InvalidTotalShares/u],
    ['somebody twice', { poolInitializerData: shares(half, half) }, /UnorderedBeneficiaries/u],
    ['to sell more than there is', { numTokensToSell: 10n ** 28n }, /TransferFromFailed/u],
  ])('%s', async (_, changes, refusal) => {
    await expect(predict(paramsOn(chain, { ...changes, salt: salt(8) }))).rejects.toThrow(refusal)
  })

  test('an auction that should have begun', async () => {
    const poolInitializer = moduleAt('UniswapV4Initializer')
    const poolInitializerData = dynamicData(1n, 2n)
    const params = paramsOn(chain, { poolInitializer, poolInitializerData, salt: salt(8) })
    await expect(predict(params)).rejects.toThrow(/InvalidStartTime/u)
  })

  test('coins that are sent along', async () => {
    const data = encodeCreate(paramsOn(chain, { salt: salt(7) }))
    const sending = hands.wallet.sendTransaction({ to: airlock, data, value: 1n })
    await expect(sending).rejects.toThrow(/revert/u)
  })
})

function shares(...of: bigint[]): Hex {
  const lines = of.map((each) => ({ beneficiary: ada, shares: each }))
  const data = { fee: 10_000, tickSpacing: 200, curves, beneficiaries: lines }
  return encodeAbiParameters(poolLayouts.multicurve, [data])
}
