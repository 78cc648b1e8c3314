import {
  type Address,
  decodeAbiParameters,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isAddress,
  parseAbi,
  size,
  toFunctionSelector,
  toHex,
} from 'viem'
import { namehash, normalize, packetToBytes, toCoinType } from 'viem/ens'
import { t } from '../core/view.ts'
import { UserError } from '../errors.ts'
import { checksummed, isNobody } from './address.ts'
import { chainById } from './chains.ts'
import type { ChainNode } from './node.ts'
import { type ContractCall, NodeError } from './rpc.ts'

/**
 * The contract that ENS names are looked up in, whatever registry they are in (ENSIP-23).
 * Source: https://docs.ens.domains/learn/deployments
 */
const universalResolver: Address = '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe'

/**
 * The registry of Basenames, which ENS itself reads through a server. Source:
 * https://github.com/base/basenames#contract-addresses
 */
const baseRegistry: Address = '0xB94704422c2a1E396835A571837Aa5AE53285a95'

const ethereum = 1
const base = 8453
/** A DNS name has at most so many bytes. */
const maxName = 255
/** Bytes. An answer is an account and some lengths; a stranger's contract may return megabytes. */
const maxAnswer = 1_000

const abi = parseAbi([
  'function resolver(bytes32 node) view returns (address)',
  'function addr(bytes32 node) view returns (address)',
  'function addr(bytes32 node, uint256 coin) view returns (bytes)',
  'function resolve(bytes name, bytes data) view returns (bytes result, address resolver)',
])

/** The error by which a resolver refers to a server. */
const offchainLookup = toFunctionSelector('OffchainLookup(address,string[],bytes,bytes4,bytes)')

type NameNode = Pick<ChainNode, 'call' | 'isContract'>

/**
 * Looks up which account a name stands for on a chain now: the address that its owner set for this chain (ENSIP-11), or
 * else the one for Ethereum. Reads contracts only: a name that is resolved by a server (ERC-3668) is refused.
 * @param options.nodes by chain id: Basenames (`ada.base.eth`) need Base, other names Ethereum
 * @param options.chain the chain on which the account will be used; undefined if none
 * @returns the name in its normal form, and the address with its checksum
 * @throws UserError that says what to send instead
 */
export async function resolveName(
  typed: string,
  { nodes, chain }: { nodes: ReadonlyMap<number, NameNode>; chain?: number | undefined },
): Promise<{ name: string; address: Address }> {
  const name = normalName(typed)
  const home = name.endsWith('.base.eth') ? base : ethereum
  const node = nodes.get(home)
  if (!node) throw new UserError(t('name-no-node', { name, chain: chainById(home).name }))
  try {
    return { name, address: await addressOf(name, { node, home, chain }) }
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    throw new UserError(t('name-unavailable', { name }), { cause: error })
  }
}

/** A name such as those that these nodes can look up; undefined if they can look up none. */
export function nameExample(nodes: ReadonlyMap<number, unknown>): string | undefined {
  if (nodes.has(ethereum)) return 'ada.eth'
  return nodes.has(base) ? 'ada.base.eth' : undefined
}

/** Refuses a name that is not valid, or could be read as another (ENSIP-15). */
function normalName(typed: string): string {
  if (!/\.eth$/iu.test(typed)) throw new UserError(t('name-ending', { name: typed }))
  let name: string
  try {
    name = normalize(typed)
  } catch (cause) {
    throw new UserError(t('name-invalid', { name: typed }), { cause })
  }
  if (Buffer.byteLength(name) > maxName) throw new UserError(t('name-invalid', { name: typed }))
  // Keyboards add the variation selector to emoji.
  const isSame = typed.toLowerCase().replaceAll('\ufe0f', '') === name
  if (!isSame) throw new UserError(t('name-other-form', { name: typed, normal: name }))
  return name
}

interface Lookup {
  node: NameNode
  /** The chain on which the name is kept. */
  home: number
  chain: number | undefined
}

async function addressOf(name: string, { node, home, chain }: Lookup): Promise<Address> {
  const read = home === base ? await basename(node, name) : ensName(node, name)
  const id = namehash(name)
  if (chain !== undefined && chain !== ethereum) {
    const own = await read(
      encodeFunctionData({ abi, functionName: 'addr', args: [id, toCoinType(chain)] }),
      (data) => decodeAbiParameters([{ type: 'bytes' }], data)[0],
    )
    if (own) return own
  }
  const address = await read(
    encodeFunctionData({ abi, functionName: 'addr', args: [id] }),
    accountIn,
  )
  if (!address) throw new UserError(t('name-unknown', { name }))
  if (chain !== undefined && chain !== home && (await node.isContract(address))) {
    const names = { from: chainById(home).name, chain: chainById(chain).name }
    throw new UserError(t('name-contract', { name, ...names }))
  }
  return address
}

/** Reads a record of a name by its encoded call; undefined if it is not set. */
type ReadRecord = (record: Hex, decode: (data: Hex) => Hex) => Promise<Address | undefined>

async function basename(node: NameNode, name: string): Promise<ReadRecord> {
  const asked = encodeFunctionData({ abi, functionName: 'resolver', args: [namehash(name)] })
  const found = await call(node, name, { to: baseRegistry, data: asked })
  const resolver = decoded(found, accountIn)
  if (!resolver) throw new UserError(t('name-unknown', { name }))
  return async (record, decode) =>
    decoded(await call(node, name, { to: resolver, data: record }), decode)
}

function ensName(node: NameNode, name: string): ReadRecord {
  const encoded = toHex(packetToBytes(name))
  return async (record, decode) => {
    const args = [encoded, record] as const
    const data = encodeFunctionData({ abi, functionName: 'resolve', args })
    const found = await call(node, name, { to: universalResolver, data })
    return decoded(found, (result) =>
      decode(decodeFunctionResult({ abi, functionName: 'resolve', data: result })[0]),
    )
  }
}

/** Runs a call; undefined if it reverts, as for a name without a resolver. @throws UserError if a server has the answer */
async function call(
  node: NameNode,
  name: string,
  { to, data }: ContractCall,
): Promise<Hex | undefined> {
  const result = await node.call({ to, data })
  if (result.ok) return result.data
  if (isOffchainLookup(result.data)) throw new UserError(t('name-offchain', { name }))
  return undefined
}

function isOffchainLookup(data: Hex): boolean {
  return data.startsWith(offchainLookup)
}

/** An account in a word of 32 bytes: one with more digits is none. */
function accountIn(data: Hex): Hex {
  const [, digits] = /^0x0{24}([0-9a-f]{40})$/iu.exec(data) ?? []
  return digits === undefined ? '0x' : `0x${digits}`
}

/** Decodes an account; undefined for none, and for what is no account. */
function decoded(data: Hex | undefined, decode: (data: Hex) => Hex): Address | undefined {
  try {
    const isAnswer = data !== undefined && size(data) > 0 && size(data) <= maxAnswer
    const address = isAnswer ? decode(data) : '0x'
    return isAddress(address, { strict: false }) && !isNobody(address)
      ? checksummed(address)
      : undefined
  } catch {
    // A stranger's contract returns what it likes.
    return undefined
  }
}
