import {
  type APIChannel,
  type APIDMChannel,
  type APIGuild,
  type APIGuildForumChannel,
  type APIGuildMember,
  type APIGuildVoiceChannel,
  type APIOverwrite,
  type APIPublicThreadChannel,
  type APIRole,
  type APITextChannel,
  type APIUser,
  ChannelType,
  ForumLayoutType,
  type GatewayGuildCreateDispatchData,
  Locale,
  OverwriteType,
  ThreadAutoArchiveDuration,
} from 'discord-api-types/v10'
import {
  ada,
  adminRole,
  botRole,
  everyonePermissions,
  gavel,
  launchesRole,
  otterClub,
} from './cast.ts'

// The flag enumerations have no member for zero.
const noFlags: number = 0

/** A person or app as Discord's API shows it. */
export function userOf(
  person: { id: string; username: string; name: string },
  bot = false,
): APIUser {
  return {
    id: person.id,
    username: person.username,
    // Bots have kept their discriminator and have no display name of their own.
    discriminator: bot ? '4321' : '0',
    global_name: bot ? null : person.name,
    avatar: null,
    flags: noFlags,
    public_flags: noFlags,
    primary_guild: null,
    ...(bot ? { bot: true } : {}),
  }
}

export function memberOf(user: APIUser, roles: string[]): APIGuildMember {
  return {
    user,
    nick: null,
    avatar: null,
    banner: null,
    roles,
    joined_at: '2025-01-01T00:00:00.000000+00:00',
    premium_since: null,
    deaf: false,
    mute: false,
    flags: noFlags,
    pending: false,
    communication_disabled_until: null,
  }
}

function role(id: string, name: string, position: number, permissions: bigint): APIRole {
  return {
    id,
    name,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position,
    permissions: String(permissions),
    managed: false,
    mentionable: false,
    flags: noFlags,
  }
}

/** The roles of the server: everyone, administrators, the one Discord makes for the bot, and one to mention. */
export function rolesOf(): APIRole[] {
  const administrator = 8n
  return [
    role(otterClub.id, '@everyone', 0, everyonePermissions),
    role(adminRole.id, adminRole.name, 2, administrator),
    {
      ...role(botRole.id, botRole.name, 1, everyonePermissions),
      managed: true,
      tags: { bot_id: gavel.id },
    },
    { ...role(launchesRole.id, launchesRole.name, 3, 0n), mentionable: true },
  ]
}

export function guildOf(roles: APIRole[]): APIGuild {
  return {
    id: otterClub.id,
    name: otterClub.name,
    icon: null,
    splash: null,
    discovery_splash: null,
    owner_id: ada.id,
    region: 'deprecated',
    afk_channel_id: null,
    afk_timeout: 300,
    verification_level: 0,
    default_message_notifications: 1,
    explicit_content_filter: 0,
    roles,
    emojis: [],
    features: [],
    mfa_level: 0,
    application_id: null,
    system_channel_id: null,
    system_channel_flags: noFlags,
    rules_channel_id: null,
    vanity_url_code: null,
    description: null,
    banner: null,
    premium_tier: 0,
    premium_subscription_count: 0,
    preferred_locale: Locale.EnglishUS,
    public_updates_channel_id: null,
    nsfw_level: 0,
    stickers: [],
    premium_progress_bar_enabled: false,
    hub_type: null,
    safety_alerts_channel_id: null,
    incidents_data: null,
    widget_enabled: false,
    widget_channel_id: null,
    max_presences: null,
    max_members: 25_000_000,
    max_video_channel_users: 25,
    max_stage_video_channel_users: 50,
  }
}

/** What GUILD_CREATE says of the server; members are limited to the bot itself without their intent. */
export function guildCreateOf(
  guild: APIGuild,
  channels: GatewayGuildCreateDispatchData['channels'],
  threads: GatewayGuildCreateDispatchData['threads'],
  members: APIGuildMember[],
  memberCount: number,
  joinedAt: string,
): GatewayGuildCreateDispatchData {
  return {
    ...guild,
    joined_at: joinedAt,
    large: false,
    unavailable: false,
    member_count: memberCount,
    voice_states: [],
    members,
    channels,
    threads,
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  }
}

/** The kinds of channels that there are here. */
export type Channel = ServerChannel | APIDMChannel | APIPublicThreadChannel

/** A channel of the server's list. In a forum there are posts alone, each of which is a thread. */
export type ServerChannel = APITextChannel | APIGuildVoiceChannel | APIGuildForumChannel

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
    flags: noFlags,
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

/** A voice channel, which has a chat of its own. */
export function voiceChannel(id: string, name: string, position: number): APIGuildVoiceChannel {
  const { topic: _, type: __, ...common } = textChannel(id, name, position, [])
  return {
    ...common,
    type: ChannelType.GuildVoice,
    bitrate: 64_000,
    user_limit: 0,
    rtc_region: null,
    nsfw: false,
  }
}

export function forumChannel(id: string, name: string, position: number): APIGuildForumChannel {
  const { type: _, ...common } = textChannel(id, name, position, [])
  return {
    ...common,
    type: ChannelType.GuildForum,
    available_tags: [],
    default_reaction_emoji: null,
    default_sort_order: null,
    default_forum_layout: ForumLayoutType.NotSet,
  }
}

/** A private chat: with the bot, or of people with each other. */
export function privateChannel(id: string, recipient: APIUser | undefined): APIDMChannel {
  return {
    id,
    type: ChannelType.DM,
    flags: noFlags,
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
    flags: noFlags,
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

/** Whether it is in the server's list of channels. */
export function isServerChannel(channel: Channel): channel is ServerChannel {
  return !isThread(channel) && channel.type !== ChannelType.DM
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
