import { type Context, GrammyError } from 'grammy'
import type { InlineQueryResultArticle } from 'grammy/types'
import { plainText } from '../core/catalogue.ts'
import type { InlineHit } from '../core/command.ts'
import { chunks, harmlessInLanguage, shortenUnits } from '../core/text.ts'
import { t } from '../core/view.ts'
import { contextOf, inlineCard, localeIn, type Parts } from './answer.ts'

const cacheSeconds = 10

/** Offers cards for the term that a person types after the bot's name in any chat. */
export async function onInlineQuery(ctx: Context, parts: Parts): Promise<void> {
  const term = ctx.inlineQuery?.query.trim() ?? ''
  const { hits, notice } = await parts.dispatch.inline(term, contextOf(ctx))
  const results = await Promise.all(distinct(hits).map((hit) => resultOf(hit, parts)))
  const hint = term === '' ? t('telegram-inline-ask') : t('telegram-inline-none')
  const prompt = shortenUnits(notice ?? plainText(hint, localeIn(ctx, parts)), 64)
  const answer = (shown: readonly InlineQueryResultArticle[]) =>
    ctx.answerInlineQuery(shown, {
      // Errors are not cached.
      cache_time: notice === undefined ? cacheSeconds : 0,
      // They are in the person's language.
      is_personal: true,
      ...(shown.length === 0 && { button: { text: prompt, start_parameter: 'inline' } }),
    })
  await answerWithMost(results, answer, (left, err) => {
    const shown = left.map(({ id }) => id)
    const leftOut = results.map(({ id }) => id).filter((id) => !shown.includes(id))
    parts.log.warn(
      { err, leftOut },
      'telegram: inline results were refused, and sent without these',
    )
  })
}

/** Drops hits whose id another one has, whatever its case: Telegram refuses all results if two have the same. */
function distinct(hits: readonly InlineHit<string>[]): InlineHit<string>[] {
  return [...new Map(hits.map((hit) => [hit.id.toLowerCase(), hit])).values()]
}

async function resultOf(
  { id, title, about, image, view }: InlineHit<string>,
  { render }: Parts,
): Promise<InlineQueryResultArticle> {
  const { text, reply_markup, ...rest } = await render(inlineCard(view))
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

type Answer = (results: readonly InlineQueryResultArticle[]) => Promise<unknown>

/**
 * Answers with as many of the results as Telegram accepts. It refuses all of them for one, and its error doesn't say for
 * which: neither the server of the Bot API nor those behind it give an index
 * (https://core.telegram.org/method/messages.setInlineBotResults). Nor can results be tried: what is accepted is the answer.
 * @param onRefused called if not all could be sent, with those that were and the first refusal
 */
async function answerWithMost(
  results: readonly InlineQueryResultArticle[],
  answer: Answer,
  onRefused: (sent: readonly InlineQueryResultArticle[], error: unknown) => void,
): Promise<void> {
  let refusal: unknown
  for (const some of selections(results)) {
    try {
      await answer(some)
      if (refusal !== undefined) onRefused(some, refusal)
      return
    } catch (error) {
      if (!(error instanceof GrammyError) || error.error_code !== 400) throw error
      // The person has typed on, or gone.
      if (/query is too old|query ID is invalid/iu.test(error.description)) return
      refusal ??= error
    }
  }
  throw refusal
}

/**
 * What to try in turn: all results; all without the pictures beside them, which are refused if their address is none that
 * Telegram would fetch (WEBDOCUMENT_URL_INVALID); all but one; ever smaller parts; none.
 */
function* selections(
  results: readonly InlineQueryResultArticle[],
): Generator<readonly InlineQueryResultArticle[]> {
  yield results
  if (results.length === 0) return
  const bare = results.map(({ thumbnail_url: _, ...rest }) => rest)
  if (results.some(({ thumbnail_url }) => thumbnail_url !== undefined)) yield bare
  for (const bad of bare.keys()) yield bare.filter((_, index) => index !== bad)
  for (let size = Math.floor(bare.length / 2); size >= 1; size = Math.floor(size / 2)) {
    yield* chunks(bare, size)
  }
  if (bare.length > 1) yield []
}
