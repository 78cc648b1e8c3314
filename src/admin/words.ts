import { z } from 'zod'
import { findChats } from '../alerts/known-chats.ts'
import type { PlatformName, Store } from '../db/schema.ts'
import { AdminError } from './action.ts'

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

/** How long something lasts, by its largest unit: `3 d`. */
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
