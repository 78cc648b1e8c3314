import { setTimeout as delay } from 'node:timers/promises'
import { DiscordAPIError } from 'discord.js'
import { z } from 'zod'
import { hostOf } from '../chat/host.ts'
import { calledAt, PlatformError } from '../chat/platform.ts'

/** Where Discord calls the bot's server. */
export const callPath = calledAt('discord')

export const applicationSchema = z.object({
  id: z.string(),
  verify_key: z.string(),
  interactions_endpoint_url: z.string().nullish(),
})
export type Application = z.output<typeof applicationSchema>

/**
 * Where a replica becomes ready, those that spread calls over replicas take some time to see it, and Discord tries an
 * address when it is set. Milliseconds before each further try.
 */
export const usualWaits: readonly number[] = [1_000, 2_000, 4_000, 8_000, 16_000]

type SetEndpoint = (url: string | null) => Promise<void>

/** Has Discord call this address. @throws PlatformError where Discord does not take it */
export async function takeCalls(
  url: string,
  set: SetEndpoint,
  waits: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  for (const wait of [...waits, undefined]) {
    try {
      return await set(url)
    } catch (cause) {
      if (!isUnverified(cause)) throw cause
      if (wait === undefined) throw notTaken(url, cause)
      await delay(wait, undefined, { signal })
    }
  }
}

/**
 * Has Discord call no address of ours any more; where it calls another one, the gateway would hear nothing.
 * @throws PlatformError
 */
export async function leaveCalls(
  { interactions_endpoint_url: known }: Application,
  ours: string | undefined,
  set: SetEndpoint,
): Promise<void> {
  if (!known) return
  if (known === ours) return set(null)
  throw notToGateway(known)
}

/** Why the gateway hears nothing. */
export function notToGateway(known: string): PlatformError {
  return new PlatformError(
    `Discord sends what people do to ${hostOf(known)}, and nothing to the gateway. Clear the Interactions Endpoint URL in the developer portal, or set DISCORD_INTERACTIONS=http.`,
  )
}

/** Discord's refusal of a form; nothing else stands in ours. */
function isUnverified(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.status === 400
}

function notTaken(url: string, cause: unknown): PlatformError {
  return new PlatformError(
    `Discord could not verify ${url}. PUBLIC_URL must lead to this bot, from anywhere and with a certificate that Discord trusts.`,
    { cause },
  )
}
