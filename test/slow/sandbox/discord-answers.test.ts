import {
  ApplicationCommandResponseSchema,
  ErrorResponseSchema,
  GatewayBotResponseSchema,
  GuildChannelResponseSchema,
  GuildMemberResponseSchema,
  GuildWithCountsResponseSchema,
  MessageResponseSchema,
  PrivateApplicationResponseSchema,
  PrivateChannelResponseSchema,
  ThreadResponseSchema,
  UserPIIResponseSchema,
} from 'discord-api-spec/zod'
import { GatewayIntentBits } from 'discord-api-types/v10'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { ada, ben, club, gavel, otterClub } from '../../../sandbox/discord/cast.ts'
import { DiscordServer } from '../../../sandbox/discord/server.ts'
import { call, callback, commands, hook, Line, nextInteraction, say, token } from './discord-bot.ts'

// What the stand-in answers, held against Discord's OpenAPI document.

let server: DiscordServer
let line: Line
let thread: string
beforeAll(async () => {
  server = await DiscordServer.start({ token, rateLimits: false })
  line = new Line(server)
  await line.identify({ intents: GatewayIntentBits.Guilds })
  await line.when('GUILD_CREATE')
  thread = server.world.startThread(club.id, 'auctions')
})
afterAll(async () => {
  await line.close()
  await server.stop()
})

/** Where an answer is not as the document says, and how. */
function deviations(schema: z.core.$ZodType, answer: unknown): string[] {
  const { error } = z.safeParse(schema, answer, { reportInput: true })
  return (error?.issues ?? [])
    .filter((issue) => !(issue.code === 'invalid_format' && isInstant(issue.input)))
    .map(({ path, message }) => `${path.join('.')}: ${message}`)
}

/** Discord writes instants with an offset, which is ISO 8601; the schemas want a Z. */
const isInstant = (input: unknown) =>
  typeof input === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/.test(input)

const files = (body: object) => {
  const form = new FormData()
  form.append('payload_json', JSON.stringify(body))
  form.append('files[0]', new Blob(['picture'], { type: 'image/png' }), 'card.png')
  form.append('files[1]', new Blob(['{}'], { type: 'application/json' }), 'payload.json')
  return form
}
const everything = {
  flags: 1 << 15,
  attachments: [{ id: 0, description: 'An otter' }, { id: 1 }],
  components: [
    {
      type: 17,
      accent_color: 1,
      components: [
        {
          type: 9,
          components: [{ type: 10, content: 'x' }],
          accessory: { type: 11, media: { url: 'https://a.example/x.png' } },
        },
        { type: 12, items: [{ media: { url: 'attachment://card.png' } }] },
        { type: 13, file: { url: 'attachment://payload.json' } },
        {
          type: 1,
          components: [{ type: 3, custom_id: 's', options: [{ label: 'A', value: 'a' }] }],
        },
        {
          type: 1,
          components: [
            { type: 2, style: 1, label: 'Go', custom_id: 'go', emoji: { name: '🔔' } },
            { type: 2, style: 5, label: 'Go', url: 'https://a.example/' },
          ],
        },
      ],
    },
  ],
}

test.each<[string, z.core.$ZodType, unknown?]>([
  ['GET /gateway/bot', GatewayBotResponseSchema],
  ['GET /users/@me', UserPIIResponseSchema],
  ['POST /users/@me/channels', PrivateChannelResponseSchema, { recipient_id: ben.id }],
  ['GET /applications/@me', PrivateApplicationResponseSchema],
  ['PATCH /applications/@me', PrivateApplicationResponseSchema, {}],
  [`PUT /applications/${gavel.id}/commands`, z.array(ApplicationCommandResponseSchema), commands],
  [`GET /applications/${gavel.id}/commands`, z.array(ApplicationCommandResponseSchema)],
  [`GET /guilds/${otterClub.id}`, GuildWithCountsResponseSchema],
  [`GET /guilds/${otterClub.id}/members/${ada.id}`, GuildMemberResponseSchema],
  [`GET /guilds/${otterClub.id}/members/${gavel.id}`, GuildMemberResponseSchema],
  [`GET /channels/${club.id}`, GuildChannelResponseSchema],
  [`POST /channels/${club.id}/messages`, MessageResponseSchema, { content: `<@${ada.id}>` }],
  [`POST /channels/${club.id}/messages`, MessageResponseSchema, files(everything)],
])('%s is answered as Discord’s document says', async (route, schema, body) => {
  const reply = await call(server, route, body)
  expect([reply.status, deviations(schema, reply.json)]).toEqual([200, []])
})

test('so are threads, edits and replies', async () => {
  const shown = await call(server, `GET /channels/${thread}`)
  expect(deviations(ThreadResponseSchema, shown.json)).toEqual([])
  const path = `/channels/${thread}/messages`
  const { id } = z
    .object({ id: z.string() })
    .parse((await call(server, `POST ${path}`, { content: 'x' })).json)
  const edited = await call(server, `PATCH ${path}/${id}`, { content: 'y' })
  const reply = await call(server, `POST ${path}`, {
    content: 'z',
    nonce: 'n',
    message_reference: { message_id: id },
  })
  for (const { json } of [edited, reply])
    expect(deviations(MessageResponseSchema, json)).toEqual([])
})

test('so are what an interaction’s webhook answers', async () => {
  await call(server, `PUT /applications/${gavel.id}/commands`, commands)
  const from = line.frames.length
  server.people.slash(ada.id, club.id, 'ask')
  const interaction = await nextInteraction(line, from)
  await callback(server, interaction, say('x'))
  const edited = await call(server, `PATCH ${hook(interaction)}/messages/@original`, {
    content: 'y',
  })
  const followUp = await call(server, `POST ${hook(interaction)}`, { content: 'z', flags: 64 })
  for (const { json } of [edited, followUp])
    expect(deviations(MessageResponseSchema, json)).toEqual([])
})

test('so is a refusal', async () => {
  // The document has numbers for the codes of fields, which are words.
  const { status, json } = await call(server, 'GET /channels/1')
  expect([status, deviations(ErrorResponseSchema, json)]).toEqual([404, []])
})
