import { createHash } from 'node:crypto'
import {
  type Client,
  DiscordAPIError,
  PermissionFlagsBits,
  type RateLimitData,
  RateLimitError,
  type REST,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js'
import { z } from 'zod'
import { type Destination, SendError } from '../chat/platform.ts'
import type { Rendered } from './answering.ts'

/** All tries of one message. */
const sendDeadline = 30_000
/** A bucket of messages is full again after 5 s; who has to wait for longer is told so instead. */
const longestWait = 10_000
const sendRoutes = ['/channels/:id/messages', '/users/@me/channels']

const mostNonce = 25
const snowflake = /^\d{17,20}$/u
const opened = z.object({ id: z.string().regex(snowflake) })

/** Whether a limit of Discord's is told to who sends, rather than waited out. */
export function isTooLongToWait({ route, retryAfter, sublimitTimeout }: RateLimitData): boolean {
  return sendRoutes.includes(route) && Math.max(retryAfter, sublimitTimeout) > longestWait
}

/**
 * Writes a message. Discord gives the first one back for some minutes when the same key comes again. @throws SendError
 */
export async function sendMessage(
  rest: REST,
  to: Destination,
  { body, files }: Rendered,
  key: string,
): Promise<void> {
  if (!snowflake.test(to.id)) throw new SendError('That is no id of Discord’s.', { final: true })
  const nonce = createHash('sha256').update(key).digest('base64url').slice(0, mostNonce)
  const signal = AbortSignal.timeout(sendDeadline)
  try {
    const channel = to.kind === 'chat' ? to.id : await privateChat(rest, to.id, signal)
    await rest.post(Routes.channelMessages(channel), {
      body: { ...body, nonce, enforce_nonce: true },
      files,
      signal,
    })
  } catch (error) {
    throw sendError(error)
  }
}

async function privateChat(rest: REST, person: string, signal: AbortSignal): Promise<string> {
  const body = { recipient_id: person }
  return opened.parse(await rest.post(Routes.userChannels(), { body, signal })).id
}

function sendError(cause: unknown): SendError {
  if (cause instanceof RateLimitError) {
    const retryAfter = Math.ceil(Math.max(cause.retryAfter, cause.sublimitTimeout) / 1_000)
    return new SendError('Discord takes no more messages there for now.', {
      final: false,
      retryAfter,
      cause,
    })
  }
  if (cause instanceof DiscordAPIError) {
    return new SendError(`Discord refused a message: ${cause.message}`, {
      final: isFinal(cause),
      cause,
    })
  }
  return new SendError('Discord could not be reached with a message.', { final: false, cause })
}

/** Blocked, kicked, gone, not allowed, or never to be taken; not a token that the operator has to mend. */
function isFinal({ status, code }: DiscordAPIError): boolean {
  if (code === RESTJSONErrorCodes.OpeningDirectMessagesTooFast) return false
  return [400, 403, 404, 413].includes(status)
}

/** Whether the person is a member of the channel's server and may write in the channel; false where Discord does not say. */
export async function isMemberOf(client: Client, chat: string, person: string): Promise<boolean> {
  if (![chat, person].every((id) => snowflake.test(id))) return false
  try {
    const channel = await client.channels.fetch(chat)
    if (!channel || channel.isDMBased()) return false
    const member = await channel.guild.members.fetch(person)
    // What counts in a thread is what its channel allows.
    const write = channel.isThread()
      ? PermissionFlagsBits.SendMessagesInThreads
      : PermissionFlagsBits.SendMessages
    return channel.permissionsFor(member).has([PermissionFlagsBits.ViewChannel, write])
  } catch {
    return false
  }
}
