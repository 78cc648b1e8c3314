import { z } from 'zod'

/** The statuses that the list can be filtered by, in the order of an asset's life. */
export const listStatuses = ['incoming', 'live', 'graduated'] as const
/** A status that the list can be filtered by. */
export type ListStatus = (typeof listStatuses)[number]

/** The document's statuses of an asset: those that the list can be filtered by, and `stall`. */
const statuses = [...listStatuses, 'stall'] as const
/** Status of an asset. */
export type AssetStatus = (typeof statuses)[number]
/** Maps the interface's own status words, in lower case, to the document's. */
export type StatusWords = ReadonlyMap<string, AssetStatus>

/** Whether the list can be filtered by this word. */
export function isListStatus(word: string | undefined): word is ListStatus {
  return listStatuses.some((each) => each === word)
}

/** Whether this is one of the document's statuses. */
export function isStatus(word: string | undefined): word is AssetStatus {
  return statuses.some((each) => each === word)
}

const documentedWords: readonly (readonly [string, AssetStatus])[] = statuses.map((word) => [
  word,
  word,
])
/** The document's words only, without synonyms. */
export const defaultStatusWords: StatusWords = new Map(documentedWords)

const maxWord = 64

/**
 * Schema of API_STATUS: the interface's own words for the document's incoming, live, graduated and stall, such as
 * `live=auction_live,live=auction_open,graduated=migrated`. The document's own words keep their meaning unless the
 * setting overrides them.
 */
export const statusWordsSchema = z.string().transform((text, context): StatusWords => {
  const words = new Map(documentedWords)
  const overrides = new Map<string, AssetStatus>()
  for (const pair of text.split(',').filter((each) => each.trim() !== '')) {
    const [, meaning = '', word = ''] = /^([^=]*)=(.*)$/su.exec(pair) ?? []
    const status = statuses.find((each) => each === meaning.trim().toLowerCase())
    const key = word.trim().toLowerCase()
    const problem = problemOf(pair, status, key, overrides)
    if (problem !== undefined || status === undefined) {
      context.addIssue({ code: 'custom', message: problem ?? 'it is wrong' })
      return z.NEVER
    }
    overrides.set(key, status)
    words.set(key, status)
  }
  return words
})

function problemOf(
  pair: string,
  status: AssetStatus | undefined,
  key: string,
  named: ReadonlyMap<string, AssetStatus>,
): string | undefined {
  if (status === undefined) {
    return `${JSON.stringify(pair.trim())} is not like live=auction_live; before the = stands one of ${statuses.join(', ')}`
  }
  if (key === '' || key.length > maxWord) {
    return `after ${status}= stands the interface’s own word, of 1 to ${maxWord} characters`
  }
  const other = named.get(key)
  return other === undefined || other === status
    ? undefined
    : `${key} cannot mean both ${other} and ${status}`
}
