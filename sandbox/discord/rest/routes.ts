import {
  type APIMessage,
  InteractionResponseType,
  MessageFlags,
  PermissionFlagsBits,
} from 'discord-api-types/v10'
import { gavel } from '../cast.ts'
import {
  cannotSendToUser,
  Form,
  isFields,
  missingPermissions,
  notTheAuthor,
  Refusal,
  threadArchived,
  threadLocked,
  unknownGuild,
  unknownMember,
  unknownMessage,
  unknownUser,
} from '../check/form.ts'
import { checkMessage, type Draft } from '../check/message.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Gateway } from '../gateway.ts'
import { isThread } from '../guild.ts'
import type { Answers, Interaction, Interactions } from '../interactions.ts'
import { beforeEdit, type Messages, redact } from '../messages.ts'
import type { Held, Room, World } from '../world.ts'
import type { RestRequest, Route } from './server.ts'

/** Who and where: gateway, users, the application, guilds, members, channels. */
export function infoRoutes(world: World, gateway: Gateway, endpoint: Endpoint): Route[] {
  const bot = { access: 'bot', major: 0 } as const
  const perId = { access: 'bot', major: 1 } as const
  const guild = (id: string | undefined) => {
    if (id !== world.guild.id || !world.hasBot) throw unknownGuild()
    return world.guild
  }
  const user = (id: string | undefined) => world.users.get(id ?? '') ?? fail(unknownUser())
  const ok = (body: unknown) => ({ status: 200, body })
  const application = () => ({
    id: gavel.id,
    name: gavel.name,
    icon: null,
    description: 'Find, follow and launch auctioned tokens',
    bot: world.bot,
    bot_public: true,
    bot_require_code_grant: false,
    flags: 0,
    summary: '',
    verify_key: endpoint.verifyKey,
    interactions_endpoint_url: endpoint.url,
    team: null,
    owner: user(world.guild.owner_id),
    approximate_guild_count: 1,
    integration_types_config: { 0: {} },
  })
  return [
    { name: 'GET /gateway', access: 'open', major: 0, handle: () => ok({ url: gateway.url }) },
    { name: 'GET /gateway/bot', ...bot, handle: () => ok(gateway.info()) },
    { name: 'GET /users/@me', ...bot, handle: () => ok({ ...world.bot, verified: true }) },
    {
      name: 'GET /users/@me/guilds',
      ...bot,
      handle: () => {
        if (!world.hasBot) return ok([])
        const permissions = String(world.permissions(gavel.id, world.guildChannels()[0]?.id ?? ''))
        return ok([
          {
            id: world.guild.id,
            name: world.guild.name,
            icon: null,
            owner: false,
            permissions,
            features: [],
          },
        ])
      },
    },
    { name: 'GET /users/:id', ...bot, handle: ({ params }) => ok(user(params[0])) },
    {
      name: 'POST /users/@me/channels',
      ...bot,
      handle: ({ body }) => {
        const id = isFields(body) ? String(body.recipient_id) : ''
        if (id === gavel.id || !world.users.has(id))
          throw new Refusal(400, 50033, 'Invalid Recipient(s)')
        return ok(world.dm(id).channel)
      },
    },
    { name: 'GET /applications/@me', ...bot, handle: () => ok(application()) },
    {
      name: 'PATCH /applications/@me',
      ...bot,
      handle: async ({ body }) => {
        const ping = { id: world.ids.next(), application_id: gavel.id, token: 'ping', version: 1 }
        await endpoint.change(body, ping)
        return ok(application())
      },
    },
    { name: 'GET /oauth2/applications/@me', ...bot, handle: () => ok(application()) },
    { name: 'GET /guilds/:id', ...perId, handle: ({ params }) => ok(guild(params[0])) },
    {
      name: 'GET /guilds/:id/channels',
      ...perId,
      handle: ({ params }) => ok(guild(params[0]) && world.guildChannels()),
    },
    {
      name: 'GET /guilds/:id/roles',
      ...perId,
      handle: ({ params }) => ok(guild(params[0]).roles),
    },
    {
      name: 'GET /guilds/:id/members',
      ...perId,
      handle: ({ params, query }) => {
        guild(params[0])
        const limit = Math.min(Number(query.get('limit') ?? 1), 1000)
        return ok([...world.members.values()].slice(0, limit))
      },
    },
    {
      name: 'GET /guilds/:id/members/:id',
      ...perId,
      handle: ({ params }) => {
        guild(params[0])
        return ok(world.members.get(params[1] ?? '') ?? fail(unknownMember()))
      },
    },
    {
      name: 'GET /channels/:id',
      ...perId,
      handle: ({ params }) => {
        const room = world.room(params[0] ?? '')
        world.demand(room.channel.id, 0n)
        return ok(room.channel)
      },
    },
  ]
}

