import { type REST, Routes } from 'discord.js'
import { z } from 'zod'
import { hostOf, PlatformError, webhookPathOf } from '../core/adapter.ts'
import type { Logger } from '../log.ts'
import { profileSchema } from './profile.ts'

/** The fields that are read of an application. */
export const applicationSchema = profileSchema.extend({
  id: z.string(),
  interactions_endpoint_url: z.string().nullish(),
})
type Application = z.output<typeof applicationSchema>

export async function readApplication(rest: REST, signal?: AbortSignal): Promise<Application> {
  const options = signal && { signal }
  return applicationSchema.parse(await rest.get(Routes.currentApplication(), options))
}

/**
 * Clears the application's Interactions Endpoint URL if a version before set it: the gateway would receive nothing.
 * @throws PlatformError if it is another address
 */
export async function clearEndpoint(
  { interactions_endpoint_url: url }: Application,
  rest: REST,
  { publicUrl, log }: { publicUrl?: string | undefined; log: Logger },
): Promise<void> {
  if (!url) return
  if (url !== publicUrl + webhookPathOf('discord')) throw notToGateway(url)
  await rest.patch(Routes.currentApplication(), { body: { interactions_endpoint_url: null } })
  log.warn(
    'discord sent interactions to PUBLIC_URL; from now on the bot receives them over the gateway',
  )
}

/** Explains that interactions go to an endpoint, and not to the gateway. */
export function notToGateway(url: string): PlatformError {
  return new PlatformError(
    `Discord sends interactions to ${hostOf(url)}, and none to the gateway. Clear the Interactions Endpoint URL in the developer portal, page General Information.`,
  )
}
