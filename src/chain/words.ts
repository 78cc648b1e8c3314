import {
  type Address,
  concat,
  getAddress,
  type Hex,
  numberToHex,
  pad,
  slice,
  toFunctionSelector,
} from 'viem'

/** A question to a contract that changes nothing. */
export interface View {
  to: Address
  data: Hex
}

/** Who puts such questions; an answer is undefined where the contract has none. */
export interface Viewer {
  views(questions: readonly View[]): Promise<(Hex | undefined)[]>
}

/** The 32-byte words that a view returned; undefined if it returned nothing, or no whole words. */
export type Words = readonly bigint[] | undefined

/** Asks a view by its signature, which takes one argument of fixed size or none. */
export function view(to: Address, signature: string, argument?: Hex): View {
  const selector = toFunctionSelector(signature)
  return { to, data: argument ? concat([selector, pad(argument, { size: 32 })]) : selector }
}

/** The answers in the order of the questions. */
export async function ask(viewer: Viewer, views: readonly View[]): Promise<Words[]> {
  const answers = await viewer.views(views)
  return answers.map((data) => {
    if (!data || (data.length - 2) % 64 !== 0) return undefined
    return (data.slice(2).match(/.{64}/gu) ?? []).map((word) => BigInt(`0x${word}`))
  })
}

/** A number as a word. */
export function wordOf(value: bigint): Hex {
  return numberToHex(value, { size: 32 })
}

/** The address in a word. */
export function addressIn(word: bigint): Address {
  return getAddress(slice(wordOf(word), 12))
}
