import { isAddressEqual } from 'viem'
import type {
  Address,
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
export type EndedLink = ClosedRequest | { state: 'replaced' }

/** A message beside what can be done. */
interface Notice {
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

/** Describes a fault and what to do; `nextStep` names the button to press again. */
export function noticeOf(fault: unknown, chain: Chain, nextStep: string): Notice {
  if (fault instanceof WalletFault) return warning(walletWords(fault, chain, nextStep))
  if (fault instanceof LinkFault) return warning(`${linkFaultTexts[fault.kind]} ${nextStep}`)
  return warning(`Something went wrong in this page. Reload it. ${nextStep}`)
}

function warning(text: string): Notice {
  return { tone: 'warn', text }
}

/** The notice while the bot can't be reached; removed as soon as it answers again. */
export function unreachableNotice(isSent: boolean): Notice {
  const meanwhile = isSent
    ? 'The transaction is on its way all the same.'
    : 'This page keeps trying.'
  const text = `The bot can’t be reached at the moment. ${meanwhile}`
  return { ...warning(text), untilReached: true }
}

/** The notice if another tab of this browser still waits for its wallet. */
export const otherTabNotice = warning(
  'Another tab is asking your wallet. Answer there, or close that tab; then press Sign and launch again.',
)

/** Says why Sign and launch did not ask the wallet. */
export function notSentNotice(step: Step): Notice {
  return warning(
    step === 'pending' || step === 'missing'
      ? 'Nothing was sent from here: another page of this link has sent it already.'
      : 'Nothing was sent: something changed just before. See below.',
  )
}

/** The notice if the creator refused and can't be asked again yet. */
export function askedTooSoonNotice(seconds: number): Notice {
  const wait = Math.max(1, Math.ceil(seconds))
  return warning(`The launcher was asked a moment ago. Ask again in ${wait} s.`)
}

function walletWords({ kind, message }: WalletFault, chain: Chain, nextStep: string): string {
  switch (kind) {
    case 'refused':
      return `You refused in the wallet, and nothing was sent. ${nextStep}`
    case 'pending':
      return `The wallet is still waiting for an earlier answer. Open it, answer there, and come back. ${nextStep}`
    case 'unauthorised':
      return 'The wallet does not show this page its account any more. Connect it again.'
    case 'unknown chain': {
      const { id, name, coin, rpcUrl } = chain
      const rpc = rpcUrl === undefined ? '' : `, RPC ${rpcUrl}`
      return `The wallet does not know ${name}. Add it there by hand, under Networks: chain id ${id}, coin ${coin}${rpc}. Then switch to it in the wallet.`
    }
    case 'funds':
      return `This account has not enough ${chain.coin} on ${chain.name} for this transaction. Send some ${chain.coin} to it first. ${nextStep}`
    case 'disconnected':
      return `The wallet has no connection. Look into it, then come back. ${nextStep}`
    case 'no hash':
      return 'The wallet named no transaction. Look into its history first: it may have sent one all the same.'
    case 'other': {
      const reason = clean(message, 200)
      return reason === ''
        ? `The wallet did not do it and gave no reason. Look into it. ${nextStep}`
        : `The wallet did not do it. It says: “${reason}” ${nextStep}`
    }
  }
}

export const linkFaultTexts: Readonly<Record<LinkFault['kind'], string>> = {
  unknown:
    'There is no such signing link: it may have been replaced or revoked. Go back to the chat and send /launches for a new one.',
  busy: 'This page was asked for too often. Wait a minute.',
  unreachable: 'The bot could not be reached, and nothing was sent. Look at your connection.',
}
