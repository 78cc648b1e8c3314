import { Composer, type Context, GrammyError, HttpError, type NextFunction } from 'grammy'
import type { InlineQueryResultArticle } from 'grammy/types'
import { decodePress, type LineKeeper } from '../chat/control.ts'
import type { Answer, Bot } from '../chat/dispatch.ts'
import { readMessage } from '../chat/reading.ts'
import { harmless, shortenUnits } from '../chat/text.ts'
import { plainView, type View } from '../chat/view.ts'
import { renderTelegram } from './render.ts'

export interface UpdateParts {
  bot: Bot
  lines: LineKeeper
}

/** The kinds of update that are handled, and all that Telegram is asked to send. */
export const handledUpdates = ['message', 'channel_post', 'callback_query', 'inline_query'] as const

/** A person sees "typing…" when an answer takes longer than this. */
const signOfLifeAfter = 700
const inlineCacheSeconds = 10

/** Turns Telegram's updates into command lines, and answers into messages. */
export function updateHandlers(parts: UpdateParts): Composer<Context> {
  const composer = new Composer<Context>()
  composer.on(['message:text', 'channel_post:text'], (ctx) => onText(ctx, parts))
  composer.on(['message:media', 'message:sticker'], (ctx, next) => onWords(ctx, parts, next))
  composer.on('callback_query:data', (ctx) => onPress(ctx, parts))
  composer.on('inline_query', (ctx) => onInlineQuery(ctx, parts))
  return composer
}

async function onText(ctx: Context, parts: UpdateParts): Promise<void> {
  const text = ctx.msg?.text ?? ''
  // A card that was sent through inline mode comes back as a message of its sender.
  if (ctx.msg?.via_bot?.id === ctx.me.id) return
  const reading = readMessage(text, ctx.me.username)
  if (reading.kind === 'elsewhere') return
  const isPrivate = ctx.chat?.type === 'private'
  if (!isPrivate && !meantForUs(text, ctx.me.username, parts.bot)) return
  const line = reading.kind === 'line' ? reading.line : 'start'
  const answer = await withSignOfLife(ctx, parts.bot.answer(line, turnOf(ctx)))
  await showOrExplain(parts, line, () => sendAnswer(ctx, answer, parts), ctx)
}

/** An answer that can't be shown is a fault of ours; the person reads that instead of nothing. */
async function showOrExplain<T>(
  parts: UpdateParts,
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

/** In a group other bots' commands pass by: ours are those in our menu, or with our name behind them. */
function meantForUs(text: string, ourName: string, bot: Bot): boolean {
  const [word = ''] = text.trim().toLowerCase().split(/\s/u, 1)
  if (!word.startsWith('/')) return false
  const [name, at] = word.slice(1).split('@')
  return at === ourName.toLowerCase() || bot.menu.some((entry) => entry.name === name)
}

/** Pictures and the like in a private chat: say what the bot takes, as for any words that are no command. */
async function onWords(ctx: Context, parts: UpdateParts, next: NextFunction): Promise<void> {
  if (ctx.chat?.type !== 'private' || ctx.msg?.via_bot) return next()
  await sendAnswer(ctx, await parts.bot.answer('start', turnOf(ctx)), parts)
}

async function onPress(ctx: Context, parts: UpdateParts): Promise<void> {
  const press = await decodePress(ctx.callbackQuery?.data ?? '', parts.lines)
  if (!press) {
    await acknowledge(ctx, 'This button is too old. Send the command again.')
    return
  }
  const answer = await parts.bot.answer(press.line, turnOf(ctx))
  if (answer.outcome !== 'answered') {
    await acknowledge(ctx, plainView(answer.view))
    return
  }
  if (press.opens && ctx.chat) {
    await acknowledge(ctx)
    await showOrExplain(parts, press.line, () => sendAnswer(ctx, answer, parts), ctx)
    return
  }
  const edit = () => editInPlace(ctx, answer, parts)
  await acknowledge(ctx, await showOrExplain(parts, press.line, edit, ctx))
}

/** @returns what to tell the person who pressed, where the message itself doesn't show it. */
async function editInPlace(
  ctx: Context,
  answer: Answer,
  parts: UpdateParts,
): Promise<string | undefined> {
  const { text, ...rest } = await renderTelegram(answer.view, parts.lines)
  try {
    await ctx.editMessageText(text, rest)
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

async function sendAnswer(ctx: Context, answer: Answer, parts: UpdateParts): Promise<void> {
  if (answer.repeated) return
  const { text, ...rest } = await renderTelegram(answer.view, parts.lines)
  const message = ctx.msg
  const inGroup = ctx.chat?.type === 'group' || ctx.chat?.type === 'supergroup'
  await ctx.reply(text, {
    ...rest,
    ...(message?.is_topic_message &&
      message.message_thread_id !== undefined && { message_thread_id: message.message_thread_id }),
    ...(inGroup &&
      message &&
      !ctx.callbackQuery && {
        reply_parameters: { message_id: message.message_id, allow_sending_without_reply: true },
      }),
  })
}

async function acknowledge(ctx: Context, text?: string): Promise<void> {
  try {
    await ctx.answerCallbackQuery(
      text === undefined ? {} : { text: shortenUnits(text, 190), show_alert: text.length > 60 },
    )
  } catch (error) {
    // The person waited too long for the little clock to matter; the message itself is what counts.
    if (!(error instanceof GrammyError) || error.error_code !== 400) throw error
  }
}

async function onInlineQuery(ctx: Context, parts: UpdateParts): Promise<void> {
  const term = ctx.inlineQuery?.query.trim() ?? ''
  const hits = term === '' ? [] : await parts.bot.inline(term)
  const results = await Promise.all(
    hits.map(async (hit): Promise<InlineQueryResultArticle> => {
      const { text, reply_markup, ...rest } = await renderTelegram(shared(hit.view), parts.lines)
      return {
        type: 'article',
        id: hit.id,
        title: shortenUnits(harmless(hit.title), 60),
        description: shortenUnits(harmless(hit.about), 100),
        ...(hit.image !== undefined && { thumbnail_url: hit.image }),
        input_message_content: { message_text: text, ...rest },
        reply_markup,
      }
    }),
  )
  const prompt =
    term === '' ? 'Type a name, symbol or address' : 'Nothing matches. Look around in the chat'
  await ctx.answerInlineQuery(results, {
    cache_time: inlineCacheSeconds,
    ...(results.length === 0 && { button: { text: prompt, start_parameter: 'inline' } }),
  })
}

/** A message sent through inline mode lives where the bot may not write: every button acts in place. */
function shared(view: View): View {
  if (!view.buttons) return view
  return {
    ...view,
    buttons: view.buttons.map((row) =>
      row.map((button) => ('run' in button ? { label: button.label, run: button.run } : button)),
    ),
  }
}

function turnOf(ctx: Context) {
  const person = ctx.from?.id ?? ctx.senderChat?.id ?? ctx.chat?.id ?? 0
  return { platform: 'telegram', person: String(person) } as const
}

async function withSignOfLife(ctx: Context, answer: Promise<Answer>): Promise<Answer> {
  const timer = setTimeout(() => {
    // Only a courtesy: a chat where it fails will refuse the answer too, and that is reported.
    ctx.replyWithChatAction('typing').catch(() => undefined)
  }, signOfLifeAfter)
  try {
    return await answer
  } finally {
    clearTimeout(timer)
  }
}
