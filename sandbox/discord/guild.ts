import {
  type APIGuild,
  type APIGuildMember,
  type APIRole,
  type APIUser,
  type GatewayGuildCreateDispatchData,
  Locale,
} from 'discord-api-types/v10'
import { ada, adminRole, botRole, everyonePermissions, gavel, otterClub } from './cast.ts'

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

/** The roles of the server: everyone, administrators, and the one Discord makes for the bot. */
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
    region: null,
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
  }
}

/** What GUILD_CREATE says of the server; members are limited to the bot itself without their intent. */
export function guildCreateOf(
  guild: APIGuild,
  channels: GatewayGuildCreateDispatchData['channels'],
  threads: GatewayGuildCreateDispatchData['threads'],
  members: APIGuildMember[],
  memberCount: number,
): GatewayGuildCreateDispatchData {
  return {
    ...guild,
    joined_at: '2025-01-01T00:00:00.000000+00:00',
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
