import type { ReadAssets } from '../api/answers.ts'
import { unixTime } from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'

/** Assets that may come between two questions where nothing tells when they were created. */
const maxArrivals = 3

/** The time of creation tells apart assets that share an address on two chains. */
export function identity(asset: Asset): string {
  return `${asset.asset_address.toLowerCase()} ${asset.asset_creation_timestamp ?? ''}`
}

/**
 * Whether both list the same in the same order, but for assets that arrived between them: a few, or up to half of the
 * list if all of those are newer than the rest, since a slow interface is asked for minutes.
 */
export function isSameOrder(before: ReadAssets, after: ReadAssets): boolean {
  const old = before.assets.map(identity)
  const now = after.assets.map(identity)
  if (old.length === 0 || now.length < old.length) return old.length === now.length
  const arrived = now.indexOf(old[0] ?? '')
  if (arrived < 0 || arrived > mostArrived(before, after.assets.slice(0, arrived))) return false
  const rest = now.slice(arrived)
  const isPrefix = rest.every((id, index) => id === old[index])
  const areNew = now.slice(0, arrived).every((id) => !old.includes(id))
  // New assets push others off a page.
  const gone = old.length - rest.length
  return isPrefix && areNew && gone >= 0 && gone <= arrived
}

function mostArrived({ assets }: ReadAssets, arrived: readonly Asset[]): number {
  const newest = Math.max(...assets.map(createdAt))
  const areNewer = arrived.every((asset) => createdAt(asset) > newest)
  return areNewer ? Math.max(maxArrivals, Math.floor(assets.length / 2)) : maxArrivals
}

/** Not a number where nothing says it, which is newer than nothing. */
function createdAt({ asset_creation_timestamp: text = '' }: Asset): number {
  return unixTime(text) ?? Number.NaN
}

/** Whether both list the same in any order, but for a few assets that arrived between them. */
export function isUnchanged(before: ReadAssets, after: ReadAssets): boolean {
  const old = new Set(before.assets.map(identity))
  const isSameSet =
    before.assets.length === after.assets.length &&
    after.assets.every((asset) => old.has(identity(asset)))
  return isSameSet || isSameOrder(before, after)
}

/** Whether no asset stands in both. */
export function isDisjoint(left: ReadAssets, right: ReadAssets): boolean {
  const known = new Set(left.assets.map(identity))
  return !right.assets.some((asset) => known.has(identity(asset)))
}

export function counted(count: number): string {
  return count === 0 ? 'none' : `${count} listed`
}
