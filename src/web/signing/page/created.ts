import { decodeEventLog, type Hex } from 'viem'
import * as z from 'zod/mini'
import { launchAbi } from '../../../chain/airlock/abi.ts'
import type { Address } from './wire.ts'

const hex = z.custom<Hex>((it) => typeof it === 'string' && /^0x[0-9a-fA-F]*$/u.test(it))
const logSchema = z.object({ topics: z.tuple([hex], hex), data: hex })

/** The token of which a log in a receipt says that it was created; undefined where the log says something else. */
export function createdToken(log: unknown): Address | undefined {
  const { data: read } = logSchema.safeParse(log)
  if (!read) return undefined
  try {
    return decodeEventLog({ abi: launchAbi, eventName: 'Create', ...read }).args.asset
  } catch {
    return undefined
  }
}