function fail(refusal: Refusal): never {
  throw refusal
}

const P = PermissionFlagsBits

/** Messages of a channel, as the bot reads and writes them without an interaction. */
export function messageRoutes(world: World, messages: Messages, seesContent: boolean): Route[] {
  const common = { access: 'bot', major: 1 } as const
  const open = ({ params }: RestRequest, needed: bigint): Room => {
    const room = world.room(params[0] ?? '')
    const inThread = isThread(room.channel) && needed === P.SendMessages
    world.demand(room.channel.id, inThread ? P.SendMessagesInThreads : needed)
    return room
  }
  // Ephemeral messages exist only for the interaction that made them, not for the channel's routes.
  const find = (room: Room, { params }: RestRequest): Held => {
    const held = messages.find(room, params[1] ?? '')
    if (held.viewer !== undefined) throw unknownMessage()
    return held
  }
  const shown = (room: Room, { message }: Held): APIMessage =>
    room.guildId === undefined || seesContent ? message : redact(message)
  return [
    {
      name: 'GET /channels/:id/messages',
      ...common,
      handle: (request) => {
        const room = open(request, P.ReadMessageHistory)
        return { status: 200, body: page(room, request.query).map((held) => shown(room, held)) }
      },
    },
    {
      name: 'GET /channels/:id/messages/:id',
      ...common,
      handle: (request) => {
        const room = open(request, P.ReadMessageHistory)
        return { status: 200, body: shown(room, find(room, request)) }
      },
    },
    {
      name: 'POST /channels/:id/messages',
      ...common,
      handle: (request) => {
        const room = open(request, P.SendMessages)
        const draft = checkMessage(request.body, request.files, new Form(), '')
        demandFor(world, room, draft)
        if (room.person !== undefined && world.closed.has(room.person)) throw cannotSendToUser()
        wake(world, room)
        const flags = (draft.flags ?? 0) & ~MessageFlags.Ephemeral
        return {
          status: 200,
          body: messages.create(room, world.bot, { ...draft, flags }).message,
        }
      },
    },
    {
      name: 'PATCH /channels/:id/messages/:id',
      ...common,
      handle: (request) => {
        const room = open(request, 0n)
        const held = find(room, request)
        if (held.message.author.id !== gavel.id) throw notTheAuthor()
        if (isThread(room.channel) && room.channel.thread_metadata?.archived) throw threadArchived()
        const before = beforeEdit(held.message)
        const draft = checkMessage(request.body, request.files, new Form(), '', before)
        demandFor(world, room, draft)
        return { status: 200, body: messages.edit(room, held, draft).message }
      },
    },
    {
      name: 'DELETE /channels/:id/messages/:id',
      ...common,
      handle: (request) => {
        const room = open(request, 0n)
        const held = find(room, request)
        if (held.message.author.id !== gavel.id) {
          if (room.guildId === undefined) throw missingPermissions()
          world.demand(room.channel.id, P.ManageMessages)
        }
        messages.remove(room, held)
        return { status: 204 }
      },
    },
    {
      name: 'POST /channels/:id/typing',
      ...common,
      handle: (request) => {
        open(request, P.SendMessages)
        return { status: 204 }
      },
    },
  ]
}

