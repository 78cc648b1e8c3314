import { z } from 'zod'

/**
 * The query names used where the operator gives none. The first four were seen in live clients; the document publishes
 * none of them, so each can be overridden (API_QUERY_NAMES).
 */
export const defaultQueryNames = {
  chain: 'chainId',
  status: 'status',
  limit: 'limit',
  offset: 'offset',
  ordering: 'ordering',
  numeraire: 'numeraire',
  category: 'category',
  creator: 'creator',
  term: 'term',
} as const satisfies Record<string, string>

/** What a query parameter means. */
export type QueryMeaning = keyof typeof defaultQueryNames
export type QueryNames = Record<QueryMeaning, string>

export const queryMeanings: readonly QueryMeaning[] = [
  'chain',
  'status',
  'limit',
  'offset',
  'ordering',
  'numeraire',
  'category',
  'creator',
  'term',
]

const queryName = (meaning: QueryMeaning) =>
  z
    .string({ error: `${meaning}: a query name is text` })
    .regex(/^[\w.[\]-]{1,64}$/, {
      error: `${meaning}: a query name is 1 to 64 letters, digits, or any of _ . - [ ]`,
    })
    .default(defaultQueryNames[meaning])

/** The operator's overrides on top of the defaults; its messages name the key and list the allowed ones. */
export const queryNamesSchema = z
  .strictObject(
    {
      chain: queryName('chain'),
      status: queryName('status'),
      limit: queryName('limit'),
      offset: queryName('offset'),
      ordering: queryName('ordering'),
      numeraire: queryName('numeraire'),
      category: queryName('category'),
      creator: queryName('creator'),
      term: queryName('term'),
    },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `unknown name ${issue.keys.join(', ')}: allowed are ${queryMeanings.join(', ')}`
          : `a JSON object such as {"term":"q"}`,
    },
  )
  .superRefine((names, context) => {
    for (const meaning of queryMeanings) {
      const twin = queryMeanings.find((other) => other < meaning && names[other] === names[meaning])
      if (twin === undefined) continue
      context.addIssue({
        code: 'custom',
        path: [meaning],
        message: `${meaning} and ${twin} cannot both be called ${names[meaning]}`,
      })
    }
  })
