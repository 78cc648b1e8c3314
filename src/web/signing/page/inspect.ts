import { calldataDigest } from '../../../chain/airlock/calldata.ts'
import { type Told, tellPayload } from '../../../launch/check.ts'
import { visible } from './text.ts'
import type { Hash, OpenRequest } from './wire.ts'

/** What this page itself reads in the calldata. */
export interface Inspection {
  digest: Hash
  /** Where it differs from what the bot said, in words; with any, nothing is signed here. */
  faults: readonly string[]
  /** The table of what the calldata do; undefined if the bot gave nothing to make it with. */
  told: Told | undefined
  /** Whether the bot and this page both say so. */
  verified: boolean
}

/** Reads the calldata, makes the same table of them as the chat, and compares them with what the bot said they are. */
export function inspect(request: OpenRequest): Inspection {
  const { data, wallet, check, chain, value } = request
  const digest = calldataDigest(data)
  const told = check && tellPayload(data, wallet, check, chain.coin)
  const effects = told?.effects
  const faults = [
    differs('Calldata digest', digest, request.digest.toLowerCase()),
    request.verified && effects?.name === undefined
      ? 'The transaction is no launch that this page can read.'
      : undefined,
    effects && differs('Value', String(effects.value), value),
    effects?.name !== undefined && differs('Name', effects.name, request.name),
    effects?.symbol !== undefined && differs('Symbol', effects.symbol, request.symbol),
    effects?.uri !== undefined && differs('Metadata', bareUri(effects.uri), bareUri(request.uri)),
  ].filter((fault) => typeof fault === 'string')
  const verified = request.verified && told?.doubts.length === 0
  return { digest, faults, told, verified }
}

function differs(what: string, here: string, said: string): string | undefined {
  if (here === said) return undefined
  return `${what}: the transaction has “${visible(here)}”, the bot said “${visible(said)}”.`
}

/** The interface gives metadata with `ipfs://` before it or without. */
function bareUri(uri: string): string {
  return uri.replace(/^ipfs:\/\//u, '')
}
