import { PlatformError } from '../core/adapter.ts'
import type { Platform } from '../core/command.ts'
import { t } from '../core/view.ts'

/** Discord over the gateway. */
export const discord: Platform = {
  name: 'discord',
  textInput: true,
  groupText: false,
  hiddenAnswers: true,
  chatPicker: false,
  forms: true,
  namedOptions: true,
  texts: {
    onlyManagers: t('discord-only-managers'),
    notManager: t('discord-not-manager'),
    managerResumes: t('discord-manager-resumes'),
    alertsBegun: t('discord-alerts-begun'),
    notManaged: t('discord-not-managed'),
    cantPost: t('discord-cant-post'),
    managersUnseen: t('discord-managers-unseen'),
  },
}

/** Discord over the interactions endpoint, which brings no messages. */
export const discordWithoutMessages: Platform = { ...discord, textInput: false }

/** Shards of Discord's gateway: `ids`, in order and without a gap, of `count` in total. */
export interface Shards {
  ids: readonly number[]
  count: number
}

const role = 'discord gateway'

/** The name of the role for these shards, such as "discord gateway 0-3/8", or "discord gateway" for all. */
export function roleOf(shards: Shards | undefined): string {
  if (!shards || shards.ids.length === shards.count) return role
  return `${role} ${rangeOf(shards)}`
}

function rangeOf({ ids, count }: Shards): string {
  const [first = 0] = ids
  const last = ids.at(-1) ?? first
  return `${first === last ? first : `${first}-${last}`}/${count}`
}

/**
 * Checks that the shards of other replicas are the same as ours or do not overlap with them, with the same total:
 * otherwise two replicas would receive the same shards. `held` are the names of all roles that replicas lead.
 * @throws PlatformError if they conflict
 */
export function checkShards(shards: Shards | undefined, held: readonly string[]): void {
  const ours = roleOf(shards)
  const clash = held.find((name) => name !== ours && isGateway(name) && !areApart(ours, name))
  if (clash === undefined) return
  const theirs = clash === role ? 'all shards' : `shards ${clash.slice(role.length + 1)}`
  const wanted = ours === role ? 'all shards' : `shards ${ours.slice(role.length + 1)}`
  throw new PlatformError(
    `DISCORD_SHARDS: another replica has ${theirs} of Discord, and this one wants ${wanted}. Give all replicas ranges of one count that are the same or apart, such as 0-3/8 and 4-7/8; whoever is to change stops first.`,
  )
}

/**
 * Number of shards that no replica receives, of the total in our own setting; undefined if that leaves it to Discord.
 * `held` are the names of all roles that replicas lead.
 */
export function unreceivedShards(
  shards: Shards | undefined,
  held: readonly string[],
): number | undefined {
  if (!shards) return undefined
  if (held.includes(role)) return 0
  const ranges = held
    .filter(isGateway)
    .map(rangeIn)
    .filter((range) => range?.count === shards.count)
  return ranges.reduce(
    (left, range) => (range ? left - (range.last - range.first + 1) : left),
    shards.count,
  )
}

/** Whether a role is one for shards. */
export function isGateway(name: string): boolean {
  return name === role || name.startsWith(`${role} `)
}

interface Range {
  first: number
  last: number
  count: number
}

function areApart(ours: string, theirs: string): boolean {
  const [one, other] = [rangeIn(ours), rangeIn(theirs)]
  if (!one || !other || one.count !== other.count) return false
  return one.last < other.first || other.last < one.first
}

function rangeIn(name: string): Range | undefined {
  const found = / (?<first>\d+)(?:-(?<last>\d+))?\/(?<count>\d+)$/u.exec(name)?.groups
  if (!found) return undefined
  const { first, last = first, count } = found
  return { first: Number(first), last: Number(last), count: Number(count) }
}
