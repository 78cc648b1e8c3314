import { calldataDigest } from '../../../chain/airlock/calldata.ts'
import { type Told, tellPayload, uncheckedWords } from '../../../launch/check.ts'
import { visible } from './text.ts'
import type { Hash, OpenRequest } from './wire.ts'

/** What this page itself decoded from the calldata. */
export interface Inspection {
  digest: Hash
  /** Differences from what the bot said, in words; if there are any, the page signs nothing. */
  faults: readonly string[]
  /** The table of the calldata; undefined if the bot sent no check. */
  told: Told | undefined
  /** Why it is not verified, in words; empty if both the bot and this page verified it. */
  doubts: readonly string[]
  verified: boolean
}

/** Decodes the calldata, makes the same table as the chat, and compares them with what the bot said. */
export function inspect(request: OpenRequest): Inspection {
  const { data, wallet, check, chain, value } = request
  const digest = calldataDigest(data)
  const told = check && tellPayload(data, wallet, check, chain.coin, Number.POSITIVE_INFINITY)
  const effects = told?.effects
  const doubts = doubtsOf(request, told)
  const faults = [
    differs('Calldata digest', digest, request.digest.toLowerCase()),
    differs('Value', String(effects?.value ?? 0n), value),
    effects?.name !== undefined && differs('Name', effects.name, request.name),
    effects?.symbol !== undefined && differs('Symbol', effects.symbol, request.symbol),
    effects?.uri !== undefined && differs('Metadata', bareUri(effects.uri), bareUri(request.uri)),
    // A payload that counts as verified was not accepted as unverified in the chat, so doubts block it.
    ...(request.verified ? doubts.slice(0, maxFaults).map(notVerified) : []),
  ].filter((fault) => typeof fault === 'string')
  return { digest, faults, told, doubts, verified: doubts.length === 0 }
}

const maxFaults = 5

function notVerified(doubt: string): string {
  return `The bot said that it is verified, but ${doubt}.`
}

function doubtsOf({ verified }: OpenRequest, told: Told | undefined): readonly string[] {
  if (!told) return [uncheckedWords]
  return told.doubts.length > 0 || verified ? told.doubts : ['the bot said so in the chat']
}

function differs(what: string, here: string, said: string): string | undefined {
  if (here === said) return undefined
  return `${what}: the transaction has “${visible(here)}”, the bot said “${visible(said)}”.`
}

/** Removes `ipfs://`: the API returns metadata URIs with or without it. */
function bareUri(uri: string): string {
  return uri.replace(/^ipfs:\/\//u, '')
}
