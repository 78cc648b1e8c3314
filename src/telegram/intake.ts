import type { Context, NextFunction } from 'grammy'
import { LRUCache } from 'lru-cache'
import { withTimeout } from '../core/task.ts'

/** Maximum updates that are remembered, because Telegram may bring them again. */
const maxRemembered = 10_000

/**
 * Middleware that handles each update once, however often Telegram brings it, and lets a stop wait for those under way. After a stop
 * it rejects them, so that they are not confirmed and Telegram brings them again.
 * @example
 *   bot.use(intake.middleware)
 *   await intake.stop(4_000)
 */
export class Intake {
  readonly #taken = new LRUCache<number, Promise<void>>({ max: maxRemembered })
  readonly #underWay = new Set<Promise<void>>()
  #isStopping = false

  readonly middleware = ({ update: { update_id: id } }: Context, next: NextFunction) => {
    const before = this.#taken.get(id)
    if (before) return before
    if (this.#isStopping) throw new Error('this process is stopping')
    const handled = next()
    this.#taken.set(id, handled)
    this.#underWay.add(handled)
    handled.catch(() => this.#taken.delete(id)).finally(() => this.#underWay.delete(handled))
    return handled
  }

  /** Takes no more updates, and waits up to `ms` milliseconds for those under way. */
  async stop(ms: number): Promise<void> {
    this.#isStopping = true
    await withTimeout(Promise.allSettled(this.#underWay), ms)
  }
}
