import { type Context, GrammyError, HttpError } from 'grammy'
import type { Turn } from '../chat/command.ts'
import type { LineKeeper } from '../chat/control.ts'
import type { Answer, Bot } from '../chat/dispatch.ts'
import { shortenUnits } from '../chat/text.ts'
import type { View } from '../chat/view.ts'
import type { Logger } from '../log.ts'
import type { IncomingFiles } from './incoming-files.ts'
import { inlineCard } from './inline-card.ts'
import { sendFiles } from './outgoing-files.ts'
import { pickerKeyboard } from './picker.ts'
import type { Posts, Spot } from './posts.ts'
import type { TelegramMessage } from './render.ts'
import { Showing } from './showing.ts'

/** What the handlers of updates work with. */
export interface Parts {
  bot: Bot
  lines: LineKeeper
  log: Logger
  files: IncomingFiles
  /** How answers are written: a 429 is waited out. */
  posts: Posts
  /** For what is not worth waiting out a 429 for. */
  hasty: Posts
  render(view: View): Promise<TelegramMessage>
}

/** An answer that can't be shown is a fault of ours; the person reads that instead of nothing. */
export async function showOrExplain<T>(
  parts: Parts,
  line: string,
  show: () => Promise<T>,
  ctx: Context,
): Promise<T | undefined> {
  try {
    return await show()
  } catch (error) {
    const outOfReach =
      error instanceof HttpError || (error instanceof GrammyError && error.error_code !== 400)
    if (outOfReach) throw error
    await sendAnswer(ctx, parts.bot.explain(error, line), parts)
    return undefined
  }
}

/** Views on the way to an answer: in the place of `message`, or as a new one that the answer then replaces. */
export function showingIn(
  ctx: Context,
  parts: Parts,
  message?: number,
  onFirst?: () => Promise<void>,
): Showing {
  const { hasty, log } = parts
  const chat = ctx.chat?.id ?? 0
  return new Showing({
    message,
    send: async (view) => hasty.send(chat, await parts.render(view), spotIn(ctx)),
    edit: async (id, view) => hasty.replace(chat, id, await parts.render(view), topicOf(ctx)),
    ...(onFirst && { onFirst }),
    onFault: (err) => log.debug({ err }, 'telegram: a view on the way was not shown'),
  })
}

/** Sends an answer as a new message, below the files that go with it. */
export async function sendAnswer(ctx: Context, answer: Answer, parts: Parts): Promise<void> {
  if (answer.repeated || !ctx.chat) return
  const message = await parts.render(answer.view)
  const { files = [] } = answer.view
  if (files.length > 0) await sendFiles(ctx.api, ctx.chat.id, files, topicOf(ctx))
  await parts.posts.send(ctx.chat.id, message, spotIn(ctx))
  await offerPicker(ctx, answer.view, parts)
}

/**
 * Puts an answer in the place of a message of ours. Where that can't be, it is a new message.
 * @returns what to tell the person who pressed, where the message itself doesn't show it.
 */
export async function replaceMessage(
  ctx: Context,
  message: number | undefined,
  answer: Answer,
  parts: Parts,
): Promise<string | undefined> {
  if (ctx.chat && answer.view.files?.length) {
    await sendAnswer(ctx, answer, parts)
    if (message !== undefined) await parts.posts.takeButtonsOff(ctx.chat.id, message)
    return undefined
  }
  try {
    await edit(ctx, message, answer.view, parts)
    await offerPicker(ctx, answer.view, parts)
    return undefined
  } catch (error) {
    if (!(error instanceof GrammyError) || error.error_code !== 400) throw error
    if (error.description.includes('message is not modified')) return 'Nothing has changed.'
    // Older than 48 hours, deleted, or a channel's: the answer still has to arrive.
    if (!ctx.chat) return 'This message can no longer be changed.'
    await sendAnswer(ctx, answer, parts)
    return undefined
  }
}

/** Answers a press: with a notice, or by opening a link of ours. */
export async function acknowledge(ctx: Context, text?: string, url?: string): Promise<void> {
  try {
    await ctx.answerCallbackQuery({
      ...(text !== undefined && { text: shortenUnits(text, 190), show_alert: text.length > 60 }),
      ...(url !== undefined && { url }),
    })
  } catch (error) {
    // The person waited too long for the little clock to matter; the message itself is what counts.
    if (!(error instanceof GrammyError) || error.error_code !== 400) throw error
  }
}

export function turnOf(ctx: Context): Turn {
  // Anonymous administrators all share one id; what tells them apart is the chat that they speak for.
  const speaker = ctx.callbackQuery ? undefined : ctx.senderChat?.id
  const person = speaker ?? ctx.from?.id ?? ctx.chat?.id ?? 0
  const place = ctx.chat?.id ?? person
  const { message_thread_id: thread } = topicOf(ctx)
  return {
    platform: 'telegram',
    person: String(person),
    place: String(place),
    alone: ctx.chat?.type === 'private',
    direct: ctx.chat?.type === 'private',
    ...(thread !== undefined && { thread: String(thread) }),
    ...(speaker !== undefined && speaker === ctx.chat?.id && { asChat: true }),
  }
}

async function edit(
  ctx: Context,
  message: number | undefined,
  view: View,
  parts: Parts,
): Promise<void> {
  if (ctx.chat && message !== undefined) {
    await parts.posts.replace(ctx.chat.id, message, await parts.render(view), topicOf(ctx))
    return
  }
  // A message that was sent through inline mode.
  const { picture: _, text, ...rest } = await parts.render(inlineCard(view))
  await ctx.editMessageText(text, rest)
}

/** A keyboard to choose a chat with goes under a message of its own: those of an answer are taken by its buttons. */
async function offerPicker(ctx: Context, { picker }: View, { lines }: Parts): Promise<void> {
  if (!picker || ctx.chat?.type !== 'private') return
  const reply_markup = await pickerKeyboard(picker, lines)
  if (!reply_markup) return
  await ctx.reply('Choose with the buttons below the message box.', {
    reply_markup,
    disable_notification: true,
    ...topicOf(ctx),
  })
}

/** What is sent in a topic stays there. */
function topicOf({ msg }: Context): Pick<Spot, 'message_thread_id'> {
  const { is_topic_message, message_thread_id } = msg ?? {}
  return is_topic_message && message_thread_id !== undefined ? { message_thread_id } : {}
}

/** In a group an answer is a reply to what asked. */
function spotIn(ctx: Context): Spot {
  const message = ctx.msg
  const inGroup = ctx.chat?.type === 'group' || ctx.chat?.type === 'supergroup'
  return {
    ...topicOf(ctx),
    ...(inGroup &&
      message &&
      !ctx.callbackQuery && {
        reply_parameters: { message_id: message.message_id, allow_sending_without_reply: true },
      }),
  }
}
