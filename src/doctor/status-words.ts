import type { ReadAssets } from '../api/answers.ts'
import { isStatus, type ListStatus, listStatuses, type StatusWords } from '../api/status.ts'
import type { Inquiry } from './inquiry.ts'
import { isUnchanged } from './judge.ts'
import type { StatusFinding } from './report.ts'

/** Finds out what the words in `asset_status` stand for: one that comes in a single list alone is that list's. */
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
  // One of the document's own is what it says, unless it comes under another list alone.
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

/** The bot leaves out of a list what says that it is something else. */
function ambiguous(word: string, found: readonly ListStatus[]): StatusFinding {
  const detail = `under several: ${found.join(', ')}; the bot lists them as ${word} alone`
  return { word, verdict: 'unknown', detail }
}

/** Under which lists each word comes; nothing where the filter makes no difference. */
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
  const all = await inquiry.list('status', [part])
  if ('error' in all) return words
  note(all.value)
  const answers: ReadAssets[] = []
  for (const list of listStatuses) {
    const answer = await inquiry.list('status', [{ ...part, value: list }])
    // A word may stand in the list that is not known.
    if ('error' in answer) return new Map()
    answers.push(answer.value)
    note(answer.value, list)
  }
  const hasEffect = answers.some((answer) => !isUnchanged(all.value, answer))
  return hasEffect ? words : new Map()
}

/** Whether API_STATUS can hold the word: it is pairs with commas between them, pasted into a file. */
function canBeSet(word: string): boolean {
  return /^[\p{L}\p{N}](?:[\p{L}\p{N} _.:/-]{0,62}[\p{L}\p{N}])?$/u.test(word)
}
