import type { SlowUpdates, StoredUpdate } from '../../../src/core/adapter.ts'

/** Updates that take long, of one process. */
export class MemorySlowUpdates implements SlowUpdates {
  readonly stored = new Map<number, StoredUpdate>()
  /** Updates that a process that died has left. */
  left: StoredUpdate[] = []

  async add(update: Pick<StoredUpdate, 'id' | 'body'>): Promise<void> {
    this.stored.set(update.id, { ...update, attempts: 1 })
  }

  async remove(id: number): Promise<void> {
    this.stored.delete(id)
  }

  async leave(): Promise<void> {
    this.left.push(...this.stored.values())
    this.stored.clear()
  }

  async takeLeft(): Promise<StoredUpdate[]> {
    const taken = this.left
    this.left = []
    for (const update of taken) this.stored.set(update.id, update)
    return taken
  }
}
