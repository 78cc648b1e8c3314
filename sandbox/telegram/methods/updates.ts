import type { WebhookInfo } from 'grammy/types'
import type { Method } from '../api.ts'
import { readInlineAnswer } from '../callbacks.ts'
import { badRequest, type Params, Refusal } from '../params.ts'
import { startParameter } from '../people/people.ts'
import { checkWebhook } from '../updates.ts'

const maxPoll = 50

export const getUpdates: Method = (api, params, onHangUp) => {
  if (api.webhook.settings)
    throw new Refusal(
      409,
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    )
  allow(api, params)
  return api.queue.poll({
    offset: params.integer('offset') ?? 0,
    limit: clamp(params.integer('limit') ?? 100, 1, 100),
    timeout: clamp(params.integer('timeout') ?? 0, 0, maxPoll),
    onHangUp,
  })
}

const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value))

function allow(api: Parameters<Method>[0], params: Params): void {
  const kinds = params.object('allowed_updates')
  if (kinds === undefined) return
  if (!Array.isArray(kinds) || !kinds.every((kind) => typeof kind === 'string'))
    throw badRequest("can't parse allowed_updates JSON object")
  api.queue.allow(kinds)
}

export const setWebhook: Method = async (api, params) => {
  const url = params.text('url').trim()
  if (url === '') return deleteWebhook(api, params, () => undefined)
  const settings = {
    url,
    secret: params.text('secret_token'),
    maxConnections: clamp(params.integer('max_connections') ?? 40, 1, 100),
  }
  checkWebhook(settings)
  allow(api, params)
  if (params.flag('drop_pending_updates')) api.queue.drop()
  api.queue.terminate('setWebhook request')
  await api.webhook.set(settings)
  return true
}

export const deleteWebhook: Method = async (api, params) => {
  await api.webhook.set(undefined)
  if (params.flag('drop_pending_updates')) api.queue.drop()
  return true
}

export const getWebhookInfo: Method = (api): WebhookInfo => {
  const { settings, lastError } = api.webhook
  const allowed = api.queue.allowed
  return {
    url: settings?.url ?? '',
    has_custom_certificate: false,
    pending_update_count: api.queue.length,
    ...(settings ? { max_connections: settings.maxConnections } : {}),
    ...(lastError
      ? { last_error_date: lastError.date, last_error_message: lastError.message }
      : {}),
    ...(allowed ? { allowed_updates: allowed } : {}),
  }
}

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
