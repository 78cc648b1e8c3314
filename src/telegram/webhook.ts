import { createHash, timingSafeEqual } from 'node:crypto'
import type { Update } from 'grammy/types'
import { z } from 'zod'
import { bodyOf } from '../chat/body.ts'
import type { Inbox } from '../chat/inbox.ts'
import { calledAt } from '../chat/platform.ts'
import type { Logger } from '../log.ts'

/** Where Telegram calls the bot's server. */
export const webhookPath = calledAt('telegram')
const secretHeader = 'x-telegram-bot-api-secret-token'
/**
 * Longer than any update: a message and the one it answers, of 4,096 escaped UTF-16 units with 100 links each. What is
 * refused for its length would be brought again and again.
 */
const mostBytes = 512 * 1024

const chat = z.looseObject({ chat: z.looseObject({ id: z.int() }) })
const person = z.looseObject({ from: z.looseObject({ id: z.int() }) })
const updateSchema = z.looseObject({
  update_id: z.int().nonnegative(),
  message: chat.optional(),
  channel_post: chat.optional(),
  callback_query: person.extend({ message: chat.optional() }).optional(),
  inline_query: person.optional(),
})

/** What Telegram sends along so that nobody else can speak in its name: the same in each replica, and told to no one. */
export function webhookSecret(token: string): string {
  return createHash('sha256').update(`webhook of ${token}`).digest('base64url')
}

/** Takes Telegram's calls: an update that was answered with 200 is kept, and Telegram brings the others again. */
export function webhook(
  secret: string,
  inbox: Pick<Inbox, 'put'>,
  log: Logger,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (!isSame(request.headers.get(secretHeader) ?? '', secret)) {
      return Response.json({ error: 'not Telegram' }, { status: 401 })
    }
    const body = (await bodyOf(request, mostBytes))?.toString()
    if (body === undefined) return Response.json({ error: 'too large' }, { status: 413 })
    const read = updateSchema.safeParse(parsed(body))
    if (!read.success) return Response.json({ error: 'no update' }, { status: 400 })
    try {
      await inbox.put({ id: read.data.update_id, lane: laneOf(read.data), body })
      return new Response()
    } catch (error) {
      log.error({ err: error }, 'an update of Telegram’s could not be kept; it brings it again')
      return Response.json({ error: 'try again' }, { status: 503 })
    }
  }
}

/** What grammY reads in it is its own affair, as with polling. */
const keptSchema = z.custom<Update>((value) => updateSchema.safeParse(value).success)

/** An update that was kept. @throws where it is none */
export function keptUpdate(body: string): Update {
  return keptSchema.parse(JSON.parse(body))
}

/** The chat, as with polling: what happens in one is handled in turn. */
function laneOf(update: z.output<typeof updateSchema>): string {
  const { message, channel_post, callback_query, inline_query } = update
  const place = message ?? channel_post ?? callback_query?.message
  return String(place?.chat.id ?? callback_query?.from.id ?? inline_query?.from.id ?? '')
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** By digests, which are of one length: how long it takes says nothing of how much is right. */
function isSame(given: string, secret: string): boolean {
  const [one, other] = [given, secret].map((text) => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}
