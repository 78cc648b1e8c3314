import type { Context } from 'grammy'
import type { InlineQueryResultArticle } from 'grammy/types'
import { harmless, shortenUnits } from '../chat/text.ts'
import { type Parts, turnOf } from './answers.ts'
import { inlineCard } from './inline-card.ts'

const inlineCacheSeconds = 10
const askForTerm = 'Type a name, symbol or address'

/** Offers cards for what a person types behind the bot's name in any chat. */
export async function onInlineQuery(ctx: Context, parts: Parts): Promise<void> {
  const term = ctx.inlineQuery?.query.trim() ?? ''
  const { hits, notice } =
    term === '' ? { hits: [], notice: askForTerm } : await parts.bot.inline(term, turnOf(ctx))
  const results = await Promise.all(
    hits.map(async (hit): Promise<InlineQueryResultArticle> => {
      const { text, reply_markup, ...rest } = await parts.render(inlineCard(hit.view))
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
