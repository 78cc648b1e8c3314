import { LRUCache } from 'lru-cache'
import { boundedPause } from './task.ts'

interface TokenBucketParts {
  /** Tokens a second on average. */
  perSecond: number
  /** Tokens that may be taken at once after a pause. */
  burst: number
  /** Milliseconds on a clock that never jumps. */
  now: () => number
}

/** Gives tokens at a rate, and some more at once after a pause. */
export class TokenBucket {
  readonly #now: () => number
  #perSecond: number
  #burst: number
  #tokens: number
  #refilledAt: number

  constructor({ perSecond, burst, now }: TokenBucketParts) {
    this.#now = now
    this.#perSecond = perSecond
    this.#burst = burst
    this.#tokens = burst
    this.#refilledAt = now()
  }

  /** Takes a token; false if there is none. */
  tryTake(): boolean {
    if (this.wait() > 0) return false
    this.#tokens -= 1
    return true
  }

  /** Milliseconds until there is a token; with `leavesReserve`, until there is one beside half of those for a burst. */
  wait(leavesReserve = false): number {
    const at = this.#now()
    const refilled = this.#tokens + ((at - this.#refilledAt) * this.#perSecond) / 1000
    this.#tokens = Math.min(this.#burst, refilled)
    this.#refilledAt = at
    // A part of a token that rounding has lost is no reason to wait.
    const missing = 1 + (leavesReserve ? Math.floor(this.#burst / 2) : 0) - this.#tokens
    return Math.max(0, (missing * 1000) / this.#perSecond - 1e-6)
  }

  /** Changes the rate from now on. */
  resize(perSecond: number, burst: number): void {
    if (perSecond === this.#perSecond && burst === this.#burst) return
    this.wait()
    this.#perSecond = perSecond
    this.#burst = burst
  }
}

/** A limit of what may be sent to one chat: `count` messages within any `ms` milliseconds. */
export interface ChatLimit {
  count: number
  ms: number
  /** Number of these that messages which can be left out leave to others. */
  reserve: number
}

/** The latest messages to one chat. */
class ChatWindow {
  /** Their times, oldest first. */
  #sent: number[] = []
  pausedUntil = 0
  /** Refusals since a message was last accepted; those within one pause count as one. */
  refusals = 0

  add(now: number, limits: readonly ChatLimit[]): void {
    this.#sent.push(now)
    const needed = Math.max(...limits.map(({ count }) => count))
    if (this.#sent.length > needed) this.#sent.shift()
  }

  /** Milliseconds until one more may follow; with `leavesReserve`, one that leaves those that the limits reserve. */
  wait(now: number, limits: readonly ChatLimit[], leavesReserve: boolean): number {
    const waits = limits.map(({ count, ms, reserve }) => {
      const usable = leavesReserve ? Math.max(1, count - reserve) : count
      const before = this.#sent[this.#sent.length - usable]
      return before === undefined ? 0 : before + ms - now
    })
    return Math.max(0, this.pausedUntil - now, ...waits)
  }
}

/** In this order: edits of messages that people are looking at, other answers, and what nobody waits for. */
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
  /** The part of the limit, up to 1, that this process may use now; default: all of it. */
  share?: (() => number) | undefined
}

interface Waiter {
  chat: string
  begin(): void
  fail(reason: unknown): void
}

/** A waiter, where it waits, and milliseconds until its chat and pauses let it begin. */
interface Next {
  waiter: Waiter
  queue: Set<Waiter>
  chatWait: number
}

const maxChats = 10_000
/** Milliseconds after which a slot that `capacity` granted ends, if no message has used it: such slots must not add up. */
const slotMs = 250
/** The part of the limit that several processes use together: less than one alone, because their bursts add up. */
const usedPart = 0.92
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

/** Milliseconds after which chats that hold messages are looked at again: their limits change with the number of processes. */
const lookAgainMs = 1_000

/** Milliseconds after which to ask a closed queue again; in vain, but not in a tight loop. */
const closedWait = 1_000

/**
 * Sends messages within a platform's limits: by priority, and those of one chat in order. A chat that is at its own limit
 * holds up no other. What several processes send adds up to the limit: each has a share.
 * @example
 *   const queue = new SendQueue({ perSecond: 30, burst: 8, now: () => performance.now() })
 *   await queue.acquire('answer', chat) // resolves when the message may be sent
 *   const wait = queue.capacity() // for an alert: 0, or milliseconds after which to ask again
 */
export class SendQueue {
  readonly #parts: SendQueueParts
  readonly #now: () => number
  readonly #own: TokenBucket
  /** The waiters, by priority. */
  readonly #queues: Record<Priority, Set<Waiter>> = {
    edit: new Set(),
    answer: new Set(),
    background: new Set(),
  }
  readonly #chats = new LRUCache<string, ChatWindow>({ max: maxChats })
  /** When the slots end that `capacity` granted and no message has used yet. */
  #granted: number[] = []
  #pausedUntil = 0
  #backgroundPausedUntil = 0
  /** Refusals of the last moments, those of background messages and those of answers apart. */
  #refusals: readonly { chat: string; at: number; isBackground: boolean }[] = []
  #timer: NodeJS.Timeout | undefined
  #timerAt = Number.POSITIVE_INFINITY
  /** Until then all that waits is held by its chat, and is not looked through: thousands of messages take long. */
  #heldUntil = 0
  #isClosed = false

  constructor(parts: SendQueueParts) {
    this.#parts = parts
    this.#now = parts.now
    this.#own = new TokenBucket(parts)
  }

  /**
   * Waits until a message may be sent to the chat. @throws the signal's reason if it aborts the wait, and an Error once the
   * queue is closed
   */
  async acquire(priority: Priority, chat: string, signal?: AbortSignal | null): Promise<void> {
    signal?.throwIfAborted()
    if (this.#isClosed) throw new Error('nothing is sent any more')
    if (priority === 'background' && this.#takeGranted(chat)) return
    if (this.#pausedUntilOf(priority) <= this.#now() && this.tryAcquire(chat)) return
    const queue = this.#queues[priority]
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter: Waiter = { chat, begin: resolve, fail: reject }
    const onAbort = () => {
      queue.delete(waiter)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    queue.add(waiter)
    this.#heldUntil = Math.min(this.#heldUntil, this.#now() + this.hold(priority, chat))
    this.#beginDue()
    await promise.finally(() => signal?.removeEventListener('abort', onAbort))
  }

  /**
   * Takes a slot for a message if it may be sent now; what waits goes first. With `leavesReserve` it leaves some slots to
   * others, of the limit for all and of the chat's.
   */
  tryAcquire(chat: string, leavesReserve = false): boolean {
    if (this.#isClosed) return false
    this.#beginDue()
    if (this.#wait(leavesReserve) > 0 || this.#chatWait(chat, leavesReserve) > 0) return false
    this.#take(chat)
    return true
  }

  /** Whole milliseconds until a message in the background may be sent; 0 grants a slot for it. */
  capacity(): number {
    if (this.#isClosed) return closedWait
    this.#beginDue()
    const now = this.#now()
    const pause = this.#backgroundPausedUntil - now
    if (pause > 0) return Math.ceil(pause)
    // Answers that come meanwhile find a few slots and begin at once.
    const wait = this.#wait(true)
    if (wait > 0) return Math.ceil(wait)
    this.#own.tryTake()
    this.#granted.push(now + slotMs)
    return 0
  }

  /** Milliseconds for which pauses and the limits of the chat itself hold a message. */
  hold(priority: Priority, chat: string): number {
    const pausedUntil = Math.max(this.#pausedUntil, this.#pausedUntilOf(priority))
    return Math.max(this.#chatWait(chat, false), pausedUntil - this.#now())
  }

  /** Lets nothing begin for this many milliseconds, as the platform asked. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#now() + boundedPause(ms))
  }

  /** Notes that the platform took a message to the chat: refusals before it say nothing of those to come. */
  accepted(chat: string): void {
    const window = this.#chats.get(chat)
    if (window) window.refusals = 0
  }

  /**
   * Lets nothing begin in this chat for so many milliseconds, after a refusal that does not say whether the chat has too many
   * messages or the bot: if several chats are refused, it is probably the bot. One that is refused again after its pause is
   * itself to blame; its pauses double, or a few such chats would use up the bot's limit.
   */
  pauseChat(priority: Priority, chat: string, ms: number): void {
    const now = this.#now()
    const window = this.#window(chat)
    if (window.pausedUntil <= now) window.refusals += 1
    const grown = Math.min(maxGrownPause, ms * 2 ** Math.min(window.refusals - 1, 16))
    window.pausedUntil = Math.max(window.pausedUntil, now + boundedPause(Math.max(ms, grown)))
    if (window.refusals > 1) return
    const isBackground = priority === 'background'
    const recent = this.#refusals.filter(
      (each) =>
        now - each.at < refusalsCountFor &&
        !(each.chat === chat && each.isBackground === isBackground),
    )
    this.#refusals = [...recent, { chat, at: now, isBackground }]
    const refused = this.#refusals.filter((each) => each.isBackground === isBackground)
    if (refused.length <= maxRefusedChats) return
    if (!isBackground) this.pause(Math.min(ms, maxPause.answers))
    else {
      const until = now + boundedPause(Math.min(ms, maxPause.background))
      this.#backgroundPausedUntil = Math.max(this.#backgroundPausedUntil, until)
    }
  }

  /** Number of messages that wait for their turn. */
  waiting(): Record<Priority, number> {
    const { edit, answer, background } = this.#queues
    return { edit: edit.size, answer: answer.size, background: background.size }
  }

  /** Ends all waits, and lets nothing more begin. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const queue of Object.values(this.#queues)) {
      for (const waiter of queue) waiter.fail(new Error('nothing is sent any more'))
      queue.clear()
    }
  }

  /** Time until which messages of this priority are paused beside all others. */
  #pausedUntilOf(priority: Priority): number {
    return priority === 'background' ? this.#backgroundPausedUntil : 0
  }

  #takeGranted(chat: string): boolean {
    const now = this.#now()
    this.#granted = this.#granted.filter((until) => until > now)
    if (this.hold('background', chat) > 0 || this.#granted.shift() === undefined) return false
    this.#note(chat)
    return true
  }

  /** Begins what may begin now, and sets a timer for the next. */
  #beginDue(): void {
    const held = this.#heldUntil - this.#now()
    if (held > 0) {
      this.#wakeIn(held)
      return
    }
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { waiter, queue, chatWait } = next
      const wait = this.#wait()
      if (chatWait > 0 || wait > 0) {
        if (chatWait > 0) this.#heldUntil = this.#now() + Math.min(chatWait, lookAgainMs)
        this.#wakeIn(Math.max(chatWait, wait))
        return
      }
      queue.delete(waiter)
      this.#take(waiter.chat)
      waiter.begin()
    }
  }

  /** The first that may begin by its chat and pauses; if none may, the one that may soonest. Undefined if nothing waits. */
  #next(): Next | undefined {
    let soonest: Next | undefined
    for (const priority of priorities) {
      const queue = this.#queues[priority]
      const pause = this.#pausedUntilOf(priority) - this.#now()
      for (const waiter of queue) {
        const chatWait = Math.max(0, pause, this.#chatWait(waiter.chat, false))
        if (chatWait === 0) return { waiter, queue, chatWait }
        if (!soonest || chatWait < soonest.chatWait) soonest = { waiter, queue, chatWait }
      }
    }
    return soonest
  }

  #wakeIn(ms: number): void {
    const at = this.#now() + ms
    if (this.#timerAt <= at) return
    clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(() => {
      this.#timerAt = Number.POSITIVE_INFINITY
      this.#beginDue()
    }, Math.ceil(ms))
  }

  /** Milliseconds until the limit for all lets a message through; with `leavesReserve`, one that leaves slots for others. */
  #wait(leavesReserve = false): number {
    const { perSecond, burst, share = () => 1 } = this.#parts
    const part = share()
    if (part < 1) this.#own.resize(perSecond * usedPart * part, Math.max(1, burst * part))
    else this.#own.resize(perSecond, burst)
    return Math.max(0, this.#own.wait(leavesReserve), this.#pausedUntil - this.#now())
  }

  #take(chat: string): void {
    this.#own.tryTake()
    this.#note(chat)
  }

  #note(chat: string): void {
    const { chatLimits } = this.#parts
    if (chatLimits) this.#window(chat).add(this.#now(), chatLimits(chat))
  }

  #chatWait(chat: string, leavesReserve: boolean): number {
    const limits = this.#parts.chatLimits?.(chat) ?? []
    return this.#chats.get(chat)?.wait(this.#now(), limits, leavesReserve) ?? 0
  }

  #window(chat: string): ChatWindow {
    const cached = this.#chats.get(chat)
    if (cached) return cached
    const window = new ChatWindow()
    this.#chats.set(chat, window)
    return window
  }
}
