import { randomBytes } from 'node:crypto'
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseUnits,
  toHex,
  zeroAddress,
} from 'viem'
import { protocol } from '../../../sandbox/chain/modules.ts'
import { launchAbi } from '../../../src/chain/airlock/abi.ts'
import { calldataDigest } from '../../../src/chain/airlock/calldata.ts'
import type { SigningRequest } from '../../../src/launch/signing.ts'
import { curves, poolLayouts } from '../../chain/launch/sample.ts'

/** The modules of a launch, such as a local chain has. */
export interface Modules {
  tokenFactory: Address
  governanceFactory: Address
  poolInitializer: Address
  liquidityMigrator: Address
}

export const launcher: Address = '0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12'
export const wallet: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const other: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export { protocol }
export const someModules: Modules = {
  tokenFactory: '0x00000000000000000000000000000000000000b1',
  governanceFactory: '0x00000000000000000000000000000000000000b2',
  poolInitializer: '0x00000000000000000000000000000000000000b3',
  liquidityMigrator: '0x00000000000000000000000000000000000000b4',
}

interface Words {
  name: string
  symbol: string
  uri: string
}

export const otter: Words = {
  name: 'Moon Otter',
  symbol: 'OTTER',
  uri: 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
}

const tokens = (amount: string) => parseUnits(amount, 18)

function tokenFactoryData({ name, symbol, uri }: Words): Hex {
  const [text, number] = [{ type: 'string' }, { type: 'uint256' }] as const
  const lists = [{ type: 'address[]' }, { type: 'uint256[]' }] as const
  return encodeAbiParameters(
    [text, text, number, number, ...lists, text],
    [name, symbol, 0n, 31_536_000n, [wallet], [tokens('50000000')], uri],
  )
}

function poolInitializerData(): Hex {
  const beneficiaries = [
    { beneficiary: protocol, shares: tokens('0.05') },
    { beneficiary: wallet, shares: tokens('0.95') },
  ].toSorted((left, right) => (BigInt(left.beneficiary) < BigInt(right.beneficiary) ? -1 : 1))
  const data = { fee: 10_000, tickSpacing: 200, curves, beneficiaries }
  return encodeAbiParameters(poolLayouts.multicurve, [data])
}

/** Calldata that really launches this, each time another token. */
export function launchCalldata(
  words: Words,
  modules: Modules,
  integrator: Address = zeroAddress,
): Hex {
  return encodeFunctionData({
    abi: launchAbi,
    functionName: 'create',
    args: [
      {
        initialSupply: tokens('1000000000'),
        numTokensToSell: tokens('600000000'),
        numeraire: zeroAddress,
        ...modules,
        tokenFactoryData: tokenFactoryData(words),
        governanceFactoryData: '0x',
        poolInitializerData: poolInitializerData(),
        liquidityMigratorData: '0x',
        integrator,
        salt: toHex(randomBytes(32)),
      },
    ],
  })
}

/** An open request for a launch, as the bot would make it. */
export function signingRequest(
  change: Partial<SigningRequest> = {},
  words: Words = otter,
): SigningRequest {
  const data = change.data ?? launchCalldata(words, someModules)
  return {
    state: 'open',
    chain: {
      id: 84532,
      name: 'Base Sepolia',
      coin: 'ETH',
      explorer: 'https://sepolia.basescan.org',
    },
    to: launcher,
    data,
    digest: calldataDigest(data),
    wallet,
    token: '0x00000000000000000000000000000000000000cc',
    ...words,
    picture: false,
    verified: true,
    simulation: { kind: 'passed', gas: '2345678' },
    expiresAt: Math.floor(Date.now() / 1000) + 3600,
    progress: { launched: false },
    ...change,
  }
}
