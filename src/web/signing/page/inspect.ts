import { calldataDigest, decodeCreate } from '../../../chain/launch/calldata.ts'
import { type LaunchTerms, termsOf } from '../../../chain/launch/terms.ts'
import { visible } from './text.ts'
import type { Hash, OpenRequest } from './wire.ts'

/** What this page itself reads in the calldata. */
export interface Inspection {
  digest: Hash
  /** Where it differs from what the bot said, in words; with any, nothing is signed here. */
  faults: readonly string[]
  /** Absent where the calldata is no launch. */
  terms: LaunchTerms | undefined
}

/** Reads the calldata and compares digest, name, symbol and metadata with what the bot said they are. */
export function inspect(request: OpenRequest): Inspection {
  const digest = calldataDigest(request.data)
  const params = decodeCreate(request.data)
  const terms = params && termsOf(params, request.wallet)
  const token = terms?.token
  const faults = [
    differs('Calldata digest', digest, request.digest.toLowerCase()),
    request.verified && !token
      ? 'The transaction is no launch that this page can read.'
      : undefined,
    request.verified && token && !terms?.pool
      ? 'Who gets the fees can’t be read in the transaction.'
      : undefined,
    token && differs('Name', token.name, request.name),
    token && differs('Symbol', token.symbol, request.symbol),
    token && differs('Metadata', bareUri(token.uri), bareUri(request.uri)),
  ].filter((fault) => fault !== undefined)
  return { digest, faults, terms }
}

function differs(what: string, here: string, said: string): string | undefined {
  if (here === said) return undefined
  return `${what}: the transaction has “${visible(here)}”, the bot said “${visible(said)}”.`
}

/** The interface gives metadata with `ipfs://` before it or without. */
function bareUri(uri: string): string {
  return uri.replace(/^ipfs:\/\//u, '')
}
