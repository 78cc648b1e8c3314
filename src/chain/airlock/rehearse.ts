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
  effectsBlock,
  launchBlock,
  launchSummary,
  MalformedLaunch,
  type RehearsedLaunch,
  readEffects,
  type Subject,
} from './rehearsed-launch.ts'
import { noQuote, type RehearsedTrades, TradePlan, type Traders } from './rehearsed-trades.ts'
import { cannotSimulate, readable, simulate } from './simulation.ts'

/** A payload to simulate, and its sender. */
export interface Rehearsal extends Subject, Traders {
  /** Token address that the API's answer predicts. */
  token?: Address | undefined
  modules: readonly { kind: ModuleKind; address: Address }[]
  /** Supply in base units, to show amounts in errors as percent of it. */
  supply?: bigint | undefined
}

/** Effects that a simulation showed. */
export interface Rehearsed
  extends Omit<RehearsedLaunch, 'asset' | 'gas'>,
    Partial<RehearsedTrades> {}

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
 * Simulates a payload on the node's latest block: checks launcher and modules, then shows who holds the token, the
 * pool, the result of a small purchase and sale, and who gets the fees. If the node can't simulate, only `eth_call` is
 * tried.
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
  try {
    return await simulateFully(rpc, rehearsal, block)
  } catch (error) {
    if (error instanceof MalformedLaunch) {
      return refused(t('refused-malformed', { detail: error.message }))
    }
    const unsupported = cannotSimulate(error)
    if (unsupported === undefined) throw error
    const note = unsupported === 'lacks' ? t('verify-called-lacks') : t('verify-called-fails')
    return callOnly(rpc, rehearsal, { block, note })
  }
}

/** Whether there is a contract at an address. */
export async function hasCodeAt(rpc: Rpc, address: Address): Promise<boolean> {
  return (await rpc.request('eth_getCode', [address, 'latest'], bytesSchema)) !== '0x'
}

async function simulateFully(
  rpc: Rpc,
  rehearsal: Rehearsal,
  block: bigint,
): Promise<RehearsalResult> {
  const [first] = await simulate(rpc, [launchBlock(rehearsal)])
  const launch = first?.calls[0]
  if (!launch?.ok) return explainFailure(rpc, rehearsal, launch?.data ?? '0x')
  const createdOutline = launchSummary(launch, rehearsal)
  const mismatch = tokenMismatch(createdOutline.asset, rehearsal)
  if (mismatch) return mismatch
  // Also read the balances of accounts that could receive tokens without an event.
  const { from, beneficiaries, modules } = rehearsal
  const involved = [
    from,
    ...beneficiaries,
    ...modules.map(({ address }) => address),
    createdOutline.asset,
  ]
  const accounts = new Set([
    ...createdOutline.accounts,
    ...involved.map((each) => getAddress(each)),
  ])
  const summary = { ...createdOutline, accounts: [...accounts] }
  const [effectsResult] = await simulate(rpc, [effectsBlock(rehearsal, summary)])
  const { asset, gas, ...effects } = readEffects(effectsResult?.calls ?? [], rehearsal, summary)
  const trades = await tradesAfter(
    rpc,
    rehearsal,
    { asset, gas, ...effects },
    effectsResult?.time ?? 0n,
  )
  return {
    kind: 'passed',
    asset,
    block,
    gas: await estimateGas(rpc, rehearsal, gas),
    rehearsed: { ...effects, ...trades },
  }
}

async function tradesAfter(
  rpc: Rpc,
  rehearsal: Rehearsal,
  launch: RehearsedLaunch,
  time: bigint,
): Promise<Partial<RehearsedTrades>> {
  const { pool } = launch
  if (!pool) return {}
  const plan = new TradePlan(rehearsal, launch, pool, { ...rehearsal, time, quoteSource: 'coins' })
  if (plan.impossibleBecause !== undefined) return { buy: { untried: plan.impossibleBecause } }
  try {
    const trades = plan.read(await simulate(rpc, plan.blocks))
    const isLacking = 'untried' in trades.buy && trades.buy.untried === noQuote
    if (!isLacking || pool.version === 3) return trades
    const borrowing = { ...rehearsal, time, quoteSource: 'pool manager' } as const
    const borrowed = new TradePlan(rehearsal, launch, pool, borrowing)
    return borrowed.read(await simulate(rpc, borrowed.blocks))
  } catch (error) {
    if (cannotSimulate(error) === undefined) throw error
    return { buy: { untried: 'the node can’t simulate a trade' } }
  }
}

/**
 * Estimates gas. `eth_estimateGas` covers the peak during execution, which is more than the gas used; without it, a
 * fifth is added to the gas used.
 */
async function estimateGas(rpc: Rpc, rehearsal: Rehearsal, used: bigint): Promise<bigint> {
  const padded = (used * 6n) / 5n
  try {
    return await rpc.request('eth_estimateGas', [toTransaction(rehearsal)], quantity)
  } catch (error) {
    if (error instanceof RpcRefusal) return padded
    throw error
  }
}

function toTransaction({ from, to, calldata }: Rehearsal) {
  return { from, to, data: calldata }
}

/** Fallback without `eth_simulateV1`: whether the call succeeds, and which token it returns. */
async function callOnly(
  rpc: Rpc,
  rehearsal: Rehearsal,
  { block, note }: { block: bigint; note: Message },
): Promise<RehearsalResult> {
  const call = toTransaction(rehearsal)
  try {
    const data = await rpc.request('eth_call', [call, 'latest'], bytesSchema)
    const created = readable(() =>
      decodeFunctionResult({ abi: launchAbi, functionName: 'create', data }),
    )
    // Only `create` has a known return value.
    const asset = created?.[0] ?? (isCreate(rehearsal) ? undefined : rehearsal.token)
    if (asset === undefined)
      return refused(t('refused-malformed', { detail: 'the launcher does not answer as one does' }))
    const other = tokenMismatch(asset, rehearsal)
    if (other) return other
    const gas = await rpc.request('eth_estimateGas', [call], quantity)
    return { kind: 'passed', asset, block, gas, note }
  } catch (error) {
    const reason = revertReason(error, rehearsal)
    if (!reason) throw error
    return refusedWith(reason)
  }
}

function isCreate({ calldata }: Rehearsal): boolean {
  return entryOf(calldata) === 'create'
}

/** Explains a simulated revert. Some nodes omit its data; a plain `eth_call` returns them. */
async function explainFailure(rpc: Rpc, rehearsal: Rehearsal, data: Hex): Promise<Refused> {
  const { supply } = rehearsal
  if (data !== '0x') return refusedWith(explainRevert(data, { supply }))
  try {
    await rpc.request('eth_call', [toTransaction(rehearsal), 'latest'], bytesSchema)
  } catch (error) {
    const reason = revertReason(error, rehearsal)
    if (!reason) throw error
    return refusedWith(reason)
  }
  return refusedWith(explainRevert(data, { supply }))
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
  if (!revertReason(error, {})) throw error
  return '0x'
}

/** Explains the revert in an error; undefined if the node failed, not the call. */
function revertReason(
  error: unknown,
  { supply }: Pick<Rehearsal, 'supply'>,
): RevertReason | undefined {
  const data = revertOf(error)
  return data && explainRevert(data, { supply })
}
