import { setTimeout as delay } from 'node:timers/promises'
import type { PlatformName } from '../stand-ins/protocol.ts'
import type { Told } from './protocol.ts'

/** One platform's stand-in, with the chats that follow and the people who ask. */
export interface Audience {
  platform: PlatformName
  env: Record<string, string>
  /** Ids of the chats that follow. */
  followers: readonly string[]
  /** Whether the platform counts answers to commands with all other messages. */
  countsAnswers: boolean
  /** Sends one command; resolves with the milliseconds to its answer. */
  command(address: string): Promise<number>
  /** Calls back at each message that a chat gets; returns what ends that. */
  listen(heard: (chat: string) => void): () => void
  /** Messages in this chat, of the bot. */
  messagesIn(chat: string): number
  /** Edits and refusals (429) so far. */
  tally(): { edits: number; refused: number }
}

/** Sends a command so often, whatever became of the one before, until the signal; resolves with all latencies. */
export async function commanding(
  audience: Audience,
  address: string,
  { everyMs, signal }: { everyMs: number; signal: AbortSignal },
): Promise<number[]> {
  const sent: Promise<number>[] = []
  while (!signal.aborted) {
    const asked = audience.command(address)
    // A failure is told when all are waited for; until then it is nobody's.
    asked.catch(() => undefined)
    sent.push(asked)
    await delay(everyMs, undefined, { signal }).catch(() => undefined)
  }
  return Promise.all(sent)
}

/**
 * Waits until every chat that follows was told, or patience ends. `shown` is when the interface began to show it, by
 * `performance.now()`.
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
