import type { REST } from 'discord.js'
import {
  ApplicationIntegrationType,
  OAuth2Scopes,
  PermissionFlagsBits as Permission,
  type RESTPatchCurrentApplicationJSONBody,
  Routes,
} from 'discord.js'
import { z } from 'zod'
import { locales, plainText } from '../core/catalogue.ts'
import { t } from '../core/view.ts'
import type { Logger } from '../log.ts'

/** The permissions that the bot needs in a server. */
const permissions =
  Permission.ViewChannel |
  Permission.SendMessages |
  Permission.EmbedLinks |
  Permission.UseApplicationCommands

const scopes = [OAuth2Scopes.Bot, OAuth2Scopes.ApplicationsCommands]

/** The link that adds the bot to a server: https://docs.discord.com/developers/topics/oauth2#bot-authorization-flow */
export function invitationTo(application: string): string {
  return `https://discord.com/oauth2/authorize?client_id=${application}&scope=${scopes.join('+')}&permissions=${permissions}`
}

/** The parts of an application that make its profile. */
export const profileSchema = z.object({
  description: z.string().default(''),
  custom_install_url: z.string().nullish(),
  integration_types_config: z
    .record(
      z.string(),
      z.object({
        oauth2_install_params: z
          .object({ scopes: z.array(z.string()), permissions: z.coerce.bigint() })
          .nullish(),
      }),
    )
    .nullish(),
})
type Profile = z.output<typeof profileSchema>

/**
 * Sets the bot's profile for people who have not used it yet, and the permissions of its Add App button; only where they
 * differ. A description and an install link by the operator stay. A part that can't be set is logged, and doesn't prevent
 * the start. Ends early if the signal is aborted.
 */
export async function updateProfile(
  rest: REST,
  current: Profile,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const body = { ...newDescription(current), ...newInstallation(current) }
  if (Object.keys(body).length === 0) return
  try {
    await rest.patch(Routes.currentApplication(), { body, signal })
  } catch (err) {
    if (!signal.aborted) log.warn({ err }, 'discord: the bot’s profile could not be set')
  }
}

/** At most 400 characters, in one language: Discord shows the same to all. */
function newDescription({ description }: Profile): RESTPatchCurrentApplicationJSONBody {
  const ours = locales.map((locale) => plainText(t('profile-description'), locale))
  const [text = ''] = ours
  const isOperators = description !== '' && !ours.includes(description)
  return description === text || isOperators ? {} : { description: text }
}

/** For servers, where the bot posts, and for people, who then have the commands wherever they are. */
function newInstallation(profile: Profile): RESTPatchCurrentApplicationJSONBody {
  const { custom_install_url: custom, integration_types_config: config } = profile
  const found = config?.[ApplicationIntegrationType.GuildInstall]?.oauth2_install_params
  const suffices =
    found &&
    scopes.every((scope) => found.scopes.includes(scope)) &&
    (found.permissions & permissions) === permissions
  const own = config?.[ApplicationIntegrationType.UserInstall]?.oauth2_install_params
  const isForPeople = own?.scopes.includes(OAuth2Scopes.ApplicationsCommands)
  if (custom || (suffices && isForPeople)) return {}
  const params = { scopes, permissions: String(suffices ? found.permissions : permissions) }
  return {
    integration_types_config: {
      [ApplicationIntegrationType.GuildInstall]: { oauth2_install_params: params },
      [ApplicationIntegrationType.UserInstall]: {
        oauth2_install_params: { scopes: [OAuth2Scopes.ApplicationsCommands], permissions: '0' },
      },
    },
  }
}
