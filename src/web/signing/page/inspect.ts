import { calldataDigest } from '../../../chain/airlock/calldata.ts'
import type { Report, SigningRequest } from '../../../launch/signing-wire.ts'
import { uncheckedReason, type Verdict, verdictOf } from '../../../launch/verdict.ts'
import { visible } from './elements.ts'

/** The calldata as this page itself decoded it. */
export interface Inspection {
  digest: Report['hash']
  /** Differences from what the bot said, in words; if there are any, the page signs nothing. */
  faults: readonly string[]
  /** The table of the calldata; undefined if the bot sent no check. */
  result: Verdict | undefined
  /** Why it is not verified, in words; empty if both the bot and this page verified it. */
  doubts: readonly string[]
  verified: boolean
}

/** Doubts that are told as faults. */
const maxFaults = 5

/** Decodes the calldata, makes the same table as the chat, and compares them with what the bot said. */
export function inspect(request: SigningRequest): Inspection {
  const { data, wallet, check, chain, value } = request
  const digest = calldataDigest(data)
  const result = check && verdictOf(data, wallet, check, chain.coin, Number.POSITIVE_INFINITY)
  const effects = result?.effects
  const doubts = doubtsOf(request, result)
  const faults = [
    difference('Calldata digest', digest, request.digest.toLowerCase()),
    difference('Value', String(effects?.value ?? 0n), value),
    effects?.name !== undefined && difference('Name', effects.name, request.name),
    effects?.symbol !== undefined && difference('Symbol', effects.symbol, request.symbol),
    effects?.uri !== undefined &&
      difference('Metadata', bareUri(effects.uri), bareUri(request.uri)),
    // A payload that counts as verified was not accepted as unverified in the chat, so doubts block it.
    ...(request.verified
      ? doubts.slice(0, maxFaults).map((doubt) => `The bot said that it is verified, but ${doubt}.`)
      : []),
  ].filter((fault) => typeof fault === 'string')
  return { digest, faults, result, doubts, verified: doubts.length === 0 }
}

function doubtsOf({ verified }: SigningRequest, result: Verdict | undefined): readonly string[] {
  if (!result) return [uncheckedReason]
  return result.doubts.length > 0 || verified ? result.doubts : ['the bot said so in the chat']
}

function difference(what: string, here: string, stated: string): string | undefined {
  if (here === stated) return undefined
  return `${what}: the transaction has “${visible(here)}”, the bot said “${visible(stated)}”.`
}

/** Removes `ipfs://`: the API returns metadata URIs with or without it. */
function bareUri(uri: string): string {
  return uri.replace(/^ipfs:\/\//u, '')
}
