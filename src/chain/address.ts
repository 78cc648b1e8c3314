import { keccak_256 } from '@noble/hashes/sha3'
import { bytesToHex } from '@noble/hashes/utils'
import * as z from 'zod/mini'

/** Parses an address, in any letter case; the checksum is not verified. */
export const addressSchema = z.templateLiteral([
  '0x',
  z.string().check(z.regex(/^[0-9a-fA-F]{40}$/u)),
])
/** Parses a hash, a digest or a pool id: 32 bytes. */
export const hashSchema = z.templateLiteral(['0x', z.string().check(z.regex(/^[0-9a-fA-F]{64}$/u))])
/** Parses bytes as hex; there may be none. */
export const bytesSchema = z.templateLiteral([
  '0x',
  z.string().check(z.regex(/^(?:[0-9a-fA-F]{2})*$/u)),
])

/** Whether the text has the form of an address, in any letter case; the checksum is not verified. */
export function isAddress(text: string): boolean {
  return /^0[xX][0-9a-fA-F]{40}$/u.test(text)
}

/** Whether the text has the form of a Uniswap V4 pool id: 32 bytes. */
export function isPoolId(text: string): boolean {
  return /^0[xX][0-9a-fA-F]{64}$/u.test(text)
}

/**
 * The chain and the asset in a pool id of the form `4663-0x…`, which the API gives pools that share a contract; undefined for
 * other texts. Source: recorded in November 2026 from public clients of the API.
 */
export function compositePoolId(text: string): { chain: number; asset: string } | undefined {
  const { chain, asset } =
    /^(?<chain>[1-9]\d{0,14})-(?<asset>0x[0-9a-f]{40})$/iu.exec(text)?.groups ?? {}
  return chain === undefined || asset === undefined ? undefined : { chain: Number(chain), asset }
}

/** Whether this is the zero address, which contracts use for "nobody" and, as a quote token, for the native coin. */
export function isNobody(address: string): boolean {
  return /^0x0{40}$/iu.test(address)
}

/** Whether the text is meant as an address, well-formed or not. */
export function looksLikeAddress(text: string): boolean {
  return /^0x[0-9a-z]{6,}$/iu.test(text)
}

/** Checksummed addresses by their digits in lower case: computing one takes a twentieth of a command's time. */
const checksums = new Map<string, `0x${string}`>()
const maxChecksums = 10_000

/** Writes a valid address with its checksum (EIP-55). viem does so, too, but is only loaded for launches and nodes. */
export function checksummed(address: string): `0x${string}` {
  const digits = address.slice(2).toLowerCase()
  const known = checksums.get(digits)
  if (known) return known
  const hash = bytesToHex(keccak_256(digits))
  const cased = Array.from(digits, (digit, index) =>
    (hash[index] ?? '') > '7' ? digit.toUpperCase() : digit,
  )
  const written: `0x${string}` = `0x${cased.join('')}`
  if (checksums.size >= maxChecksums) checksums.clear()
  checksums.set(digits, written)
  return written
}

/** Shortens an address to `0x1234…abcd`, for texts that show or link the whole address elsewhere. */
export function shortAddress(address: string): string {
  return address.length > 12 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address
}
