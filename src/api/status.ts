import { z } from 'zod'

/** The words that the listing filters by, in the order of an asset's life. */
export const listStatuses = ['incoming', 'live', 'graduated'] as const
/** A word that the listing filters by. */
export type ListStatus = (typeof listStatuses)[number]

/** The words of the document for how an asset is doing: three that the listing filters by, and `stall`. */
const statuses = [...listStatuses, 'stall'] as const
/** How an asset is doing. */
export type AssetStatus = (typeof statuses)[number]
/** The document's word for each of the interface's, by the interface's word in lower case. */
export type StatusWords = ReadonlyMap<string, AssetStatus>

/** Whether a word is one that the listing filters by. */
export function isListStatus(word: string | undefined): word is ListStatus {
  return listStatuses.some((each) => each === word)
}

/** Whether a word is one of the document's. */
export function isStatus(word: string | undefined): word is AssetStatus {
  return statuses.some((each) => each === word)
}

const own: readonly (readonly [string, AssetStatus])[] = statuses.map((word) => [word, word])
/** The document's words alone. */
export const defaultStatusWords: StatusWords = new Map(own)

const maxWord = 64

/**
 * The setting API_STATUS: what the interface calls what the document calls incoming, live, graduated and stall, such as
 * `live=auction_live,live=auction_open,graduated=migrated`. The document's own words mean what they say unless the
 * setting says otherwise.
 */
export const statusWordsSchema = z.string().transform((text, context): StatusWords => {
  const words = new Map(own)
  const named = new Map<string, AssetStatus>()
  for (const pair of text.split(',').filter((each) => each.trim() !== '')) {
    const [, meaning = '', word = ''] = /^([^=]*)=(.*)$/su.exec(pair) ?? []
    const status = statuses.find((each) => each === meaning.trim().toLowerCase())
    const key = word.trim().toLowerCase()
    const problem = problemOf(pair, status, key, named)
    if (problem !== undefined || status === undefined) {
      context.addIssue({ code: 'custom', message: problem ?? 'it is wrong' })
      return z.NEVER
    }
    named.set(key, status)
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
