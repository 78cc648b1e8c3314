import { PlatformError } from '../core/adapter.ts'

/** Shards of Discord's gateway: these, in order and without a gap, of so many. */
export interface Shards {
  ids: readonly number[]
  count: number
}

const role = 'discord gateway'

/** What the role is called whose holder keeps these shards: that of all of them has no numbers. */
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
 * Sees that no replica has shards which overlap ours without being the same, or another number of them: two that share
 * a part would both hear it, and none would stand by for the other. `held` are the names of all roles that replicas
 * have. @throws PlatformError
 */
export function checkShards(shards: Shards | undefined, held: readonly string[]): void {
  const ours = roleOf(shards)
  const clash = held.find((name) => name !== ours && isGateway(name) && !areApart(ours, name))
  if (clash === undefined) return
  const theirs = clash === role ? 'all shards' : `shards ${clash.slice(role.length + 1)}`
  const what = ours === role ? 'all shards' : `shards ${ours.slice(role.length + 1)}`
  throw new PlatformError(
    `DISCORD_SHARDS: another replica has ${theirs} of Discord, and this one wants ${what}. Give all replicas ranges of one count that are the same or apart, such as 0-3/8 and 4-7/8; whoever is to change stops first.`,
  )
}

/**
 * How many shards nobody hears, of as many as there are by our own setting; undefined where that leaves it to Discord.
 * `held` are the names of all roles that replicas have.
 */
export function unheardShards(
  shards: Shards | undefined,
  held: readonly string[],
): number | undefined {
  if (!shards) return undefined
  if (held.includes(role)) return 0
  const heard = held
    .filter(isGateway)
    .map(rangeIn)
    .filter((range) => range?.count === shards.count)
  return heard.reduce(
    (left, range) => (range ? left - (range.last - range.first + 1) : left),
    shards.count,
  )
}

/** Whether a role is that of whoever keeps shards. */
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
