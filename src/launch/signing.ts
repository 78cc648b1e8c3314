import type { Attachment } from '../chat/view.ts'
import type { Check } from './check.ts'

/** What the signing page gets to show, and to check anew in the browser. All hex is lower case but addresses. */
export interface SigningRequest {
  state: 'open'
  chain: {
    id: number
    name: string
    coin: string
    explorer?: string
    /** A public RPC URL for a wallet that does not know the chain. */
    rpcUrl?: string
  }
  to: `0x${string}`
  data: `0x${string}`
  digest: `0x${string}`
  /** The account of the draft, that is expected to sign. */
  wallet: `0x${string}`
  /** Where the token will stand, where that is known. */
  token?: `0x${string}`
  name: string
  symbol: string
  uri: string
  /** Whether `GET …/picture` has it. */
  picture: boolean
  /** Wei that go with the transaction, as a decimal text. */
  value: string
  verified: boolean
  /** What the check found: with the data themselves the page makes the same table from it as the chat. */
  check?: Check
  /** Gas in decimal units of gas; without an RPC it was not simulated. */
  simulation:
    | { kind: 'passed'; gas: string }
    | { kind: 'failed'; reason: string }
    | { kind: 'none' }
  /** Unix seconds. */
  expiresAt: number
  progress: SigningProgress
}

/** A link that can no longer be used. */
export interface ClosedRequest {
  state: 'expired' | 'revoked' | 'launched'
  /** Of a launched token. */
  token?: `0x${string}`
  explorer?: string
}

/** Another account than the draft's that wants to sign, and what the launcher says of it. */
export interface SigningAccount {
  account: `0x${string}`
  /**
   * `asked`: the launcher was asked in the private chat. `waiting`: too many were asked about already; the launcher sees
   * it under /launches.
   */
  state: 'asked' | 'waiting' | 'allowed' | 'refused'
  /** Unix seconds from which the launcher can be asked once more about a refused one; absent: not again. */
  askAgainAt?: number
}

export interface SigningProgress {
  /** All that asked through this payload; the desk keeps only so many. Absent: none did. */
  signers?: readonly SigningAccount[]
  /** The transaction that was reported, as far as the bot's own node knows. */
  transaction?: { hash: `0x${string}`; state: 'unknown' | 'pending' | 'reverted' | 'launched' }
  launched: boolean
}

/** All that the signing page can do; each call names the token of the link. Undefined where there is no such link. */
export interface SigningDesk {
  open(token: string): Promise<SigningRequest | ClosedRequest | undefined>
  progress(token: string): Promise<SigningProgress | ClosedRequest | undefined>
  picture(token: string): Promise<Attachment | ClosedRequest | undefined>
  /** An account wants to sign; another one than the draft's makes the chat ask the launcher, a refused one again. */
  claim(token: string, account: `0x${string}`): Promise<SigningProgress | ClosedRequest | undefined>
  /** The wallet gave this hash. */
  report(
    token: string,
    sent: { account: `0x${string}`; hash: `0x${string}` },
  ): Promise<SigningProgress | ClosedRequest | undefined>
}
