import type {
  APIAttachment,
  APIInteractionDataResolvedGuildMember,
  APIRole,
  APIUser,
} from 'discord-api-types/v10'
import type { World } from '../world.ts'

/** The objects behind the ids in an interaction's options or values. */
interface Resolved {
  users?: Record<string, APIUser>
  members?: Record<string, APIInteractionDataResolvedGuildMember>
  roles?: Record<string, APIRole>
  channels?: Record<string, object>
  attachments?: Record<string, APIAttachment>
}

/** Looks ids up among people, roles, channels and uploads; undefined when none is known. */
export function resolve(
  world: World,
  channelId: string,
  ids: readonly string[],
): Resolved | undefined {
  if (ids.length === 0) return undefined
  const resolved: Resolved = {}
  for (const id of ids) resolveOne(world, channelId, id, resolved)
  return Object.keys(resolved).length === 0 ? undefined : resolved
}

function resolveOne(world: World, channelId: string, id: string, into: Resolved): void {
  const user = world.users.get(id)
  if (user !== undefined) into.users = { ...into.users, [id]: user }
  const member = world.members.get(id)
  if (member !== undefined && world.room(channelId).guildId !== undefined) {
    const { user: _, deaf: __, mute: ___, ...partial } = member
    const permissions = String(world.permissions(id, channelId))
    into.members = { ...into.members, [id]: { ...partial, permissions } }
  }
  const role = world.roles.find((each) => each.id === id)
  if (role !== undefined) into.roles = { ...into.roles, [id]: role }
  const channel = world.rooms.get(id)?.channel
  if (channel !== undefined) into.channels = { ...into.channels, [id]: channel }
  const file = world.files.get(id)
  if (file !== undefined) into.attachments = { ...into.attachments, [id]: file.attachment }
}
