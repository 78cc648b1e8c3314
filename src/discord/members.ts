import {
  type Client,
  DiscordAPIError,
  type GuildMember,
  PermissionFlagsBits as Permission,
  type PermissionsBitField,
  RESTJSONErrorCodes,
} from 'discord.js'
import { sendError } from './refusals.ts'
import { isId } from './sending.ts'

/** Whether the person is a member of the channel's server and may write in the channel; false where Discord does not say. */
export async function isMemberOf(client: Client, chat: string, person: string): Promise<boolean> {
  try {
    const found = await membership(client, chat, person)
    if (!found) return false
    const write = found.inThread ? Permission.SendMessagesInThreads : Permission.SendMessages
    return found.permissions.has([Permission.ViewChannel, write])
  } catch {
    return false
  }
}

/**
 * Whether the person may manage the server, or webhooks in the channel, and so decide what other programs write there.
 * @throws SendError where Discord can't be asked or the bot is not there
 */
export async function managesIn(client: Client, chat: string, person: string): Promise<boolean> {
  try {
    const found = await membership(client, chat, person)
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

/** What a channel is called; undefined where Discord does not say. */
export async function titleOf(client: Client, chat: string): Promise<string | undefined> {
  if (!isId(chat)) return undefined
  try {
    const channel = await client.channels.fetch(chat)
    return channel && !channel.isDMBased() ? `#${channel.name}` : undefined
  } catch {
    return undefined
  }
}

interface Membership {
  member: GuildMember
  permissions: Readonly<PermissionsBitField>
  inThread: boolean
}

/** Undefined where the person is no member, or the chat no channel of a server. */
async function membership(
  client: Client,
  chat: string,
  person: string,
): Promise<Membership | undefined> {
  if (!isId(chat) || !isId(person)) return undefined
  const channel = await client.channels.fetch(chat)
  if (!channel || channel.isDMBased()) return undefined
  try {
    const member = await channel.guild.members.fetch(person)
    // What counts in a thread is what its channel allows.
    return { member, permissions: channel.permissionsFor(member), inThread: channel.isThread() }
  } catch (error) {
    if (isNoMember(error)) return undefined
    throw error
  }
}

function isNoMember(error: unknown): boolean {
  const codes: unknown[] = [RESTJSONErrorCodes.UnknownMember, RESTJSONErrorCodes.UnknownUser]
  return error instanceof DiscordAPIError && codes.includes(error.code)
}

/** Who is silenced for a while keeps no say; administrators can't be. */
function isTimedOut({ member, permissions }: Membership): boolean {
  return member.isCommunicationDisabled() && !permissions.has(Permission.Administrator)
}
