/** What the holder of a role does, from its start to its end. */
export interface Duty {
  /** Resolves once it is really under way; at once where it is absent. */
  readonly begun?: Promise<void>
  /** Ends soon: who comes next may have begun. */
  stop(): Promise<void>
}
