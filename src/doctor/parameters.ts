import type { Query } from '../api/http.ts'
import type { QueryMeaning, QueryNames } from '../api/query-names.ts'
import { categories, maxLimit } from '../api/requests.ts'

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

/**
 * Parameters that are optional in the document and have no neutral value: without them the newest come first, of all
 * categories. The doctor sends them if nothing is answered without; the bot can't.
 */
const optionalMeanings = ['ordering', 'category'] as const
/** Parameters that an interface may require, whatever the document says. */
export type AskableMeaning = BaseMeaning | (typeof optionalMeanings)[number]

export function isOptionalMeaning(
  meaning: QueryMeaning,
): meaning is (typeof optionalMeanings)[number] {
  return optionalMeanings.some((each) => each === meaning)
}

export function isAskable(meaning: QueryMeaning): meaning is AskableMeaning {
  return isBaseMeaning(meaning) || isOptionalMeaning(meaning)
}

/**
 * Returns the neutral value of a parameter: all assets, from the start, one full page; for optional ones, any value.
 */
export function ordinary(meaning: AskableMeaning, chain: number): string | number {
  const [category] = categories
  return {
    chain,
    status: 'all',
    limit: maxLimit,
    offset: 0,
    ordering: 'market_cap_desc',
    category,
  }[meaning]
}

/** Returns a parameter with its neutral value. */
export function ordinaryPart(meaning: AskableMeaning, name: string, chain: number): Part {
  return { meaning, name, value: ordinary(meaning, chain) }
}

/** Returns parameters with these meanings under the configured names. */
export function partsOf(
  names: QueryNames,
  chain: number,
  meanings: readonly AskableMeaning[] = baseMeanings,
): Part[] {
  return meanings.map((meaning) => ordinaryPart(meaning, names[meaning], chain))
}

export function without(parts: readonly Part[], ...meanings: readonly QueryMeaning[]): Part[] {
  return parts.filter((part) => !meanings.includes(part.meaning))
}

export function queryOf(parts: readonly Part[]): Query {
  return Object.fromEntries(parts.map(({ name, value }) => [name, value]))
}
