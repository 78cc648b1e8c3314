import type { SlowUpdates, StoredUpdate } from '../../../src/core/adapter.ts'

/** Updates that take long, of one process. */
export class MemorySlowUpdates implements SlowUpdates {
  readonly stored = new Map<number, StoredUpdate>()
  /** Updates that a process that died has left. */
  left: StoredUpdate[] = []

  async add(update: StoredUpdate): Promise<number> {
    const stored = this.stored.get(update.id) ?? { ...update }
    this.stored.set(update.id, stored)
    return stored.attempts
  }

  async countAttempt(id: number): Promise<number> {
    const stored = this.stored.get(id)
    if (!stored) throw new Error(`update ${id} is not stored`)
    stored.attempts += 1
    return stored.attempts
  }

  async remove(id: number): Promise<void> {
    this.stored.delete(id)
  }

  async leave(): Promise<void> {
    this.left.push(...this.stored.values())
    this.stored.clear()
  }

  async takeOver(): Promise<StoredUpdate[]> {
    const taken = this.left
    this.left = []
    for (const update of taken) this.stored.set(update.id, update)
    return taken
  }
}
