import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { Launcher } from '../chains.ts'
import type { ContractCall } from '../rpc.ts'

/**
 * Address, in lower case, of Robinhood Chain's launcher, which keeps a register of symbols. A symbol has 1 to 15 letters, and is
 * reserved for 24 hours in upper case, however it was typed. Source: its verified contract, recorded in November 2026 from a public
 * client.
 */
const registrar = '0x22e99278308b393ea1260859b181ad7e78f5eeed'
const registerAbi = parseAbi(['function isTickerAvailable(string) view returns (bool)'])

/** A symbol that the register takes. */
export const tickerPattern = /^[A-Za-z]{1,15}$/u

/** Whether a launch contract has rules of its own for symbols. */
export function reservesTickers(launcher: Pick<Launcher, 'to'> | undefined): boolean {
  return launcher?.to.toLowerCase() === registrar
}

/** Encodes the question whether a symbol is free now. */
export function tickerCall(launcher: Address, symbol: string): ContractCall {
  const functionName = 'isTickerAvailable'
  const args = [symbol.toUpperCase()] as const
  return { to: launcher, data: encodeFunctionData({ abi: registerAbi, functionName, args }) }
}

/** Reads the answer to `tickerCall`; undefined if it is no truth value. */
export function isFree(data: Hex): boolean | undefined {
  if (data.length !== 66 || BigInt(data) > 1n) return undefined
  return BigInt(data) === 1n
}
