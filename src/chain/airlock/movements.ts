import { type Address, getAddress, type Hex, isAddressEqual, slice, toEventSelector } from 'viem'
import type { Log } from '../rpc.ts'

/** Some of a token that went from one account to another; the zero address for what is made or destroyed. */
export interface Movement {
  from: Address
  to: Address
  amount: bigint
}

const transferTopic = toEventSelector('Transfer(address,address,uint256)')

/** The transfers of a token, by its own log. */
export function movementsOf(logs: readonly Log[], token: Address): Movement[] {
  return logs.flatMap(({ address, topics: [event, from, to, ...more], data }) => {
    const isTransfer = event === transferTopic && more.length === 0 && data.length === 66
    if (!isTransfer || !from || !to || !isAddressEqual(address, token)) return []
    const [sender, receiver] = [from, to].map((topic) => getAddress(slice(topic, 12)))
    return sender && receiver ? [{ from: sender, to: receiver, amount: BigInt(data) }] : []
  })
}

/** What each account has more than before, or less. */
export function netOf(movements: readonly Movement[]): Map<Address, bigint> {
  const net = new Map<Address, bigint>()
  for (const { from, to, amount } of movements) {
    net.set(from, (net.get(from) ?? 0n) - amount)
    net.set(to, (net.get(to) ?? 0n) + amount)
  }
  return net
}

/** The topics of a log in the form that viem decodes. */
export function topicsOf({ topics: [first, ...rest] }: Log): [Hex, ...Hex[]] | [] {
  return first === undefined ? [] : [first, ...rest]
}

/** What a decoder reads; undefined if it can't. */
export function readable<Value>(decode: () => Value): Value | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}
