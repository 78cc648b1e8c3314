import { ApplicationCommandOptionType, ApplicationCommandType } from 'discord-api-types/v10'

/** The only command of the baselines, as Discord registers it. */
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
