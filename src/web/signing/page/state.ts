import { isAddressEqual } from 'viem'
import { type Message, t } from '../../../core/view.ts'
import type {
  Address,
  ChatLink,
  ClosedRequest,
  Report,
  SigningAccount,
  SigningProgress,
  SigningRequest,
} from '../../../launch/signing-wire.ts'
import { clean } from './elements.ts'
import type { Inspection } from './inspect.ts'
import { LinkFault } from './session.ts'
import { type Exposed, type Wallet, WalletFault } from './wallet.ts'

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
export type EndedLink = ClosedRequest | { state: 'replaced'; chat?: ChatLink }

/** A message beside what can be done. */
interface Notice {
  tone: 'note' | 'warn'
  text: Message
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
  ended: EndedLink | undefined
  /** The action under way. */
  busy: 'connecting' | 'switching' | 'asking' | 'signing' | 'looking' | 'checking' | undefined
  notice: Notice | undefined
}

/** The person's next step, or the outcome. */
export type Step =
  | SentState
  | EndedLink['state']
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

type Chain = SigningRequest['chain']

/** Describes a fault and what to do; `next` names the button to press again. */
export function noticeOf(fault: unknown, chain: Chain, next: Message): Notice {
  if (fault instanceof WalletFault) return warning(walletWords(fault, chain, next))
  if (fault instanceof LinkFault) {
    return warning(t('sign-link-fault', { fault: linkFaultTexts[fault.kind], next }))
  }
  return warning(t('sign-page-fault', { next }))
}

function warning(text: Message): Notice {
  return { tone: 'warn', text }
}

/** The notice while the bot can't be reached; removed as soon as it answers again. */
export function unreachableNotice(isSent: boolean): Notice {
  const text = isSent ? t('sign-unreachable-sent') : t('sign-unreachable')
  return { ...warning(text), untilReached: true }
}

/** The notice if another tab of this browser still waits for its wallet. */
export const otherTabNotice = warning(t('sign-other-tab'))

/** Says why Sign and launch did not ask the wallet. */
export function notSentNotice(step: Step): Notice {
  return warning(
    step === 'pending' || step === 'missing' ? t('sign-sent-elsewhere') : t('sign-changed'),
  )
}

/** The notice if the creator refused and can't be asked again yet. */
export function askedTooSoonNotice(seconds: number): Notice {
  return warning(t('sign-asked-too-soon', { seconds: Math.max(1, Math.ceil(seconds)) }))
}

function walletWords({ kind, message }: WalletFault, chain: Chain, next: Message): Message {
  const { name, coin, rpcUrl: rpc } = chain
  const id = String(chain.id)
  switch (kind) {
    case 'refused':
      return t('sign-wallet-refused', { next })
    case 'pending':
      return t('sign-wallet-pending', { next })
    case 'unauthorised':
      return t('sign-wallet-unauthorised')
    case 'unknown chain':
      return rpc === undefined
        ? t('sign-wallet-chain', { chain: name, id, coin })
        : t('sign-wallet-chain-rpc', { chain: name, id, coin, rpc })
    case 'funds':
      return t('sign-wallet-funds', { chain: name, coin, next })
    case 'disconnected':
      return t('sign-wallet-disconnected', { next })
    case 'no hash':
      return t('sign-wallet-no-hash')
    case 'other': {
      const reason = clean(message, 200)
      return reason === ''
        ? t('sign-wallet-other', { next })
        : t('sign-wallet-says', { reason, next })
    }
  }
}

export const linkFaultTexts: Readonly<Record<LinkFault['kind'], Message>> = {
  unknown: t('sign-link-unknown'),
  busy: t('sign-link-busy'),
  unreachable: t('sign-link-unreachable'),
}
