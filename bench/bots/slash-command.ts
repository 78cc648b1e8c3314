import { ApplicationCommandOptionType, ApplicationCommandType } from 'discord-api-types/v10'

/** The one command of the bots to compare with, as Discord registers it. */
export const slashCommand = {
  type: ApplicationCommandType.ChatInput,
  name: 'asset',
  description: 'Show one asset',
  options: [
    {
      type: ApplicationCommandOptionType.String,
      name: 'asset',
      description: 'Address, symbol or name',
      required: true,
    },
  ],
} as const
