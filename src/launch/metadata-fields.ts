import type { TokenMetadata } from '../api/requests.ts'
import { plain } from '../chain/airlock/plain.ts'
import {
  addressItems,
  categoryItems,
  type Item,
  isNothing,
  linkItems,
  pictureItems,
  textItems,
  vestingItems,
  wordsOf,
} from './metadata-items.ts'

/** A field in which metadata are not what was typed: both in a person's words, on one line and of bounded length. */
export interface Difference {
  name: string
  typed: string
  found: string
}

interface Field {
  name: string
  /** In the upload. */
  key: keyof TokenMetadata
  /** Other names under which it is known to stand in tokens' metadata. */
  also?: readonly string[]
  items: (value: unknown) => Item[]
}

const fields: readonly Field[] = [
  { name: 'name', key: 'name', items: textItems },
  { name: 'description', key: 'description', items: textItems },
  { name: 'picture', key: 'image_hash', also: ['image'], items: pictureItems },
  { name: 'links', key: 'social_links', items: linkItems },
  { name: 'vesting', key: 'vesting_recipients', items: vestingItems },
  { name: 'fee receiver', key: 'fee_receiver', items: addressItems },
  { name: 'categories', key: 'categories', items: categoryItems },
]

const known = new Set(fields.flatMap(({ key, also = [] }) => [key, ...also]))

const maxUnknown = 5
const maxNameLength = 40
/** What two texts have in common at their beginning is left out where it is longer. */
const maxCommon = 100
const shownCommon = 30

/**
 * Every field in which a document is not what was uploaded. What stands there must be what was typed, give or take
 * order, the case of addresses and the way of writing a CID; what was typed must stand there; and what else stands
 * there is told, as people's wallets may show it.
 */
export function differences(
  typed: TokenMetadata,
  found: ReadonlyMap<string, unknown>,
): Difference[] {
  return [...fields.flatMap((field) => differencesIn(field, typed, found)), ...additions(found)]
}

function differencesIn(
  { name, key, also = [], items }: Field,
  typed: TokenMetadata,
  found: ReadonlyMap<string, unknown>,
): Difference[] {
  const wanted = items(typed[key])
  const given = [key, ...also].filter((each) => !isNothing(found.get(each)))
  if (given.length === 0) return difference(name, wanted, [])
  return given.flatMap((each) => difference(name, wanted, items(found.get(each)))).slice(0, 1)
}

function difference(name: string, typed: readonly Item[], found: readonly Item[]): Difference[] {
  const lost = without(typed, found)
  const added = without(found, typed)
  if (lost.length === 0 && added.length === 0) return []
  const [one, other] = [textsOf(lost), textsOf(added)]
  const from = differsFrom(one, other)
  return [{ name, typed: shown(one, from) || 'nothing', found: shown(other, from) || 'missing' }]
}

/** The items that stand in the one list, or more often there. */
function without(items: readonly Item[], others: readonly Item[]): Item[] {
  const left = Map.groupBy(others, ({ key }) => key)
  return items.filter(({ key }) => left.get(key)?.pop() === undefined)
}

function textsOf(items: readonly Item[]): string {
  return items.map(({ text }) => text).join('; ')
}

/** Where to begin so that the difference of two texts is seen: 0 where it is near their beginning. */
function differsFrom(one: string, other: string): number {
  let at = 0
  while (at < Math.min(one.length, other.length) && one[at] === other[at]) at += 1
  return at > maxCommon ? at - shownCommon : 0
}

function shown(text: string, from: number): string {
  return plain(from === 0 ? text : `…${text.slice(from)}`)
}

/** What nobody typed. */
function additions(found: ReadonlyMap<string, unknown>): Difference[] {
  const unknown = [...found].filter(([key, value]) => !known.has(key) && !isNothing(value))
  const named = unknown.slice(0, maxUnknown).map(([key, value]) => ({
    name: `“${plain(key.length > maxNameLength ? `${key.slice(0, maxNameLength)}…` : key)}”`,
    typed: 'nothing',
    found: plain(wordsOf(value)),
  }))
  const more = unknown.slice(maxUnknown).map(([key]) => key)
  if (more.length === 0) return named
  return [
    ...named,
    { name: `${more.length} more`, typed: 'nothing', found: plain(more.join(', ')) },
  ]
}
