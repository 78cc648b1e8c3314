import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddressEqual,
} from 'viem'
import { type Message, t } from '../../core/view.ts'
import { bytesSchema } from '../address.ts'
import { quantity, type Rpc, RpcRefusal } from '../rpc.ts'
import { entryOf, launchAbi } from './calldata.ts'
import type { ModuleKind } from './layouts.ts'
import { type Blame, explainRevert, type RevertReason, revertOf } from './refusals.ts'
import {
  type ForeseenLaunch,
  launchCalls,
  MalformedLaunch,
  type RehearsedLaunch,
  readLaunch,
  type Subject,
} from './rehearsed-launch.ts'
import { cannotSimulate, readable, simulate } from './simulation.ts'

/** A payload to simulate, and its sender. */
export interface Rehearsal extends Subject {
  /** Beneficiaries of the pool's fees, who could get tokens without an event. */
  beneficiaries: readonly Address[]
  /** Token address that the API's answer predicts. */
  token?: Address | undefined
  modules: readonly { kind: ModuleKind; address: Address }[]
  /** Supply in base units, to show amounts in errors as percent of it. */
  supply?: bigint | undefined
}

/** Effects that a simulation showed. */
export type Rehearsed = Omit<RehearsedLaunch, 'gas'>

export type RehearsalResult =
  /**
   * Something is wrong with the payload; the reason is for people, follows a colon, and is of bounded length. `blame`: what has
   * to change.
   */
  | { kind: 'refused'; reason: Message; blame?: Blame }
  | {
      kind: 'passed'
      /** Expected gas of the transaction. */
      gas: bigint
      /** Address of the token. */
      asset: Address
      /** The latest block at the simulation; a launch can't be in an earlier one. */
      block: bigint
      /** Absent if the node can't simulate: then only `eth_call` was tried. */
      rehearsed?: Rehearsed
      /** Why it was not simulated, for people. */
      note?: Message
    }

type Refused = Extract<RehearsalResult, { kind: 'refused' }>

const moduleStates: Partial<Record<ModuleKind, bigint>> = {
  'token factory': 1n,
  'governance factory': 2n,
  'pool initializer': 3n,
  'liquidity migrator': 4n,
}

/**
 * Rehearses a payload on the node's latest block: checks launcher and modules, calls it, and simulates it to show who
 * holds the token and how the pool opens. If the node can't simulate, it is only called.
 * @throws NodeError if the node does not answer
 */
export async function rehearse(rpc: Rpc, rehearsal: Rehearsal): Promise<RehearsalResult> {
  const block = await rpc.request('eth_blockNumber', [], quantity)
  const problems = await Promise.all([
    missingLauncher(rpc, rehearsal),
    unknownModule(rpc, rehearsal),
    existingToken(rpc, rehearsal),
  ])
  const problem = problems.find((each) => each !== undefined)
  if (problem) return problem
  const foreseen = await call(rpc, rehearsal)
  if ('kind' in foreseen) return foreseen
  const { asset } = foreseen
  const simulated = await simulateLaunch(rpc, rehearsal, foreseen)
  if ('kind' in simulated) return simulated
  const gas = await estimateGas(rpc, rehearsal, simulated.gas)
  return { kind: 'passed', asset, block, ...simulated, gas }
}

/** Whether there is a contract at an address. */
export async function hasCodeAt(rpc: Rpc, address: Address): Promise<boolean> {
  return (await rpc.request('eth_getCode', [address, 'latest'], bytesSchema)) !== '0x'
}

/** Calls the launch and returns its predicted results; its token has to be the expected one. */
async function call(rpc: Rpc, rehearsal: Rehearsal): Promise<ForeseenLaunch | Refused> {
  try {
    const params = [toTransaction(rehearsal), 'latest']
    const data = await rpc.request('eth_call', params, bytesSchema)
    // Only `create` has a known return value.
    const created =
      entryOf(rehearsal.calldata) === 'create'
        ? readable(() => decodeFunctionResult({ abi: launchAbi, functionName: 'create', data }))
        : undefined
    const [asset = rehearsal.token, pool, governance, timelock] = created ?? []
    if (asset === undefined)
      return refused(
        t('refused-malformed', { detail: 'the launcher does not answer as a launcher should' }),
      )
    const { from, beneficiaries, modules } = rehearsal
    const accounts = [
      from,
      asset,
      ...beneficiaries,
      ...modules.map(({ address }) => address),
      ...[pool, governance, timelock].flatMap((each) => each ?? []),
    ]
    const unique = [...new Set(accounts.map((each) => getAddress(each)))]
    return tokenMismatch(asset, rehearsal) ?? { asset, pool, accounts: unique }
  } catch (error) {
    const data = revertOf(error)
    if (data === undefined) throw error
    return refusedWith(explainRevert(data, rehearsal))
  }
}

