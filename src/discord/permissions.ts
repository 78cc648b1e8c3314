import { PermissionFlagsBits as Permission, PermissionsBitField } from 'discord.js'
import { z } from 'zod'

/** A server, as far as it says what its members may. */
export const guildSchema = z.object({
  id: z.string(),
  owner_id: z.string(),
  roles: z.array(z.object({ id: z.string(), permissions: z.coerce.bigint() })),
})
export type Guild = z.output<typeof guildSchema>

/** What a channel takes from a role or a member, and gives them. */
export interface Overwrite {
  /** Of a role (the server's own id is everybody's) or a member. */
  id: string
  allow: bigint
  deny: bigint
}

/**
 * What a member may in a channel: https://docs.discord.com/developers/topics/permissions#permission-hierarchy
 * The owner and administrators may everything; else roles add up, then the channel's overwrites apply, everybody's
 * before those of roles before the member's own.
 */
export function permissionsOf(
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
