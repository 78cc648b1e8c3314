import { digest } from './digest.ts'
import { ending } from './ending.ts'
import type { AlertKind } from './kind.ts'
import { graduated, incoming, live } from './phase.ts'
import { mcap, price } from './price.ts'
import { progress } from './progress.ts'

/** The ids of all kinds, in the order in which they are offered. */
export const kindIds = [
  'live',
  'incoming',
  'progress',
  'ending',
  'graduated',
  'price',
  'mcap',
  'digest',
] as const
export type Kind = (typeof kindIds)[number]

/** All kinds of alerts. */
export const kinds: Readonly<Record<Kind, AlertKind>> = {
  live,
  incoming,
  progress,
  ending,
  graduated,
  price,
  mcap,
  digest,
}

/** The id of a kind as stored or typed, in any case; undefined if this version has none of that name. */
export function kindNamed(name: string): Kind | undefined {
  return kindIds.find((each) => each === name.toLowerCase())
}

/** The ids of the kinds for which the condition holds. */
export function kindsWhere(holds: (kind: AlertKind) => boolean): Kind[] {
  return kindIds.filter((id) => holds(kinds[id]))
}

/** Whether events of a kind are about one rule each, from the memory of which they are found. */
export function isPerRule({ detection }: AlertKind): boolean {
  return detection.by === 'rule' || detection.by === 'schedule'
}
