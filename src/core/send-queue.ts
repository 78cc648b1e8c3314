import { LRUCache } from 'lru-cache'
import { boundedPause } from './task.ts'
import { TokenBucket } from './token-bucket.ts'

/** A limit of what may be sent to one chat: `count` messages within any `ms` milliseconds. */
export interface ChatLimit {
  count: number
  ms: number
  /** Number of these that messages which can be left out leave to others. */
  reserve: number
}

/** In this order: edits of messages that people are looking at, other answers, and background messages. */
const priorities = ['edit', 'answer', 'background'] as const
export type Priority = (typeof priorities)[number]

interface SendQueueParts {
  /** Messages a second, of all processes together. */
  perSecond: number
  /** Messages that may be sent at once after a pause. */
  burst: number
  /** Milliseconds on a clock that never jumps. */
  now: () => number
  /** The limits of a chat; default: none. */
  chatLimits?: (chat: string) => readonly ChatLimit[]
  /** Part of the limit, between 0 and 1, that this process may use now; default: all. */
  share?: (() => number) | undefined
}

interface Waiter {
  chat: string
  begin(): void
  fail(reason: unknown): void
}

/** The messages sent to a chat, and the platform's reaction. */
interface ChatState {
  /** Times of the last messages, oldest first. */
  sent: number[]
  pausedUntil: number
  /** Refusals since a message was last accepted; those within one pause count as one. */
  refusals: number
}

const maxChats = 10_000
/** If messages to more chats than this are refused within `refusalsCountFor` milliseconds, it may be the limit for all. */
const maxRefusedChats = 2
const refusalsCountFor = 2_000
/**
 * Maximum milliseconds of the pause of all chats after such refusals; if it is too short, the platform refuses again. Answers
 * pause for a moment only: their refusals may be of groups that somebody made slow.
 */
const maxPause = { background: 60_000, answers: 1_000 }
/** Maximum milliseconds by which the pause of a chat grows that is refused after each pause. */
const maxGrownPause = 60_000
/** Maximum milliseconds until waiting messages are checked again: the share of this process changes. */
const lookAgainMs = 1_000

/**
 * Sends messages within a platform's limits: by priority, and those of one chat in order. A chat that is at its own limit
 * holds up no other. Background messages leave half of a burst to answers.
 * @example
 *   const queue = new SendQueue({ perSecond: 30, burst: 8, now: () => performance.now() })
 *   await queue.acquire('answer', chat) // resolves when the message may be sent
 */
