import { type QueryMeaning, type QueryNames, queryMeanings } from '../api/query-names.ts'
import {
  type Base,
  baseMeanings,
  findBase,
  Heard,
  Inquiry,
  isAskable,
  isBaseMeaning,
  ordinary,
  otherNames,
  pageNames,
} from './inquiry.ts'
import { Judge, type Judgement } from './judge.ts'
import type { NoAnswer, Probe } from './probe.ts'
import { clipped, type NameFinding, type TriedName, type Verdict } from './report.ts'
import { lineToFill } from './settings.ts'

/** Input for judging query names. */
interface JudgeInput {
  probe: Probe
  names: QueryNames
  /** The operator's chains; all judgements but one use the first. */
  chains: readonly [number, ...number[]]
}

/** Verdicts on the names, the names that work, and an inquiry that uses them. */
export interface JudgedNames {
  findings: NameFinding[]
  /** The configured names, corrected by the findings. */
  names: QueryNames
  inquiry: Inquiry
}

/** Order of judging: first the parameters that all other questions are sent with. */
const order: readonly QueryMeaning[] = [
  ...(['chain', 'limit', 'offset', 'status'] as const),
  ...queryMeanings.filter((meaning) => !isBaseMeaning(meaning)),
]

/**
 * Judges every query name by the difference that it makes, within a question that the interface answers, and searches
 * for another name if it makes none.
 */
export async function judgeNames(ground: JudgeInput): Promise<JudgedNames | NoAnswer> {
  const { probe, names, chains } = ground
  const heard = new Heard()
  const [chain, otherChain] = chains
  const base: Base | NoAnswer = await findBase({ probe, names, chain, heard })
  if ('error' in base) return base
  const inquiry = new Inquiry({ probe, heard, chain, names, base })
  const run = new NameJudging({ inquiry, judge: new Judge(inquiry, otherChain), names })
  return { findings: await run.findings(), names: run.found(), inquiry }
}

const maxPairs = 120

class NameJudging {
  readonly #inquiry: Inquiry
  readonly #judge: Judge
  readonly #names: QueryNames
  readonly #findings = new Map<QueryMeaning, NameFinding>()
  /** Original verdicts of names that count as wrong until no better one is found. */
  readonly #doubtfulVerdicts = new Map<QueryMeaning, Verdict>()

  constructor(parts: { inquiry: Inquiry; judge: Judge; names: QueryNames }) {
    this.#inquiry = parts.inquiry
    this.#judge = parts.judge
    this.#names = parts.names
  }

  async findings(): Promise<NameFinding[]> {
    for (const meaning of order) {
      const finding = await this.#judgeConfigured(meaning)
      this.#findings.set(meaning, finding)
      if (finding.verdict === 'wrong') await this.#findBetter(finding)
      await this.#settle(meaning)
    }
    await this.#searchInCategory()
    await this.#findPair()
    // Retry the open ones: more names work now, some became free, and refusals have mentioned others.
    for (const { meaning } of this.#open()) {
      const again = isBaseMeaning(meaning)
        ? await this.#judgeConfigured(meaning)
        : this.#finding(meaning)
      this.#findings.set(meaning, again)
      if (again.verdict === 'wrong') await this.#findBetter(again)
      await this.#settle(meaning)
    }
    this.#restoreDoubtful()
    return queryMeanings.flatMap((meaning) => this.#findings.get(meaning) ?? [])
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
      const free = this.#inquiry.heard.candidates(meaning).find((each) => !others.includes(each))
      names[meaning] = free ?? `${meaning}_`
    }
    return names
  }

