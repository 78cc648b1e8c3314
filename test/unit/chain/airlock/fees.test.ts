import {
  type Address,
  encodeAbiParameters,
  type Hex,
  keccak256,
  parseAbiParameters,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { moduleAt, moduleEntries, placeOf, wrappedCoin } from '../../../../sandbox/chain/modules.ts'
import type { CreateParams } from '../../../../src/chain/airlock/calldata.ts'
import {
  claimableFees,
  collectCall,
  feePayers,
  laterFeePayers,
} from '../../../../src/chain/airlock/fees.ts'
import { decodePayload, moduleBook } from '../../../../src/chain/airlock/modules.ts'
import { modulesSchema } from '../../../../src/chain/airlock/modules-setting.ts'
import { ChainNode } from '../../../../src/chain/node.ts'
import { Rpc } from '../../../../src/chain/rpc.ts'
import { serveProvider } from '../node-server.ts'
import { paramsOn, rehearsalOf, salt, tokenAbi } from '../on-chain.ts'
import { launchOn } from '../trading.ts'
import { launcher, type Stage, startStage } from './rehearsing.ts'
import { ada, beneficiaries, dynamicData, encodeCreate, somebody } from './sample.ts'
import {
  auction,
  curvesPool,
  type Distribution,
  encode,
  multicurve,
  read,
  beneficiaries as sdkBeneficiaries,
  staticSale,
  tokenAddress,
  v3Pool,
  whole,
  withRehype,
} from './sdk.ts'

let stage: Stage
let rpc: Rpc

beforeAll(async () => {
  stage = await startStage()
  rpc = new Rpc({ rpcUrl: stage.chain.rpcUrl, chainId: stage.chain.chainId })
  await stage.hands.client.setBalance({ address: ada, value: whole })
  await stage.hands.client.impersonateAccount({ address: ada })
})

afterAll(() => stage.chain.stop())

/** All that a hook takes goes to its beneficiaries. */
const distribution: Distribution = {
  assetFeesToAssetBuybackWad: 0n,
  assetFeesToNumeraireBuybackWad: 0n,
  assetFeesToBeneficiaryWad: whole,
  assetFeesToLpWad: 0n,
  numeraireFeesToAssetBuybackWad: 0n,
  numeraireFeesToNumeraireBuybackWad: 0n,
  numeraireFeesToBeneficiaryWad: whole,
  numeraireFeesToLpWad: 0n,
}
const lockable = parseAbiParameters([
  'InitData data',
  'struct InitData { uint24 fee; int24 tickLower; int24 tickUpper; uint16 numPositions; uint256 maxShareToBeSold; Beneficiary[] beneficiaries; }',
  'struct Beneficiary { address beneficiary; uint96 shares; }',
])
const v3 = {
  numeraire: wrappedCoin,
  poolInitializer: moduleAt('LockableUniswapV3Initializer'),
  // Either order of the pair opens somewhere.
  poolInitializerData: encodeAbiParameters(lockable, [
    {
      fee: 3000,
      tickLower: 167_400,
      tickUpper: 180_000,
      numPositions: 10,
      maxShareToBeSold: whole / 2n,
      beneficiaries,
    },
  ]),
}

const kinds: [string, Partial<CreateParams>][] = [
  ['a curve for the coin of the chain', { numeraire: zeroAddress }],
  ['a curve for its wrapped coin', { numeraire: wrappedCoin }],
  ['a pool of Uniswap V3', v3],
]

describe.each(kinds)('of %s', (name, changes) => {
  const params = () =>
    paramsOn(stage.chain, { salt: salt(kinds.findIndex(([kind]) => kind === name)), ...changes })

  /** What somebody's balances of the token and of its quote token are, less what they paid for gas. */
  async function balances(token: Address, account: Address): Promise<bigint[]> {
    const { client } = stage.hands
    const balance = { abi: tokenAbi, functionName: 'balanceOf', args: [account] } as const
    const { numeraire } = params()
    return [
      await client.readContract({ address: token, ...balance }),
      numeraire === zeroAddress
        ? await client.getBalance({ address: account })
        : await client.readContract({ address: numeraire, ...balance }),
    ]
  }

  test('the fees to claim are what collecting them gives, to the last unit', async () => {
    const { chain, hands } = stage
    const launched = await launchOn(chain, hands, rehearsalOf(launcher, params()))
    const { asset: token, pool, trade } = launched
    const payer = { contract: params().poolInitializer, argument: pool }
    const claimable = () =>
      claimableFees(rpc, { account: ada, token, quote: params().numeraire, payers: [payer] })
    expect(await claimable()).toEqual([{ ...payer, tokens: 0n, quote: 0n }])
    await trade()
    const [fees] = (await claimable()) ?? []
    expect(fees?.tokens).toBeGreaterThan(0n)
    expect(fees?.quote).toBeGreaterThan(0n)
    // Nothing was collected by asking.
    expect(await claimable()).toEqual([fees])
    const before = await balances(token, ada)
    const { data } = collectCall(payer, ada)
    const sent = { account: ada, to: payer.contract, data, gas: 1_000_000n, gasPrice: 10n ** 10n }
    const hash = await hands.wallet.sendTransaction(sent)
    const { gasUsed } = await hands.client.waitForTransactionReceipt({ hash })
    const gas = params().numeraire === zeroAddress ? gasUsed * sent.gasPrice : 0n
    const [tokens, quote] = await balances(token, ada)
    expect([tokens, (quote ?? 0n) + gas]).toEqual([
      (before[0] ?? 0n) + (fees?.tokens ?? 0n),
      (before[1] ?? 0n) + (fees?.quote ?? 0n),
    ])
    expect(await claimable()).toEqual([{ ...payer, tokens: 0n, quote: 0n }])
  })
})

describe('the fees to claim', () => {
  const unlocked: Hex = `0x${'7e'.repeat(32)}`

  test('are told apart by who pays them', async () => {
    const { chain, hands } = stage
    const params = paramsOn(chain, { salt: salt(10), numeraire: wrappedCoin })
    const { asset, pool, trade } = await launchOn(chain, hands, rehearsalOf(launcher, params))
    await trade()
    const payer = { contract: params.poolInitializer, argument: pool }
    const asked = { account: ada, token: asset, quote: wrappedCoin }
    const fees = await claimableFees(rpc, { ...asked, payers: [payer, payer] })
    expect(fees?.map(({ quote }) => quote > 0n)).toEqual([true, false])
  })

  test('are not known where the contract refuses, or the node can’t simulate', async () => {
    const { chain } = stage
    const { poolInitializer } = paramsOn(chain)
    const receiver = {
      account: ada,
      token: wrappedCoin,
      quote: zeroAddress,
      payers: [{ contract: poolInitializer, argument: unlocked }],
    }
    expect(await claimableFees(rpc, receiver)).toBeUndefined()
    await using provider = await serveProvider(chain, ({ method }) =>
      method === 'eth_simulateV1'
        ? { error: { code: -32_601, message: 'the method does not exist' } }
        : undefined,
    )
    const lacking = new Rpc({ rpcUrl: provider.url, chainId: chain.chainId })
    expect(await claimableFees(lacking, { ...receiver, payers: [] })).toBeUndefined()
  })
})

describe('after graduation to a pool of the hook migrator an account is paid', () => {
  const account = somebody('ada')
  const treasury = somebody('treasury')
  const token = somebody('token')
  const migrator = moduleAt('DopplerHookMigrator')
  const hook = moduleAt('RehypeDopplerHookMigrator')
  const locker = placeOf('StreamableFeesLockerV2')

  async function payers(who: Address, given: Partial<HookMigration> = {}, changes = {}) {
    const { chain } = stage
    const { rpcUrl, chainId } = chain
    const migration = { ...plain, rehype: { ...plain.rehype, hookAddress: hook }, ...given }
    const { liquidityMigratorData } = await auction({ migration })
    const params = paramsOn(chain, {
      numeraire: multicurve().numeraire,
      poolInitializer: moduleAt('UniswapV4Initializer'),
      poolInitializerData: dynamicData(1_893_445_200n, 1_893_545_200n),
      liquidityMigrator: migrator,
      liquidityMigratorData,
      ...changes,
    })
    const { [chainId]: modules } = modulesSchema.parse({ [chainId]: moduleEntries })
    const decoded = decodePayload(encodeCreate(params), moduleBook(chainId, modules))
    if (!decoded.call) throw new Error('not read')
    expect(decoded.problems).toEqual([])
    return laterFeePayers(new ChainNode({ rpcUrl, chainId }), decoded, { account: who, token })
  }

  const plain = {
    type: 'dopplerHook',
    fee: 3000,
    tickSpacing: 8,
    lockDuration: 60,
    beneficiaries: sdkBeneficiaries,
    rehype: { buybackDestination: treasury, customFee: 3000, feeDistributionInfo: distribution },
  } as const
  type HookMigration = Omit<typeof plain, 'fee'> & { fee: number; useDynamicFee: boolean }

  function idOf(fee: number): Hex {
    const pair = [token, multicurve().numeraire].sort((one, other) =>
      BigInt(one) < BigInt(other) ? -1 : 1,
    )
    const [currency0 = token, currency1 = token] = pair
    const key = parseAbiParameters('address, address, uint24, int24, address')
    return keccak256(encodeAbiParameters(key, [currency0, currency1, fee, 8, migrator]))
  }

  test('by what locks its liquidity, which refuses before', async () => {
    const [payer, ...others] = await payers(account)
    expect([payer, others]).toEqual([{ contract: locker, argument: idOf(3000) }, []])
    expect(await payers(account, { useDynamicFee: true })).toEqual([
      { contract: locker, argument: idOf(0x800000) },
    ])
    const asked = { account, token: wrappedCoin, quote: zeroAddress, payers: payer ? [payer] : [] }
    expect(await claimableFees(rpc, asked)).toBeUndefined()
  })

  test('by its hook, if that is told the account', async () => {
    expect(await payers(treasury)).toEqual([{ contract: hook, argument: token }])
  })

  test('by nobody without a share, of a locked pool, or if the liquidity is to be its own', async () => {
    expect(await payers(somebody('else'))).toEqual([])
    const locked = {
      poolInitializer: moduleAt('UniswapV4MulticurveInitializer'),
      poolInitializerData: paramsOn(stage.chain).poolInitializerData,
    }
    expect(await payers(account, {}, locked)).toEqual([])
    const own = {
      governanceFactory: moduleAt('LaunchpadGovernanceFactory'),
      governanceFactoryData: encodeAbiParameters(parseAbiParameters('address'), [account]),
    }
    expect(await payers(account, {}, own)).toEqual([])
  })
})

describe('an account is paid', () => {
  const id: Hex = `0x${'7e'.repeat(32)}`
  const address = somebody('pool')
  const account = somebody('ada')
  const treasury = somebody('treasury')
  const hook = '0x5F9eB5f6726Fe88D5e39867967F5b833d2fA3215'

  function payers(
    params: CreateParams,
    { who = account, pool = id }: { who?: Address; pool?: Hex },
  ) {
    const at = { account: who, token: tokenAddress, pool }
    return feePayers(read(encode(params)), at).map(({ contract, argument }) => [contract, argument])
  }

  const rehype = (feeBeneficiaries: typeof sdkBeneficiaries) =>
    withRehype({
      numeraire: multicurve().numeraire,
      buybackDst: treasury,
      startFee: 20_000,
      endFee: 20_000,
      durationSeconds: 0,
      startingTime: 0,
      feeRoutingMode: 1,
      feeDistributionInfo: distribution,
      feeBeneficiaries,
    })

  test('by the initializer of its pool', async () => {
    const curve = multicurve()
    expect(payers(curve, {})).toEqual([[curve.poolInitializer, id]])
    const static3 = await staticSale({ pool: { ...v3Pool, beneficiaries: sdkBeneficiaries } })
    expect(payers(static3, { pool: address })).toEqual([[static3.poolInitializer, address]])
  })

  test('by the pool’s hook, too, if that has it among its beneficiaries, or else for its buybacks', () => {
    const shared = rehype(sdkBeneficiaries)
    const initializer = shared.poolInitializer
    expect(payers(shared, {})).toEqual([
      [initializer, id],
      [hook, tokenAddress],
    ])
    expect(payers(shared, { who: treasury })).toEqual([])
    const direct = rehype([])
    expect(payers(direct, {})).toEqual([[initializer, id]])
    expect(payers(direct, { who: treasury })).toEqual([[hook, tokenAddress]])
  })

  test('by nobody without a share, a lock or a pool that is known', async () => {
    expect(payers(multicurve(), { who: somebody('else') })).toEqual([])
    expect(payers(multicurve({ pool: { ...curvesPool, beneficiaries: [] } }), {})).toEqual([])
    expect(payers(await auction(), { pool: address })).toEqual([])
    expect(payers(multicurve(), { pool: address })).toEqual([])
    const unknown = { ...multicurve(), poolInitializer: somebody('initializer') }
    expect(payers(unknown, {})).toEqual([])
  })
})
