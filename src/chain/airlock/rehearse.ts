import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddressEqual,
  numberToHex,
} from 'viem'
import { bytes, quantity, type Rpc, RpcRefusal } from '../rpc.ts'
import { launchAbi } from './abi.ts'
import { entryOf } from './calldata.ts'
import type { ModuleKind } from './layouts.ts'
import { readable } from './movements.ts'
import { explainRevert, type RevertReason, revertData } from './refusals.ts'
import {
  evidenceBlock,
  launchBlock,
  outlineOf,
  type RehearsedLaunch,
  readEvidence,
  StrangeLaunch,
  type Subject,
} from './rehearsed.ts'
import { noQuote, type RehearsedTrades, TradePlan, type Traders } from './rehearsed-trades.ts'
import { cannotSimulate, simulate } from './simulation.ts'

/** A payload, and where it would be sent from. */
export interface Rehearsal extends Subject, Traders {
  /** Where the answer of the interface says that the token will stand. */
  token?: Address | undefined
  modules: readonly { kind: ModuleKind; address: Address }[]
  /** Base units, so that refusals are told as percent of it. */
  supply?: bigint | undefined
}

/** What a rehearsal showed. */
export interface Rehearsed
  extends Omit<RehearsedLaunch, 'asset' | 'gas'>,
    Partial<RehearsedTrades> {}

export type RehearsalResult =
  /** What is wrong with the payload; the reason is for people to read, after "It was not launched:", of bounded length. */
  | { kind: 'refused'; reason: string; error?: RevertReason }
  | {
      kind: 'passed'
      /** What the transaction is expected to use. */
      gas: bigint
      /** Where the token will stand. */
      asset: Address
      /** The launch can only stand in this block or later. */
      block: bigint
      /** Absent if the node can't: then it was only called. */
      rehearsed?: Rehearsed
      /** Why it was not rehearsed, in words. */
      note?: string
    }

type Refusal = Extract<RehearsalResult, { kind: 'refused' }>

const states: Partial<Record<ModuleKind, bigint>> = {
  'token factory': 1n,
  'governance factory': 2n,
  'pool initializer': 3n,
  'liquidity migrator': 4n,
}

/**
 * Runs a payload on the node's last block without sending anything, and shows what comes of it: who holds the token,
 * the pool, what a small purchase comes to and who gets its fees.
 * @throws NodeError if the node can't say.
 */
export async function rehearse(rpc: Rpc, rehearsal: Rehearsal): Promise<RehearsalResult> {
  const block = await rpc.ask('eth_blockNumber', [], quantity)
  const faults = await Promise.all([
    missingLauncher(rpc, rehearsal),
    strangeModule(rpc, rehearsal),
    tokenThere(rpc, rehearsal),
  ])
  const fault = faults.find((each) => each !== undefined)
  if (fault) return fault
  try {
    return await rehearsedFully(rpc, rehearsal, block)
  } catch (error) {
    if (error instanceof StrangeLaunch) return refused(error.message)
    const why = cannotSimulate(error)
    if (why === undefined) throw error
    const note = `${why}: the launch was called, but who gets what was not seen.`
    return called(rpc, rehearsal, { block, note })
  }
}

/** Whether a contract stands at an address. */
export async function standsAt(rpc: Rpc, address: Address): Promise<boolean> {
  return (await rpc.ask('eth_getCode', [address, 'latest'], bytes)) !== '0x'
}

