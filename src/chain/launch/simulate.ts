import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
} from 'viem'
import type { Launcher } from '../launchers.ts'
import { type Rpc, RpcRefusal } from '../rpc.ts'
import { bytes, quantity } from '../wire.ts'
import { launchAbi } from './abi.ts'
import { explainRevert, revertData } from './refusal.ts'
import type { LaunchModules } from './terms.ts'

/** A payload, and where it would be sent from. */
export interface Rehearsal {
  launcher: Launcher
  calldata: Hex
  from: Address
  /** Where the answer of the interface says that the token will stand. */
  token?: Address | undefined
  modules: LaunchModules
}

/** What is wrong with a payload. */
export type SimulationFault =
  | 'launcher has no code'
  | 'module not whitelisted'
  | 'reverts'
  | 'other token'
  | 'already launched'

export type Simulation =
  | {
      kind: 'passed'
      /** Where the token will stand. */
      token: Address
      /** What the node expects it to use. */
      gas: bigint
      /** The launch can only stand in this block or later. */
      block: bigint
    }
  /** The reason is for people to read, as what comes after "It was not launched:"; of bounded length. */
  | { kind: 'failed'; what: SimulationFault; reason: string }

const roles: readonly [role: keyof LaunchModules, state: bigint, name: string][] = [
  ['tokenFactory', 1n, 'token factory'],
  ['governanceFactory', 2n, 'governance factory'],
  ['poolInitializer', 3n, 'pool initializer'],
  ['liquidityMigrator', 4n, 'liquidity migrator'],
]

/**
 * Tries a payload on the node's last block, without sending anything.
 * @throws NodeError where the node can't say.
 */
export async function rehearse(rpc: Rpc, rehearsal: Rehearsal): Promise<Simulation> {
  const block = await rpc.ask('eth_blockNumber', [], quantity)
  const fault =
    (await missingLauncher(rpc, rehearsal)) ??
    (await strangeModule(rpc, rehearsal)) ??
    (await tokenThere(rpc, rehearsal))
  if (fault) return fault
  const { launcher, calldata, from, token } = rehearsal
  const call = { from, to: launcher.to, data: calldata }
  try {
    const created = createdToken(await rpc.ask('eth_call', [call, 'latest'], bytes))
    if (created === undefined) return failed('reverts', 'the launcher does not answer as one does')
    if (token !== undefined && !isAddressEqual(created, token)) {
      return failed('other token', `it would create the token ${created}, not ${token}`)
    }
    const gas = await rpc.ask('eth_estimateGas', [call], quantity)
    return { kind: 'passed', token: created, gas, block }
  } catch (error) {
    const reason = revertReason(error)
    if (reason === undefined) throw error
    return failed('reverts', `the launch contract refuses it: ${reason}`)
  }
}

function failed(what: SimulationFault, reason: string): Simulation {
  return { kind: 'failed', what, reason }
}

/** Whether a contract stands at an address. */
export async function standsAt(rpc: Rpc, address: Address): Promise<boolean> {
  return (await rpc.ask('eth_getCode', [address, 'latest'], bytes)) !== '0x'
}

async function missingLauncher(rpc: Rpc, { launcher }: Rehearsal) {
  for (const address of [launcher.to, launcher.airlock]) {
    if (!(await standsAt(rpc, address))) {
      return failed('launcher has no code', `there is no launch contract at ${address}`)
    }
  }
  return undefined
}

async function strangeModule(rpc: Rpc, { launcher, modules }: Rehearsal) {
  for (const [role, state, name] of roles) {
    const module = modules[role]
    const data = encodeFunctionData({
      abi: launchAbi,
      functionName: 'getModuleState',
      args: [module],
    })
    const call = { to: launcher.airlock, data }
    const answered = await rpc.ask('eth_call', [call, 'latest'], bytes).catch(asNothing)
    if (answered === '0x' || BigInt(answered) !== state) {
      return failed(
        'module not whitelisted',
        `the launch contract does not know ${module} as a ${name}`,
      )
    }
  }
  return undefined
}

async function tokenThere(rpc: Rpc, { token }: Rehearsal) {
  if (token === undefined || !(await standsAt(rpc, token))) return undefined
  return failed('already launched', `there is a contract at ${token} already`)
}

function createdToken(data: Hex): Address | undefined {
  try {
    const [asset] = decodeFunctionResult({ abi: launchAbi, functionName: 'create', data })
    return asset
  } catch {
    return undefined
  }
}

/** What a contract gives that lacks the function. */
function asNothing(error: unknown): Hex {
  if (revertReason(error) === undefined) throw error
  return '0x'
}

/** Undefined where it was the node that failed, not the call. */
function revertReason(error: unknown): string | undefined {
  if (!(error instanceof RpcRefusal)) return undefined
  const data = revertData(error.data)
  const reverted =
    error.code === 3 || data !== '0x' || /revert|opcode|out of gas/iu.test(error.details)
  return reverted ? explainRevert(data) : undefined
}
