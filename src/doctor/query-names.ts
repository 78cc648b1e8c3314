import type { ReadAssets } from '../api/asset.ts'
import {
  isStatus,
  type ListStatus,
  listStatuses,
  type QueryMeaning,
  type QueryNames,
  queryMeanings,
  type StatusWords,
} from '../api/schema.ts'
import {
  baseMeanings,
  isBaseMeaning,
  isRequirable,
  type LimitedApi,
  type NoAnswer,
  neutralParameter,
} from './limited-api.ts'
import { ListQuery } from './list-query.ts'
import {
  clipped,
  type NameFinding,
  type StatusFinding,
  type TriedName,
  type Verdict,
} from './report.ts'
import { lineToFill } from './settings.ts'
import { commonNames, pageNames, SuggestedNames } from './suggested-names.ts'
import { isUnchanged, type TrialResult, tryNames } from './trial.ts'

/** Verdicts on the names, the names that work, and the list query that uses them. */
export interface CheckedNames {
  findings: NameFinding[]
  /** The configured names, corrected by the findings. */
  names: QueryNames
  listQuery: ListQuery
}

/** Order of judging: first the parameters that all other questions are sent with. */
const checkOrder: readonly QueryMeaning[] = [
  ...(['chain', 'limit', 'offset', 'status'] as const),
  ...queryMeanings.filter((meaning) => !isBaseMeaning(meaning)),
]

/**
 * Judges every query name by the difference that it makes on the first of the chains, within a question that the
 * API answers, and searches for another name if it makes none.
 */
export async function checkNames(
  api: LimitedApi,
  names: QueryNames,
  [chain, otherChain]: readonly [number, ...number[]],
): Promise<CheckedNames | NoAnswer> {
  const suggested = new SuggestedNames()
  const listQuery = await ListQuery.begin({ api, names, chain, suggested })
  if ('error' in listQuery) return listQuery
  const run = new NameCheck(listQuery, names, otherChain)
  return { findings: await run.findings(), names: run.found(), listQuery }
}

const maxPairs = 120

class NameCheck {
  readonly #listQuery: ListQuery
  readonly #names: QueryNames
  readonly #otherChain: number | undefined
  readonly #findings = new Map<QueryMeaning, NameFinding>()
  /** Original verdicts of names that count as wrong until no better one is found. */
  readonly #doubtfulVerdicts = new Map<QueryMeaning, Verdict>()

  constructor(listQuery: ListQuery, names: QueryNames, otherChain: number | undefined) {
    this.#listQuery = listQuery
    this.#names = names
    this.#otherChain = otherChain
  }

  async findings(): Promise<NameFinding[]> {
    for (const meaning of checkOrder) await this.#tryNames(meaning)
    await this.#searchInCategory()
    await this.#findPair()
    // Retry the open ones: more names work now, some became free, and refusals have mentioned others.
    for (const { meaning } of this.#open()) {
      await this.#tryNames(meaning, isBaseMeaning(meaning) ? undefined : this.#finding(meaning))
    }
    this.#restoreDoubtful()
    return queryMeanings.flatMap((meaning) => this.#findings.get(meaning) ?? [])
  }

  async #tryNames(meaning: QueryMeaning, known?: NameFinding): Promise<void> {
    const finding = known ?? (await this.#checkConfigured(meaning))
    this.#findings.set(meaning, finding)
    if (finding.verdict === 'wrong') await this.#findBetter(finding)
    await this.#adopt(meaning)
  }

  /** Restores doubtful names without a better one, unless another parameter turned out to use them. */
  #restoreDoubtful(): void {
    for (const finding of this.#open()) {
      const { meaning, name, detail } = finding
      const verdict = this.#doubtfulVerdicts.get(meaning)
      if (verdict === undefined || this.#isTaken(name, meaning)) continue
      this.#findings.set(meaning, { meaning, name, verdict, detail, tried: [] })
    }
  }

  /** Returns the configured names corrected by the findings, without duplicates. */
  found(): QueryNames {
    const names = { ...this.#names }
    for (const { meaning, better } of this.#findings.values()) {
      if (better !== undefined) names[meaning] = better
    }
    for (const { meaning } of this.#open()) {
      const others = queryMeanings.filter((each) => each !== meaning).map((each) => names[each])
      if (!others.includes(names[meaning])) continue
      const free = this.#listQuery.suggested
        .candidates(meaning)
        .find((each) => !others.includes(each))
      names[meaning] = free ?? `${meaning}_`
    }
    return names
  }

  #finding(meaning: QueryMeaning): NameFinding {
    const finding = this.#findings.get(meaning)
    if (finding) return finding
    throw new Error(`${meaning} was not checked`)
  }

  #open(): NameFinding[] {
    return [...this.#findings.values()].filter(
      ({ verdict, better }) => verdict === 'wrong' && better === undefined,
    )
  }

