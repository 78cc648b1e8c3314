import { randomBytes } from 'node:crypto'
import { type Address, type Hex, parseUnits, toHex } from 'viem'
import { protocol } from '../../../../sandbox/chain/modules.ts'
import type { ModuleEntry } from '../../../../src/chain/airlock/modules.ts'
import { chainById } from '../../../../src/chain/chains.ts'
import { type CheckSources, checkBuilt } from '../../../../src/launch/check-built.ts'
import type { Answers } from '../../../../src/launch/draft.ts'
import type { CheckedPayload } from '../../../../src/launch/payload.ts'
import type { SigningRequest } from '../../../../src/launch/signing-wire.ts'
import {
  curvesPool,
  encode,
  migrating,
  multicurve,
  read,
  somebody,
} from '../../chain/airlock/sdk.ts'

export const chainId = 84532
export const launcher: Address = '0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12'
const bundler = somebody('bundler')
export const wallet: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const other: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Those of Base Sepolia. */
const someModules = {
  tokenFactory: '0xf0B5141dD9096254B2ca624dff26024f46087229',
  governanceFactory: '0x916B8987E4aD325C10d58ED8Dc2036a6FF5EB228',
  poolInitializer: '0x1718405E58c61425cDc0083262bC9f72198F5232',
  liquidityMigrator: '0xF11066abbd329ac4bBA39455340539322C222eb0',
} as const

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

const vested = '50000000'
const beneficiaries = [
  { beneficiary: protocol, shares: parseUnits('0.05', 18) },
  { beneficiary: wallet, shares: parseUnits('0.95', 18) },
].sort((one, other) => (BigInt(one.beneficiary) < BigInt(other.beneficiary) ? -1 : 1))

/** Calldata that really launches this, each time another token. */
export function launchCalldata(
  { name, symbol, uri }: Words = otter,
  modules: Readonly<Record<keyof typeof someModules, Address>> = someModules,
): Hex {
  const launch = multicurve({
    token: { name, symbol, tokenURI: uri, yearlyMintRate: 0n },
    pool: { ...curvesPool, beneficiaries },
    vesting: {
      duration: 31_536_000,
      cliffDuration: 0,
      recipients: [wallet],
      amounts: [parseUnits(vested, 18)],
    },
  })
  return encode({ ...launch, ...modules, salt: toHex(randomBytes(32)) })
}

interface Asked {
  chain?: number
  /** What the person answered; without it what `launchCalldata` does. */
  answers?: Answers
  words?: Words | undefined
  token?: Address
  modules?: readonly ModuleEntry[] | undefined
  sources?: Partial<CheckSources>
}

/** What the bot finds out about calldata before it hands them out: by its own check. */
export async function checkedPayload(
  calldata: Hex,
  {
    chain = chainId,
    answers = {
      wallet,
      chain,
      vesting: [{ address: wallet, amount: vested }],
      beneficiaries: [],
    },
    words = otter,
    modules,
    sources,
    // A node says itself where the token will stand.
    token = sources?.node ? undefined : somebody('token'),
  }: Asked = {},
): Promise<CheckedPayload> {
  const { name, symbol, uri } = words
  const checked = await checkBuilt(
    {
      chain,
      launcher: { to: launcher, airlock: launcher, bundle: bundler },
      name,
      symbol,
      uri,
      wallet: answers.wallet ?? wallet,
      answers,
      template: { id: 'standard', label: 'Standard', chain, expects: undefined },
      requestFor: () => {
        throw new Error('it was built already')
      },
      answer: JSON.stringify({ encoded_payload: calldata, token_address: token, params: {} }),
      integrator: undefined,
      modules,
    },
    {
      node: undefined,
      launched: async () => undefined,
      usd: async () => '3000',
      metadata: async () => ({ kind: 'same' }),
      now: () => Math.floor(Date.now() / 1000),
      ...sources,
    },
  )
  if (checked.kind === 'ready' || checked.kind === 'unverified') return checked.payload
  throw new Error(JSON.stringify(checked))
}

/** The request that the bot serves for a payload. */
export function requestOf(payload: CheckedPayload): SigningRequest {
  const { to, calldata, digest, wallet, token, name, symbol, uri, value, verified, check } = payload
  const { id, name: called, coin, explorer } = chainById(payload.chain)
  return {
    state: 'open',
    chain: { id, name: called, coin, ...(explorer !== undefined && { explorer }) },
    to,
    data: calldata,
    digest,
    wallet,
    ...(token !== undefined && { token }),
    name,
    symbol,
    uri,
    picture: false,
    value,
    verified,
    ...(check && { check }),
    simulation: { kind: 'passed', gas: '2345678' },
    expiresAt: Math.floor(Date.now() / 1000) + 3600,
    progress: { launched: false },
  }
}

/** The request for calldata, as the bot would make it. */
export async function requestFor(calldata: Hex, asked: Asked = {}): Promise<SigningRequest> {
  return requestOf(await checkedPayload(calldata, asked))
}

/** A launch on Base of whose vesting and fees ada said nothing. */
export function onBase(calldata: Hex, asked: Asked = {}): Promise<CheckedPayload> {
  const answers = { wallet: somebody('ada'), chain: 8453, vesting: [], beneficiaries: [] }
  return checkedPayload(calldata, { chain: 8453, answers, words: read(calldata).token, ...asked })
}

/** A launch with which much is wrong. */
export function alarming(): Hex {
  return encode(
    migrating({
      pool: { ...curvesPool, fee: 80_000, beneficiaries: [] },
      vesting: {
        duration: 31_536_000 * 5,
        cliffDuration: 0,
        recipients: [other],
        amounts: [parseUnits('150000000', 18)],
      },
      governance: { type: 'launchpad', multisig: somebody('multisig') },
      migration: {
        type: 'uniswapV2Split',
        proceedsSplit: { recipient: somebody('treasury'), share: parseUnits('0.5', 18) },
      },
    }),
  )
}

const usual = await checkedPayload(launchCalldata())

/** An open request for a launch that is verified. */
export function signingRequest(change: Partial<SigningRequest> = {}): SigningRequest {
  return { ...requestOf(usual), ...change }
}