export class SendQueue {
  readonly #parts: SendQueueParts
  readonly #now: () => number
  readonly #bucket: TokenBucket
  readonly #waiting = {
    edit: new Set<Waiter>(),
    answer: new Set<Waiter>(),
    background: new Set<Waiter>(),
  }
  readonly #chats = new LRUCache<string, ChatState>({ max: maxChats })
  readonly #pausedUntil = { all: 0, background: 0 }
  /** When chats refused a message, for background messages and for answers. */
  readonly #refusedAt = {
    background: new Map<string, number>(),
    answers: new Map<string, number>(),
  }
  #timer: NodeJS.Timeout | undefined
  #timerAt = Number.POSITIVE_INFINITY
  #isClosed = false

  constructor(parts: SendQueueParts) {
    this.#parts = parts
    this.#now = parts.now
    this.#bucket = new TokenBucket(parts)
  }

  /**
   * Waits until a message may be sent to the chat. @throws the signal's reason if it aborts the wait, and an Error once the
   * queue is closed
   */
  async acquire(priority: Priority, chat: string, signal?: AbortSignal | null): Promise<void> {
    signal?.throwIfAborted()
    if (this.#isClosed) throw new Error('sending has stopped')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter: Waiter = { chat, begin: resolve, fail: reject }
    const onAbort = () => {
      this.#waiting[priority].delete(waiter)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#waiting[priority].add(waiter)
    const held = this.hold(priority, chat)
    if (held > 0) this.#wakeIn(held)
    else this.#beginDue()
    await promise.finally(() => signal?.removeEventListener('abort', onAbort))
  }

  /**
   * Takes a slot for an answer if it may be sent now; waiting messages go first. With `leavesReserve` it leaves some slots
   * to others, of the limit for all and of the chat's.
   */
  tryAcquire(chat: string, leavesReserve = false): boolean {
    if (this.#isClosed) return false
    this.#beginDue()
    const now = this.#now()
    if (this.#wait(now, leavesReserve) > 0 || this.#chatWait(now, chat, leavesReserve) > 0)
      return false
    this.#take(now, chat)
    return true
  }

  /** Whole milliseconds until the limit for all lets a message in the background through. */
  msUntilSlot(): number {
    if (this.#isClosed) return lookAgainMs
    this.#beginDue()
    const now = this.#now()
    return Math.ceil(Math.max(this.#wait(now, true), this.#pausedUntil.background - now))
  }

  /** Milliseconds for which pauses and the limits of the chat itself hold a message. */
  hold(priority: Priority, chat: string): number {
    const now = this.#now()
    return Math.max(this.#held(now, priority, chat), this.#pausedUntil.all - now)
  }

  /** Lets nothing begin for this many milliseconds, as the platform asked. */
  pause(ms: number): void {
    this.#pause('all', ms)
  }

  /** Notes that the platform took a message to the chat: refusals before it say nothing of those to come. */
  accepted(chat: string): void {
    const state = this.#chats.get(chat)
    if (state) state.refusals = 0
  }

  /**
   * Lets nothing begin in this chat for so many milliseconds, after a refusal that does not say whether the chat has too many
   * messages or the bot: if several chats are refused, it is probably the bot. One that is refused again after its pause is
   * itself to blame; its pauses double, or a few such chats would use up the bot's limit.
   */
  pauseChat(priority: Priority, chat: string, ms: number): void {
    const now = this.#now()
    const state = this.#stateOf(chat)
    if (state.pausedUntil <= now) state.refusals += 1
    const grown = Math.min(maxGrownPause, ms * 2 ** Math.min(state.refusals - 1, 16))
    state.pausedUntil = Math.max(state.pausedUntil, now + boundedPause(Math.max(ms, grown)))
    if (state.refusals > 1) return
    const kind = priority === 'background' ? 'background' : 'answers'
    const refusedAt = this.#refusedAt[kind]
    refusedAt.set(chat, now)
    for (const [each, at] of refusedAt) if (now - at >= refusalsCountFor) refusedAt.delete(each)
    if (refusedAt.size <= maxRefusedChats) return
    this.#pause(kind === 'background' ? kind : 'all', Math.min(ms, maxPause[kind]))
  }

  /** Number of messages that wait for their turn. */
  waiting(): Record<Priority, number> {
    const { edit, answer, background } = this.#waiting
    return { edit: edit.size, answer: answer.size, background: background.size }
  }

  /** Ends all waits, and lets nothing more begin. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const waiters of Object.values(this.#waiting)) {
      for (const waiter of waiters) waiter.fail(new Error('sending has stopped'))
      waiters.clear()
    }
  }

  /** Begins what may begin now, and sets a timer for the next. */
  #beginDue(): void {
    const now = this.#now()
    let soonest = Number.POSITIVE_INFINITY
    for (const priority of priorities) {
      const waiters = this.#waiting[priority]
      for (const waiter of waiters) {
        const held = this.#held(now, priority, waiter.chat)
        if (held > 0) {
          soonest = Math.min(soonest, held)
          continue
        }
        const wait = this.#wait(now, priority === 'background')
        if (wait > 0) {
          this.#wakeIn(Math.min(soonest, wait))
          return
        }
        waiters.delete(waiter)
        this.#take(now, waiter.chat)
        waiter.begin()
      }
    }
    if (soonest < Number.POSITIVE_INFINITY) this.#wakeIn(soonest)
  }

  #wakeIn(ms: number): void {
    const wait = Math.min(Math.ceil(ms), lookAgainMs)
    const at = this.#now() + wait
    if (this.#timerAt <= at) return
    clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(() => {
      this.#timerAt = Number.POSITIVE_INFINITY
      this.#beginDue()
    }, wait)
  }

  #pause(what: 'all' | 'background', ms: number): void {
    const until = this.#now() + boundedPause(ms)
    this.#pausedUntil[what] = Math.max(this.#pausedUntil[what], until)
  }

  /** Milliseconds until the limit for all lets a message through; with `leavesReserve`, one that leaves slots for others. */
  #wait(now: number, leavesReserve: boolean): number {
    const { perSecond, burst, share } = this.#parts
    const part = share?.() ?? 1
    this.#bucket.resize(perSecond * part, Math.max(1, burst * part))
    return Math.max(this.#bucket.wait(leavesReserve), this.#pausedUntil.all - now)
  }

  /** Milliseconds for which a message is held by its chat, or by the pause of its priority. */
  #held(now: number, priority: Priority, chat: string): number {
    const pause = priority === 'background' ? this.#pausedUntil.background - now : 0
    return Math.max(pause, this.#chatWait(now, chat, false))
  }

  /** Milliseconds until a chat takes one more; with `leavesReserve`, one that leaves what its limits reserve. */
  #chatWait(now: number, chat: string, leavesReserve: boolean): number {
    const state = this.#chats.get(chat)
    if (!state) return 0
    const waits = (this.#parts.chatLimits?.(chat) ?? []).map(({ count, ms, reserve }) => {
      const usable = leavesReserve ? Math.max(1, count - reserve) : count
      const before = state.sent[state.sent.length - usable]
      return before === undefined ? 0 : before + ms - now
    })
    return Math.max(0, state.pausedUntil - now, ...waits)
  }

  #take(now: number, chat: string): void {
    this.#bucket.tryTake()
    const limits = this.#parts.chatLimits?.(chat) ?? []
    if (limits.length === 0) return
    const { sent } = this.#stateOf(chat)
    sent.push(now)
    if (sent.length > Math.max(...limits.map(({ count }) => count))) sent.shift()
  }

  #stateOf(chat: string): ChatState {
    const known = this.#chats.get(chat)
    if (known) return known
    const state = { sent: [], pausedUntil: 0, refusals: 0 }
    this.#chats.set(chat, state)
    return state
  }
}
