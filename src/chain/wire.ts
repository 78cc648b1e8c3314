import { z } from 'zod'

/** A number as a node writes it. */
export const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/u)
  .transform(BigInt)
export const bytes = z.templateLiteral(['0x', z.string().regex(/^(?:[0-9a-fA-F]{2})*$/u)])
const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/u)])
const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/u)])

const log = z.object({
  address,
  topics: z.array(hash),
  data: bytes,
  transactionHash: hash.nullish(),
  blockNumber: quantity.nullish(),
  /** The block was replaced by another. */
  removed: z.boolean().default(false),
})
export const logs = z.array(log)
export type Log = z.output<typeof log>

/** Null where the transaction is not in a block. */
export const receipt = z
  .object({ status: quantity, blockNumber: quantity.nullish(), logs })
  .nullable()
/** Null where the node does not know it. */
export const transaction = z.object({ hash, input: bytes.nullish() }).nullable()
