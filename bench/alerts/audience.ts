import { setTimeout as delay } from 'node:timers/promises'
import type { PlatformName } from '../stand-ins/protocol.ts'
import type { Told } from './protocol.ts'

/** A platform's stand-in, with subscribed chats and users who send commands. */
export interface Audience {
  platform: PlatformName
  env: Record<string, string>
  /** Ids of the subscribed chats. */
  followers: readonly string[]
  /** Whether answers to commands count towards the same rate limit as other messages. */
  countsAnswers: boolean
  /** Sends a command; resolves with the milliseconds until its answer. */
  command(address: string): Promise<number>
  /** Calls back for each message that a chat receives; returns a function that stops it. */
  listen(heard: (chat: string) => void): () => void
  /** Number of the bot's messages in this chat. */
  messagesIn(chat: string): number
  /** Number of edits and of 429 answers so far. */
  tally(): { edits: number; refused: number }
}

/**
 * Sends a command at an interval, without waiting for answers, until the signal aborts; resolves with all latencies in
 * milliseconds.
 */
export async function commanding(
  audience: Audience,
  address: string,
  { everyMs, signal }: { everyMs: number; signal: AbortSignal },
): Promise<number[]> {
  const sent: Promise<number>[] = []
  while (!signal.aborted) {
    const answered = audience.command(address)
    // Failures surface in `Promise.all` below; this only prevents an unhandled rejection.
    answered.catch(() => undefined)
    sent.push(answered)
    await delay(everyMs, undefined, { signal }).catch(() => undefined)
  }
  return Promise.all(sent)
}

/**
 * Waits until every subscribed chat got the alert, or the timeout. `shown` is the time (`performance.now()`) at which
 * the interface began to show the event.
 */
export async function telling(
  audience: Audience,
  { patienceSeconds, shown }: { patienceSeconds: number; shown: number },
): Promise<Omit<Told, 'latencies'>> {
  const { followers } = audience
  const missing = new Set(followers)
  const messages = () => followers.reduce((sum, chat) => sum + audience.messagesIn(chat), 0)
  const before = { ...audience.tally(), messages: messages() }
  const complete = new AbortController()
  let answers = 0
  let first = Number.NaN
  let last = Number.NaN
  const stop = audience.listen((chat) => {
    if (!missing.delete(chat)) {
      if (audience.countsAnswers && last >= 0) answers += 1
      return
    }
    last = performance.now() - shown
    if (Number.isNaN(first)) first = last
    if (missing.size === 0) complete.abort()
  })
  await delay(patienceSeconds * 1000, undefined, { signal: complete.signal }).catch(() => undefined)
  stop()
  const after = audience.tally()
  return {
    chats: followers.length - missing.size,
    messages: messages() - before.messages,
    firstMillis: first,
    lastMillis: last,
    answers,
    edits: after.edits - before.edits,
    refused: after.refused - before.refused,
  }
}
