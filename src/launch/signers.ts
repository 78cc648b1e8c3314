import { isAddressEqual } from 'viem'
import type { Payload } from './payload.ts'
import type { SigningAccount } from './signing.ts'

type Signer = Payload['signers'][number]

/** Whoever has the link can make up accounts: so many are told of by a message, and so many more wait to be looked at. */
const mostTold = 5
const mostWaiting = 5
/** How often the launcher is asked about one account, which may have been refused by mistake, and seconds between. */
const mostAsks = 3
const askPause = 60

/**
 * The one that claimed last stands last, with what the launcher said of it before; one that was refused is asked about
 * once more where it may be. Where too many wait, the oldest goes of those that no message told of: a message that was
 * sent can still be answered.
 */
export function withSigner(payload: Payload, account: `0x${string}`, now: number): Payload {
  const known = payload.signers.find((each) => isAddressEqual(each.account, account))
  const others = payload.signers.filter((each) => each !== known)
  if (known) return { ...payload, signers: [...others, askedAgain(known, now)] }
  const quiet = others.filter((each) => !each.quiet).length >= mostTold
  const waiting = others.filter((each) => each.quiet && each.allowed === undefined)
  const dropped = waiting.length < mostWaiting ? undefined : waiting[0]
  const signer = { account, askedAt: now, ...(quiet && { quiet }) }
  return { ...payload, signers: [...others.filter((each) => each !== dropped), signer] }
}

/** How often the launcher was asked about it. */
export function asksOf({ asks = 1 }: Signer): number {
  return asks
}

/** What the signing page is told of an account. */
export function signingAccount(signer: Signer): SigningAccount {
  const { account, allowed, quiet } = signer
  if (allowed) return { account, state: 'allowed' }
  if (allowed === undefined) return { account, state: quiet ? 'waiting' : 'asked' }
  const again = againAt(signer)
  return { account, state: 'refused', ...(again !== undefined && { askAgainAt: again }) }
}

function askedAgain(signer: Signer, now: number): Signer {
  const again = againAt(signer)
  if (signer.allowed !== false || again === undefined || now < again) return signer
  const { account, quiet } = signer
  return { account, askedAt: now, asks: asksOf(signer) + 1, ...(quiet && { quiet }) }
}

/** Unix seconds from which it can be asked about once more; undefined: it can't. */
function againAt(signer: Signer): number | undefined {
  return asksOf(signer) < mostAsks ? (signer.askedAt ?? 0) + askPause : undefined
}
