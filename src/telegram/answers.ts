import { type Api, type Context, GrammyError, HttpError } from 'grammy'
import type { LineKeeper } from '../chat/control.ts'
import type { Answer, Bot } from '../chat/dispatch.ts'
import { shortenUnits } from '../chat/text.ts'
import type { View } from '../chat/view.ts'
import type { Logger } from '../log.ts'
import type { IncomingFiles } from './incoming-files.ts'
import { sendFiles } from './outgoing-files.ts'
import type { TelegramMessage } from './render.ts'
import { Showing } from './showing.ts'

/** What the handlers of updates work with. */
export interface Parts {
  bot: Bot
  lines: LineKeeper
  log: Logger
  files: IncomingFiles
  /** Calls that are not worth waiting out a 429 for. */
  hasty: Api
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
    send: async (view) => {
      const { text, ...rest } = await parts.render(view)
      const sent = await hasty.sendMessage(chat, text, { ...rest, ...placeIn(ctx) })
      return sent.message_id
    },
    edit: async (id, view) => {
      const { text, ...rest } = await parts.render(view)
      await hasty.editMessageText(chat, id, text, rest)
    },
    ...(onFirst && { onFirst }),
    onFault: (err) => log.debug({ err }, 'telegram: a view on the way was not shown'),
  })
}

/** Sends an answer as a new message, below the files that go with it. */
export async function sendAnswer(ctx: Context, answer: Answer, parts: Parts): Promise<void> {
  if (answer.repeated) return
  const { text, ...rest } = await parts.render(answer.view)
  const place = placeIn(ctx)
  const { message_thread_id } = place
  const { files = [] } = answer.view
  if (ctx.chat && files.length > 0) {
    const thread = message_thread_id === undefined ? {} : { message_thread_id }
    await sendFiles(ctx.api, ctx.chat.id, files, thread)
  }
  await ctx.reply(text, { ...rest, ...place })
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
    if (message !== undefined) await takeButtonsOff(ctx, message)
    return undefined
  }
  const rendered = await parts.render(answer.view)
  try {
    await edit(ctx, message, rendered)
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

export function turnOf(ctx: Context) {
  // Anonymous administrators all share one id; what tells them apart is the chat that they speak for.
  const speaker = ctx.callbackQuery ? undefined : ctx.senderChat?.id
  const person = speaker ?? ctx.from?.id ?? ctx.chat?.id ?? 0
  const place = ctx.chat?.id ?? person
  return {
    platform: 'telegram',
    person: String(person),
    place: String(place),
    alone: ctx.chat?.type === 'private',
  } as const
}

async function edit(
  ctx: Context,
  message: number | undefined,
  { text, ...rest }: TelegramMessage,
): Promise<void> {
  if (!ctx.chat || message === undefined) await ctx.editMessageText(text, rest)
  else await ctx.api.editMessageText(ctx.chat.id, message, text, rest)
}

/** What stands below the old buttons has moved on. */
async function takeButtonsOff(ctx: Context, message: number): Promise<void> {
  try {
    await ctx.api.editMessageReplyMarkup(ctx.chat?.id ?? 0, message)
  } catch (error) {
    // Gone, too old, or without buttons.
    if (!(error instanceof GrammyError)) throw error
  }
}

/** In a topic an answer stays in the topic; in a group it is a reply to what asked. */
function placeIn(ctx: Context) {
  const message = ctx.msg
  const inGroup = ctx.chat?.type === 'group' || ctx.chat?.type === 'supergroup'
  return {
    ...(message?.is_topic_message &&
      message.message_thread_id !== undefined && { message_thread_id: message.message_thread_id }),
    ...(inGroup &&
      message &&
      !ctx.callbackQuery && {
        reply_parameters: { message_id: message.message_id, allow_sending_without_reply: true },
      }),
  }
}
