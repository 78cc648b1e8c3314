import type { Change, SeenMessage } from '../shown.ts'
import type { Place, Stored, World } from '../world.ts'
import { PeopleError } from './error.ts'
import { seenMessage } from './seen.ts'

export interface WaitOptions {
  /** Only messages with a greater id, or edits after the call. */
  after?: number
  timeoutMs?: number
}

/** Resolves with the first of the bot's messages, there or to come, that fits; rejects on time-out. */
export function waitForMessage(
  { events }: World,
  place: Place,
  fits: (message: SeenMessage) => boolean,
  { after = 0, timeoutMs = 5_000 }: WaitOptions,
): Promise<SeenMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<SeenMessage>()
  const consider = (changed: Place, stored: Stored): void => {
    if (changed !== place || !(stored.byBot || stored.message.via_bot)) return
    const seen = seenMessage(stored)
    if (fits(seen)) resolve(seen)
  }
  const timer = setTimeout(() => {
    const texts = [...place.messages.values()].map((stored) => seenMessage(stored).text)
    reject(
      new PeopleError(`no such message came; the chat ends in ${JSON.stringify(texts.slice(-5))}`),
    )
  }, timeoutMs)
  events.on('stored', consider).on('edited', consider)
  for (const stored of place.messages.values())
    if (stored.message.message_id > after) consider(place, stored)
  return promise.finally(() => {
    clearTimeout(timer)
    events.off('stored', consider).off('edited', consider)
  })
}

/** Tells the listener of everything that people would see happen; returns how to stop. */
export function watch({ events }: World, listener: (change: Change) => void): () => void {
  const message = ({ chat }: Place, stored: Stored): void =>
    listener({ kind: 'message', chatId: chat.id, message: seenMessage(stored) })
  const deleted = ({ chat }: Place, messageId: number): void =>
    listener({ kind: 'deleted', chatId: chat.id, messageId })
  const typing = ({ chat }: Place): void => listener({ kind: 'typing', chatId: chat.id })
  const place = ({ chat }: Place): void => listener({ kind: 'place', chatId: chat.id })
  const commands = (): void => listener({ kind: 'commands' })
  events.on('stored', message).on('edited', message).on('deleted', deleted)
  events.on('typing', typing).on('place', place).on('commands', commands)
  return () => {
    events.off('stored', message).off('edited', message).off('deleted', deleted)
    events.off('typing', typing).off('place', place).off('commands', commands)
  }
}
