import { z } from 'zod'
import { checkSchema } from './check.ts'

const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/u)])
const hex = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/u)])
const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/u)])
const report = z.object({
  hash,
  account: address,
  at: z.number(),
  /** The link had ended, and the node did not know the hash. */
  late: z.boolean().optional(),
})

/** A payload's JSON body. */
export const payloadBodySchema = z.object({
  chain: z.number().int().positive(),
  /** Where the transaction goes. */
  to: address,
  /** Who emits `Create`. */
  airlock: address,
  calldata: hex,
  digest: hash,
  /** The wallet of the draft. */
  wallet: address,
  /** What the person typed, and what the upload returned. */
  name: z.string(),
  symbol: z.string(),
  uri: z.string(),
  /** The picture's CID, where its bytes are in the store. */
  picture: z.string().optional(),
  /** Where the interface or the simulation says that the token will stand. */
  token: address.optional(),
  /** Wei that go with the transaction. */
  value: z
    .string()
    .regex(/^\d{1,40}$/u)
    .default('0'),
  /** Whether every byte was read and does what was confirmed: anything else needs a second confirmation. */
  verified: z.boolean(),
  /** What the check found, from which the table is made; absent: built by a version that checked less. */
  check: z.optional(checkSchema),
  /** Values that could not be compared, because the interface did not repeat them; in words. */
  unchecked: z.array(z.string()).optional(),
  /** What the check on the chain said. */
  simulation: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('passed'),
      gas: z.string(),
      /** What the node could not do. */
      note: z.string().optional(),
    }),
    z.object({ kind: z.literal('none'), reason: z.string() }),
  ]),
  /** The block after which the launch can only stand; decimal. */
  fromBlock: z.string().optional(),
  /** How far the logs were searched since a contract stands at the token: blocks, decimal, and whole passes in vain. */
  search: z.object({ floor: z.string(), next: z.string(), passes: z.number() }).optional(),
  /** The transaction that the signing page reported: the last one, or the one that the chain knows. */
  reported: report.optional(),
  /** Those beside it, the last one first. */
  reportedBefore: z.array(report).optional(),
  /** How many hashes were reported; whoever has the link can make them up. */
  reports: z.number().default(0),
  /** The launcher builds again although nobody can tell what became of what was reported: it isn't asked once more. */
  unseenAccepted: z.boolean().optional(),
  /**
   * Other accounts than the wallet that want to sign, the last one last, and what the launcher says of them. A quiet one
   * was not told of by a message of its own. `asks`: how often the launcher was asked about it, last at `askedAt`.
   */
  signers: z
    .array(
      z.object({
        account: address,
        allowed: z.boolean().optional(),
        quiet: z.boolean().optional(),
        asks: z.number().optional(),
        askedAt: z.number().optional(),
      }),
    )
    .default([]),
  /** The transaction that launched it. */
  launchedBy: hash.optional(),
  /** The pool in which it sells since: the address of a contract, or an id of 32 bytes. */
  pool: z.union([address, hash]).optional(),
  /** Whether it had been revoked or had expired when it was launched. */
  late: z.boolean().optional(),
  /** The answers that it was built for: a digest. */
  of: z.string().optional(),
  /** Unix seconds at which a link or a file was last given to the launcher; absent: nobody has it yet. */
  handedAt: z.number().optional(),
  /** Unix seconds after which it can't be launched, where its pool has a time of its own. */
  staleAt: z.number().optional(),
})

export const payloadStates = ['active', 'revoked', 'expired', 'launched'] as const
export type PayloadState = (typeof payloadStates)[number]

export interface Payload extends z.output<typeof payloadBodySchema> {
  id: string
  draft: string
  state: PayloadState
  /** Unix seconds; absent where there is no link. */
  linkExpiresAt: number | undefined
  rev: number
  createdAt: number
  updatedAt: number
}
