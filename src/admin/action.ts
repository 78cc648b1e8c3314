import { z } from 'zod'
import { findChats } from '../alerts/known-chats.ts'
import type { PlatformName } from '../core/command.ts'
import type { Store } from '../db/schema.ts'
import type { Queue } from '../jobs/queue.ts'

/** Describes the actions in lists of commands. */
export const about = 'For the administrators of this bot'

/** The database, clock and queue that actions work on. */
export interface Office {
  store: Store
  /** Unix seconds. */
  now: () => number
  /** The queue of jobs, opened when it is needed. */
  jobs: () => Promise<Pick<Queue, 'stuck' | 'retry' | 'drop'>>
}

/** An office with somebody in it: `telegram:123456`, or the name of a user of the machine. */
export interface Admin extends Office {
  who: string
}

/**
 * Something that an administrator can ask or change, in a terminal (`npm run admin`) or in a private chat (`/admin`). Its texts
 * are English, as the log's and the doctor's are.
 */
export interface Action {
  name: string
  /** Its uses, as they are typed behind `npm run admin --` or `/admin`, each with what it does. */
  uses: readonly (readonly [line: string, about: string])[]
  /**
   * Reads what is asked, and what would be changed; changes nothing itself.
   * @param words what stands behind its name, as it was typed
   * @throws AdminError if that can't be read, or there is no such thing
   */
  plan(words: string, office: Admin): Promise<Plan>
}

/** An answer, or what is about to be changed. A line may hold what strangers wrote: whoever shows it has to escape it. */
export interface Plan {
  lines: readonly string[]
  /** Absent if the lines are all that was asked. */
  change?: Change
}

export interface Change {
  /** The text for the administrators' log, such as `pause telegram:-100123`. */
  what: string
  /** It can't be undone, so the person is asked this before. */
  question?: string
  /** The line that does it without asking again; the same line by default. */
  line?: string
  /** Does it, and returns what was done. */
  apply(): Promise<string[]>
}

/** Thrown if what was typed can't be done; the message says what to type instead, or what is missing. */
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

/**
 * The chat of an id, or of its number in the log: `chat:204`.
 * @throws AdminError if the text is neither, or there is no such number
 */
export async function readChat(text: string | undefined, store: Store): Promise<Id> {
  const number = /^chat:(\d{1,15})$/u.exec(text ?? '')?.[1]
  if (number === undefined) return readId(text)
  const [chat] = await findChats(store, { row: Number(number) }, 1)
  if (chat === undefined) throw new AdminError(`There is no chat ${number}: it is forgotten.`)
  return { platform: chat.platform, id: chat.chat }
}

export function idText({ platform, id }: Id): string {
  return `${platform}:${id}`
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
