import type { ReadAssets } from '../api/answers.ts'
import { isStatus, type ListStatus, listStatuses, type StatusWords } from '../api/status.ts'
import type { Inquiry } from './inquiry.ts'
import { isUnchanged } from './judge.ts'
import type { StatusFinding } from './report.ts'

/**
 * Finds the meaning of the words in `asset_status`: a word that occurs in a single list only has that list's status.
 */
export async function judgeStatuses(
  inquiries: readonly Inquiry[],
  own: StatusWords,
): Promise<StatusFinding[]> {
  const seen = new Map<string, Set<ListStatus>>()
  for (const inquiry of inquiries) {
    for (const [word, found] of await wordsOf(inquiry)) {
      seen.set(word, new Set([...(seen.get(word) ?? []), ...found]))
    }
  }
  return [...seen].flatMap(([word, found]) => finding(word, [...found], own))
}

function finding(word: string, found: readonly ListStatus[], own: StatusWords): StatusFinding[] {
  const set = own.get(word)
  const present = set === word ? undefined : set
  // A documented word keeps its meaning, unless it occurs only in another list.
  const isOwn = found.length === 0 || found.some((list) => list === word)
  const [only, ...others] = found
  if (present === undefined && isStatus(word) && isOwn) {
    return others.length > 0 && word !== 'stall' ? [ambiguous(word, found)] : []
  }
  if (only === undefined) {
    const detail = `under no list; if it means stalled, add stall=${word} to API_STATUS`
    return present === undefined ? [{ word, verdict: 'unknown', detail }] : []
  }
  if (others.length > 0) {
    return present === undefined
      ? [{ word, verdict: 'unknown', detail: `under several: ${found.join(', ')}` }]
      : []
  }
  const detail = `only among ${only}`
  if (present === only) return [{ word, verdict: 'well', detail: `set as ${only}` }]
  if (!canBeSet(word)) return [{ word, verdict: 'unknown', detail: `${detail}, but not to be set` }]
  return [{ word, verdict: 'wrong', detail, better: only }]
}

/** Reports an ambiguous word; the bot leaves assets out of a list if their status contradicts it. */
function ambiguous(word: string, found: readonly ListStatus[]): StatusFinding {
  const detail = `under several: ${found.join(', ')}; the bot lists them as ${word} alone`
  return { word, verdict: 'unknown', detail }
}

/** Returns the lists in which each word occurs; empty if the filter has no effect. */
async function wordsOf(inquiry: Inquiry): Promise<Map<string, Set<ListStatus>>> {
  const words = new Map<string, Set<ListStatus>>()
  const [part] = inquiry.around(['status'])
  if (!part) return words
  const note = ({ assets }: ReadAssets, list?: ListStatus) => {
    for (const { asset_status } of assets) {
      const word = asset_status?.toLowerCase()
      if (word === undefined) continue
      const found = words.get(word) ?? new Set()
      words.set(word, list === undefined ? found : found.add(list))
    }
  }
  const all = await inquiry.list('status', [part.name], part.value)
  if ('error' in all) return words
  note(all.value)
  const answers: ReadAssets[] = []
  for (const list of listStatuses) {
    const answer = await inquiry.list('status', [part.name], list)
    // The word may also be in the list that failed.
    if ('error' in answer) return new Map()
    answers.push(answer.value)
    note(answer.value, list)
  }
  const hasEffect = answers.some((answer) => !isUnchanged(all.value, answer))
  return hasEffect ? words : new Map()
}

/** Whether API_STATUS can hold the word: the setting is comma-separated pairs in a file. */
function canBeSet(word: string): boolean {
  return /^[\p{L}\p{N}](?:[\p{L}\p{N} _.:/-]{0,62}[\p{L}\p{N}])?$/u.test(word)
}
