import { getAddress } from 'viem/utils'
import * as z from 'zod/mini'
import { UserError } from '../errors.ts'

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
  return /^0x[0-9a-f]{40}$/iu.test(text)
}

/** Whether the text has the form of a Uniswap V4 pool id: 32 bytes. */
export function isPoolId(text: string): boolean {
  return /^0x[0-9a-f]{64}$/iu.test(text)
}

/** Whether this is the zero address, which contracts use for "nobody" and, as a quote token, for the native coin. */
export function isNobody(address: string): boolean {
  return /^0x0{40}$/iu.test(address)
}

/** Whether the text is meant as an address, well-formed or not. */
export function looksLikeAddress(text: string): boolean {
  return /^0x[0-9a-z]{6,}$/iu.test(text)
}

/**
 * Parses an address and returns it with its checksum. All lower or all upper case is accepted unchecked (EIP-55); mixed
 * case must match.
 * @throws UserError that names the fault
 */
export function parseAddress(raw: string): `0x${string}` {
  const text = raw.trim()
  const digits = text.slice(2)
  if (!/^0x/iu.test(text)) {
    throw new UserError('An address starts with 0x and has 40 characters after it.')
  }
  if (!/^[0-9a-f]*$/iu.test(digits)) {
    throw new UserError('After 0x an address has only the digits 0–9 and the letters a–f.')
  }
  if (digits.length !== 40) {
    throw new UserError(
      `An address has 40 characters after 0x; this one has ${digits.length}. Copy it again, whole.`,
    )
  }
  const address = getAddress(`0x${digits.toLowerCase()}`)
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (oneCase || address === `0x${digits}`) return address
  throw new UserError(
    'The capital letters of this address do not match its checksum, so a character is probably wrong. ' +
      'Copy it again; or, if you are sure of it, write it all in lower case.',
  )
}

/** Shortens an address to `0x1234…abcd`, for texts that show or link the whole address elsewhere. */
export function shortAddress(address: string): string {
  return address.length > 12 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address
}
