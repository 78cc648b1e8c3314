import { calldataDigest } from '../../../chain/airlock/calldata.ts'
import { type Message, t } from '../../../core/view.ts'
import type { Report, SigningRequest } from '../../../launch/signing-wire.ts'
import {
  type StoredText,
  uncheckedReason,
  type Verdict,
  verdictOf,
} from '../../../launch/verdict.ts'
import { visible } from './elements.ts'

/** The calldata as this page itself decoded it. */
export interface Inspection {
  digest: Report['hash']
  /** Differences from what the bot said; if there are any, the page signs nothing. */
  faults: readonly Message[]
  /** The table of the calldata; undefined if the bot sent no check. */
  result: Verdict | undefined
  /** Why it is not verified; empty if both the bot and this page verified it. */
  doubts: readonly StoredText[]
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
    difference(t('terms-digest'), digest, request.digest.toLowerCase()),
    difference(t('sign-fault-value'), '0', value),
    effects?.name !== undefined && difference(t('sign-fault-name'), effects.name, request.name),
    effects?.symbol !== undefined &&
      difference(t('sign-fault-symbol'), effects.symbol, request.symbol),
    effects?.uri !== undefined &&
      difference(t('sign-metadata'), bareUri(effects.uri), bareUri(request.uri)),
    // A payload that counts as verified was not accepted as unverified in the chat, so doubts block it.
    ...(request.verified
      ? doubts.slice(0, maxFaults).map((doubt) => t('sign-fault-verified', { doubt }))
      : []),
  ].flatMap((fault) => fault || [])
  return { digest, faults, result, doubts, verified: doubts.length === 0 }
}

function doubtsOf(
  { verified }: SigningRequest,
  result: Verdict | undefined,
): readonly StoredText[] {
  if (!result) return [uncheckedReason]
  return result.doubts.length > 0 || verified ? result.doubts : [t('sign-doubt-said')]
}

function difference(what: Message, here: string, stated: string): Message | undefined {
  if (here === stated) return undefined
  return t('sign-fault', { what, here: visible(here), stated: visible(stated) })
}

/** Removes `ipfs://`: the API returns metadata URIs with or without it. */
function bareUri(uri: string): string {
  return uri.replace(/^ipfs:\/\//u, '')
}
