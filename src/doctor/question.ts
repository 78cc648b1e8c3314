import type { QueryMeaning, QueryNames } from '../api/query-names.ts'
import { categories, maxLimit } from '../api/requests.ts'
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

/**
 * The parameters that the document leaves optional and that have no neutral value: no word means newest first, and none
 * all categories. The doctor asks with them where nothing is answered without; the bot can't.
 */
const optionalMeanings = ['ordering', 'category'] as const
/** The parameters that an interface may require, whatever the document says. */
export type AskableMeaning = BaseMeaning | (typeof optionalMeanings)[number]

export function isOptionalMeaning(
  meaning: QueryMeaning,
): meaning is (typeof optionalMeanings)[number] {
  return optionalMeanings.some((each) => each === meaning)
}

export function isAskable(meaning: QueryMeaning): meaning is AskableMeaning {
  return isBaseMeaning(meaning) || isOptionalMeaning(meaning)
}

/** The neutral value of each: all assets, from the beginning, as many as fit one page; of the optional ones, some value. */
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

/** The parameters with these meanings under the operator's names. */
export function partsOf(
  names: QueryNames,
  chain: number,
  meanings: readonly AskableMeaning[] = baseMeanings,
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
