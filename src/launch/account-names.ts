import type { Address } from 'viem'

/** Looks up what a name stands for on a chain. @throws UserError that says what to send instead */
export type LookUpName = (
  name: string,
  chain: number | undefined,
) => Promise<{ name: string; address: Address }>

/** A name that somebody typed, and the account that it stood for at that moment. */
export interface NamedAccount {
  name: string
  address: Address
}

/** Names by the address in lower case. */
export type AccountNames = Readonly<Record<string, string>>

const parts = /[^\s,;:=]+/gu

/** A name has a dot and ends in letters; so do no addresses and amounts. */
const namePattern = /^[^\s/@]+\.\p{L}{2,}$/u

/** Writes names before their addresses, in a text with addresses. */
export function withNames(text: string, names: AccountNames): string {
  return text.replaceAll(/0x[0-9a-f]{40}/giu, (address) => {
    const name = names[address.toLowerCase()]
    return name === undefined ? address : `${name} (${address})`
  })
}

/** Lists the different names in an answer about accounts. */
export function namesIn(text: string): string[] {
  return [...new Set((text.match(parts) ?? []).filter((part) => namePattern.test(part)))]
}

/** Replaces names in an answer by the addresses that were found for them. */
export function withAddresses(text: string, found: ReadonlyMap<string, Address>): string {
  return text.replaceAll(parts, (part) => found.get(part) ?? part)
}
