import fc from 'fast-check'
import { encodeAbiParameters, parseAbiParameters } from 'viem'
import { describe, expect, test } from 'vitest'
import { decodeLaunch } from '../../../../src/chain/airlock/calldata.ts'
import {
  anyAddress,
  anyAllocations,
  anyBytes,
  anyName,
  anyNumber,
  anyText,
  anyUint,
  anyUint32,
  anyWord,
  saleBeside,
} from './arbitrary.ts'
import { everyLayout, type Made, reads } from './reads.ts'
import {
  addresses,
  encode,
  encodeBundle,
  encodeLaunch,
  multicurve,
  otter,
  sale,
  somebody,
} from './sdk.ts'

/** The SDK has none on Base; the protocol's own list of deployments does. */
const dn404Factory = '0x37A9Fa204a4d3A429FDED7e3469ab076C854Bc9d'
const anyWords = fc.record({ name: anyName, symbol: anyName, tokenURI: anyText })

const anyRate = anyUint(256)

function total(amounts: readonly { amount: bigint }[]): bigint {
  return amounts.reduce((sum, { amount }) => sum + amount, 0n)
}

function vestingOf(allocations: Made<typeof anyAllocations>) {
  return allocations.map(({ recipient, amount, schedule }) => ({
    recipient,
    amount,
    cliff: BigInt(schedule.cliffDuration),
    duration: BigInt(schedule.duration),
  }))
}

everyLayout('token factory', {
  derc20: reads(
    'token',
    fc.record({
      words: anyWords,
      yearlyMintRate: anyRate,
      duration: anyUint32,
      allocations: anyAllocations,
    }),
    ({ words, yearlyMintRate, duration, allocations }) =>
      multicurve({
        token: { ...words, yearlyMintRate },
        sale: { ...sale, ...saleBeside(total(allocations)) },
        vesting: {
          duration,
          cliffDuration: 0,
          recipients: allocations.map(({ recipient }) => recipient),
          amounts: allocations.map(({ amount }) => amount),
        },
      }),
    ({ words: { tokenURI: uri, ...words }, yearlyMintRate, duration, allocations }) => ({
      ...words,
      uri,
      yearlyMintRate,
      vesting: allocations.map(({ recipient, amount }) => ({
        recipient,
        amount,
        cliff: 0n,
        duration: BigInt(duration),
      })),
    }),
  ),
  'clone-derc20-votes-v2': reads(
    'token',
    fc.record({ words: anyWords, yearlyMintRate: anyRate, allocations: anyAllocations }),
    ({ words, yearlyMintRate, allocations }) =>
      multicurve({
        token: { ...words, yearlyMintRate },
        sale: { ...sale, ...saleBeside(total(allocations)) },
        vesting: { allocations },
      }),
    ({ words: { tokenURI: uri, ...words }, yearlyMintRate, allocations }) => ({
      ...words,
      uri,
      yearlyMintRate,
      vesting: vestingOf(allocations),
    }),
  ),
  'doppler-erc20-v1': reads(
    'token',
    fc.record({
      words: anyWords,
      allocations: anyAllocations,
      limit: fc.record({
        maxBalanceLimit: fc.bigInt({ min: 1n, max: 3n }),
        balanceLimitEnd: anyNumber(2 ** 48 - 1, 2 ** 40),
        controller: anyAddress,
        excludedFromBalanceLimit: fc.uniqueArray(anyAddress, { maxLength: 4 }),
      }),
    }),
    ({ words, allocations, limit }) =>
      multicurve({
        token: { type: 'dopplerERC20V1', ...words, ...limit },
        sale: { ...sale, ...saleBeside(total(allocations)) },
        vesting: { allocations },
        // Where the factory is named, the SDK adds no accounts of the protocol to the excluded ones.
        modules: { dopplerERC20V1Factory: addresses.dopplerERC20V1Factory ?? somebody('nobody') },
      }),
    ({ words: { tokenURI: uri, ...words }, allocations, limit }) => ({
      ...words,
      uri,
      vesting: vestingOf(allocations),
      balanceLimit: {
        maxBalance: limit.maxBalanceLimit,
        until: limit.balanceLimitEnd,
        controller: limit.controller,
        excluded: limit.excludedFromBalanceLimit,
      },
    }),
  ),
  dn404: reads(
    'token',
    fc.record({ name: anyName, symbol: anyName, baseURI: anyText, unit: anyUint(256) }),
    (token) =>
      multicurve({
        token: { type: 'doppler404', ...token },
        modules: { tokenFactory: dn404Factory },
      }),
    ({ baseURI: uri, ...token }) => ({ ...token, uri, vesting: [] }),
  ),
})

everyLayout('governance factory', {
  governance: reads(
    'governance',
    fc.record({
      name: anyName,
      votingDelay: anyNumber(2 ** 48 - 1),
      votingPeriod: anyUint32,
      threshold: anyUint(256),
    }),
    ({ name, votingDelay, votingPeriod, threshold }) =>
      multicurve({
        token: { ...otter, name },
        governance: {
          type: 'custom',
          initialVotingDelay: votingDelay,
          initialVotingPeriod: votingPeriod,
          initialProposalThreshold: threshold,
        },
      }),
    (given) => ({ form: 'dao', ...given }),
  ),
  'launchpad-governance': reads(
    'governance',
    anyAddress,
    (multisig) => multicurve({ governance: { type: 'launchpad', multisig } }),
    (account) => ({ form: 'multisig', account }),
  ),
  'no-op-governance': reads(
    'governance',
    // Live launches carry a flag there, which is not by the SDK.
    fc.constantFrom(undefined, false, true),
    (ignored) => {
      if (ignored === undefined) return multicurve()
      const governanceFactoryData = encodeAbiParameters(parseAbiParameters('bool'), [ignored])
      return { ...multicurve(), governanceFactoryData }
    },
    (ignored) => ({ form: 'none', ...(ignored !== undefined && { ignored }) }),
  ),
})

const anyParams = fc.record({
  initialSupply: anyUint(256),
  numTokensToSell: anyUint(256),
  numeraire: anyAddress,
  tokenFactory: anyAddress,
  tokenFactoryData: anyBytes,
  governanceFactory: anyAddress,
  governanceFactoryData: anyBytes,
  poolInitializer: anyAddress,
  poolInitializerData: anyBytes,
  liquidityMigrator: anyAddress,
  liquidityMigratorData: anyBytes,
  integrator: anyAddress,
  salt: anyWord,
})

describe('every call that launches is read', () => {
  test('create', () => {
    fc.assert(
      fc.property(anyParams, (params) => {
        expect(decodeLaunch(encode(params))).toEqual({ entry: 'create', params })
      }),
    )
  })

  test('bundle, but for its purchase', () => {
    fc.assert(
      fc.property(anyParams, anyBytes, fc.array(anyBytes), (params, commands, inputs) => {
        const calldata = encodeBundle(params, commands, inputs)
        expect(decodeLaunch(calldata)).toEqual({ entry: 'bundle', params })
      }),
    )
  })

  test('launch, with what it is bound to', () => {
    const anyBound = fc.record({
      launcher: anyAddress,
      paramsHash: anyWord,
      expectedAsset: anyAddress,
      deadline: anyUint(256),
    })
    fc.assert(
      fc.property(anyParams, anyBound, anyBytes, (params, bound, signature) => {
        const calldata = encodeLaunch(params, bound, signature)
        const binding = { ...bound, signature }
        expect(decodeLaunch(calldata)).toEqual({ entry: 'launch', params, binding })
      }),
    )
  })
})
