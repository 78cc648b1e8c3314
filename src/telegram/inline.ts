import { type Context, GrammyError } from 'grammy'
import type { InlineQueryResultArticle } from 'grammy/types'
import type { CallbackStore } from '../core/callback-data.ts'
import { plainText } from '../core/catalogue.ts'
import type { InlineHit } from '../core/command.ts'
import type { Dispatch } from '../core/incoming.ts'
import { chunks, harmlessInLanguage, shortenUnits } from '../core/text.ts'
import { type Button, type LocalisedView, t } from '../core/view.ts'
import type { Logger } from '../log.ts'
import { contextOf } from './context.ts'
import type { TelegramMessage } from './render.ts'

interface InlineParts {
  dispatch: Dispatch
  callbacks: CallbackStore
  log: Logger
  render(view: LocalisedView): Promise<TelegramMessage>
}

/** Whether a line is one of a card's buttons: only these run on inline messages, whose buttons can't be verified. */
export function isCardLine(line: string): boolean {
  return /^(?:asset|auction) 0x[0-9a-f]+(?: chain:\d+)?$/iu.test(line)
}

/** A link into the private chat that runs the line there. */
export async function privateLink(
  line: string,
  username: string,
  callbacks: CallbackStore,
): Promise<string> {
  const id = await callbacks.store(line)
  return `https://t.me/${username}?start=${id ?? ''}`
}

/**
 * Adapts a view to a message sent through inline mode, in a chat where the bot may not send: without picture, with
 * buttons that act in place, and those that `isCardLine` rejects as links into the private chat.
 */
export async function inlineCard(
  { picture: _, ...view }: LocalisedView,
  username: string,
  callbacks: CallbackStore,
): Promise<LocalisedView> {
  const adapt = async (button: Button<string>): Promise<Button<string>> => {
    if (!('line' in button)) return button
    const { label, line } = button
    if (isCardLine(line)) return { label, line }
    return { label, url: await privateLink(line, username, callbacks) }
  }
  if (!view.buttons) return view
  return {
    ...view,
    buttons: await Promise.all(view.buttons.map((row) => Promise.all(row.map(adapt)))),
  }
}

const cacheSeconds = 10

/** Offers cards for the term that a person types after the bot's name in any chat. */
export async function answerInlineQuery(ctx: Context, parts: InlineParts): Promise<void> {
  const term = ctx.inlineQuery?.query.trim() ?? ''
  const context = contextOf(ctx)
  const { hits, notice } = await parts.dispatch.inline(term, context)
  const results = await Promise.all(
    distinct(hits).map((hit) => inlineResult(hit, ctx.me.username, parts)),
  )
  const hint = term === '' ? t('telegram-inline-ask') : t('telegram-inline-none')
  const prompt = shortenUnits(notice ?? plainText(hint, parts.dispatch.localeOf(context)), 64)
  const answer = (shown: readonly InlineQueryResultArticle[]) =>
    ctx.answerInlineQuery(shown, {
      // Errors are not cached.
      cache_time: notice === undefined ? cacheSeconds : 0,
      // They are in the person's language.
      is_personal: true,
      ...(shown.length === 0 && { button: { text: prompt, start_parameter: 'inline' } }),
    })
  const sent = await answerWithMost(results, answer)
  if (!sent?.refusal) return
  const shown = sent.results.map(({ id }) => id)
  const leftOut = results.map(({ id }) => id).filter((id) => !shown.includes(id))
  parts.log.warn(
    { err: sent.refusal, leftOut },
    'telegram: inline results were refused; the rest were sent without them',
  )
}

/** Drops hits whose id another one has, whatever its case: Telegram refuses all results if two have the same. */
function distinct(hits: readonly InlineHit<string>[]): InlineHit<string>[] {
  return [...new Map(hits.map((hit) => [hit.id.toLowerCase(), hit])).values()]
}

async function inlineResult(
  { id, title, about, image, view }: InlineHit<string>,
  username: string,
  { render, callbacks }: InlineParts,
): Promise<InlineQueryResultArticle> {
  const card = await inlineCard(view, username, callbacks)
  const { text, reply_markup, ...rest } = await render(card)
  return {
    type: 'article',
    id,
    // An empty one is refused.
    title: shortenUnits(harmlessInLanguage(title).trim(), 60) || '·',
    description: shortenUnits(harmlessInLanguage(about), 100),
    ...(image !== undefined && { thumbnail_url: image }),
    input_message_content: { message_text: text, ...rest },
    reply_markup,
  }
}

/**
 * Answers with as many of the results as Telegram accepts. It refuses all of them for one, and its error doesn't say for
 * which: neither the server of the Bot API nor those behind it give an index
 * (https://core.telegram.org/method/messages.setInlineBotResults). So it tries: all results; all without the pictures beside them,
 * which are refused if their address is none that Telegram would fetch (WEBDOCUMENT_URL_INVALID); all but one; a half; one; none.
 * @returns those that were sent, and the first refusal; undefined if the person has typed on, or gone
 */
async function answerWithMost(
  results: readonly InlineQueryResultArticle[],
  answer: (results: readonly InlineQueryResultArticle[]) => Promise<unknown>,
): Promise<{ results: readonly InlineQueryResultArticle[]; refusal: unknown } | undefined> {
  const bare = results.map(({ thumbnail_url: _, ...rest }) => rest)
  const allButOne = bare.map((_, index) => bare.toSpliced(index, 1))
  const halves = chunks(bare, Math.max(1, Math.floor(bare.length / 2)))
  const tries = [results, bare, ...allButOne, ...halves, ...chunks(bare, 1), []]
  let refusal: unknown
  for (const some of tries) {
    try {
      await answer(some)
      return { results: some, refusal }
    } catch (error) {
      if (!(error instanceof GrammyError) || error.error_code !== 400) throw error
      if (/query is too old|query ID is invalid/iu.test(error.description)) return undefined
      refusal ??= error
    }
  }
  throw refusal
}
