import { z } from 'zod'
import { findChats } from '../alerts/known-chats.ts'
import { untilUnmuted } from '../alerts/subscriptions.ts'
import type { PlatformName } from '../core/command.ts'
import type { Store } from '../db/schema.ts'
import type { Queue } from '../jobs/queue.ts'

/** Describes the actions in lists of commands. */
export const about = 'For the administrators of this bot'

/** The database, clock and queue that actions work on. */
export interface AdminContext {
  store: Store
  /** Unix seconds. */
  now: () => number
  /** The queue of jobs, opened when it is needed. */
  jobs: () => Promise<Pick<Queue, 'stuck' | 'retry' | 'drop'>>
}

/**
 * Something that an administrator can ask or change, in a terminal (`npm run admin`) or in a private chat (`/admin`). Its texts
 * are English, as the log's and the doctor's are.
 */
export interface Action {
  name: string
  /** Its uses, as they are typed after `npm run admin --` or `/admin`, each with a description. */
  uses: readonly (readonly [line: string, about: string])[]
  /**
   * Answers, or returns the step that is asked for; changes nothing itself. A line may hold what strangers wrote: whoever
   * shows it has to escape it.
   * @param words what stands behind its name, as it was typed
   * @throws AdminError if that can't be read, or there is no such thing
   */
  read(words: string, context: AdminContext): Promise<readonly string[] | Step>
}

/** A change that is about to be made. */
export interface Step {
  /** The text for the administrators' log, such as `chats pause telegram:-100123`. */
  what: string
  /** Shown and asked before, if something is deleted or sent. `line` then does it without asking again; the same line by default. */
  preview?: { lines?: readonly string[]; question: string; line?: string }
  /** Does it, and returns what was done. */
  run(): Promise<string[]>
}

/** Thrown if a line can't be executed; the message says what to type instead, or what is missing. */
export class AdminError extends Error {
  override readonly name = 'AdminError'
}

/** A person or chat, by its platform's own id. */
export interface Id {
  platform: PlatformName
  id: string
}

const idSchema = z.object({
  platform: z.enum(['telegram', 'discord']),
  id: z.string().regex(/^-?\d{1,25}$/u),
})

/** @throws AdminError if the text is no id with its platform */
export function readId(text: string | undefined): Id {
  const [platform, ...rest] = text?.split(':') ?? []
  const read = idSchema.safeParse({ platform, id: rest.join(':') })
  if (read.success) return read.data
  throw new AdminError(
    'An id with its platform is needed, such as telegram:123456, telegram:-100123456 or discord:123456.',
  )
}

/** Parses `person telegram:123456`. @throws AdminError with `otherwise` if it is something else */
export function readPerson(words: string, otherwise: string): Id {
  const [word, target, ...more] = wordsOf(words)
  if (word === 'person' && more.length === 0) return readId(target)
  throw new AdminError(otherwise)
}

/**
 * The chat of an id, or of its number in the log: `chat:204`.
 * @throws AdminError if the text is neither, or there is no such number
 */
export async function readChat(text: string | undefined, store: Store): Promise<Id> {
  const number = /^chat:(\d{1,15})$/u.exec(text ?? '')?.[1]
  if (number === undefined) return readId(text)
  const [chat] = await findChats(store, { row: Number(number) }, 1)
  if (chat === undefined) throw new AdminError(`There is no chat ${number}: it has been forgotten.`)
  return { platform: chat.platform, id: chat.chat }
}

export function idText({ platform, id }: Id): string {
  return `${platform}:${id}`
}

/** The id of a chat, with its topic if it is one. */
export function chatText(of: { platform: PlatformName; chat: string; thread: string }): string {
  return `${of.platform}:${of.chat}${of.thread === '' ? '' : ` topic ${of.thread}`}`
}

/** @param until unix seconds */
export function mutedText(until: number): string {
  return until >= untilUnmuted
    ? 'muted until somebody there unmutes it'
    : `muted until ${timeText(until)}`
}

/** The words of a line. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/u).filter(Boolean)
}

const units = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const

/** Writes a duration in its largest unit: `3 d`. */
export function durationText(seconds: number): string {
  const [size, unit] = units.find(([each]) => seconds >= each) ?? [1, 's']
  return `${Math.max(0, Math.floor(seconds / size))} ${unit}`
}

/** A time in UTC, to the second. */
export function timeText(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** A time with how long ago it was, or how far ahead it is. */
export function sinceText(unixSeconds: number, now: number): string {
  const ago = now - unixSeconds
  const distance = ago < 0 ? `in ${durationText(-ago)}` : `${durationText(ago)} ago`
  return `${timeText(unixSeconds)} (${distance})`
}
