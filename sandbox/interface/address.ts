import { type Address, getAddress, type Hex, sha256, toHex } from 'viem'

/** Thirty-two bytes that stand for a name, the same every time. */
export function digestOf(name: string): Hex {
  return sha256(toHex(name))
}

/** A checksummed address that stands for a name, the same every time; nobody holds its key. */
export function addressOf(name: string): Address {
  return getAddress(`0x${digestOf(name).slice(-40)}`)
}
