import * as z from 'zod/mini'
import { addressSchema, bytesSchema, hashSchema } from '../chain/address.ts'
import { checkSchema, storedTextSchema } from './verdict.ts'

// The messages between the bot and the signing page. Both sides take their types from here; the receiver validates.

// Excludes `javascript:` links.
const webUrl = z.string().check(z.regex(/^https?:\/\//u))

export const accountsSchema = z.array(addressSchema)

/** Another account that wants to sign, and the creator's answer. */
const signerSchema = z.object({
  account: addressSchema,
  /**
   * `asked`: the creator was asked in the private chat. `waiting`: no message was sent because there were too many; the
   * creator sees it under /launches.
   */
  state: z.enum(['asked', 'waiting', 'allowed', 'refused']),
  /** Unix seconds from which the creator can be asked again about a refused account; absent: never. */
  askAgainAt: z.exactOptional(z.number()),
})

export const progressSchema = z.object({
  /** The stored accounts that asked for permission; absent if none did. */
  signers: z.exactOptional(z.array(signerSchema)),
  /** The reported transaction, as the bot's node sees it. */
  transaction: z.exactOptional(
    z.object({ hash: hashSchema, state: z.enum(['unknown', 'pending', 'reverted', 'launched']) }),
  ),
  launched: z.boolean(),
})

/** The private chat with the bot, to which the page leads back. */
const chatSchema = z.object({ platform: z.string(), url: webUrl })

/** A link that can no longer be used. */
export const closedSchema = z.object({
  state: z.enum(['expired', 'revoked', 'launched']),
  /** Of a launched token. */
  token: z.exactOptional(addressSchema),
  explorer: z.exactOptional(webUrl),
  chat: z.exactOptional(chatSchema),
})

/** The data that the signing page shows, and checks again in the browser. All hex is lower case except addresses. */
export const requestSchema = z.object({
  state: z.literal('open'),
  chain: z.object({
    id: z.int().check(z.positive()),
    name: z.string(),
    testnet: z.exactOptional(z.boolean()),
    coin: z.string(),
    explorer: z.exactOptional(webUrl),
    /** A public RPC URL for wallets that don't know the chain. */
    rpcUrl: z.exactOptional(webUrl),
  }),
  to: addressSchema,
  /** At least one byte: there is no launch without calldata. */
  data: bytesSchema.check(z.minLength(4)),
  digest: hashSchema,
  /** The draft's account, which is expected to sign. */
  wallet: addressSchema,
  /** The token's future address, if known. */
  token: z.exactOptional(addressSchema),
  name: z.string(),
  symbol: z.string(),
  uri: z.string(),
  /** Whether `GET …/picture` returns one. */
  picture: z.boolean(),
  /** Wei sent with the transaction. */
  value: z.string().check(z.regex(/^\d{1,40}$/u)),
  verified: z.boolean(),
  /** The check's findings: with them and the data the page makes the same table as the chat. */
  check: z.exactOptional(checkSchema),
  /** `none` without an RPC. */
  simulation: z.union([
    z.object({ kind: z.literal('passed'), gas: z.string().check(z.regex(/^\d{1,20}$/u)) }),
    z.object({ kind: z.literal('failed'), reason: storedTextSchema }),
    z.object({ kind: z.literal('none') }),
  ]),
  /** Unix seconds. */
  expiresAt: z.number(),
  progress: progressSchema,
  chat: z.exactOptional(chatSchema),
})

/** The page's request to ask for permission to sign with an account. */
export const claimSchema = z.strictObject({ account: addressSchema })

/** The page's report of a transaction, after the wallet returned its hash. */
export const reportSchema = z.strictObject({ account: addressSchema, hash: hashSchema })

export type Address = `0x${string}`
export type SigningRequest = z.infer<typeof requestSchema>
export type ChatLink = z.infer<typeof chatSchema>
export type ClosedRequest = z.infer<typeof closedSchema>
export type SigningAccount = z.infer<typeof signerSchema>
export type SigningProgress = z.infer<typeof progressSchema>
export type Report = z.infer<typeof reportSchema>
