import {
  ChannelType,
  DiscordAPIError,
  PermissionFlagsBits as Permission,
  PermissionsBitField,
  type REST,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js'
import { z } from 'zod'
import { sendError } from './errors.ts'
import { isId } from './send.ts'

/** Whether the person is a member of the channel's server and may write in the channel; false if Discord doesn't say. */
export async function isMemberOf(rest: REST, chat: string, person: string): Promise<boolean> {
  try {
    const found = await membership(rest, chat, person)
    if (!found) return false
    const write = found.inThread ? Permission.SendMessagesInThreads : Permission.SendMessages
    return found.permissions.has([Permission.ViewChannel, write])
  } catch {
    return false
  }
}

/**
 * Whether the person may manage the server, or webhooks in the channel, and so decide what programs write there.
 * @throws SendError if Discord can't be asked or the bot is not in the server
 */
export async function managesIn(rest: REST, chat: string, person: string): Promise<boolean> {
  try {
    const found = await membership(rest, chat, person)
    if (!found || isTimedOut(found)) return false
    const { permissions } = found
    return (
      permissions.has(Permission.ViewChannel) &&
      permissions.any([Permission.ManageGuild, Permission.ManageWebhooks])
    )
  } catch (cause) {
    throw sendError(cause)
  }
}

/** Name of a channel, with #; undefined if it is not a server's, or Discord doesn't give it. */
export async function titleOf(rest: REST, chat: string): Promise<string | undefined> {
  if (!isId(chat)) return undefined
  try {
    const { guild_id: guild, name } = await channelOf(rest, chat)
    return guild === undefined ? undefined : `#${name}`
  } catch {
    return undefined
  }
}

const threads: readonly number[] = [
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
]

const channelSchema = z.object({
  type: z.number(),
  /** Absent in private chats. */
  guild_id: z.string().optional(),
  name: z.string().nullish(),
  parent_id: z.string().nullish(),
  permission_overwrites: z
    .array(z.object({ id: z.string(), allow: z.coerce.bigint(), deny: z.coerce.bigint() }))
    .default([]),
})

const memberSchema = z.object({
  roles: z.array(z.string()),
  communication_disabled_until: z.string().nullish(),
})
type Member = z.output<typeof memberSchema>

interface Membership {
  member: Member
  permissions: Readonly<PermissionsBitField>
  inThread: boolean
}

/**
 * A person's permissions in a channel; undefined if the person is not a member, or the chat not a server's channel. Not
 * cached: permissions change, and without the gateway the bot is not notified.
 */
async function membership(
  rest: REST,
  chat: string,
  person: string,
): Promise<Membership | undefined> {
  if (!isId(chat) || !isId(person)) return undefined
  const channel = await channelOf(rest, chat)
  if (channel.guild_id === undefined) return undefined
  const inThread = threads.includes(channel.type)
  try {
    const [guild, member, overwrites] = await Promise.all([
      rest.get(Routes.guild(channel.guild_id)).then((each) => guildSchema.parse(each)),
      rest
        .get(Routes.guildMember(channel.guild_id, person))
        .then((each) => memberSchema.parse(each)),
      // Threads have the overwrites of their channel.
      inThread ? overwritesOf(rest, channel.parent_id) : channel.permission_overwrites,
    ])
    const permissions = permissionsOf(guild, { id: person, roles: member.roles }, overwrites)
    return { member, permissions, inThread }
  } catch (error) {
    if (isNoMember(error)) return undefined
    throw error
  }
}

async function overwritesOf(rest: REST, parent: string | null | undefined): Promise<Overwrite[]> {
  return parent ? (await channelOf(rest, parent)).permission_overwrites : []
}

async function channelOf(rest: REST, id: string) {
  return channelSchema.parse(await rest.get(Routes.channel(id)))
}

function isNoMember(error: unknown): boolean {
  const codes: unknown[] = [RESTJSONErrorCodes.UnknownMember, RESTJSONErrorCodes.UnknownUser]
  return error instanceof DiscordAPIError && codes.includes(error.code)
}

/** Whether the member is in a timeout, which does not apply to administrators. */
function isTimedOut({ member, permissions }: Membership): boolean {
  const until = Date.parse(member.communication_disabled_until ?? '')
  return until > Date.now() && !permissions.has(Permission.Administrator)
}

/** The parts of a server that determine permissions. */
const guildSchema = z.object({
  id: z.string(),
  owner_id: z.string(),
  roles: z.array(z.object({ id: z.string(), permissions: z.coerce.bigint() })),
})
type Guild = z.output<typeof guildSchema>

/** A channel's permission overwrite for a role or a member. */
interface Overwrite {
  /** Id of a role (the server's own id is the role @everyone) or a member. */
  id: string
  allow: bigint
  deny: bigint
}

/**
 * Computes a member's permissions: https://docs.discord.com/developers/topics/permissions#permission-hierarchy
 * The owner and administrators have all. For others, the permissions of their roles are combined; then the channel's
 * overwrites apply: first @everyone's, then those of roles, then the member's own.
 */
function permissionsOf(
  guild: Guild,
  member: { id: string; roles: readonly string[] },
  overwrites: readonly Overwrite[],
): PermissionsBitField {
  const everything = new PermissionsBitField(PermissionsBitField.All)
  if (member.id === guild.owner_id) return everything
  const own = new Set([guild.id, ...member.roles])
  const base = guild.roles.reduce(
    (all, { id, permissions }) => (own.has(id) ? all | permissions : all),
    0n,
  )
  if (base & Permission.Administrator) return everything
  const steps = [[guild.id], member.roles, [member.id]]
  const allowed = steps.reduce((before, ids) => {
    const these = overwrites.filter(({ id }) => ids.includes(id))
    const denied = these.reduce((all, { deny }) => all | deny, 0n)
    return (before & ~denied) | these.reduce((all, { allow }) => all | allow, 0n)
  }, base)
  return new PermissionsBitField(allowed)
}
