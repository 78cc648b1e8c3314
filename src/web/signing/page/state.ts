import { isAddressEqual } from 'viem'
import type {
  Address,
  ClosedRequest,
  Report,
  SigningAccount,
  SigningProgress,
  SigningRequest,
} from '../../../launch/signing-wire.ts'
import type { Inspection } from './inspect.ts'
import type { Exposed, Wallet } from './wallet.ts'

/** `missing`: neither the wallet nor the bot has seen it for a while. `empty`: it was mined but launched nothing. */
type SentState = 'pending' | 'missing' | 'reverted' | 'empty' | 'launched'

/** The sent transaction. */
export interface Sent {
  hash: Report['hash']
  /** Undefined if another tab sent it. */
  account: Address | undefined
  reported: boolean
  state: SentState
  /** Milliseconds since the epoch when it was last seen, or first looked for. */
  seenAt: number
}

/** The end of a link; `replaced`: the bot no longer knows it. */
export type Ended = ClosedRequest | { state: 'replaced' }

/** A message beside what can be done. */
export interface Notice {
  tone: 'note' | 'warn'
  text: string
  /** Removed as soon as the bot answers again. */
  untilReached?: boolean
}

/** All that the page knows of an open link. */
export interface State {
  /** As it was opened, with the latest rehearsal. */
  request: SigningRequest
  inspection: Inspection
  /** The wallets of this browser. */
  wallets: readonly Wallet[]
  connection: (Exposed & { wallet: Wallet }) | undefined
  progress: SigningProgress
  sent: Sent | undefined
  ended: Ended | undefined
  /** The action under way. */
  busy: 'connecting' | 'switching' | 'asking' | 'signing' | 'looking' | 'checking' | undefined
  notice: Notice | undefined
}

/** The person's next step, or the outcome. */
export type Step =
  | SentState
  | Ended['state']
  | 'blocked'
  | 'failing'
  | 'no wallet'
  | 'wallets'
  | 'disconnected'
  | 'other account'
  | 'asked'
  | 'not allowed'
  | 'other chain'
  | 'ready'

/** Returns the current step; the outcome of a sent transaction comes first. */
export function stepOf(state: State, isOverdue: boolean): Step {
  const { ended, progress, sent, inspection, request } = state
  if (ended?.state === 'launched' || progress.launched) return 'launched'
  if (sent) return sent.state
  if (ended) return ended.state
  if (inspection.faults.length > 0) return 'blocked'
  if (isOverdue) return 'expired'
  if (request.simulation.kind === 'failed') return 'failing'
  return walletStep(state)
}

function walletStep({ connection, wallets, request, progress }: State): Step {
  if (!connection) return wallets.length === 0 ? 'no wallet' : 'wallets'
  const { account, chainId } = connection
  if (!account) return 'disconnected'
  if (!isAddressEqual(account, request.wallet)) {
    const answer = signerOf(account, progress)?.state
    if (answer === undefined) return 'other account'
    if (answer === 'refused') return 'not allowed'
    if (answer !== 'allowed') return 'asked'
  }
  return chainId === request.chain.id ? 'ready' : 'other chain'
}

/** Returns the creator's answer about this account; undefined if nobody asked. */
export function signerOf(
  account: Address,
  { signers = [] }: SigningProgress,
): SigningAccount | undefined {
  return signers.find((signer) => isAddressEqual(signer.account, account))
}

/** Returns whether the link is finished. */
export function isOver(step: Step): boolean {
  return step === 'launched' || step === 'revoked' || step === 'expired' || step === 'replaced'
}
