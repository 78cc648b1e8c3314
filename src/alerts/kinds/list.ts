import { digest } from './digest.ts'
import { ending } from './ending.ts'
import { mcap, price } from './figure.ts'
import type { AlertKind } from './kind.ts'
import { graduated, incoming, live } from './phase.ts'
import { progress } from './progress.ts'

/** All kinds, in the order in which they are offered. The name of each is its `id`. */
const all = { live, incoming, progress, ending, graduated, price, mcap, digest }

/** The id of a kind. */
export type Kind = keyof typeof all

/** All kinds of alerts, by id. */
export const kinds: Readonly<Record<Kind, AlertKind>> = all

/** The ids of all kinds, in the order in which they are offered. */
export const kindIds: readonly Kind[] = Object.keys(all).filter(isKind)

function isKind(name: string): name is Kind {
  return Object.hasOwn(all, name)
}

/** The id of a kind as stored or typed, in any case; undefined if this version has none of that name. */
export function kindNamed(name: string): Kind | undefined {
  const typed = name.toLowerCase()
  return isKind(typed) ? typed : kindIds.find((id) => kinds[id].word === typed)
}

/** The word that people type for a kind. */
export function kindWord(id: Kind): string {
  return kinds[id].word ?? id
}

/** The ids of the kinds for which the condition holds. */
export function kindsWhere(condition: (kind: AlertKind) => boolean): Kind[] {
  return kindIds.filter((id) => condition(kinds[id]))
}

/**
 * Whether events of a kind are about one rule each: it is found from the rule's memory or by the clock, and its key
 * contains a time.
 */
export function isPerRule({ detection }: AlertKind): boolean {
  return detection.from === 'rule-memory' || detection.from === 'schedule'
}
