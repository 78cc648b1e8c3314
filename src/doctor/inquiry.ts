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

/** Puts single parameters to the interface, with all around them that it requires. */
export class Inquiry {
  readonly probe: Probe
  readonly heard: Heard
  readonly chain: number
  readonly #names: QueryNames
  #base: Base
  #strict: boolean | undefined
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

  /** Asks about another chain in the same way; gives the failure if it can't be listed. */
  async on(chain: number): Promise<Inquiry | NoAnswer> {
    const parts = this.#base.parts.map((part) =>
      part.meaning === 'chain' ? { ...part, value: chain } : part,
    )
    const answer = await this.probe.list(queryOf(parts))
    if ('error' in answer) return answer
    const base = { parts, answer: answer.value }
    return new Inquiry({ probe: this.probe, heard: this.heard, chain, names: this.#names, base })
  }

  /** Whether any unknown name is refused, so that a refusal says nothing about a value. */
  async isStrict(): Promise<boolean> {
    const query = { ...queryOf(this.#base.parts), gavelDoctor: 'x' }
    this.#strict ??= isRefused(await this.probe.list(query))
    return this.#strict
  }

  /** Lists with these in place of whatever the base question has for the same; or without it. */
  async list(meaning: QueryMeaning, own: readonly Part[]): Promise<Answer<ReadAssets>> {
    const ask = (parts: readonly Part[]) => this.probe.list(queryOf(parts))
    return this.#ask(meaning, [...without(this.#base.parts, meaning), ...own], ask)
  }

  /** What a search is asked with beyond what the bot sends: a category, where nothing is found without one. */
  get alongSearch(): readonly Part[] {
    return this.#alongSearch
  }

  /** From here on searches with the category of the first asset, under these names; with none if there are none. */
  searchInCategory(names: readonly string[]): void {
    const own = this.#base.answer.assets[0]?.asset_categories?.[0]
    const value = own ?? ordinary('category', this.chain)
    this.#alongSearch = names.map((name) => ({ meaning: 'category', name, value }))
  }

  /** Whether the question for all assets has this: it is required, or the operator has it so. */
  has(meaning: QueryMeaning): boolean {
    return this.#base.parts.some((part) => part.meaning === meaning)
  }

  /** Searches with these, and with chain and limit, as the bot does. */
  async search(term: readonly Part[]): Promise<Answer<ReadAssets>> {
    const own = [...term, ...this.#alongSearch]
    const ask = (parts: readonly Part[]) => this.probe.search(queryOf(parts))
    let last: Answer<ReadAssets> | undefined
    for (const around of [this.around(), this.around(['chain']), []]) {
      last = await this.#ask('term', [...around, ...own], ask, ['chain', 'limit'])
      if (!isRefused(last)) return last
    }
    return last ?? ask(own)
  }

  /** The parameters sent along, under the names that are known to work, or else the operator's. */
  around(meanings: readonly AskableMeaning[] = ['chain', 'limit']): Part[] {
    return meanings.flatMap((meaning) => {
      const known = this.#base.parts.filter((part) => part.meaning === meaning)
      return known.length > 0 ? known : partsOf(this.#names, this.chain, [meaning])
    })
  }

  /** From here on asks with this one name for its meaning, or with none, if the interface answers that, too. */
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

  /** Looks for two that are taken only together; from here on asks with both, if any two are. */
  async settlePair(pairs: readonly (readonly Part[])[]): Promise<void> {
    for (const pair of pairs) {
      const parts = [...without(this.#base.parts, ...pair.map(({ meaning }) => meaning)), ...pair]
      const answer = await this.probe.list(queryOf(parts))
      if ('error' in answer || answer.value.received === 0) continue
      this.#base = { parts, answer: answer.value }
      return
    }
  }

  // Names that refusals miss are added; if unknown names do no harm, all that could be missing are.
  async #ask(
    meaning: QueryMeaning,
    from: readonly Part[],
    ask: (parts: readonly Part[]) => Promise<Answer<ReadAssets>>,
    mayAdd: readonly BaseMeaning[] = baseMeanings,
  ): Promise<Answer<ReadAssets>> {
    const first = await ask(from)
    let parts = from
    let refused: Answer<ReadAssets> = first
    // It ends: each time a parameter comes that was not there.
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

/** A question for all assets that the interface answers, whatever it requires, and its answer. */
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

/** Questions that follow what refusals say, as long as they say something, and single other names after that. */
const maxGuided = 60
const maxStrangers = 40
/** Questions of all kinds, after which no single other names are tried any more. */
const maxQuestions = 66

const fewer: readonly (readonly BaseMeaning[])[] = [
  ['chain', 'status'],
  ['limit', 'offset'],
  ['chain', 'limit', 'offset'],
  ['chain', 'status', 'limit'],
  ['status', 'limit', 'offset'],
  ['status'],
]

/**
 * Looks for a question that is answered with assets: with the operator's names, with fewer of them, with every name that
 * interfaces are known to have, and then with what the refusals say. Some 60 questions where all are refused without a word.
 */
export async function findBase(search: Search): Promise<Base | NoAnswer> {
  const found = await findAnswered(search)
  return 'error' in found ? found : withoutNeedless(found, search)
}

/** The same without what the document leaves optional, as far as it is answered without. */
async function withoutNeedless(base: Base, { probe }: Search): Promise<Base> {
  let least = base
  for (const { meaning } of base.parts.filter((part) => isOptionalMeaning(part.meaning))) {
    const parts = without(least.parts, meaning)
    const answer = await probe.list(queryOf(parts))
    if ('value' in answer && answer.value.received > 0) least = { parts, answer: answer.value }
  }
  return least
}

async function findAnswered(search: Search): Promise<Base | NoAnswer> {
  const attempts = new Attempts(search)
  const { names, chain } = search
  const simple = [
    partsOf(names, chain),
    partsOf(names, chain, ['chain', 'limit']),
    partsOf(names, chain, ['chain']),
    [],
    everyName(chain),
  ]
  for (const parts of simple) if (await attempts.isOver(parts)) return attempts.outcome()
  if (attempts.isAnswered) await askExchanged(attempts, search)
  if (attempts.isAnswered || attempts.isMissing) return attempts.outcome()
  await followRefusals(attempts, search)
  if (!attempts.isAnswered) await askWithOptional(attempts, search)
  for (const parts of singles(search)) {
    if (attempts.isAnswered || attempts.count >= maxQuestions) break
    if (await attempts.isOver(parts)) break
  }
  return attempts.outcome()
}

/** Nothing is listed at an offset of 8453, or fifty assets on, at most none: names that are numbers may be exchanged. */
async function askExchanged(attempts: Attempts, { names, chain }: Search): Promise<void> {
  for (const other of ['limit', 'chain'] as const) {
    const exchanged = { ...names, [other]: names.offset, offset: names[other] }
    if (await attempts.isOver(partsOf(exchanged, chain))) return
  }
}

/** Asks what refusals lead to from the operator's names, from there with strangers, and from all names. */
async function followRefusals(attempts: Attempts, search: Search): Promise<void> {
  const { names, chain, heard } = search
  if (await attempts.follow(partsOf(names, chain), maxGuided)) return
  const strangers = new Strangers(attempts, search)
  for (const name of heard.loose()) if (await strangers.isFound(attempts.stuckAt, name)) return
  if (attempts.isAnswered) return
  await attempts.follow(everyName(chain), maxGuided)
}

/** Asks with what the document leaves optional, as some interfaces answer nothing without. */
async function askWithOptional(attempts: Attempts, { names, chain }: Search): Promise<void> {
  const sets = [['ordering'], ['category'], ['ordering', 'category']] as const
  for (const set of sets) {
    if (await attempts.isOver(partsOf(names, chain, [...baseMeanings, ...set]))) return
    if (attempts.isAnswered) return
  }
  await attempts.isOver(everyName(chain, [...baseMeanings, 'ordering', 'category']))
}

/** All names at once that interfaces are known to have for these. */
function everyName(chain: number, meanings: readonly AskableMeaning[] = baseMeanings): Part[] {
  return meanings.flatMap((meaning) =>
    otherNames[meaning].map((name) => ({ meaning, name, value: ordinary(meaning, chain) })),
  )
}

/**
 * Tries names that say nothing of what they mean: each for what the question lacks, then in the place of each name that
 * it has, together with those that the refusal of that speaks of.
 */
class Strangers {
  readonly #attempts: Attempts
  readonly #chain: number
  /** Names with meanings that a refusal found fault with. */
  readonly #wrong = new Set<string>()
  #left = maxStrangers

  constructor(attempts: Attempts, { chain }: Search) {
    this.#attempts = attempts
    this.#chain = chain
  }

  /** Whether a question with this name was answered with assets, or none ever will be. */
  async isFound(from: readonly Part[], stranger: string): Promise<boolean> {
    let around = from
    let names = [stranger]
    const asked = new Set<string>()
    for (;;) {
      const chosen = this.#assignments(names, meaningsFor(around)).find(
        (parts) => !asked.has(parts.map(keyOf).join()),
      )
      if (!chosen || this.#left === 0) return false
      this.#left -= 1
      asked.add(chosen.map(keyOf).join())
      const parts = [...without(around, ...chosen.map(({ meaning }) => meaning)), ...chosen]
      const hint = await this.#attempts.hintOf(parts)
      if (hint === 'over') return true
      if (hint === 'answered') continue
      const blamed = chosen.filter(({ name }) => hint.blamed.includes(name))
      for (const part of blamed) this.#wrong.add(keyOf(part))
      names = [...new Set([...names, ...hint.strangers])].slice(0, baseMeanings.length)
      // What the refusal says of the others is minded, too.
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

  /** The ways to give each name a meaning of its own, without those that a refusal found fault with. */
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

/** What the question lacks comes first. */
function meaningsFor(parts: readonly Part[]): BaseMeaning[] {
  const isThere = (meaning: BaseMeaning) => parts.some((part) => part.meaning === meaning)
  return baseMeanings.toSorted((left, right) => Number(isThere(left)) - Number(isThere(right)))
}

function keyOf({ meaning, name }: Part): string {
  return `${meaning} ${name}`
}

function singles({ names, chain, heard }: Search): Part[][] {
  const whole = partsOf(names, chain)
  const replaced = baseMeanings
    .flatMap((meaning) =>
      heard
        .candidates(meaning)
        .filter((name) => name !== names[meaning])
        .map((name, place) => ({
          place,
          part: { meaning, name, value: ordinary(meaning, chain) },
        })),
    )
    // The likeliest of each before the others of any.
    .toSorted((left, right) => left.place - right.place)
    .map(({ part }) => [...without(whole, part.meaning), part])
  return [...fewer.map((meanings) => partsOf(names, chain, meanings)), ...replaced]
}

class Attempts {
  readonly #search: Search
  readonly #tried = new Set<string>()
  #base: Base | undefined
  #failure: NoAnswer | undefined
  #count = 0
  #stuckAt: readonly Part[] = []

  constructor(search: Search) {
    this.#search = search
  }

  /** Whether a question was answered, be it with an empty list. */
  get isAnswered(): boolean {
    return this.#base !== undefined
  }

  /** Whether there is no such endpoint, rather than that it refuses the question. */
  get isMissing(): boolean {
    return this.#failure?.error.kind === 'not-found'
  }

  get count(): number {
    return this.#count
  }

  /** The question that refusals led to when they led no further. */
  get stuckAt(): readonly Part[] {
    return this.#stuckAt
  }

  outcome(): Base | NoAnswer {
    if (this.#base) return this.#base
    if (this.#failure) return this.#failure
    throw new Error('nothing was asked')
  }

  /** Asks this and says whether no more has to be asked: there are assets, or nothing else would be answered either. */
  async isOver(parts: readonly Part[]): Promise<boolean> {
    return (await this.hintOf(parts)) === 'over'
  }

  /** The same, with what a refusal says, or whether it was answered without assets. */
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

  /** Adds what refusals miss and leaves out what they blame, until one is answered or nothing is new. */
  async follow(from: readonly Part[], most: number): Promise<boolean> {
    let parts = from
    for (let count = 0; count < most; count += 1) {
      const key = parts.map(({ name, value }) => `${name}=${value}`).join()
      if (this.#tried.has(key)) return false
      this.#stuckAt = parts
      this.#tried.add(key)
      const hint = await this.hintOf(parts)
      if (typeof hint === 'string') return true
      parts = this.mended(parts, hint)
    }
    return false
  }

  /** The question with what a refusal misses, and without what it blames. */
  mended(parts: readonly Part[], { blamed, wanted }: Hint): readonly Part[] {
    const { chain } = this.#search
    const askable = wanted.flatMap(({ meaning, name }) =>
      isAskable(meaning) ? [{ meaning, name, value: ordinary(meaning, chain) }] : [],
    )
    // What the document leaves optional comes last: it may only be offered.
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
 * The parameters that the document leaves optional and that have no neutral value: no word means newest first, and none
 * all categories. The doctor asks with them where nothing is answered without; the bot can't.
 */
const optionalMeanings = ['ordering', 'category'] as const
/** The parameters that an interface may require, whatever the document says. */
type AskableMeaning = BaseMeaning | (typeof optionalMeanings)[number]

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

/** The names in a refusal, by what it says about them. */
interface Hint {
  /** Parameters of the question that it speaks of. */
  blamed: string[]
  /** Names that the question did not have, by what they seem to mean. */
  wanted: { meaning: QueryMeaning; name: string }[]
  /** Names that the question did not have, and that say nothing of what they mean. */
  strangers: string[]
}

const maxLoose = 12

/** Remembers the names that refusals spoke of, as far as API_QUERY_NAMES could hold them: they are a stranger's words. */
export class Heard {
  readonly #byMeaning = new Map<QueryMeaning, Set<string>>()
  readonly #loose = new Set<string>()

  hear(parts: readonly Part[], { refusal }: NoAnswer): Hint {
    const sent = new Set(parts.map(({ name }) => name))
    const { named, offered, others } = namedIn(refusal)
    const unsent = [...named, ...offered].filter((name) => !sent.has(name) && isQueryName(name))
    const wanted = unsent.flatMap((name) => withMeaning(name, meaningOf(name)))
    for (const { meaning, name } of wanted) this.#names(meaning).add(name)
    const strangers = unsent.filter((name) => meaningOf(name) === undefined)
    for (const name of strangers) this.#loose.add(name)
    const blamed = named.filter((name) => sent.has(name) && !offered.includes(name))
    if (blamed.length > 0 || wanted.length > 0) return { blamed, wanted, strangers }
    // Any word may be meant, if it is a name that some interface has.
    return {
      blamed: others.filter((name) => sent.has(name)),
      wanted: others
        .filter((name) => !sent.has(name))
        .flatMap((name) => withMeaning(name, exactMeaning(name))),
      strangers,
    }
  }

  /** Names to try for this: what was heard, then what interfaces are known to say. */
  candidates(meaning: QueryMeaning): string[] {
    return [...new Set([...this.#names(meaning), ...otherNames[meaning]])]
  }

  /** Names that say nothing of what they mean, at most so many. */
  loose(): string[] {
    return [...this.#loose].slice(0, maxLoose)
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

/** Names under which interfaces are known to take the same parameter, likeliest first. */
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

/** Names under which interfaces count pages instead of assets. */
export const pageNames = ['page', 'page[number]', 'page_number', 'pageNumber', 'page_index', 'p']

/** Parts of names that are none of these; the first that fits counts. */
const parts: readonly [part: RegExp, meaning: QueryMeaning][] = [
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
  const plain = plainly(name)
  const known = queryMeanings.find((meaning) =>
    otherNames[meaning].some((other) => plainly(other) === plain),
  )
  return known ?? parts.find(([part]) => part.test(plain))?.[1]
}

function plainly(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/gu, '')
}
