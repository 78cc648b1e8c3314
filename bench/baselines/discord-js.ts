import {
  ApplicationCommandOptionType,
  Client,
  Events,
  GatewayIntentBits,
  type InteractionReplyOptions,
} from 'discord.js'
import { discordSettings, sayReady } from './answer.ts'

// As in discord.js' guide: one intent, a reply; its own transport and caches.
const { token, api, answer } = discordSettings()
// Discord accepted this message before, so its components need no check.
const message = { ...answer, allowedMentions: { parse: [] } } as unknown as InteractionReplyOptions
const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api } })
client.on(Events.InteractionCreate, async (interaction) => {
  if (interaction.isChatInputCommand()) await interaction.reply(message)
})
client.once(Events.ClientReady, async (ready) => {
  const asset = {
    type: ApplicationCommandOptionType.String,
    name: 'asset',
    description: 'Address, symbol or name',
    required: true,
  } as const
  await ready.application.commands.set([
    { name: 'asset', description: 'Show one asset', options: [asset] },
  ])
  sayReady()
})
await client.login(token)

process.on('SIGTERM', () => {
  void client.destroy().finally(() => process.exit(0))
})
