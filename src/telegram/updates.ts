import { Composer, type Context, GrammyError, HttpError } from 'grammy'
import type { InlineQueryResultArticle } from 'grammy/types'
import { decodePress, type LineKeeper } from '../chat/control.ts'
import type { Answer, Bot } from '../chat/dispatch.ts'
import { type Reading, readMessage } from '../chat/reading.ts'
import { remembered } from '../chat/remember.ts'
import { harmless, shortenUnits } from '../chat/text.ts'
import { plainView, type View } from '../chat/view.ts'
import { renderTelegram, type TelegramMessage } from './render.ts'

export interface UpdateParts {
  bot: Bot
  lines: LineKeeper
}

/** The kinds of update that are handled, and all that Telegram is asked to send. */
export const handledUpdates = ['message', 'channel_post', 'callback_query', 'inline_query'] as const

/** A person sees "typing…" when an answer takes longer than this. */
const signOfLifeAfter = 700
const inlineCacheSeconds = 10
const askForTerm = 'Type a name, symbol or address'

interface Parts extends UpdateParts {
  render(view: View): Promise<TelegramMessage>
}

/** Turns Telegram's updates into command lines, and answers into messages. */
export function updateHandlers({ bot, lines }: UpdateParts): Composer<Context> {
  // Many may ask for the same card: it is rendered once.
  const parts = { bot, lines, render: remembered((view: View) => renderTelegram(view, lines)) }
  const composer = new Composer<Context>()
  // Words under a picture count as words; a picture or a sticker alone as none.
  const messages = ['message:text', 'message:file', 'channel_post:text'] as const
  composer.on([...messages], (ctx) => onMessage(ctx, parts))
  composer.on('callback_query:data', (ctx) => onPress(ctx, parts))
  composer.on('inline_query', (ctx) => onInlineQuery(ctx, parts))
  return composer
}

async function onMessage(ctx: Context, parts: Parts): Promise<void> {
  // A card that was sent through inline mode comes back as a message of its sender.
  if (ctx.msg?.via_bot?.id === ctx.me.id) return
  const reading = readMessage(ctx.msg?.text ?? ctx.msg?.caption ?? '', ctx.me.username)
  if (reading.kind === 'elsewhere') return
  if (ctx.chat?.type !== 'private' && !isOurs(reading, parts.bot)) return
  await answerLine(ctx, parts, await linkedLine(reading.line, parts.lines))
}

/** In a group other bots' commands pass by: ours are those in our menu, or with our name behind them. */
function isOurs(reading: Reading, bot: Bot): boolean {
  return (
    reading.kind === 'command' &&
    (reading.addressed || bot.menu.some(({ name }) => name === reading.name))
  )
}

async function answerLine(ctx: Context, parts: Parts, line: string): Promise<void> {
  const answer = await withSignOfLife(ctx, parts.bot.answer(line, turnOf(ctx)))
  await showOrExplain(parts, line, () => sendAnswer(ctx, answer, parts), ctx)
}

/** An answer that can't be shown is a fault of ours; the person reads that instead of nothing. */
async function showOrExplain<T>(
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

async function onPress(ctx: Context, parts: Parts): Promise<void> {
  const data = ctx.callbackQuery?.data ?? ''
  const press = isOnMessage(ctx, data) ? await decodePress(data, parts.lines) : undefined
  if (!press || (ctx.callbackQuery?.inline_message_id && !isCardLine(press.line))) {
    await acknowledge(ctx, 'This button is too old. Send the command again.')
    return
  }
  // What readers of a channel ask for is theirs alone, and not a change of what all others read.
  if (ctx.chat?.type === 'channel' && !(await isAdministrator(ctx))) {
    await acknowledge(ctx, undefined, await privateLink(ctx, press.line, parts.lines))
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

/** A hostile app can send any data. Telegram shows us the buttons of a message unless it is an inline or a very old one. */
function isOnMessage(ctx: Context, data: string): boolean {
  const rows = ctx.callbackQuery?.message?.reply_markup?.inline_keyboard
  if (!rows) return ctx.callbackQuery?.message === undefined
  return rows.flat().some((button) => 'callback_data' in button && button.callback_data === data)
}

/** All that a button of a card does. On inline messages, whose buttons can't be checked, nothing else is heard. */
function isCardLine(line: string): boolean {
  return /^(?:asset|auction) 0x[0-9a-f]+(?: chain:\d+)?$/iu.test(line)
}

async function isAdministrator(ctx: Context): Promise<boolean> {
  try {
    const { status } = await ctx.getChatMember(ctx.from?.id ?? 0)
    return status === 'creator' || status === 'administrator'
  } catch (error) {
    // A bot that may not ask is no administrator itself: nobody's press changes the post then.
    if (error instanceof GrammyError) return false
    throw error
  }
}

/** A link into the private chat that runs the line there. */
async function privateLink(ctx: Context, line: string, lines: LineKeeper): Promise<string> {
  const id = await lines.keep(line)
  return `https://t.me/${ctx.me.username}?start=${id ?? ''}`
}

/** What `privateLink` puts behind /start stands for the line itself. */
async function linkedLine(line: string, lines: LineKeeper): Promise<string> {
  const id = /^start (?<id>[\w-]{16})$/u.exec(line)?.groups?.id
  return (id && (await lines.find(id))) ?? line
}

/** @returns what to tell the person who pressed, where the message itself doesn't show it. */
async function editInPlace(
  ctx: Context,
  answer: Answer,
  parts: Parts,
): Promise<string | undefined> {
  const { text, ...rest } = await parts.render(answer.view)
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

async function sendAnswer(ctx: Context, answer: Answer, parts: Parts): Promise<void> {
  if (answer.repeated) return
  const { text, ...rest } = await parts.render(answer.view)
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

async function acknowledge(ctx: Context, text?: string, url?: string): Promise<void> {
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

async function onInlineQuery(ctx: Context, parts: Parts): Promise<void> {
  const term = ctx.inlineQuery?.query.trim() ?? ''
  const { hits, notice } =
    term === '' ? { hits: [], notice: askForTerm } : await parts.bot.inline(term, turnOf(ctx))
  const results = await Promise.all(
    hits.map(async (hit): Promise<InlineQueryResultArticle> => {
      const { text, reply_markup, ...rest } = await parts.render(shared(hit.view))
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
  const prompt = shortenUnits(notice ?? 'Nothing matches. Look around in the chat', 64)
  await ctx.answerInlineQuery(results, {
    // What went wrong may be right again the next moment.
    cache_time: notice === undefined ? inlineCacheSeconds : 0,
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
  // Anonymous administrators all share one id; what tells them apart is the chat that they speak for.
  const speaker = ctx.callbackQuery ? undefined : ctx.senderChat?.id
  const person = speaker ?? ctx.from?.id ?? ctx.chat?.id ?? 0
  const place = ctx.chat?.id ?? person
  return { platform: 'telegram', person: String(person), place: String(place) } as const
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