/** A message opens an archived thread again, but a locked one only for its moderators. */
function wake(world: World, { channel }: Room): void {
  if (!isThread(channel)) return
  const { archived = false, locked = false } = channel.thread_metadata ?? {}
  const moderates = (world.permissions(gavel.id, channel.id) & P.ManageThreads) !== 0n
  if (locked && !moderates) throw archived ? threadArchived() : threadLocked()
  if (archived) world.setThread(channel.id, { archived: false, locked })
}

function demandFor(world: World, room: Room, draft: Draft): void {
  if (draft.files.length > 0) world.demand(room.channel.id, P.AttachFiles)
}

function page(room: Room, query: URLSearchParams): Held[] {
  const limit = Math.min(Math.max(Number(query.get('limit') ?? 50), 1), 100)
  const before = query.get('before')
  const after = query.get('after')
  const public_ = [...room.messages.values()].filter((held) => held.viewer === undefined)
  if (after !== null) {
    const newer = public_.filter((held) => BigInt(held.message.id) > BigInt(after))
    return newer.slice(0, limit).reverse()
  }
  const older =
    before === null ? public_ : public_.filter((held) => BigInt(held.message.id) < BigInt(before))
  return older.slice(-limit).reverse()
}

/** The first answer to an interaction, and its webhook: the answer's edits and the follow-ups. */
export function interactionRoutes(interactions: Interactions, answers: Answers): Route[] {
  const open = { access: 'open', major: 2 } as const
  const of = ({ params }: RestRequest): Interaction =>
    interactions.byToken(params[0] ?? '', params[1] ?? '')
  return [
    {
      name: 'POST /interactions/:id/:token/callback',
      ...open,
      unlimited: true,
      handle: ({ params, body, files, query }) => {
        const interaction = interactions.toAcknowledge(params[0] ?? '', params[1] ?? '')
        const type = answers.first(interaction, body, files)
        if (query.get('with_response') !== 'true') return { status: 204 }
        return {
          status: 200,
          body: response(interaction, type, answers.original(interaction)?.message),
        }
      },
    },
    {
      name: 'POST /webhooks/:id/:token',
      ...open,
      handle: (request) => ({
        status: 200,
        body: answers.followUp(of(request), request.body, request.files).message,
      }),
    },
    {
      name: 'GET /webhooks/:id/:token/messages/:id',
      ...open,
      handle: (request) => ({
        status: 200,
        body: answers.find(of(request), request.params[2] ?? '').message,
      }),
    },
    {
      name: 'PATCH /webhooks/:id/:token/messages/:id',
      ...open,
      handle: (request) => {
        const { params, body, files } = request
        return {
          status: 200,
          body: answers.edit(of(request), params[2] ?? '', body, files).message,
        }
      },
    },
    {
      name: 'DELETE /webhooks/:id/:token/messages/:id',
      ...open,
      handle: (request) => {
        answers.remove(of(request), request.params[2] ?? '')
        return { status: 204 }
      },
    },
  ]
}

const withMessage = [
  InteractionResponseType.ChannelMessageWithSource,
  InteractionResponseType.DeferredChannelMessageWithSource,
  InteractionResponseType.UpdateMessage,
]

function response(
  interaction: Interaction,
  type: InteractionResponseType,
  original: APIMessage | undefined,
): object {
  const message = withMessage.includes(type) ? original : undefined
  const has = (flag: MessageFlags) => ((message?.flags ?? 0) & flag) !== 0
  return {
    interaction: {
      id: interaction.id,
      type: interaction.type,
      ...(message === undefined
        ? {}
        : {
            response_message_id: message.id,
            response_message_loading: has(MessageFlags.Loading),
            response_message_ephemeral: has(MessageFlags.Ephemeral),
          }),
    },
    resource: message === undefined ? { type } : { type, message },
  }
}
