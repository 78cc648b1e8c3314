import {
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  keccak256,
  parseAbiParameters,
  stringToHex,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { moduleAt, protocol, wrappedCoin } from '../../../../sandbox/chain/modules.ts'
import type { CreateParams } from '../../../../src/chain/airlock/calldata.ts'
import { decimal, priceAt, sqrtPriceAt } from '../../../../src/chain/airlock/curve.ts'
import type { Rehearsal } from '../../../../src/chain/airlock/rehearse.ts'
import { plainText } from '../../../../src/core/catalogue.ts'
import { paramsOn, salt, smartAccountAbi, tokenAbi } from '../on-chain.ts'
import { launcher, type Stage, shown, startStage } from './rehearsing.ts'
import { ada, beneficiaries, dynamicData, encodeCreate, somebody, tokenLayouts } from './sample.ts'
import { compileFile } from './solidity.ts'

const whole = 10n ** 18n
const dead = '0x000000000000000000000000000000000000dEaD'

let stage: Stage
let chain: Stage['chain']
let hands: Stage['hands']

beforeAll(async () => {
  stage = await startStage()
  chain = stage.chain
  hands = stage.hands
})

afterAll(() => chain.stop())

describe('a rehearsal', () => {
  test('shows who holds the token after the launch', async () => {
    const params = paramsOn(chain, { salt: salt(1) })
    const { asset, gas, block, rehearsed } = await shown(stage, params)
    expect(block).toBe(await hands.client.getBlockNumber())
    const { holders, supply } = rehearsed
    expect(supply).toBe(params.initialSupply)
    expect(holders.reduce((sum, { amount }) => sum + amount, 0n)).toBe(supply)
    expect(holders.map(({ address }) => address)).toEqual([chain.poolManager, dead, asset])
    expect(await hands.client.getCode({ address: asset })).toBeUndefined()

    const { gasUsed } = await hands.send(launcher.to, encodeCreate(params))
    expect(gas).toBeGreaterThanOrEqual(gasUsed)
    for (const { address, amount } of holders) {
      const balance = { address: asset, abi: tokenAbi, functionName: 'balanceOf' } as const
      expect(await hands.client.readContract({ ...balance, args: [address] })).toBe(amount)
    }
  })

  test('shows the pool with its first price, and what the launch contract stores', async () => {
    const params = paramsOn(chain, { salt: salt(2) })
    const { asset, rehearsed } = await shown(stage, params)
    const { pool, assetData, protocol: owner, coins, moved } = rehearsed
    const key = [zeroAddress, asset, 10_000, 200, chain.poolHook] as const
    expect(pool).toEqual({
      id: keccak256(
        encodeAbiParameters(parseAbiParameters('address, address, uint24, int24, address'), key),
      ),
      fee: 10_000,
      sqrtPrice: sqrtPriceAt(180_000),
      holders: [chain.poolManager],
    })
    expect(decimal(priceAt(pool?.sqrtPrice ?? 0n, false), 3)).toBe('0.0000000152')
    expect(assetData).toEqual({
      numeraire: zeroAddress,
      timelock: dead,
      governance: dead,
      liquidityMigrator: params.liquidityMigrator,
      poolInitializer: params.poolInitializer,
      pool: asset,
      migrationPool: expect.any(String),
      numTokensToSell: params.numTokensToSell,
      totalSupply: params.initialSupply,
      integrator: params.integrator,
    })
    expect(owner).toBe(protocol)
    expect({ coins, moved }).toEqual({ coins: [], moved: [] })
  })

  test('finds the hook of an auction among the holders of its pool', async () => {
    const now = BigInt(Math.floor(Date.now() / 1000))
    const starts = now + 3600n
    const params = await auction(starts)
    const { rehearsed } = await shown(stage, params, { beneficiaries: [] })
    const { pool, holders, assetData } = rehearsed
    const hook = assetData.pool
    expect(pool?.holders).toEqual([chain.poolManager, hook])
    expect(holders.map(({ address }) => address)).toEqual(expect.arrayContaining([hook]))
    expect(pool?.sqrtPrice).toBe(sqrtPriceAt(160_000))
  })

  test('shows a pool of Uniswap V3 with its first price and fee', async () => {
    const params = paramsOn(chain, {
      salt: salt(8),
      numeraire: wrappedCoin,
      poolInitializer: moduleAt('LockableUniswapV3Initializer'),
    })
    const [tickLower, tickUpper] = [167_400, 180_000]
    const data = (isToken0: boolean) =>
      encodeAbiParameters(lockable, [
        {
          fee: 3000,
          tickLower: isToken0 ? -tickUpper : tickLower,
          tickUpper: isToken0 ? -tickLower : tickUpper,
          numPositions: 10,
          maxShareToBeSold: whole / 2n,
          beneficiaries,
        },
      ])
    const trial = { ...params, poolInitializerData: data(false) }
    const isToken0 = BigInt((await shown(stage, trial)).asset) < BigInt(wrappedCoin)
    const { asset, rehearsed } = await shown(stage, {
      ...params,
      poolInitializerData: data(isToken0),
    })
    const { pool, assetData, holders } = rehearsed
    expect(pool).toEqual({
      fee: 3000,
      sqrtPrice: sqrtPriceAt(isToken0 ? -tickUpper : tickUpper),
      holders: [assetData.pool],
    })
    expect(holders.map(({ address }) => address)).toEqual(
      expect.arrayContaining([assetData.pool, dead, asset]),
    )
  })
})

async function auction(starts: bigint): Promise<CreateParams> {
  // These ticks fit a token whose address is above its quote token's; the native coin's is zero, below all.
  return paramsOn(chain, {
    salt: salt(7),
    poolInitializer: moduleAt('UniswapV4Initializer'),
    poolInitializerData: dynamicData(starts, starts + 86_400n),
  })
}

const lockable = parseAbiParameters([
  'InitData data',
  'struct InitData { uint24 fee; int24 tickLower; int24 tickUpper; uint16 numPositions; uint256 maxShareToBeSold; Beneficiary[] beneficiaries; }',
  'struct Beneficiary { address beneficiary; uint96 shares; }',
])

describe('a launch that is refused', () => {
  beforeAll(async () => {
    const { code } = await compileFile(new URL('strange.sol', import.meta.url))
    // In the place of a factory that the launch contract knows.
    await hands.client.setCode({
      address: moduleAt('DN404Factory'),
      bytecode: code.StrangeFactory ?? '0x',
    })
  })

  async function refusal(params: CreateParams, other: Partial<Rehearsal> = {}) {
    const result = await stage.rehearse(params, other)
    if (result.kind !== 'refused') throw new Error('it passed')
    const { reason, blame } = result
    return { words: plainText(reason), ...(blame && { blame }) }
  }

  describe('a token that mints for somebody else, too', () => {
    const friend = somebody('friend')
    const strange = (way: string, number: number) =>
      paramsOn(chain, {
        salt: salt(number),
        tokenFactory: moduleAt('DN404Factory'),
        tokenFactoryData: encodeAbiParameters(parseAbiParameters('bytes32, address'), [
          stringToHex(way, { size: 32 }),
          friend,
        ]),
      })

    test('shows that in its holders', async () => {
      const { rehearsed } = await shown(stage, strange('told', 20))
      const tenth = 10n ** 26n
      expect(rehearsed.holders).toContainEqual({ address: friend, amount: tenth })
    })

    test.each([
      ['minted untold', 21, /“the tokens that it gives out do not sum to the supply”/u],
      ['silent', 22, /“its token does not report everything that 0x\w{40} gets”/u],
      ['no supply', 23, /“its token does not answer as a token should”/u],
    ])('%s is refused', async (way, number, reason) => {
      expect((await refusal(strange(way, number))).words).toMatch(reason)
    })

    test('to a beneficiary is refused even if only its balance shows it', async () => {
      expect(await refusal(strange('seen by one', 24), { beneficiaries: [friend] })).toMatchObject({
        words: expect.stringContaining(`everything that ${getAddress(friend)} gets`),
      })
    })
  })

  describe('names what is wrong with a payload', () => {
    test('if the contracts refuse it, with what can be changed', async () => {
      const params = paramsOn(chain, { salt: salt(30), tokenFactory: moduleAt('TokenFactory') })
      const floodView = encodeAbiParameters(tokenLayouts.DERC20, [
        'Otter',
        'OTT',
        0n,
        86_400n,
        [ada],
        [params.initialSupply / 4n],
        'ipfs://x',
      ])
      expect(await refusal({ ...params, tokenFactoryData: floodView })).toEqual({
        words:
          'the launch contract refuses it: vesting of 25% to one person is more than the 20% that the contract allows',
        blame: 'vesting',
      })
      const cut = params.poolInitializerData.slice(0, -64)
      expect(await refusal({ ...params, poolInitializerData: `0x${cut.slice(2)}` })).toMatchObject({
        words: expect.stringContaining('can’t be decoded'),
        blame: 'template',
      })
    })

    test('if the token exists already', async () => {
      const params = paramsOn(chain, { salt: salt(31) })
      const { asset: token } = await shown(stage, params)
      await hands.send(launcher.to, encodeCreate(params))
      expect(await refusal(params, { token })).toMatchObject({
        words: `there is already a contract at ${token}`,
        blame: 'launched',
      })
    })

    test('if it makes another token than was said', async () => {
      const token = somebody('the token that was promised')
      const params = paramsOn(chain, { salt: salt(32) })
      const { asset } = await shown(stage, params)
      expect(await refusal(params, { token })).toEqual({
        words: `it would create the token ${asset}, not ${token}`,
      })
    })

    test.each([
      ['tokenFactory', 'token factory'],
      ['governanceFactory', 'governance factory'],
      ['poolInitializer', 'pool initializer'],
      ['liquidityMigrator', 'liquidity migrator'],
    ] as const)('if its %s is not whitelisted', async (field, name) => {
      const stranger = somebody(`no ${field}`)
      const params = { ...paramsOn(chain, { salt: salt(33) }), [field]: stranger }
      expect(await refusal(params)).toMatchObject({
        words: `the launch contract does not know ${stranger} as a ${name}`,
        blame: 'template',
      })
    })

    test('if there is no launch contract', async () => {
      const nowhere = somebody('nowhere')
      const params = paramsOn(chain, { salt: salt(34) })
      const there = `there is no launch contract at ${nowhere}`
      expect(await refusal(params, { to: nowhere })).toEqual({ words: there })
      expect(await refusal(params, { airlock: nowhere })).toEqual({ words: there })
    })

    test('if it launches nothing', async () => {
      const calldata = encodeFunctionData({
        abi: smartAccountAbi,
        functionName: 'execute',
        args: [ada, 0n, '0x'],
      })
      const other = { to: chain.smartAccount, calldata, token: somebody('no token') }
      expect(await refusal(paramsOn(chain), other)).toEqual({
        words: expect.stringContaining('“it does not result in a launch”'),
      })
    })
  })
})
