import {
  ButtonStyle,
  Client,
  ComponentType,
  Events,
  GatewayIntentBits,
  type Interaction,
  type Message,
  MessageFlags,
  Partials,
  TextInputStyle,
} from 'discord.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ada, ben, club } from '../../../sandbox/discord/cast.ts'
import { DiscordServer } from '../../../sandbox/discord/server.ts'

const token = 'discord-js.test.token'
let server: DiscordServer
let client: Client

const card = (text: string) => ({
  flags: MessageFlags.IsComponentsV2 as const,
  allowedMentions: { parse: [] },
  components: [
    {
      type: ComponentType.Container,
      accentColor: 0x5865f2,
      components: [
        { type: ComponentType.TextDisplay, content: text },
        {
          type: ComponentType.ActionRow,
          components: [
            {
              type: ComponentType.Button,
              style: ButtonStyle.Primary,
              label: 'Refresh',
              customId: 'refresh',
            },
            {
              type: ComponentType.Button,
              style: ButtonStyle.Secondary,
              label: 'Ask',
              customId: 'ask',
            },
          ],
        },
      ],
    },
  ],
})

async function onInteraction(interaction: Interaction): Promise<void> {
  if (interaction.isAutocomplete())
    await interaction.respond([
      { name: `Otter for ${interaction.options.getFocused()}`, value: 'OTTER' },
    ])
  else if (interaction.isChatInputCommand()) {
    if (interaction.options.getBoolean('slow') === true) {
      await interaction.deferReply({ flags: MessageFlags.Ephemeral })
      await interaction.editReply(card('slow otter'))
    } else await interaction.reply(card(`**${interaction.options.getString('asset', true)}**`))
  } else if (interaction.isButton() && interaction.customId === 'refresh')
    await interaction.update(card('refreshed'))
  else if (interaction.isButton())
    await interaction.showModal({
      custom_id: 'questions',
      title: 'Questions',
      components: [
        {
          type: ComponentType.Label,
          label: 'Name',
          component: {
            type: ComponentType.TextInput,
            custom_id: 'name',
            style: TextInputStyle.Short,
          },
        },
      ],
    })
  else if (interaction.isModalSubmit())
    await interaction.reply({
      content: `Hello ${interaction.fields.getTextInputValue('name')}`,
      flags: MessageFlags.Ephemeral,
    })
}

async function onMessage(message: Message): Promise<void> {
  if (!message.author.bot && message.channel.isSendable())
    await message.channel.send(`You said ${message.content}`)
}

beforeAll(async () => {
  server = await DiscordServer.start({ token })
  client = new Client({
    rest: { api: server.root },
    intents: [
      GatewayIntentBits.Guilds,
      GatewayIntentBits.GuildMessages,
      GatewayIntentBits.DirectMessages,
    ],
    partials: [Partials.Channel],
  })
  client.on(Events.InteractionCreate, (interaction) => void onInteraction(interaction))
  client.on(Events.MessageCreate, (message) => void onMessage(message))
  const ready = new Promise<void>((resolve) => client.once(Events.ClientReady, () => resolve()))
  await client.login(token)
  await ready
  await client.application?.commands.set([
    {
      name: 'asset',
      description: 'Show one asset',
      options: [
        { type: 3, name: 'asset', description: 'Symbol', required: true, autocomplete: true },
        { type: 5, name: 'slow', description: 'Take your time' },
      ],
    },
  ])
})

afterAll(async () => {
  await client.destroy()
  await server.stop()
})

describe('the discord.js client', () => {
  test('logs in as Gavel and knows its server', () => {
    expect(client.user?.username).toBe('gavel_bot')
    expect(
      client.guilds.cache.get('1300000000000000200')?.channels.cache.get(club.id)?.isTextBased(),
    ).toBe(true)
  })

  test('answers a slash command with Components V2', async () => {
    const message = await server.people
      .slash(ben.id, club.id, 'asset', { asset: 'OTTER' })
      .message()
    expect(message.interaction_metadata?.user.id).toBe(ben.id)
    expect(message.interaction?.name).toBe('asset')
    expect(JSON.stringify(message.components)).toContain('**OTTER**')
  })

  test('completes while typing', async () => {
    const choices = await server.people.complete(ben.id, club.id, 'asset', { asset: 'ot' }, 'asset')
    expect(choices).toEqual([{ name: 'Otter for ot', value: 'OTTER' }])
  })

  test('defers, and fills the answer in for the asker alone', async () => {
    const asked = server.people.slash(ben.id, club.id, 'asset', { asset: 'OTTER', slow: true })
    expect(await asked.taken).toBe('thinking')
    const message = await asked.message()
    expect(JSON.stringify(message.components)).toContain('slow otter')
    expect(message.edited_timestamp).toBeNull()
    const ids = (viewer: string) => server.people.messages(club.id, viewer).map((each) => each.id)
    expect(ids(ben.id)).toContain(message.id)
    expect(ids(ada.id)).not.toContain(message.id)
  })

  test('updates a message from its button', async () => {
    const { people } = server
    const message = await people.slash(ada.id, club.id, 'asset', { asset: 'OTTER' }).message()
    const updated = await people.click(ada.id, club.id, message.id, 'refresh').message()
    expect(updated.id).toBe(message.id)
    expect(updated.edited_timestamp).not.toBeNull()
    expect(JSON.stringify(updated.components)).toContain('refreshed')
  })

  test('opens a modal from a button and reads what was entered', async () => {
    const { people } = server
    const message = await people.slash(ada.id, club.id, 'asset', { asset: 'OTTER' }).message()
    const shown = await people.click(ada.id, club.id, message.id, 'ask').modal()
    const answer = await people.submit(shown, { name: 'Ada' }).message()
    expect(answer.content).toBe('Hello Ada')
    expect(answer.flags).toBe(MessageFlags.Ephemeral)
  })

  test('talks in a private chat, where content is visible without the intent', async () => {
    const { people } = server
    people.text(ben.id, people.dm(ben.id), 'good day')
    const reply = await people.until(people.dm(ben.id), ben.id, (messages) =>
      messages.find((each) => each.content === 'You said good day'),
    )
    expect(reply.author.bot).toBe(true)
  })

  test('works in a private chat with slash commands too', async () => {
    const { people } = server
    const message = await people
      .slash(ben.id, people.dm(ben.id), 'asset', { asset: 'OTTER' })
      .message()
    expect(message.channel_id).toBe(people.dm(ben.id))
  })
})
