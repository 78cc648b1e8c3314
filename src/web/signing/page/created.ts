import { decodeEventLog, type Hex } from 'viem'
import * as z from 'zod/mini'
import { launchAbi } from '../../../chain/airlock/abi.ts'
import type { Address } from './wire.ts'

const hex = z.custom<Hex>((it) => typeof it === 'string' && /^0x[0-9a-fA-F]*$/u.test(it))
const logSchema = z.object({ topics: z.tuple([hex], hex), data: hex })

/** Returns the token of a `Create` log in a receipt; undefined for any other log. */
export function createdToken(log: unknown): Address | undefined {
  const { data: read } = logSchema.safeParse(log)
  if (!read) return undefined
  try {
    return decodeEventLog({ abi: launchAbi, eventName: 'Create', ...read }).args.asset
  } catch {
    return undefined
  }
}
