import type { Method } from '../api.ts'
import { readInlineAnswer } from '../inline.ts'
import { startParameter } from '../people/link.ts'
import { badRequest } from '../refusal.ts'

export const answerCallbackQuery: Method = (api, params) => {
  const id = params.text('callback_query_id')
  const text = params.text('text')
  const url = params.text('url')
  if ([...text].length > 200) throw badRequest('MESSAGE_TOO_LONG')
  // Besides games, which the sandbox doesn't know, an answer may open the bot's own deep links only.
  if (url !== '' && startParameter(url, api.world.bot.username) === undefined)
    throw badRequest('URL_INVALID')
  api.callbacks.answer(id, { text, url, alert: params.flag('show_alert') })
  return true
}

export const answerInlineQuery: Method = (api, params) => {
  const id = params.text('inline_query_id')
  const question = api.inlineQueries.question(id)
  const answer = readInlineAnswer(api.world, params)
  api.inlineCache.set(question, answer)
  api.inlineQueries.answer(id, answer)
  return true
}
