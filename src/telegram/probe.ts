import { Api, GrammyError, HttpError } from 'grammy'
import { PlatformError } from '../core/adapter.ts'
import type { ProxySettings } from '../core/proxy.ts'
import { sleep } from '../core/task.ts'
import { explainStart } from './adapter.ts'
import { isConflict } from './errors.ts'
import { transportTo } from './transport.ts'

interface ProbeParts {
  token: string
  apiRoot: string
  proxy?: ProxySettings | undefined
  /** Whether to find out if somebody polls, by polling: whoever does notices. */
  seeksPoller: boolean
}

/** Telegram's facts about a bot. */
export interface TelegramFacts {
  id: string
  username: string
  joinsGroups: boolean
  hasInline: boolean
  webhook: {
    /** The address that Telegram calls; empty: none. */
    url: string
    /** Number of updates that wait. */
    waiting: number
    /** Why the last call went wrong. */
    lastError: string | undefined
  }
  /** Whether another process polls; undefined if it was not looked for, or there is a webhook. */
  isPolled: boolean | undefined
}

/** Seconds for a call. */
const callTimeout = 15
/** Seconds for which polling shows whether somebody else polls: they begin anew within this time. */
const pollSeconds = 5

/**
 * Asks Telegram who the bot is and how it gets its updates; changes and confirms nothing.
 * @throws PlatformError as a start does, or if Telegram can't be reached
 */
export async function probeTelegram({
  token,
  apiRoot,
  proxy,
  seeksPoller,
}: ProbeParts): Promise<TelegramFacts> {
  const { client, close } = transportTo({ apiRoot, proxy, timeoutSeconds: callTimeout })
  const api = new Api(token, client)
  try {
    const me = await api.getMe()
    const { url = '', pending_update_count, last_error_message } = await api.getWebhookInfo()
    return {
      id: String(me.id),
      username: me.username,
      joinsGroups: me.can_join_groups,
      hasInline: me.supports_inline_queries,
      webhook: { url, waiting: pending_update_count, lastError: last_error_message },
      isPolled: seeksPoller && url === '' ? await isPolled(api) : undefined,
    }
  } catch (error) {
    if (error instanceof HttpError || (error instanceof GrammyError && error.error_code >= 500)) {
      throw new PlatformError(
        'Telegram can’t be reached. Check TELEGRAM_API_ROOT and the network.',
        { cause: error },
      )
    }
    throw explainStart(error)
  } finally {
    await close()
  }
}

/** Telegram ends a poll when another begins: whoever polls with the same token ends this one. */
async function isPolled(api: Api): Promise<boolean> {
  const until = performance.now() + pollSeconds * 1_000
  try {
    while (performance.now() < until) {
      // Without an offset nothing is confirmed.
      const waiting = await api.getUpdates({ limit: 1, timeout: pollSeconds })
      if (waiting.length > 0) await sleep(500)
    }
    return false
  } catch (error) {
    if (isConflict(error)) return true
    throw error
  }
}
