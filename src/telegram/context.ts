import type { Context as GrammyContext } from 'grammy'
import { localeFor } from '../core/catalogue.ts'
import type { Context } from '../core/command.ts'
import { telegram } from './platform.ts'
import type { Spot } from './send.ts'

/** Who did something, and where. */
export function contextOf(ctx: GrammyContext): Context {
  // Anonymous administrators share one user id; the chat that they post for tells them apart.
  const senderChat = ctx.callbackQuery ? undefined : ctx.senderChat?.id
  const user = senderChat ?? ctx.from?.id ?? ctx.chat?.id ?? 0
  const chat = ctx.chat?.id ?? user
  const { message_thread_id: thread } = topicOf(ctx)
  const isPrivate = ctx.chat?.type === 'private'
  return {
    platform: telegram,
    user: String(user),
    chat: String(chat),
    ephemeral: isPrivate,
    isPrivate,
    locale: localeFor(ctx.from?.language_code),
    update: String(ctx.update.update_id),
    ...(thread !== undefined && { thread: String(thread) }),
    ...(isPrivate && { invitations: invitationsTo(ctx.me.username) }),
    ...(senderChat !== undefined && senderChat === ctx.chat?.id && { asChat: true }),
    ...((ctx.message?.forward_origin ?? ctx.message?.via_bot) && { isQuoted: true }),
  }
}

/** Links that add the bot to a group or channel: https://core.telegram.org/api/links#groupchannel-bot-links */
function invitationsTo(username: string) {
  const bot = `https://t.me/${username}`
  return { group: `${bot}?startgroup`, channel: `${bot}?startchannel&admin=post_messages` }
}

/** The forum topic of the update's message, if any. */
export function topicOf({ msg }: GrammyContext): Pick<Spot, 'message_thread_id'> {
  const { is_topic_message, message_thread_id } = msg ?? {}
  return is_topic_message && message_thread_id !== undefined ? { message_thread_id } : {}
}

/** The target of an answer: the same topic, and in a group as a reply to the message that asked. */
export function spotIn(ctx: GrammyContext): Spot {
  const inGroup = ctx.chat?.type === 'group' || ctx.chat?.type === 'supergroup'
  return {
    ...topicOf(ctx),
    ...(inGroup &&
      ctx.msgId !== undefined &&
      !ctx.callbackQuery && {
        reply_parameters: { message_id: ctx.msgId, allow_sending_without_reply: true },
      }),
  }
}
