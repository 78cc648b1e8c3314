/** How the sandbox wallet is set up; what is not said is as a person would have it. */
export interface WalletOptions {
  /** Where its requests to the chain go; `binding` names a function of the page that takes them instead. */
  rpc: { url: string } | { binding: string }
  /** The id of the chain behind `rpc`. */
  chain: number
  /** Its accounts, for which the node signs; the first is chosen at first. */
  accounts: readonly string[]
  /** The chain that it is on at first, which may be another one; `chain` without it. */
  on?: number
  /** Whether it knows `chain` before somebody adds it; it does without this. */
  knows?: boolean
  /** `never` says no to everything, `always` asks nobody. */
  approval?: 'ask' | 'always' | 'never'
  /**
   * What becomes of a transaction. `replaced`: another one with the same call is mined in its place. `dropped`: it is
   * never mined.
   */
  sending?: 'mined' | 'replaced' | 'dropped'
  /** What it announces itself as. */
  name?: string
  rdns?: string
}
