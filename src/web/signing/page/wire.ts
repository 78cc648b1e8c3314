import * as z from 'zod/mini'
import { checkSchema } from '../../../launch/verdict.ts'

const address = z.templateLiteral(['0x', z.string().check(z.regex(/^[0-9a-fA-F]{40}$/u))])
const hash = z.templateLiteral(['0x', z.string().check(z.regex(/^[0-9a-fA-F]{64}$/u))])
const hex = z.templateLiteral(['0x', z.string().check(z.regex(/^(?:[0-9a-fA-F]{2})+$/u))])
// Excludes `javascript:` links.
const webUrl = z.string().check(z.regex(/^https?:\/\//u))

export const addressSchema = address
export const hashSchema = hash

export const progressSchema = z.object({
  signers: z.optional(
    z.array(
      z.object({
        account: address,
        state: z.enum(['asked', 'waiting', 'allowed', 'refused']),
        askAgainAt: z.optional(z.number()),
      }),
    ),
  ),
  transaction: z.optional(
    z.object({ hash, state: z.enum(['unknown', 'pending', 'reverted', 'launched']) }),
  ),
  launched: z.boolean(),
})

export const closedSchema = z.object({
  state: z.enum(['expired', 'revoked', 'launched']),
  token: z.optional(address),
  explorer: z.optional(webUrl),
})

export const requestSchema = z.object({
  state: z.literal('open'),
  chain: z.object({
    id: z.int().check(z.positive()),
    name: z.string(),
    coin: z.string(),
    explorer: z.optional(webUrl),
    rpcUrl: z.optional(webUrl),
  }),
  to: address,
  data: hex,
  digest: hash,
  wallet: address,
  token: z.optional(address),
  name: z.string(),
  symbol: z.string(),
  uri: z.string(),
  picture: z.boolean(),
  value: z.string().check(z.regex(/^\d{1,40}$/u)),
  verified: z.boolean(),
  check: z.optional(checkSchema),
  simulation: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('passed'), gas: z.string().check(z.regex(/^\d{1,20}$/u)) }),
    z.object({ kind: z.literal('failed'), reason: z.string() }),
    z.object({ kind: z.literal('none') }),
  ]),
  expiresAt: z.number(),
  progress: progressSchema,
})

export type Address = z.infer<typeof address>
export type Hash = z.infer<typeof hash>
export type OpenRequest = z.infer<typeof requestSchema>
export type Closed = z.infer<typeof closedSchema>
export type Progress = z.infer<typeof progressSchema>
export type Chain = OpenRequest['chain']
export type Signer = NonNullable<Progress['signers']>[number]

/** Compares two addresses case-insensitively. */
export function sameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