  #finding(meaning: QueryMeaning): NameFinding {
    const finding = this.#findings.get(meaning)
    if (finding) return finding
    throw new Error(`${meaning} was not judged`)
  }

  #open(): NameFinding[] {
    return [...this.#findings.values()].filter(
      ({ verdict, better }) => verdict === 'wrong' && better === undefined,
    )
  }

  async #judgeConfigured(meaning: QueryMeaning): Promise<NameFinding> {
    const name = this.#names[meaning]
    const judgement = await this.#judge.judge(meaning, [name], false)
    const { effect, how: detail, isDoubtful } = judgement
    const likely = effect === undefined ? 'unknown' : effect ? 'well' : 'wrong'
    if (isDoubtful) this.#doubtfulVerdicts.set(meaning, likely)
    else this.#doubtfulVerdicts.delete(meaning)
    const verdict = isDoubtful ? 'wrong' : likely
    const tried = verdict === 'wrong' ? [triedName(name, judgement)] : []
    return { meaning, name, verdict, detail, tried }
  }

  async #findBetter(finding: NameFinding): Promise<void> {
    const { meaning, tried = [] } = finding
    const known = new Set(tried.map(({ name }) => name))
    const { base, heard } = this.#inquiry
    const answered = base.parts.filter((part) => part.meaning === meaning).map(({ name }) => name)
    const candidates = [
      ...new Set([...answered, ...heard.candidates(meaning), ...heard.loose()]),
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
    const others = this.#inquiry.heard.candidates('category').filter((name) => name !== known)
    const found = this.#finding('category').better
    const isStrict = await this.#inquiry.isStrict()
    this.#inquiry.searchInCategory(isStrict || found ? [found ?? known] : [known, ...others])
    const again = await this.#judgeConfigured('term')
    this.#findings.set('term', again)
    if (again.verdict === 'wrong') await this.#findBetter(again)
    const now = this.#finding('term')
    if (now.verdict === 'wrong' && now.better === undefined) {
      this.#inquiry.searchInCategory([])
      this.#findings.set('term', { ...now, tried: tried })
    }
  }

  /** Finds a limit that is refused without an offset, and vice versa. */
  async #findPair(): Promise<void> {
    const open = this.#open().map(({ meaning }) => meaning)
    if (!open.includes('limit') || !open.includes('offset')) return
    if (!(await this.#inquiry.isStrict())) return
    const { heard, chain } = this.#inquiry
    const part = (meaning: 'limit' | 'offset') => (name: string, place: number) => ({
      place,
      part: { meaning, name, value: ordinary(meaning, chain) },
    })
    const offsets = heard.candidates('offset').map(part('offset'))
    const pairs = heard
      .candidates('limit')
      .map(part('limit'))
      .flatMap((limit) => offsets.map((offset) => [limit, offset] as const))
      .sort(([one, two], [three, four]) => one.place + two.place - three.place - four.place)
      .slice(0, maxPairs)
    await this.#inquiry.settlePair(pairs.map((pair) => pair.map((each) => each.part)))
  }

  async #firstThatWorks(meaning: QueryMeaning, candidates: readonly string[]) {
    const tried: TriedName[] = []
    let countsPages: string | undefined
    if (candidates.length > 1 && !(await this.#inquiry.isStrict())) {
      // If unknown names are accepted, send all at once: an unchanged answer rules out all of them.
      const all = await this.#judge.judge(meaning, candidates, false)
      if (all.isIgnored) return { tried: candidates.map((name) => triedName(name, all)) }
    }
    for (const name of candidates) {
      const judgement = await this.#judge.judge(meaning, [name], true)
      if (judgement.effect) return { better: name, tried }
      if (judgement.isUnanswered) break
      if (judgement.countsPages) countsPages ??= name
      tried.push(triedName(name, judgement))
    }
    return { tried, countsPages }
  }

  async #settle(meaning: QueryMeaning): Promise<void> {
    const finding = this.#finding(meaning)
    if (!isAskable(meaning) || finding.verdict === 'unknown') return
    if (!isBaseMeaning(meaning) && !this.#inquiry.has(meaning)) return
    const isKept = finding.verdict === 'well' || this.#doubtfulVerdicts.get(meaning) === 'well'
    const works = finding.better ?? (isKept ? finding.name : undefined)
    if (works === undefined && this.#doubtfulVerdicts.has(meaning)) return
    await this.#inquiry.settle(meaning, works)
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

function triedName(name: string, { how, isIgnored, refused }: Judgement): TriedName {
  if (refused) return { name, came: how }
  return { name, came: isIgnored ? 'no difference' : how }
}

const maxAnswerLength = 160

/** Advice about names that were not found: the names tried, the answers, and the line to fill in. */
export function nameAdvice(findings: readonly NameFinding[], now: QueryNames): string[] {
  const open = findings.filter(({ verdict, better }) => verdict === 'wrong' && !better)
  const askable = open.filter(({ countsPages }) => countsPages === undefined)
  if (askable.length === 0) return open.map(paragraph)
  return [
    ...open.map(paragraph),
    'Ask who runs the interface for these names, write them in place of …, and take the # away:',
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
    ...baseMeanings.map((meaning) => `for ${meaning}: ${otherNames[meaning].join(', ')}.`),
    'Ask who runs the interface for these names, write them in place of …, and take the # away:',
    lineToFill(queryNames, baseMeanings),
  ]
}

function paragraph({ meaning, name, detail, tried = [], countsPages }: NameFinding): string {
  const others = tried.filter((each) => each.name !== name && each.name !== countsPages)
  // Most refusals differ only in the name.
  const came = [...Map.groupBy(others, (each) => withoutName(each))]
  return [
    `"${name}" for ${meaning} does not work (${clipped(detail, maxAnswerLength)}).`,
    came.length === 0 ? '' : `Tried, too: ${came.map(triedText).join('; ')}.`,
    countsPages === undefined
      ? ''
      : `"${countsPages}" counts pages instead of assets, and that is no offset: there is no setting for it.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

/** Returns the answer to a tried name, without the name, so that equal answers can be grouped. */
function withoutName({ name, came }: TriedName): string {
  const word = name.replaceAll(/[.[\]]/gu, '\\$&')
  return came.replaceAll(new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'gu'), '…')
}

function triedText([came, tried]: [string, TriedName[]]): string {
  return `${tried.map(({ name }) => name).join(', ')} (${clipped(came, maxAnswerLength)})`
}
