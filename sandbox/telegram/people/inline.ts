import { randomBytes } from 'node:crypto'
import type { Chat, Message, User } from 'grammy/types'
import type { Api } from '../api.ts'
import {
  type InlineAnswer,
  type InlineQuestion,
  type InlineResult,
  inlinePatience,
} from '../callbacks.ts'
import type { Place } from '../world.ts'
import { botSees, messageNews } from './delivery.ts'

/** Which result was picked, and from the answer to what. */
export interface ChosenResult {
  query: string
  result: InlineResult
}

/** Asks the bot's inline mode, or serves the answer that Telegram still has in its cache. */
export function askInline(
  api: Api,
  question: InlineQuestion,
  chatType: Chat['type'],
  timeoutMs = inlinePatience,
): Promise<InlineAnswer | undefined> {
  const known = api.inlineCache.get(question)
  if (known) return Promise.resolve(known)
  return new Promise((resolve) => {
    const id = api.inlineQueries.open(question, timeoutMs, resolve)
    api.queue.push({
      inline_query: {
        id,
        ...question,
        chat_type: chatType === 'private' ? 'sender' : chatType,
      },
    })
  })
}

/** Sends the picked result as the person's message; the bot gets `chosen_inline_result`. */
export function chooseResult(
  api: Api,
  place: Place,
  from: User,
  { query, result }: ChosenResult,
): Message {
  const { world, queue } = api
  const inlineId = randomBytes(18).toString('base64url')
  const message: Message = {
    message_id: world.nextId(place),
    ...(place.chat.type === 'channel' ? { sender_chat: place.chat } : { from }),
    chat: place.chat,
    date: world.date,
    via_bot: world.bot,
    ...bodyOf(result),
    ...(result.keyboard ? { reply_markup: result.keyboard } : {}),
  }
  place.started = true
  world.store(place, {
    message,
    byBot: false,
    inlineId,
    ...(result.content ? {} : { photoUrl: result.photoUrl }),
  })
  queue.push({
    chosen_inline_result: {
      result_id: result.id,
      from,
      query,
      // Telegram names the message only where it has a keyboard, since only then the bot may edit it.
      ...(result.keyboard ? { inline_message_id: inlineId } : {}),
    },
  })
  if (botSees(world, place, message)) queue.push(messageNews(message))
  return message
}

function bodyOf(result: InlineResult): Partial<Message> {
  if (result.content) {
    const { text, entities, preview } = result.content
    return {
      text,
      ...(entities.length > 0 ? { entities } : {}),
      ...(preview ? { link_preview_options: preview } : {}),
    }
  }
  const { text = '', entities = [] } = result.caption ?? {}
  return {
    photo: [
      {
        file_id: `AgACremote${result.id}`,
        file_unique_id: `AQADremote${result.id}`,
        width: 512,
        height: 512,
      },
    ],
    ...(text === '' ? {} : { caption: text }),
    ...(entities.length > 0 ? { caption_entities: entities } : {}),
  }
}
