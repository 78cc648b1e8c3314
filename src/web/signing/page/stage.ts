import type { SentState } from './transaction.ts'
import { type Address, type Closed, type Progress, type Signer, sameAddress } from './wire.ts'

/** How a link ended; `replaced`: the bot no longer knows it. */
export type EndState = Closed['state'] | 'replaced'

/** Everything that determines the next step. */
export interface Situation {
  chainId: number
  /** The account that is expected to sign. */
  expected: Address
  /** Whether the calldata differ from what the bot said. */
  blocked: boolean
  /** Whether the simulation says that it would fail now. */
  failing: boolean
  closed: EndState | undefined
  overdue: boolean
  progress: Progress
  sent: SentState | undefined
  /** Number of wallets in this browser. */
  wallets: number
  wallet: { account: Address | undefined; chainId: number | undefined } | undefined
}

export type Stage =
  | SentState
  | 'blocked'
  | 'failing'
  | 'expired'
  | 'revoked'
  | 'replaced'
  | 'no wallet'
  | 'wallets'
  | 'disconnected'
  | 'other account'
  | 'asked'
  | 'not allowed'
  | 'other chain'
  | 'ready'

/** Returns whether the link is finished. */
export function isOver(stage: Stage): boolean {
  return stage === 'launched' || stage === 'revoked' || stage === 'expired' || stage === 'replaced'
}

/** Returns the current stage; the outcome of a sent transaction comes first. */
export function stageOf(situation: Situation): Stage {
  const { closed, progress, sent, blocked, failing, overdue } = situation
  if (closed === 'launched' || progress.launched) return 'launched'
  if (sent) return sent
  if (closed) return closed
  if (blocked) return 'blocked'
  if (overdue) return 'expired'
  if (failing) return 'failing'
  return walletStage(situation)
}

function walletStage({ wallet, wallets, chainId, expected, progress }: Situation): Stage {
  if (!wallet) return wallets === 0 ? 'no wallet' : 'wallets'
  const { account } = wallet
  if (!account) return 'disconnected'
  const permission = sameAddress(account, expected) ? 'own' : signerOf(account, progress)?.state
  if (permission === 'asked' || permission === 'waiting') return 'asked'
  if (permission === 'refused') return 'not allowed'
  if (permission === undefined) return 'other account'
  return wallet.chainId === chainId ? 'ready' : 'other chain'
}

/** Returns the creator's answer about this account; undefined if nobody asked. */
export function signerOf(account: Address, { signers = [] }: Progress): Signer | undefined {
  return signers.find((signer) => sameAddress(signer.account, account))
}
