import {
  type APIChannel,
  type APIDMChannel,
  type APIOverwrite,
  type APIPublicThreadChannel,
  type APITextChannel,
  type APIUser,
  ChannelType,
  OverwriteType,
  ThreadAutoArchiveDuration,
} from 'discord-api-types/v10'
import { gavel, otterClub } from './cast.ts'

/** The kinds of channels that there are here. */
export type Channel = APITextChannel | APIDMChannel | APIPublicThreadChannel

/** A text channel of the server. */
export function textChannel(
  id: string,
  name: string,
  position: number,
  overwrites: APIOverwrite[],
): APITextChannel {
  return {
    id,
    type: ChannelType.GuildText,
    guild_id: otterClub.id,
    name,
    position,
    permission_overwrites: overwrites,
    nsfw: false,
    topic: null,
    parent_id: null,
    rate_limit_per_user: 0,
    last_message_id: null,
  }
}

/** A private chat with the bot. */
export function privateChannel(id: string, recipient: APIUser | undefined): APIDMChannel {
  return {
    id,
    type: ChannelType.DM,
    name: null,
    last_message_id: null,
    recipients: recipient === undefined ? [] : [recipient],
  }
}

/** A public thread, open for everybody. */
export function threadChannel(
  id: string,
  name: string,
  parent: string,
  at: string,
): APIPublicThreadChannel {
  return {
    id,
    type: ChannelType.PublicThread,
    guild_id: otterClub.id,
    parent_id: parent,
    name,
    owner_id: gavel.id,
    last_message_id: null,
    message_count: 0,
    member_count: 1,
    total_message_sent: 0,
    rate_limit_per_user: 0,
    applied_tags: [],
    thread_metadata: {
      archived: false,
      auto_archive_duration: ThreadAutoArchiveDuration.OneDay,
      archive_timestamp: at,
      locked: false,
      create_timestamp: at,
    },
  }
}

export function isThread(channel: Channel): channel is APIPublicThreadChannel {
  return channel.type === ChannelType.PublicThread
}

/** The overwrites of a channel; none in private chats and threads. */
export function overwritesOf(channel: APIChannel): APIOverwrite[] {
  return 'permission_overwrites' in channel ? (channel.permission_overwrites ?? []) : []
}

/** What a role may and may not do in a channel, whatever it may elsewhere. */
export function roleOverwrite(id: string, allow: bigint, deny: bigint): APIOverwrite {
  return { id, type: OverwriteType.Role, allow: String(allow), deny: String(deny) }
}

/** What one member may and may not do in a channel. */
export function memberOverwrite(id: string, allow: bigint, deny: bigint): APIOverwrite {
  return { id, type: OverwriteType.Member, allow: String(allow), deny: String(deny) }
}

/** What is left of permissions in a channel: everyone's overwrite, then the roles' together, then the member's own. */
export function overwritten(
  base: bigint,
  channel: APIChannel,
  guildId: string,
  roles: readonly string[],
  userId: string,
): bigint {
  const overwrites = overwritesOf(channel)
  const steps = [
    overwrites.filter((each) => each.id === guildId),
    overwrites.filter((each) => roles.includes(each.id)),
    overwrites.filter((each) => each.id === userId),
  ]
  return steps.reduce((allowed, step) => {
    const deny = step.reduce((bits, each) => bits | BigInt(each.deny), 0n)
    const allow = step.reduce((bits, each) => bits | BigInt(each.allow), 0n)
    return (allowed & ~deny) | allow
  }, base)
}
