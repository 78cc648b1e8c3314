import type { QueryMeaning, QueryNames } from '../api/query-names.ts'
import { maxLimit } from '../api/requests.ts'
import type { Query } from '../api/transport.ts'

/** A parameter of a question. */
export interface Part {
  meaning: QueryMeaning
  name: string
  value: string | number
}

/** The parameters that an interface may require with a list of assets. */
export const baseMeanings = ['chain', 'status', 'limit', 'offset'] as const
export type BaseMeaning = (typeof baseMeanings)[number]

export function isBaseMeaning(meaning: QueryMeaning): meaning is BaseMeaning {
  return baseMeanings.some((each) => each === meaning)
}

/** The neutral value of each: all assets, from the beginning, as many as fit one page. */
export function ordinary(meaning: BaseMeaning, chain: number): string | number {
  return { chain, status: 'all', limit: maxLimit, offset: 0 }[meaning]
}

/** The parameters with these meanings under the operator's names. */
export function partsOf(
  names: QueryNames,
  chain: number,
  meanings: readonly BaseMeaning[] = baseMeanings,
): Part[] {
  return meanings.map((meaning) => ({
    meaning,
    name: names[meaning],
    value: ordinary(meaning, chain),
  }))
}

export function without(parts: readonly Part[], ...meanings: readonly QueryMeaning[]): Part[] {
  return parts.filter((part) => !meanings.includes(part.meaning))
}

export function queryOf(parts: readonly Part[]): Query {
  return Object.fromEntries(parts.map(({ name, value }) => [name, value]))
}