async function rehearsedFully(
  rpc: Rpc,
  rehearsal: Rehearsal,
  block: bigint,
): Promise<RehearsalResult> {
  const [first] = await simulate(rpc, [launchBlock(rehearsal)])
  const launch = first?.calls[0]
  if (!launch?.ok) return whyNot(rpc, rehearsal, launch?.data ?? '0x')
  const seen = outlineOf(launch, rehearsal)
  const other = otherToken(seen.asset, rehearsal)
  if (other) return other
  // Those who could be given something unseen are asked, too.
  const { from, beneficiaries, modules } = rehearsal
  const asked = [from, ...beneficiaries, ...modules.map(({ address }) => address), seen.asset]
  const accounts = new Set([...seen.accounts, ...asked.map((each) => getAddress(each))])
  const outline = { ...seen, accounts: [...accounts] }
  const [evidence] = await simulate(rpc, [evidenceBlock(rehearsal, outline)])
  const { asset, gas, ...shown } = readEvidence(evidence?.calls ?? [], rehearsal, outline)
  const trades = await tradesAfter(rpc, rehearsal, { asset, gas, ...shown }, evidence?.time ?? 0n)
  return {
    kind: 'passed',
    asset,
    block,
    gas: await estimated(rpc, rehearsal, gas),
    rehearsed: { ...shown, ...trades },
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
  const plan = new TradePlan(rehearsal, launch, pool, { ...rehearsal, time, purse: 'coins' })
  if (plan.hopeless !== undefined) return { buy: { refused: plan.hopeless, untried: true } }
  try {
    const trades = plan.read(await simulate(rpc, plan.blocks))
    const isLacking = 'refused' in trades.buy && trades.buy.refused === noQuote
    if (!isLacking || pool.version === 3) return trades
    const borrowing = { ...rehearsal, time, purse: 'pool manager' } as const
    const borrowed = new TradePlan(rehearsal, launch, pool, borrowing)
    return borrowed.read(await simulate(rpc, borrowed.blocks))
  } catch (error) {
    const why = cannotSimulate(error)
    if (why === undefined) throw error
    return { buy: { refused: `${why} when it is to trade`, untried: true } }
  }
}

/** The node's own estimate is for what a transaction needs on the way, which is more than what it uses. */
async function estimated(rpc: Rpc, rehearsal: Rehearsal, used: bigint): Promise<bigint> {
  const enough = (used * 6n) / 5n
  if (rehearsal.value > 0n) return enough
  try {
    return await rpc.ask('eth_estimateGas', [callOf(rehearsal)], quantity)
  } catch (error) {
    if (error instanceof RpcRefusal) return enough
    throw error
  }
}

function callOf({ from, to, calldata, value }: Rehearsal) {
  return { from, to, data: calldata, ...(value > 0n && { value: numberToHex(value) }) }
}

/** Without `eth_simulateV1`: whether the call goes through, and which token it returns. */
async function called(
  rpc: Rpc,
  rehearsal: Rehearsal,
  { block, note }: { block: bigint; note: string },
): Promise<RehearsalResult> {
  const call = callOf(rehearsal)
  try {
    const data = await rpc.ask('eth_call', [call, 'latest'], bytes)
    const created = readable(() =>
      decodeFunctionResult({ abi: launchAbi, functionName: 'create', data }),
    )
    // Launchers of other kinds return what they please.
    const asset = created?.[0] ?? (isCreate(rehearsal) ? undefined : rehearsal.token)
    if (asset === undefined) return refused('the launcher does not answer as one does')
    const other = otherToken(asset, rehearsal)
    if (other) return other
    const gas = await rpc.ask('eth_estimateGas', [call], quantity)
    return { kind: 'passed', asset, block, gas, note }
  } catch (error) {
    const reason = revertReason(error, rehearsal)
    if (!reason) throw error
    return refusedBy(reason)
  }
}

function isCreate({ calldata }: Rehearsal): boolean {
  return entryOf(calldata) === 'create'
}

/** Some nodes keep the reason of a simulated revert to themselves; a plain call gives it. */
async function whyNot(rpc: Rpc, rehearsal: Rehearsal, data: Hex): Promise<Refusal> {
  const { supply } = rehearsal
  if (data !== '0x') return refusedBy(explainRevert(data, { supply }))
  try {
    await rpc.ask('eth_call', [callOf(rehearsal), 'latest'], bytes)
  } catch (error) {
    const reason = revertReason(error, rehearsal)
    if (!reason) throw error
    return refusedBy(reason)
  }
  return refusedBy(explainRevert(data, { supply }))
}

function refused(reason: string): Refusal {
  return { kind: 'refused', reason }
}

function refusedBy(error: RevertReason): Refusal {
  const [first = '', ...rest] = error.words
  return {
    kind: 'refused',
    reason: `the launch contract refuses it: ${first.toLowerCase()}${rest.join('')}`,
    error,
  }
}

function otherToken(asset: Address, { token }: Rehearsal): Refusal | undefined {
  if (token === undefined || isAddressEqual(asset, token)) return undefined
  return refused(`it would create the token ${asset}, not ${token}`)
}

async function missingLauncher(rpc: Rpc, { to, airlock }: Rehearsal) {
  for (const address of new Set([to, airlock])) {
    if (!(await standsAt(rpc, address))) {
      return refused(`there is no launch contract at ${address}`)
    }
  }
  return undefined
}

async function strangeModule(rpc: Rpc, { airlock, modules }: Rehearsal) {
  for (const { kind, address } of modules) {
    const state = states[kind]
    if (state === undefined) continue
    const data = encodeFunctionData({
      abi: launchAbi,
      functionName: 'getModuleState',
      args: [address],
    })
    const answered = await rpc
      .ask('eth_call', [{ to: airlock, data }, 'latest'], bytes)
      .catch(asNothing)
    if (answered === '0x' || BigInt(answered) !== state) {
      const words = `The launch contract does not know ${address} as a ${kind}`
      const reason = `the launch contract does not know ${address} as a ${kind}`
      return { kind: 'refused', reason, error: { words, blame: 'template' } } satisfies Refusal
    }
  }
  return undefined
}

async function tokenThere(rpc: Rpc, { token }: Rehearsal) {
  if (token === undefined || !(await standsAt(rpc, token))) return undefined
  const words = `There is a contract at ${token} already`
  const reason = `there is a contract at ${token} already`
  return { kind: 'refused', reason, error: { words, blame: 'launched' } } satisfies Refusal
}

/** What a contract gives that lacks the function. */
function asNothing(error: unknown): Hex {
  if (!revertReason(error, {})) throw error
  return '0x'
}

/** Undefined if it was the node that failed, not the call. */
function revertReason(
  error: unknown,
  { supply }: Pick<Rehearsal, 'supply'>,
): RevertReason | undefined {
  if (!(error instanceof RpcRefusal)) return undefined
  const data = revertData(error.data)
  const isRevert =
    error.code === 3 || data !== '0x' || /revert|opcode|out of gas/iu.test(error.details)
  return isRevert ? explainRevert(data, { supply }) : undefined
}
