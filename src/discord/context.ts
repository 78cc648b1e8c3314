import { type BaseInteraction, InteractionContextType, type Message } from 'discord.js'
import { defaultLocale, localeFor } from '../core/catalogue.ts'
import type { Context } from '../core/command.ts'
import { discord } from './platform.ts'
import { invitationTo } from './profile.ts'

/** Who used a command, button, menu or form, and where. */
export function contextOf(interaction: BaseInteraction): Context {
  const { id, user, channelId, context, locale } = interaction
  const { guildId: owner } = interaction.authorizingIntegrationOwners
  // A person may have brought the bot along into a server, or a private chat with others, that did not add it.
  const isPrivate = context === InteractionContextType.BotDM
  const isGuest = !isPrivate && owner === null
  return {
    platform: discord,
    user: user.id,
    chat: channelId ?? user.id,
    update: id,
    locale: localeFor(locale),
    isPrivate,
    ephemeral: isPrivate,
    ...(isGuest && { isGuest }),
    ...((isPrivate || isGuest) && {
      invitations: { server: invitationTo(interaction.applicationId) },
    }),
  }
}

/** Who wrote a message to the bot, in their private chat: it comes without the person's language. */
export function privateContextOf({ id, author, channelId, client }: Message): Context {
  return {
    platform: discord,
    user: author.id,
    chat: channelId,
    update: id,
    locale: defaultLocale,
    isPrivate: true,
    ephemeral: true,
    invitations: { server: invitationTo(client.application.id) },
  }
}
