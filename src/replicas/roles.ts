/** What the holder of a role does, from its start to its end. */
export interface Duty {
  /** Resolves once it is really under way; at once where it is absent. */
  readonly begun?: Promise<void>
  /** Ends soon: who comes next may have begun. */
  stop(): Promise<void>
}

/** Work of which one replica at a time does each piece. */
export interface Roles {
  /** Names a piece of work; `begin` is called whenever this replica gets it. Before the start. */
  share(name: string, begin: () => Duty): void
  /** Resolves once what this replica got at first is under way. @throws what kept it from that */
  start(): Promise<void>
  /** Ends all that this replica does, and lets others have it. */
  stop(): Promise<void>
}

/** All roles of the one process that there is. */
export class SoleRoles implements Roles {
  readonly #begins: (() => Duty)[] = []
  #duties: Duty[] = []

  share(_name: string, begin: () => Duty): void {
    this.#begins.push(begin)
  }

  async start(): Promise<void> {
    this.#duties = this.#begins.map((begin) => begin())
    await Promise.all(this.#duties.map(({ begun }) => begun))
  }

  async stop(): Promise<void> {
    await Promise.all(this.#duties.map((duty) => duty.stop()))
    this.#duties = []
  }
}
