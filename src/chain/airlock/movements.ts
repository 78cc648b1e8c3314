import { type Address, getAddress, type Hex, isAddressEqual, slice, toEventSelector } from 'viem'
import type { Log } from '../rpc.ts'

/** A transfer of a token in base units; the zero address stands for minting and burning. */
export interface Movement {
  from: Address
  to: Address
  amount: bigint
}

const transferTopic = toEventSelector('Transfer(address,address,uint256)')

/** Reads the transfers of a token from the `Transfer` events that it emitted. */
export function movementsOf(logs: readonly Log[], token: Address): Movement[] {
  return logs.flatMap(({ address, topics: [event, from, to, ...more], data }) => {
    const isTransfer = event === transferTopic && more.length === 0 && data.length === 66
    if (!isTransfer || !from || !to || !isAddressEqual(address, token)) return []
    const [sender, receiver] = [from, to].map((topic) => getAddress(slice(topic, 12)))
    return sender && receiver ? [{ from: sender, to: receiver, amount: BigInt(data) }] : []
  })
}

/** Sums the transfers to each account's net change. */
export function netOf(movements: readonly Movement[]): Map<Address, bigint> {
  const net = new Map<Address, bigint>()
  for (const { from, to, amount } of movements) {
    net.set(from, (net.get(from) ?? 0n) - amount)
    net.set(to, (net.get(to) ?? 0n) + amount)
  }
  return net
}

/** Returns the topics of a log as the tuple that viem decodes. */
export function topicsOf({ topics: [first, ...rest] }: Log): [Hex, ...Hex[]] | [] {
  return first === undefined ? [] : [first, ...rest]
}

/** Runs a decoder and returns its value; undefined if it throws. */
export function readable<Value>(decode: () => Value): Value | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}
