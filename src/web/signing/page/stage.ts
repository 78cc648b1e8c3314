import type { SentState } from './transaction.ts'
import { type Address, type Closed, type Progress, sameAddress } from './wire.ts'

/** All that decides what the person can do next. */
export interface Situation {
  chainId: number
  /** The account that is expected to sign. */
  expected: Address
  /** What the calldata holds and what the bot said of it differ. */
  blocked: boolean
  closed: Closed['state'] | undefined
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
  | 'expired'
  | 'revoked'
  | 'no wallet'
  | 'wallets'
  | 'disconnected'
  | 'other account'
  | 'asked'
  | 'not allowed'
  | 'other chain'
  | 'ready'

/** Where the person is on the way to a launched token; what came of a sent transaction goes before all else. */
export function stageOf(situation: Situation): Stage {
  const { closed, progress, sent, blocked, overdue } = situation
  if (closed === 'launched' || progress.launched) return 'launched'
  if (sent) return sent
  if (closed) return closed
  if (blocked) return 'blocked'
  if (overdue) return 'expired'
  return walletStage(situation)
}

function walletStage({ wallet, wallets, chainId, expected, progress }: Situation): Stage {
  if (!wallet) return wallets === 0 ? 'no wallet' : 'wallets'
  const { account } = wallet
  if (!account) return 'disconnected'
  const permission = sameAddress(account, expected) ? 'own' : permissionOf(account, progress)
  if (permission === 'asked') return 'asked'
  if (permission === 'refused') return 'not allowed'
  if (permission === undefined) return 'other account'
  return wallet.chainId === chainId ? 'ready' : 'other chain'
}

function permissionOf(account: Address, { signer }: Progress) {
  return signer && sameAddress(signer.account, account) ? signer.state : undefined
}
