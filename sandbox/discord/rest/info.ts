import { gavel } from '../cast.ts'
import type { Endpoint } from '../endpoint.ts'
import { isFields } from '../form.ts'
import type { Gateway } from '../gateway.ts'
import { Refusal, unknownGuild, unknownMember, unknownUser } from '../refusal.ts'
import type { World } from '../world.ts'
import type { Route } from './router.ts'

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
