import { type Address, getAddress, type Hex } from 'viem'
import { z } from 'zod'
import { builtAuctionSchema } from '../api/schema.ts'
import { isAddress } from '../chain/address.ts'
import { calldataDigest } from '../chain/launch/calldata.ts'
import { type CheckedTerms, type Mismatch, verifyPayload } from '../chain/launch/verify.ts'
import type { ChainNode } from '../chain/node.ts'
import type { LaunchInputs } from './builder-inputs.ts'
import { departures } from './departures.ts'
import type { Payload } from './payload.ts'

/** What a payload consists of before anybody has it. */
export type CheckedPayload = Pick<
  Payload,
  | 'chain'
  | 'to'
  | 'airlock'
  | 'calldata'
  | 'digest'
  | 'wallet'
  | 'name'
  | 'symbol'
  | 'uri'
  | 'token'
  | 'verified'
  | 'doubt'
  | 'unchecked'
  | 'simulation'
  | 'fromBlock'
  | 'staleAt'
>

/**
 * What the checks say. Only what is `ready` is handed out; `unverified` after the person said so a second time. Without
 * a `reason` all of it was read, and it gives otherwise than was confirmed.
 */
export type Checked =
  | { kind: 'ready'; payload: CheckedPayload }
  | { kind: 'unverified'; reason: string | undefined; payload: CheckedPayload }
  | { kind: 'mismatch'; mismatches: readonly Mismatch[] }
  | { kind: 'refused'; reason: string }

export interface CheckInputs extends LaunchInputs {
  uri: string
  /** What the interface answered, as JSON. */
  answer: string
  /** Whom the operator set. */
  integrator: Address | undefined
}

const calldataSchema = z.templateLiteral(['0x', z.string().regex(/^(?:[0-9a-f]{2})+$/u)])

/**
 * All checks that can be made before anybody signs, on the chain too where there is a node.
 * @throws NodeError where the node can't say
 */
export async function checkBuilt(
  inputs: CheckInputs,
  node: ChainNode | undefined,
): Promise<Checked> {
  const { name, symbol, uri, wallet, integrator } = inputs
  const built = builtAuctionSchema.parse(JSON.parse(inputs.answer))
  const calldata = calldataSchema.parse(built.encoded_payload.toLowerCase())
  const said = built.token_address
  if (said !== undefined && !isAddress(said)) {
    const what = 'token address'
    return { kind: 'mismatch', mismatches: [{ what, expected: 'an address', found: said }] }
  }
  const token = said === undefined ? undefined : getAddress(said.toLowerCase())
  const expected = { params: built.params, name, symbol, uri, integrator, wallet }
  const verdict = verifyPayload(calldata, expected)
  if (verdict.kind === 'mismatch') return { kind: 'mismatch', mismatches: verdict.mismatches }
  const { terms } = verdict
  const chained = await onChain(inputs, { calldata, token, terms }, node)
  if (chained.kind === 'refused') return chained
  const reason = verdict.kind === 'unverifiable' ? verdict.reason : undefined
  const departs = terms !== undefined && departures(inputs.answers, terms).length > 0
  const doubt = reason ?? (departs ? 'it does not give what was confirmed' : undefined)
  const payload: CheckedPayload = {
    ...bare(inputs, calldata),
    ...chained.found,
    verified: doubt === undefined,
    ...(doubt !== undefined && { doubt }),
    ...(terms && terms.unchecked.length > 0 && { unchecked: [...terms.unchecked] }),
    ...(terms?.pool?.startingTime !== undefined && { staleAt: Number(terms.pool.startingTime) }),
  }
  return doubt === undefined ? { kind: 'ready', payload } : { kind: 'unverified', reason, payload }
}

function bare({ chain, launcher, wallet, name, symbol, uri }: CheckInputs, calldata: Hex) {
  const digest = calldataDigest(calldata)
  return { chain, ...launcher, calldata, digest, wallet, name, symbol, uri }
}

type Chained =
  | { kind: 'refused'; reason: string }
  | { kind: 'went on'; found: Pick<Payload, 'token' | 'simulation' | 'fromBlock'> }

async function onChain(
  { launcher, wallet }: CheckInputs,
  built: { calldata: Hex; token: Address | undefined; terms: CheckedTerms | undefined },
  node: ChainNode | undefined,
): Promise<Chained> {
  const { calldata, token, terms } = built
  const known = token !== undefined && { token }
  const skipped = (reason: string, fromBlock?: bigint): Chained => ({
    kind: 'went on',
    found: {
      ...known,
      simulation: { kind: 'none', reason },
      ...(fromBlock !== undefined && { fromBlock: String(fromBlock) }),
    },
  })
  if (!node) return skipped('no node is set up for this chain, so only the calldata was checked')
  if (!terms) {
    const block = await node.block()
    if (token !== undefined && (await node.hasCode(token))) {
      return { kind: 'refused', reason: `there is a contract at ${token} already` }
    }
    return skipped('its calldata is not a call that this bot can read', block)
  }
  const { modules } = terms
  const outcome = await node.simulate({ launcher, calldata, from: wallet, token, modules })
  if (outcome.kind === 'failed') return { kind: 'refused', reason: outcome.reason }
  return {
    kind: 'went on',
    found: {
      token: outcome.token,
      simulation: { kind: 'passed', gas: String(outcome.gas) },
      fromBlock: String(outcome.block),
    },
  }
}
