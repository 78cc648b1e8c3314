import type { Duty } from '../chat/duty.ts'

/** Work of which one replica at a time does each piece. */
export interface Roles {
  /** Names a piece of work; `begin` is called whenever this replica gets it. Before the start. */
  share(name: string, begin: () => Duty): void
  /** Resolves once what this replica got at first is under way, or a stop has begun. @throws what kept it from that */
  start(): Promise<void>
  /** Ends all that this replica does, and lets others have it. */
  stop(): Promise<void>
  /** Every role by its name, and whether this replica has it. */
  held(): ReadonlyMap<string, boolean>
}

/** All roles of the one process that there is. */
export class SoleRoles implements Roles {
  readonly #begins = new Map<string, () => Duty>()
  #duties: Duty[] = []

  share(name: string, begin: () => Duty): void {
    this.#begins.set(name, begin)
  }

  async start(): Promise<void> {
    this.#duties = [...this.#begins.values()].map((begin) => begin())
    await Promise.all(this.#duties.map(({ begun }) => begun))
  }

  async stop(): Promise<void> {
    await Promise.all(this.#duties.map((duty) => duty.stop()))
    this.#duties = []
  }

  held(): ReadonlyMap<string, boolean> {
    return new Map([...this.#begins.keys()].map((name) => [name, this.#duties.length > 0]))
  }
}
