import type { SentState } from './transaction.ts'
import { type Address, type Closed, type Progress, type Signer, sameAddress } from './wire.ts'

/** How a link ended; `replaced`: the bot does not know it any more. */
export type Ended = Closed['state'] | 'replaced'

/** All that decides what the person can do next. */
export interface Situation {
  chainId: number
  /** The account that is expected to sign. */
  expected: Address
  /** What the calldata holds and what the bot said of it differ. */
  blocked: boolean
  /** The bot says that this would fail if it were sent now. */
  failing: boolean
  closed: Ended | undefined
  overdue: boolean
  progress: Progress
  sent: SentState | undefined
  /** How many wallets this browser has. */
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

/** Whether nothing more can come of the link. */
export function isOver(stage: Stage): boolean {
  return stage === 'launched' || stage === 'revoked' || stage === 'expired' || stage === 'replaced'
}

/** Where the person is on the way to a launched token; what came of a sent transaction goes before all else. */
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

/** What the launcher said of this account; undefined where nobody asked. */
export function signerOf(account: Address, { signers = [] }: Progress): Signer | undefined {
  return signers.find((signer) => sameAddress(signer.account, account))
}
