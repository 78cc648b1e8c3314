import { LeaderElector, type LeaderElectorParts } from '../../../src/cluster/leader-election.ts'

/** One process, and how often each of its duties began and ended. */
export class Replica {
  readonly roles: LeaderElector
  readonly begun = new Map<string, number>()
  readonly doing = new Set<string>()
  /** Hears of a duty that begins. */
  onBegin: (name: string) => void = () => undefined
  /** What a duty waits for as it ends. */
  ends: Promise<void> = Promise.resolve()

  constructor(parts: LeaderElectorParts, names: readonly string[]) {
    this.roles = new LeaderElector(parts)
    for (const name of names) {
      this.roles.run(name, () => {
        this.begun.set(name, (this.begun.get(name) ?? 0) + 1)
        this.doing.add(name)
        this.onBegin(name)
        return {
          stop: async () => {
            await this.ends
            this.doing.delete(name)
          },
        }
      })
    }
  }
}