/** The gas that a simulated launch used, and what it did; without the gas, why it could not be simulated. */
type Simulated =
  | { gas: bigint; rehearsed: Rehearsed; note?: never }
  | { gas?: never; rehearsed?: never; note: Message }

async function simulateLaunch(
  rpc: Rpc,
  rehearsal: Rehearsal,
  foreseen: ForeseenLaunch,
): Promise<Simulated | Refused> {
  try {
    const results = await simulate(rpc, launchCalls(rehearsal, foreseen))
    const [launch] = results
    if (!launch?.ok) return refusedWith(explainRevert(launch?.data ?? '0x', rehearsal))
    const { gas, ...rehearsed } = readLaunch(results, rehearsal, foreseen)
    return { gas, rehearsed }
  } catch (error) {
    if (error instanceof MalformedLaunch) {
      return refused(t('refused-malformed', { detail: error.message }))
    }
    const unsupported = cannotSimulate(error)
    if (unsupported === undefined) throw error
    return { note: unsupported === 'lacks' ? t('verify-called-lacks') : t('verify-called-fails') }
  }
}

/**
 * Estimates gas. `eth_estimateGas` covers the peak during execution, which is more than the gas used; without it, a
 * fifth is added to the gas used.
 */
async function estimateGas(
  rpc: Rpc,
  rehearsal: Rehearsal,
  used: bigint | undefined,
): Promise<bigint> {
  try {
    return await rpc.request('eth_estimateGas', [toTransaction(rehearsal)], quantity)
  } catch (error) {
    if (error instanceof RpcRefusal && used !== undefined) return (used * 6n) / 5n
    throw error
  }
}

function toTransaction({ from, to, calldata }: Rehearsal) {
  return { from, to, data: calldata }
}

function refused(reason: Message, blame?: Blame): Refused {
  return { kind: 'refused', reason, ...(blame && { blame }) }
}

function refusedWith({ words, blame }: RevertReason): Refused {
  return refused(t('refused-by-contract', { why: words }), blame)
}

function tokenMismatch(asset: Address, { token }: Rehearsal): Refused | undefined {
  if (token === undefined || isAddressEqual(asset, token)) return undefined
  return refused(t('refused-other-token', { found: asset, expected: token }))
}

async function missingLauncher(rpc: Rpc, { to, airlock }: Rehearsal) {
  for (const address of new Set([to, airlock])) {
    if (!(await hasCodeAt(rpc, address))) {
      return refused(t('refused-no-launcher', { account: address }))
    }
  }
  return undefined
}

async function unknownModule(rpc: Rpc, { airlock, modules }: Rehearsal) {
  for (const { kind, address } of modules) {
    const state = moduleStates[kind]
    if (state === undefined) continue
    const data = encodeFunctionData({
      abi: launchAbi,
      functionName: 'getModuleState',
      args: [address],
    })
    const actualState = await rpc
      .request('eth_call', [{ to: airlock, data }, 'latest'], bytesSchema)
      .catch(emptyIfReverted)
    if (actualState === '0x' || BigInt(actualState) !== state) {
      return refused(t('refused-module', { account: address, kind }), 'template')
    }
  }
  return undefined
}

async function existingToken(rpc: Rpc, { token }: Rehearsal) {
  if (token === undefined || !(await hasCodeAt(rpc, token))) return undefined
  return refused(t('refused-exists', { token }), 'launched')
}

/** Turns a revert into empty data, as for a contract without the function; rethrows errors of the node. */
function emptyIfReverted(error: unknown): Hex {
  if (revertOf(error) === undefined) throw error
  return '0x'
}
