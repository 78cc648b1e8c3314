import { DiscordAPIError, REST, Routes } from 'discord.js'
import { z } from 'zod'
import { PlatformError } from '../core/adapter.ts'
import type { ProxySettings } from '../core/proxy.ts'
import { explainStart } from './adapter.ts'
import { applicationSchema } from './endpoint.ts'
import { createTransport, requestQueue } from './transport.ts'

/** Discord's facts about an application. */
export interface DiscordFacts {
  id: string
  name: string
  /** The Interactions Endpoint URL; empty: none. */
  endpoint: string
  /** Whether only its owner may add it to servers. */
  isPrivate: boolean
  /** Whether links that add it to a server need more than Gavel has: an OAuth2 code grant. */
  needsCodeGrant: boolean
  /** Number of shards that Discord advises. */
  shards: number
  /** Connections to the gateway that it may begin today. */
  startsLeft: number
}

const botSchema = applicationSchema.extend({
  name: z.string(),
  bot_public: z.boolean().default(true),
  bot_require_code_grant: z.boolean().default(false),
})

const gatewaySchema = z.object({
  shards: z.int(),
  session_start_limit: z.object({ remaining: z.int() }),
})

/** Milliseconds for a call. */
const callTimeout = 15_000

/**
 * Asks Discord what the application is and where its interactions go; changes nothing, and opens no connection.
 * @throws PlatformError as a start does, or if Discord can't be reached
 */
export async function probeDiscord(parts: {
  token: string
  apiRoot: string
  proxy?: ProxySettings | undefined
}): Promise<DiscordFacts> {
  const { token, apiRoot: api, proxy } = parts
  const queue = requestQueue(() => performance.now())
  const { makeRequest, close } = createTransport({ queue, proxy })
  const rest = new REST({
    api,
    timeout: callTimeout,
    retries: 0,
    makeRequest: makeRequest('answer'),
  }).setToken(token)
  try {
    const found = botSchema.parse(await rest.get(Routes.currentApplication()))
    const gateway = gatewaySchema.parse(await rest.get(Routes.gatewayBot()))
    return {
      id: found.id,
      name: found.name,
      endpoint: found.interactions_endpoint_url ?? '',
      isPrivate: !found.bot_public,
      needsCodeGrant: found.bot_require_code_grant,
      shards: gateway.shards,
      startsLeft: gateway.session_start_limit.remaining,
    }
  } catch (error) {
    if (error instanceof DiscordAPIError || error instanceof z.ZodError) throw explainStart(error)
    throw new PlatformError('Discord can’t be reached. Check DISCORD_API_ROOT and the network.', {
      cause: error,
    })
  } finally {
    rest.clearHashSweeper()
    rest.clearHandlerSweeper()
    await close()
  }
}
