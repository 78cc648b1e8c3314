import { encodeAbiParameters, type Hex, parseAbiParameters } from 'viem'
import {
  addresses,
  auction,
  beneficiaries,
  builtAt,
  type Distribution,
  encode,
  encodeLaunch,
  migrating,
  multicurve,
  otter,
  sale,
  somebody,
  staticSale,
  tokenAddress,
  v3Pool,
  whole,
  withRehype,
} from './sdk.ts'

// A launch of every kind: each layout is in one of them at least.

const distribution: Distribution = {
  assetFeesToAssetBuybackWad: whole / 2n,
  assetFeesToNumeraireBuybackWad: 0n,
  assetFeesToBeneficiaryWad: whole / 2n,
  assetFeesToLpWad: 0n,
  numeraireFeesToAssetBuybackWad: 0n,
  numeraireFeesToNumeraireBuybackWad: whole / 4n,
  numeraireFeesToBeneficiaryWad: whole / 2n,
  numeraireFeesToLpWad: whole / 4n,
}
const fees = { startFee: 800_000, endFee: 20_000, durationSeconds: 600, startingTime: builtAt }
const split = { recipient: somebody('treasury'), share: whole / 2n }
const streams = {
  fee: 10_000,
  tickSpacing: 200,
  streamableFees: { lockDuration: 2_592_000, beneficiaries },
}
const month = 2_592_000
const year = 31_536_000
const allocations = [
  {
    recipient: somebody('bob'),
    amount: 10n ** 26n,
    schedule: { duration: year, cliffDuration: month },
  },
  {
    recipient: somebody('carol'),
    amount: 10n ** 25n,
    schedule: { duration: year, cliffDuration: 0 },
  },
]
const plainVesting = {
  duration: year,
  cliffDuration: 0,
  recipients: [somebody('bob'), somebody('carol')],
  amounts: [10n ** 26n, 10n ** 25n],
}
const dopplerHookInitializer = addresses.dopplerHookInitializer ?? somebody('nobody')
const multisig = somebody('multisig')
const hookMigration = {
  type: 'dopplerHook',
  fee: 3000,
  tickSpacing: 8,
  lockDuration: month,
  beneficiaries,
} as const

/** Calldata by what they launch. */
export async function launchesOfEveryKind(): Promise<Record<string, Hex>> {
  const plain = multicurve()
  return {
    'a locked multicurve of a token that can be minted': encode(
      multicurve({
        token: { ...otter, yearlyMintRate: whole / 50n },
        vesting: plainVesting,
        governance: { type: 'default' },
      }),
    ),
    'a multicurve that goes to V2': encode(migrating({ migration: { type: 'uniswapV2' } })),
    'a scheduled multicurve with cliffs': encode(
      multicurve({
        vesting: { allocations },
        initializer: { type: 'scheduled', startTime: builtAt },
        governance: { type: 'launchpad', multisig },
      }),
    ),
    'a multicurve with a falling fee': encode(
      multicurve({
        initializer: { type: 'decay', startFee: 800_000, durationSeconds: 600, startTime: builtAt },
      }),
    ),
    'a multicurve whose fee falls to itself': encode(
      multicurve({
        initializer: { type: 'decay', startFee: 3000, durationSeconds: 600, startTime: builtAt },
      }),
    ),
    'a hook initializer without a hook, with limits': encode(
      multicurve({
        token: {
          type: 'dopplerERC20V1',
          ...otter,
          maxBalanceLimit: 10n ** 25n,
          balanceLimitEnd: 2 ** 40,
          controller: somebody('ada'),
        },
        vesting: { allocations },
        modules: { dopplerHookInitializer },
      }),
    ),
    'a hook initializer with the Rehype hook of June 2026': encode(
      multicurve({
        initializer: {
          type: 'rehype',
          config: {
            hookAddress: addresses.rehypeDopplerHookInitializer ?? somebody('nobody'),
            buybackDestination: somebody('treasury'),
            ...fees,
            feeDistributionInfo: distribution,
            farTick: -120_008,
          },
        },
      }),
    ),
    'a hook initializer with the Rehype hook': encode(
      withRehype({
        numeraire: sale.numeraire,
        buybackDst: somebody('treasury'),
        ...fees,
        feeRoutingMode: 1,
        feeDistributionInfo: distribution,
        feeBeneficiaries: beneficiaries,
      }),
    ),
    'a V3 curve that goes to V2 with a split': encode(
      await staticSale({
        vesting: plainVesting,
        governance: { type: 'default' },
        migration: { type: 'uniswapV2Split', proceedsSplit: split },
      }),
    ),
    'a lockable V3 curve of collectibles': encode(
      await staticSale({
        token: { type: 'doppler404', name: otter.name, symbol: otter.symbol, baseURI: 'ipfs://a/' },
        modules: { tokenFactory: '0x37A9Fa204a4d3A429FDED7e3469ab076C854Bc9d' },
        pool: { ...v3Pool, beneficiaries },
      }),
    ),
    'a lockable V3 curve with a migrator that it never uses': encode(
      await staticSale({
        pool: { ...v3Pool, beneficiaries },
        migration: { type: 'uniswapV4Split', ...streams, proceedsSplit: split },
      }),
    ),
    'an auction that goes to V4': encode(
      await auction({
        governance: { type: 'default' },
        migration: { type: 'uniswapV4', ...streams },
      }),
    ),
    'an auction that goes to V4 with a split': encode(
      await auction({
        governance: { type: 'launchpad', multisig },
        migration: { type: 'uniswapV4Split', ...streams, proceedsSplit: split },
      }),
    ),
    'an auction that goes to V4 with a hook': encode(
      await auction({
        migration: {
          ...hookMigration,
          rehype: {
            buybackDestination: somebody('treasury'),
            customFee: 3000,
            feeDistributionInfo: distribution,
          },
        },
      }),
    ),
    'an auction that goes to V4 without a hook': encode(
      await auction({ migration: { ...hookMigration, proceedsSplit: split } }),
    ),
    'no governance with the flag of live launches': encode({
      ...plain,
      governanceFactoryData: encodeAbiParameters(parseAbiParameters('bool'), [true]),
    }),
    'a vesting that is nobody’s': encode({
      ...plain,
      // The first two words are offsets, the third the minting, the fourth the duration.
      tokenFactoryData: encodeAbiParameters(
        parseAbiParameters('string, string, uint256, uint256, address[], uint256[], string'),
        [otter.name, otter.symbol, 0n, 31_536_000n, [], [], otter.tokenURI],
      ),
    }),
    'a launch through a launcher': encodeLaunch(
      plain,
      {
        launcher: somebody('ada'),
        paramsHash: `0x${'12'.repeat(32)}`,
        expectedAsset: tokenAddress,
        deadline: BigInt(builtAt),
      },
      `0x${'34'.repeat(65)}`,
    ),
  }
}
