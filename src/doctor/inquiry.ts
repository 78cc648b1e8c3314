import type { ReadAssets } from '../api/answers.ts'
import type { Query } from '../api/http.ts'
import {
  isQueryName,
  type QueryMeaning,
  type QueryNames,
  queryMeanings,
} from '../api/query-names.ts'
import { categories, maxLimit } from '../api/requests.ts'
import { type Answer, isRefused, type NoAnswer, type Probe } from './probe.ts'
import { namedIn } from './refusals.ts'

/** Tests single parameters of the interface, together with those that it requires. */
export class Inquiry {
  readonly probe: Probe
  readonly heard: Heard
  readonly chain: number
  readonly #names: QueryNames
  #base: Base
  #refusesUnknownNames: boolean | undefined
  #alongSearch: readonly Part[] = []

  constructor({
    probe,
    heard,
    chain,
    names,
    base,
  }: {
    probe: Probe
    heard: Heard
    chain: number
    names: QueryNames
    base: Base
  }) {
    this.probe = probe
    this.heard = heard
    this.chain = chain
    this.#names = names
    this.#base = base
  }

  get base(): Base {
    return this.#base
  }

  /** Makes an inquiry for another chain; returns the failure if it can't be listed. */
  async on(chain: number): Promise<Inquiry | NoAnswer> {
    const otherParts = this.#base.parts.map((part) =>
      part.meaning === 'chain' ? { ...part, value: chain } : part,
    )
    const answer = await this.probe.list(queryOf(otherParts))
    if ('error' in answer) return answer
    const base = { parts: otherParts, answer: answer.value }
    return new Inquiry({ probe: this.probe, heard: this.heard, chain, names: this.#names, base })
  }

  /** Whether the interface refuses unknown names, so that a refusal says nothing about a value. */
  async isStrict(): Promise<boolean> {
    const query = { ...queryOf(this.#base.parts), gavelDoctor: 'x' }
    this.#refusesUnknownNames ??= isRefused(await this.probe.list(query))
    return this.#refusesUnknownNames
  }

  /** Lists with these parameters in place of the base question's for the same meaning. */
  async list(meaning: QueryMeaning, own: readonly Part[]): Promise<Answer<ReadAssets>> {
    const ask = (parts: readonly Part[]) => this.probe.list(queryOf(parts))
    return this.#ask(meaning, [...without(this.#base.parts, meaning), ...own], ask)
  }

  /** Parameters sent with a search beyond the bot's own: a category, if nothing is found without. */
  get alongSearch(): readonly Part[] {
    return this.#alongSearch
  }

  /** Makes later searches include the first asset's category under these names; none if empty. */
  searchInCategory(names: readonly string[]): void {
    const own = this.#base.answer.assets[0]?.asset_categories?.[0]
    const value = own ?? ordinary('category', this.chain)
    this.#alongSearch = names.map((name) => ({ meaning: 'category', name, value }))
  }

  /** Whether the base question has this parameter: it is required, or the operator configured it. */
  has(meaning: QueryMeaning): boolean {
    return this.#base.parts.some((part) => part.meaning === meaning)
  }

  /** Searches with these parameters, and with chain and limit, as the bot does. */
  async search(term: readonly Part[]): Promise<Answer<ReadAssets>> {
    const own = [...term, ...this.#alongSearch]
    const ask = (parts: readonly Part[]) => this.probe.search(queryOf(parts))
    let latest: Answer<ReadAssets> | undefined
    for (const around of [this.around(), this.around(['chain']), []]) {
      latest = await this.#ask('term', [...around, ...own], ask, ['chain', 'limit'])
      if (!isRefused(latest)) return latest
    }
    return latest ?? ask(own)
  }

  /** The parameters sent along, under the names that are known to work, or else the operator's. */
  around(meanings: readonly AskableMeaning[] = ['chain', 'limit']): Part[] {
    return meanings.flatMap((meaning) => {
      const known = this.#base.parts.filter((part) => part.meaning === meaning)
      return known.length > 0 ? known : partsOf(this.#names, this.chain, [meaning])
    })
  }

  /** Makes later questions use only this name for the meaning, or none, if the interface answers that. */
  async settle(meaning: AskableMeaning, name: string | undefined): Promise<void> {
    const value = ordinary(meaning, this.chain)
    const own = name === undefined ? [] : [{ meaning, name, value }]
    const parts = [...without(this.#base.parts, meaning), ...own]
    const answer = await this.probe.list(queryOf(parts))
    if ('error' in answer) return
    if (answer.value.received > 0 || this.#base.answer.received === 0) {
      this.#base = { parts, answer: answer.value }
    }
  }

  /** Looks for two parameters that are accepted only together; later questions use both. */
  async settlePair(pairs: readonly (readonly Part[])[]): Promise<void> {
    for (const pair of pairs) {
      const parts = [...without(this.#base.parts, ...pair.map(({ meaning }) => meaning)), ...pair]
      const answer = await this.probe.list(queryOf(parts))
      if ('error' in answer || answer.value.received === 0) continue
      this.#base = { parts, answer: answer.value }
      return
    }
  }

  // Adds names that refusals ask for. If unknown names are accepted, adds all that could be missing.
  async #ask(
    meaning: QueryMeaning,
    from: readonly Part[],
    ask: (parts: readonly Part[]) => Promise<Answer<ReadAssets>>,
    mayAdd: readonly BaseMeaning[] = baseMeanings,
  ): Promise<Answer<ReadAssets>> {
    const first = await ask(from)
    let parts = from
    let refused: Answer<ReadAssets> = first
    // Terminates: each round adds a parameter that was absent.
    while (isRefused(refused)) {
      const added = this.#missing(parts, refused, meaning, mayAdd)
      if (added.length === 0) break
      parts = [...parts, ...added]
      refused = await ask(parts)
    }
    if (!isRefused(refused) || (await this.isStrict())) return isRefused(refused) ? first : refused
    const absent = mayAdd.filter(
      (each) => each !== meaning && !from.some((part) => part.meaning === each),
    )
    if (absent.length === 0) return first
    const last = await ask([...everyName(this.chain, absent), ...from])
    return isRefused(last) ? first : last
  }

  #missing(
    parts: readonly Part[],
    refused: NoAnswer,
    asked: QueryMeaning,
    mayAdd: readonly BaseMeaning[],
  ): Part[] {
    const { wanted } = this.heard.hear(parts, refused)
    return wanted.flatMap(({ meaning, name }) => {
      const isThere = meaning === asked || parts.some((part) => part.meaning === meaning)
      if (isThere || !isBaseMeaning(meaning) || !mayAdd.includes(meaning)) return []
      return [{ meaning, name, value: ordinary(meaning, this.chain) }]
    })
  }
}

/** A list question with all required parameters, and its answer. */
export interface Base {
  parts: readonly Part[]
  answer: ReadAssets
}

interface Search {
  probe: Probe
  names: QueryNames
  chain: number
  heard: Heard
}

/** Max questions that follow hints in refusals, and max questions that try single names of unknown meaning. */
const maxGuided = 60
const maxUnknownNames = 40
/** Max questions of all kinds, after which no more single names are tried. */
const maxQuestions = 66

const reducedMeanings: readonly (readonly BaseMeaning[])[] = [
  ['chain', 'status'],
  ['limit', 'offset'],
  ['chain', 'limit', 'offset'],
  ['chain', 'status', 'limit'],
  ['status', 'limit', 'offset'],
  ['status'],
]

/**
 * Finds a question that is answered with assets: with the configured names, with fewer of them, with every common name,
 * and then following the refusals. Takes about 60 questions if all refusals are empty.
 */
export async function findBase(search: Search): Promise<Base | NoAnswer> {
  const found = await findAnsweredQuestion(search)
  return 'error' in found ? found : withoutOptional(found, search)
}

/** Drops the parameters that are optional in the document, as long as assets are listed. */
async function withoutOptional(base: Base, { probe }: Search): Promise<Base> {
  let smallest = base
  for (const { meaning } of base.parts.filter((part) => isOptionalMeaning(part.meaning))) {
    const parts = without(smallest.parts, meaning)
    const answer = await probe.list(queryOf(parts))
    if ('value' in answer && answer.value.received > 0) smallest = { parts, answer: answer.value }
  }
  return smallest
}

async function findAnsweredQuestion(search: Search): Promise<Base | NoAnswer> {
  const attempts = new Attempts(search)
  const { names, chain } = search
  const firstQuestions = [
    partsOf(names, chain),
    partsOf(names, chain, ['chain', 'limit']),
    partsOf(names, chain, ['chain']),
    [],
    everyName(chain),
  ]
  for (const parts of firstQuestions) if (await attempts.isOver(parts)) return attempts.outcome()
  if (attempts.isAnswered) await trySwappedOffset(attempts, search)
  if (attempts.isAnswered || attempts.isMissing) return attempts.outcome()
  await tryFollowingRefusals(attempts, search)
  if (!attempts.isAnswered) await tryOptional(attempts, search)
  for (const parts of singleReplacements(search)) {
    if (attempts.isAnswered || attempts.count >= maxQuestions) break
    if (await attempts.isOver(parts)) break
  }
  return attempts.outcome()
}

/** Tries names swapped with the offset's: a chain id as offset, or a limit as offset, gives an empty list. */
async function trySwappedOffset(attempts: Attempts, { names, chain }: Search): Promise<void> {
  for (const other of ['limit', 'chain'] as const) {
    const exchanged = { ...names, [other]: names.offset, offset: names[other] }
    if (await attempts.isOver(partsOf(exchanged, chain))) return
  }
}

/** Follows refusals from the configured names, then with names of unknown meaning, then from all common names. */
async function tryFollowingRefusals(attempts: Attempts, search: Search): Promise<void> {
  const { names, chain, heard } = search
  if (await attempts.follow(partsOf(names, chain), maxGuided)) return
  const unknownNames = new UnknownNames(attempts, search)
  for (const name of heard.loose()) if (await unknownNames.isFound(attempts.stuckAt, name)) return
  if (attempts.isAnswered) return
  await attempts.follow(everyName(chain), maxGuided)
}

/** Asks with parameters that are optional in the document; some interfaces require them. */
async function tryOptional(attempts: Attempts, { names, chain }: Search): Promise<void> {
  const sets = [['ordering'], ['category'], ['ordering', 'category']] as const
  for (const set of sets) {
    if (await attempts.isOver(partsOf(names, chain, [...baseMeanings, ...set]))) return
    if (attempts.isAnswered) return
  }
  await attempts.isOver(everyName(chain, [...baseMeanings, 'ordering', 'category']))
}

/** Returns parameters with all common names of these meanings at once. */
function everyName(chain: number, meanings: readonly AskableMeaning[] = baseMeanings): Part[] {
  return meanings.flatMap((meaning) =>
    otherNames[meaning].map((name) => ({ meaning, name, value: ordinary(meaning, chain) })),
  )
}

/**
 * Tries names of unknown meaning: each for the meanings that the question lacks, then in place of its other names,
 * together with names from the refusals.
 */
class UnknownNames {
  readonly #attempts: Attempts
  readonly #chain: number
  /** Name and meaning pairs that a refusal blamed. */
  readonly #wrong = new Set<string>()
  #attemptsLeft = maxUnknownNames

  constructor(attempts: Attempts, { chain }: Search) {
    this.#attempts = attempts
    this.#chain = chain
  }

  /** Whether a question with this name was answered with assets, or no further question can be. */
  async isFound(from: readonly Part[], stranger: string): Promise<boolean> {
    let around = from
    let names = [stranger]
    const asked = new Set<string>()
    for (;;) {
      const chosen = this.#assignments(names, meaningsFor(around)).find(
        (parts) => !asked.has(parts.map(keyOf).join()),
      )
      if (!chosen || this.#attemptsLeft === 0) return false
      this.#attemptsLeft -= 1
      asked.add(chosen.map(keyOf).join())
      const parts = [...without(around, ...chosen.map(({ meaning }) => meaning)), ...chosen]
      const hint = await this.#attempts.hintOf(parts)
      if (hint === 'over') return true
      if (hint === 'answered') continue
      const blamed = chosen.filter(({ name }) => hint.blamed.includes(name))
      for (const part of blamed) this.#wrong.add(keyOf(part))
      names = [...new Set([...names, ...hint.strangers])].slice(0, baseMeanings.length)
      // Also apply what the refusal says about the other names.
      const rest = { ...hint, blamed: hint.blamed.filter((name) => !names.includes(name)) }
      const mended = this.#attempts.mended(parts, rest).filter(({ name }) => !names.includes(name))
      const replaced = around.filter(
        ({ meaning }) =>
          chosen.some((part) => part.meaning === meaning) &&
          !mended.some((part) => part.meaning === meaning),
      )
      around = [...replaced, ...mended]
    }
  }

  /** Lists the ways to give each name its own meaning, without pairs that a refusal blamed. */
  #assignments(names: readonly string[], meanings: readonly BaseMeaning[]): Part[][] {
    const [name, ...others] = names
    if (name === undefined) return [[]]
    return meanings.flatMap((meaning) => {
      const part = { meaning, name, value: ordinary(meaning, this.#chain) }
      if (this.#wrong.has(keyOf(part))) return []
      const left = meanings.filter((each) => each !== meaning)
      return this.#assignments(others, left).map((rest) => [part, ...rest])
    })
  }
}

/** Returns the meanings to try, those that the question lacks first. */
function meaningsFor(parts: readonly Part[]): BaseMeaning[] {
  const isThere = (meaning: BaseMeaning) => parts.some((part) => part.meaning === meaning)
  return baseMeanings.toSorted((left, right) => Number(isThere(left)) - Number(isThere(right)))
}

function keyOf({ meaning, name }: Part): string {
  return `${meaning} ${name}`
}

function singleReplacements({ names, chain, heard }: Search): Part[][] {
  const allParts = partsOf(names, chain)
  const replaced = baseMeanings
    .flatMap((meaning) =>
      heard
        .candidates(meaning)
        .filter((name) => name !== names[meaning])
        .map((name, rank) => ({
          rank: rank,
          part: { meaning, name, value: ordinary(meaning, chain) },
        })),
    )
    // The likeliest name of each meaning first.
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ part }) => [...without(allParts, part.meaning), part])
  return [...reducedMeanings.map((meanings) => partsOf(names, chain, meanings)), ...replaced]
}

class Attempts {
  readonly #search: Search
  readonly #triedQuestions = new Set<string>()
  #base: Base | undefined
  #failure: NoAnswer | undefined
  #count = 0
  #stuckAt: readonly Part[] = []

  constructor(search: Search) {
    this.#search = search
  }

  /** Whether a question was answered, even with an empty list. */
  get isAnswered(): boolean {
    return this.#base !== undefined
  }

  /** Whether the endpoint does not exist, rather than refusing the question. */
  get isMissing(): boolean {
    return this.#failure?.error.kind === 'not-found'
  }

  get count(): number {
    return this.#count
  }

  /** The last question that following refusals led to. */
  get stuckAt(): readonly Part[] {
    return this.#stuckAt
  }

  outcome(): Base | NoAnswer {
    if (this.#base) return this.#base
    if (this.#failure) return this.#failure
    throw new Error('nothing was asked')
  }

  /** Asks and returns whether to stop: there are assets, or no further question can be answered. */
  async isOver(parts: readonly Part[]): Promise<boolean> {
    return (await this.hintOf(parts)) === 'over'
  }

  /** As `isOver`, but returns the hint in a refusal, or `answered` for an empty list. */
  async hintOf(parts: readonly Part[]): Promise<Hint | 'over' | 'answered'> {
    const { probe, heard } = this.#search
    this.#count += 1
    const answer = await probe.list(queryOf(parts))
    if ('value' in answer) {
      this.#base ??= { parts, answer: answer.value }
      if (answer.value.received === 0) return 'answered'
      this.#base = { parts, answer: answer.value }
      return 'over'
    }
    if (!this.#base && !(answer.isUnasked && this.#failure)) this.#failure = answer
    return isRefused(answer) ? heard.hear(parts, answer) : 'over'
  }

  /** Repeatedly adds what refusals ask for and drops what they blame, until one is answered or nothing new comes. */
  async follow(from: readonly Part[], most: number): Promise<boolean> {
    let parts = from
    for (let count = 0; count < most; count += 1) {
      const key = parts.map(({ name, value }) => `${name}=${value}`).join()
      if (this.#triedQuestions.has(key)) return false
      this.#stuckAt = parts
      this.#triedQuestions.add(key)
      const hint = await this.hintOf(parts)
      if (typeof hint === 'string') return true
      parts = this.mended(parts, hint)
    }
    return false
  }

  /** Returns the question with what a refusal asks for, and without what it blames. */
  mended(parts: readonly Part[], { blamed, wanted }: Hint): readonly Part[] {
    const { chain } = this.#search
    const askable = wanted.flatMap(({ meaning, name }) =>
      isAskable(meaning) ? [{ meaning, name, value: ordinary(meaning, chain) }] : [],
    )
    // Parameters that are optional in the document come last: a refusal may only offer them.
    const usual = askable.filter(({ meaning }) => isBaseMeaning(meaning))
    const added = usual.length > 0 || blamed.length > 0 ? usual : askable
    const good = parts.filter(({ name }) => !blamed.includes(name))
    if (added.length === 0) return good
    const first = added.filter(
      ({ meaning }, index) => added.findIndex((each) => each.meaning === meaning) === index,
    )
    const rest = without(
      parts.length > baseMeanings.length ? good : parts,
      ...first.map(({ meaning }) => meaning),
    )
    return [...rest, ...first]
  }
}

/** A parameter of a question. */
export interface Part {
  meaning: QueryMeaning
  name: string
  value: string | number
}

/** The parameters that an interface may require with a list of assets. */
export const baseMeanings = ['chain', 'status', 'limit', 'offset'] as const
type BaseMeaning = (typeof baseMeanings)[number]

export function isBaseMeaning(meaning: QueryMeaning): meaning is BaseMeaning {
  return baseMeanings.some((each) => each === meaning)
}

/**
 * Parameters that are optional in the document and have no neutral value: without them the newest come first, of all
 * categories. The doctor sends them if nothing is answered without; the bot can't.
 */
const optionalMeanings = ['ordering', 'category'] as const
/** Parameters that an interface may require, whatever the document says. */
type AskableMeaning = BaseMeaning | (typeof optionalMeanings)[number]

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

/** Returns parameters with these meanings under the configured names. */
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

/** Names in a refusal, by role. */
interface Hint {
  /** Names from the question that it mentions. */
  blamed: string[]
  /** Names that the question lacked, with their likely meaning. */
  wanted: { meaning: QueryMeaning; name: string }[]
  /** Names that the question lacked, of unknown meaning. */
  strangers: string[]
}

const maxUnknown = 12

/** Collects the names in refusals, limited to those that API_QUERY_NAMES accepts: they are untrusted. */
export class Heard {
  readonly #byMeaning = new Map<QueryMeaning, Set<string>>()
  readonly #unknownNames = new Set<string>()

  hear(parts: readonly Part[], { refusal }: NoAnswer): Hint {
    const sent = new Set(parts.map(({ name }) => name))
    const { named, offered, others } = namedIn(refusal)
    const unsent = [...named, ...offered].filter((name) => !sent.has(name) && isQueryName(name))
    const wanted = unsent.flatMap((name) => withMeaning(name, meaningOf(name)))
    for (const { meaning, name } of wanted) this.#names(meaning).add(name)
    const strangers = unsent.filter((name) => meaningOf(name) === undefined)
    for (const name of strangers) this.#unknownNames.add(name)
    const blamed = named.filter((name) => sent.has(name) && !offered.includes(name))
    if (blamed.length > 0 || wanted.length > 0) return { blamed, wanted, strangers }
    // Otherwise use any word that is a common parameter name.
    return {
      blamed: others.filter((name) => sent.has(name)),
      wanted: others
        .filter((name) => !sent.has(name))
        .flatMap((name) => withMeaning(name, exactMeaning(name))),
      strangers,
    }
  }

  /** Returns names to try for a meaning: first those from refusals, then common ones. */
  candidates(meaning: QueryMeaning): string[] {
    return [...new Set([...this.#names(meaning), ...otherNames[meaning]])]
  }

  /** Returns names of unknown meaning, at most `maxLoose`. */
  loose(): string[] {
    return [...this.#unknownNames].slice(0, maxUnknown)
  }

  #names(meaning: QueryMeaning): Set<string> {
    const names = this.#byMeaning.get(meaning) ?? new Set()
    this.#byMeaning.set(meaning, names)
    return names
  }
}

function withMeaning(name: string, meaning: QueryMeaning | undefined) {
  return meaning === undefined ? [] : [{ meaning, name }]
}

function exactMeaning(name: string): QueryMeaning | undefined {
  const meaning = meaningOf(name)
  return meaning && otherNames[meaning].includes(name) ? meaning : undefined
}

/** Common names of each parameter, likeliest first. */
export const otherNames: Record<QueryMeaning, readonly string[]> = {
  chain: [
    ...['chainId', 'chain_id', 'chain', 'chainID', 'network', 'networkId', 'network_id', 'chainid'],
    ...['blockchain', 'chain-id', 'filter[chain]', 'filter[chainId]', 'filter[chain_id]'],
  ],
  status: [
    ...['status', 'asset_status', 'assetStatus', 'state', 'phase', 'stage', 'auction_status'],
    ...['auctionStatus', 'status_filter', 'statusFilter', 'filter[status]', 'filter'],
  ],
  limit: [
    ...['limit', 'page_size', 'pageSize', 'per_page', 'take', 'first', 'size', 'perPage', 'count'],
    ...['page[size]', 'page[limit]', 'max_results', 'maxResults', 'page_limit', 'pageLimit', 'num'],
  ],
  offset: [
    ...['offset', 'skip', 'start', 'from', 'page[offset]', 'start_index', 'startIndex', 'start_at'],
    ...['startAt', 'page_offset', 'pageOffset', 'begin'],
  ],
  ordering: [
    ...['ordering', 'order', 'orderBy', 'order_by', 'sort', 'sortBy', 'sort_by', 'sorting'],
    ...['sort_order', 'sortOrder', 'order_type', 'orderType'],
  ],
  numeraire: [
    ...['numeraire', 'numeraireAddress', 'numeraire_address', 'quoteToken', 'quote_token', 'quote'],
    ...['quoteTokenAddress', 'quote_token_address', 'quoteAddress', 'quote_address'],
    ...['asset_numeraire_address', 'assetNumeraireAddress', 'numeraire_token', 'numeraireToken'],
    ...['currency', 'filter[numeraire]'],
  ],
  category: [
    ...['category', 'categories', 'asset_category', 'assetCategory', 'asset_categories'],
    ...['assetCategories', 'tag', 'tags', 'type', 'kind', 'filter[category]'],
  ],
  creator: [
    ...['creator', 'creatorAddress', 'creator_address', 'userAddress', 'user_address', 'user'],
    ...['owner', 'owner_address', 'ownerAddress', 'deployer', 'token_creator_address'],
    ...['tokenCreatorAddress', 'created_by', 'createdBy', 'wallet', 'wallet_address'],
    ...['walletAddress', 'launcher', 'filter[creator]'],
  ],
  term: [
    ...['term', 'q', 'query', 'search', 'searchTerm', 'search_term', 'searchQuery', 'search_query'],
    ...['keyword', 'keywords', 'text', 's', 'name', 'filter[search]'],
  ],
}

/** Common names of parameters that count pages instead of assets. */
export const pageNames = ['page', 'page[number]', 'page_number', 'pageNumber', 'page_index', 'p']

/** Substrings of other names, with the meaning; the first match counts. */
const meaningPatterns: readonly [pattern: RegExp, meaning: QueryMeaning][] = [
  [/chain|network/u, 'chain'],
  [/categor/u, 'category'],
  [/sort|order/u, 'ordering'],
  [/numeraire|quote/u, 'numeraire'],
  [/creator|owner|deployer|user|wallet|launcher/u, 'creator'],
  [/offset|skip/u, 'offset'],
  [/limit|pagesize|perpage/u, 'limit'],
  [/status|state/u, 'status'],
  [/search|term|query|keyword/u, 'term'],
]

/** Guesses the meaning of a parameter from its name alone. */
function meaningOf(name: string): QueryMeaning | undefined {
  const normalized = normalizeName(name)
  const known = queryMeanings.find((meaning) =>
    otherNames[meaning].some((other) => normalizeName(other) === normalized),
  )
  return known ?? meaningPatterns.find(([pattern]) => pattern.test(normalized))?.[1]
}

function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/gu, '')
}
