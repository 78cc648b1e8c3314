import { Client, Events, GatewayIntentBits, type InteractionReplyOptions } from 'discord.js'
import { askingApi, discordSettings, sayReady, slashCommand } from './answer.ts'

// As in discord.js' guide: one intent, a reply; its own transport and caches.
const { token, api, answer } = discordSettings()
// Discord accepted this message before, so its components need no check.
const message = { ...answer, allowedMentions: { parse: [] } } as unknown as InteractionReplyOptions
const ask = askingApi()
const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api } })
client.on(Events.InteractionCreate, async (interaction) => {
  if (!interaction.isChatInputCommand()) return
  await ask(interaction.options.getString('asset', true))
  await interaction.reply(message)
})
client.once(Events.ClientReady, async (ready) => {
  await ready.application.commands.set([slashCommand])
  sayReady()
})
await client.login(token)

process.on('SIGTERM', () => {
  void client.destroy().finally(() => process.exit(0))
})