  #effect(
    meaning: QueryMeaning,
    names: readonly string[],
    isCandidate: boolean,
  ): Promise<TrialResult> {
    return tryNames(this.#listQuery, { meaning, names, isCandidate }, this.#otherChain)
  }

  async #checkConfigured(meaning: QueryMeaning): Promise<NameFinding> {
    const name = this.#names[meaning]
    const result = await this.#effect(meaning, [name], false)
    const { effect, detail, isDoubtful } = result
    const likely = effect === undefined ? 'unknown' : effect ? 'ok' : 'wrong'
    if (isDoubtful) this.#doubtfulVerdicts.set(meaning, likely)
    else this.#doubtfulVerdicts.delete(meaning)
    const verdict = isDoubtful ? 'wrong' : likely
    const tried = verdict === 'wrong' ? [triedName(name, result)] : []
    return { meaning, name, verdict, detail, tried }
  }

  async #findBetter(finding: NameFinding): Promise<void> {
    const { meaning, tried = [] } = finding
    const known = new Set(tried.map(({ name }) => name))
    const { base, suggested } = this.#listQuery
    const answered = base.parameters
      .filter((parameter) => parameter.meaning === meaning)
      .map(({ name }) => name)
    const candidates = [
      ...new Set([...answered, ...suggested.candidates(meaning), ...suggested.ofUnknownMeaning()]),
    ].filter((name) => !known.has(name) && !this.#isTaken(name, meaning))
    const counting = meaning === 'offset' ? pageNames.filter((name) => !known.has(name)) : []
    const found = await this.#firstThatWorks(meaning, [...candidates, ...counting])
    const { better, countsPages } = found
    this.#findings.set(meaning, {
      ...finding,
      tried: [...tried, ...found.tried],
      ...(better !== undefined && { better }),
      ...(better === undefined && countsPages !== undefined && { countsPages }),
    })
  }

  /** Searches for the term's name again with a category, which some searches require. */
  async #searchInCategory(): Promise<void> {
    const { verdict, better, tried = [] } = this.#finding('term')
    if (verdict !== 'wrong' || better !== undefined) return
    const known = this.#names.category
    const others = this.#listQuery.suggested.candidates('category').filter((name) => name !== known)
    const found = this.#finding('category').better
    const refusesUnknownNames = await this.#listQuery.refusesUnknownNames()
    this.#listQuery.searchInCategory(
      refusesUnknownNames || found ? [found ?? known] : [known, ...others],
    )
    const again = await this.#checkConfigured('term')
    this.#findings.set('term', again)
    if (again.verdict === 'wrong') await this.#findBetter(again)
    const now = this.#finding('term')
    if (now.verdict === 'wrong' && now.better === undefined) {
      this.#listQuery.searchInCategory([])
      this.#findings.set('term', { ...now, tried })
    }
  }

  /** Finds a limit that is refused without an offset, and vice versa. */
  async #findPair(): Promise<void> {
    const open = this.#open().map(({ meaning }) => meaning)
    if (!open.includes('limit') || !open.includes('offset')) return
    if (!(await this.#listQuery.refusesUnknownNames())) return
    const { suggested, chain } = this.#listQuery
    const ranked = (meaning: 'limit' | 'offset') =>
      suggested
        .candidates(meaning)
        .map((name, rank) => ({ rank, parameter: neutralParameter(meaning, name, chain) }))
    const pairs = ranked('limit')
      .flatMap((limit) => ranked('offset').map((offset) => [limit, offset] as const))
      .sort(([one, two], [three, four]) => one.rank + two.rank - three.rank - four.rank)
      .slice(0, maxPairs)
    for (const pair of pairs) {
      const parameters = pair.map(({ parameter }) => parameter)
      if (await this.#listQuery.adopt(['limit', 'offset'], parameters)) return
    }
  }

  async #firstThatWorks(meaning: QueryMeaning, candidates: readonly string[]) {
    const tried: TriedName[] = []
    let countsPages: string | undefined
    if (candidates.length > 1 && !(await this.#listQuery.refusesUnknownNames())) {
      // If unknown names are accepted, send all at once: an unchanged answer rules out all of them.
      const all = await this.#effect(meaning, candidates, false)
      if (all.isIgnored) return { tried: candidates.map((name) => triedName(name, all)) }
    }
    for (const name of candidates) {
      const result = await this.#effect(meaning, [name], true)
      if (result.effect) return { better: name, tried }
      if (result.isUnanswered) break
      if (result.countsPages) countsPages ??= name
      tried.push(triedName(name, result))
    }
    return { tried, countsPages }
  }

  async #adopt(meaning: QueryMeaning): Promise<void> {
    const finding = this.#finding(meaning)
    if (!isRequirable(meaning) || finding.verdict === 'unknown') return
    if (!isBaseMeaning(meaning) && !this.#listQuery.has(meaning)) return
    const isKept = finding.verdict === 'ok' || this.#doubtfulVerdicts.get(meaning) === 'ok'
    const works = finding.better ?? (isKept ? finding.name : undefined)
    if (works === undefined && this.#doubtfulVerdicts.has(meaning)) return
    const { chain } = this.#listQuery
    const parameters = works === undefined ? [] : [neutralParameter(meaning, works, chain)]
    await this.#listQuery.adopt([meaning], parameters)
  }

  /** Whether another parameter uses this name, or must be assumed to. */
  #isTaken(name: string, meaning: QueryMeaning): boolean {
    return queryMeanings.some((other) => {
      if (other === meaning) return false
      const finding = this.#findings.get(other)
      if (finding?.better !== undefined) return finding.better === name
      return finding?.verdict !== 'wrong' && this.#names[other] === name
    })
  }
}

function triedName(name: string, { detail, isIgnored, refused }: TrialResult): TriedName {
  if (refused) return { name, answer: detail }
  return { name, answer: isIgnored ? 'no difference' : detail }
}

const maxAnswerLength = 160

/** Advice about names that were not found: the names tried, the answers, and the line to fill in. */
export function nameAdvice(findings: readonly NameFinding[], now: QueryNames): string[] {
  const open = findings.filter(({ verdict, better }) => verdict === 'wrong' && !better)
  const askable = open.filter(({ countsPages }) => countsPages === undefined)
  if (askable.length === 0) return open.map(paragraph)
  return [
    ...open.map(paragraph),
    'Ask who runs the API for these names, write them in place of …, and take the # away:',
    lineToFill(
      now,
      askable.map(({ meaning }) => meaning),
    ),
  ]
}

/** Advice if no list question was answered, whatever its parameters. */
export function refusedAdvice({ queryNames }: { queryNames: QueryNames }, asked: number): string[] {
  return [
    `${asked} questions were tried, with fewer parameters and with other names for them:`,
    ...baseMeanings.map((meaning) => `for ${meaning}: ${commonNames[meaning].join(', ')}.`),
    'Ask who runs the API for these names, write them in place of …, and take the # away:',
    lineToFill(queryNames, baseMeanings),
  ]
}

function paragraph({ meaning, name, detail, tried = [], countsPages }: NameFinding): string {
  const others = tried.filter((each) => each.name !== name && each.name !== countsPages)
  // Most refusals differ only in the name.
  const answer = [...Map.groupBy(others, (each) => withoutName(each))]
  return [
    `"${name}" for ${meaning} does not work (${clipped(detail, maxAnswerLength)}).`,
    answer.length === 0 ? '' : `Tried, too: ${answer.map(triedText).join('; ')}.`,
    countsPages === undefined
      ? ''
      : `"${countsPages}" counts pages instead of assets, and that is no offset: there is no setting for it.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

/** Returns the answer to a tried name, without the name, so that equal answers can be grouped. */
function withoutName({ name, answer }: TriedName): string {
  const word = name.replaceAll(/[.[\]]/gu, '\\$&')
  return answer.replaceAll(new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'gu'), '…')
}

function triedText([answer, tried]: [string, TriedName[]]): string {
  return `${tried.map(({ name }) => name).join(', ')} (${clipped(answer, maxAnswerLength)})`
}

/**
 * Finds the meaning of the words in `asset_status`: a word that occurs in a single list only has that list's status.
 */
export async function checkStatuses(
  listQueries: readonly ListQuery[],
  own: StatusWords,
): Promise<StatusFinding[]> {
  const seen = new Map<string, Set<ListStatus>>()
  for (const listQuery of listQueries) {
    for (const [word, found] of await wordsOf(listQuery)) {
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
  if (present === only) return [{ word, verdict: 'ok', detail: `set as ${only}` }]
  if (!canBeSet(word)) return [{ word, verdict: 'unknown', detail: `${detail}, but not to be set` }]
  return [{ word, verdict: 'wrong', detail, better: only }]
}

/** Reports an ambiguous word; the bot leaves assets out of a list if their status contradicts it. */
function ambiguous(word: string, found: readonly ListStatus[]): StatusFinding {
  const detail = `under several: ${found.join(', ')}; the bot lists them as ${word} alone`
  return { word, verdict: 'unknown', detail }
}

/** Returns the lists in which each word occurs; empty if the filter has no effect. */
async function wordsOf(listQuery: ListQuery): Promise<Map<string, Set<ListStatus>>> {
  const words = new Map<string, Set<ListStatus>>()
  const [parameter] = listQuery.otherParameters(['status'])
  if (!parameter) return words
  const note = ({ assets }: ReadAssets, list?: ListStatus) => {
    for (const { asset_status } of assets) {
      const word = asset_status?.toLowerCase()
      if (word === undefined) continue
      const found = words.get(word) ?? new Set()
      words.set(word, list === undefined ? found : found.add(list))
    }
  }
  const all = await listQuery.list('status', [parameter.name], parameter.value)
  if ('error' in all) return words
  note(all.value)
  const answers: ReadAssets[] = []
  for (const list of listStatuses) {
    const answer = await listQuery.list('status', [parameter.name], list)
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
