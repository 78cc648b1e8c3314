import { isObject, isQueryName, type QueryMeaning, queryMeanings } from '../api/schema.ts'
import type { NoAnswer, Parameter } from './limited-api.ts'

/** Words in a refusal that may be parameter names. */
export interface NamedWords {
  /** Names that the text complains about or asks for. */
  named: string[]
  /** Names that the text says are accepted. */
  offered: string[]
  /** Every other word. */
  others: string[]
}

interface Leaf {
  text: string
  /** Whether the text is a key of the JSON body; some bodies use parameter names as keys. */
  isKey?: boolean
}

const word = String.raw`[\w.[\]-]{1,64}`
const wordOnly = new RegExp(`^${word}$`, 'u')
/** Common words in refusals, and keys of error bodies, which are not parameter names. */
const commonWords = new Set(
  (
    'a an and are as at bad be but by cannot code detail details error errors exception expected false field fields for ' +
    'found given has have in input instance int integer invalid invalid_type is it its key keys loc message missing msg must ' +
    'name names not null number object of on one only or param parameter parameters params path please provided ' +
    'properties property query querystring received request required result should statuscode status_code string ' +
    'success that the this title to true type undefined unexpected unknown unprocessable unrecognized ' +
    'unrecognized_keys unsupported url use validation value value_error was when with without you your'
  ).split(' '),
)

/** Extracts possible parameter names from a refusal. Untrusted: use them only as query names. */
export function namesIn(text: string): NamedWords {
  const leaves = leavesOf(text)
  const offered = leaves.flatMap((leaf) => offeredIn(leaf.text))
  const rest = leaves.map((leaf) => ({ ...leaf, text: leaf.text.replace(offerPattern, ' ') }))
  return {
    named: distinct(rest.flatMap(likelyIn)),
    offered: distinct(offered),
    others: distinct(rest.flatMap((leaf) => (leaf.isKey ? [] : wordsOf(leaf.text)))),
  }
}

/** Returns the text of a refusal in one line and without control characters. */
export function refusalText(text: string): string {
  const leaves = leavesOf(text).filter(({ isKey, text }) => !isKey && /\s|_/u.test(text.trim()))
  const said = leaves.length > 0 ? leaves.map((leaf) => leaf.text).join('; ') : text
  return said
    .replace(/<[^>]*>/gu, ' ')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
}

const offerPattern =
  /(?<!not )\b(?:(?:allowed|expected|valid|supported|accepted|known|available|use)\b(?: [a-z]+){0,3}(?::| are\b)|one of\b:?)\s*([^;\n<]{1,300}?)(?:\.\s|\.?$|[;\n<])/giu

function offeredIn(text: string): string[] {
  return [...text.matchAll(offerPattern)].flatMap(([, list = '']) => wordsOf(list))
}

function likelyIn({ text, isKey }: Leaf): string[] {
  if (wordOnly.test(text)) return [text]
  if (isKey) return []
  const patterns = [
    new RegExp(`["'\`](${word})["'\`]`, 'gu'),
    new RegExp(`(?:param|parameter|field|property|argument|key)s?:?\\s+(${word})`, 'giu'),
    new RegExp(`(?:^|\\s)(${word}):\\s`, 'gu'),
    new RegExp(`(${word}):? (?:is|are|must|should|cannot|was)\\b`, 'giu'),
    new RegExp(`(?:missing|unknown|unexpected|requires?|needs?|without):?\\s+(${word})`, 'giu'),
    // camelCase and snake_case occur only in code.
    /(?<![\w[.-])([a-z]+(?:_[a-z]+)+|[a-z]+[A-Z][a-zA-Z]*|[a-z]+\[\w+\])(?![\w\]-])/gu,
  ]
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, found = '']) => found))
}

function wordsOf(text: string): string[] {
  return text.match(new RegExp(word, 'gu')) ?? []
}

function distinct(words: readonly string[]): string[] {
  const all = words
    // As in "query.limit" and "querystring/limit".
    .flatMap((each) => [each, each.split('.').at(-1) ?? ''])
    .map((each) => each.replace(/^[.-]+|[.-]+$/gu, ''))
  return [...new Set(all)].filter(
    (each) => each !== '' && !commonWords.has(each.toLowerCase()) && !/^\d/u.test(each),
  )
}

/** Returns all texts in a JSON body, or the whole body if it is not JSON. */
function leavesOf(text: string): Leaf[] {
  try {
    const leaves: Leaf[] = []
    collect(JSON.parse(text), leaves, 0)
    return leaves
  } catch {
    return [{ text: text.replace(/<[^>]*>/gu, ' ') }]
  }
}

function collect(value: unknown, leaves: Leaf[], depth: number): void {
  if (typeof value === 'string') leaves.push({ text: value })
  if (depth > 6) return
  if (Array.isArray(value)) for (const each of value) collect(each, leaves, depth + 1)
  else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      // {"status": 400} is about the answer, {"errors": {"status": ["is required"]}} about the question.
      if (depth > 0 && typeof inner !== 'number') leaves.push({ text: key, isKey: true })
      collect(inner, leaves, depth + 1)
    }
  }
}

/** Names in a refusal, by role. */
export interface Hint {
  /** Names from the question that it mentions. */
  blamed: string[]
  /** Names that the question lacked, with their likely meaning. */
  wanted: { meaning: QueryMeaning; name: string }[]
  /** Names that the question lacked, of unknown meaning. */
  ofUnknownMeaning: string[]
}

const maxUnknown = 12

/** Collects the names that refusals mention, limited to those that API_QUERY_NAMES accepts: they are untrusted. */
export class SuggestedNames {
  readonly #byMeaning = new Map<QueryMeaning, Set<string>>()
  readonly #unknownNames = new Set<string>()

  /** Reads a refusal of these parameters. */
  learn(parameters: readonly Parameter[], { refusal }: NoAnswer): Hint {
    const sent = new Set(parameters.map(({ name }) => name))
    const { named, offered, others } = namesIn(refusal)
    const unsent = [...named, ...offered].filter((name) => !sent.has(name) && isQueryName(name))
    const wanted = withMeanings(unsent)
    for (const { meaning, name } of wanted) this.#names(meaning).add(name)
    const ofUnknownMeaning = unsent.filter((name) => meaningOf(name) === undefined)
    for (const name of ofUnknownMeaning) this.#unknownNames.add(name)
    const blamed = named.filter((name) => sent.has(name) && !offered.includes(name))
    if (blamed.length > 0 || wanted.length > 0) return { blamed, wanted, ofUnknownMeaning }
    // Otherwise use any word that is a common parameter name.
    return {
      blamed: others.filter((name) => sent.has(name)),
      wanted: withMeanings(others.filter((name) => !sent.has(name))).filter(({ meaning, name }) =>
        commonNames[meaning].includes(name),
      ),
      ofUnknownMeaning,
    }
  }

  /** Returns names to try for a meaning: first those from refusals, then common ones. */
  candidates(meaning: QueryMeaning): string[] {
    return [...new Set([...this.#names(meaning), ...commonNames[meaning]])]
  }

  /** Returns names of unknown meaning, at most `maxUnknown`. */
  ofUnknownMeaning(): string[] {
    return [...this.#unknownNames].slice(0, maxUnknown)
  }

  #names(meaning: QueryMeaning): Set<string> {
    const names = this.#byMeaning.get(meaning) ?? new Set()
    this.#byMeaning.set(meaning, names)
    return names
  }
}

function withMeanings(names: readonly string[]): { meaning: QueryMeaning; name: string }[] {
  return names.flatMap((name) => {
    const meaning = meaningOf(name)
    return meaning === undefined ? [] : [{ meaning, name }]
  })
}

/** Common names of each parameter, likeliest first. */
export const commonNames: Record<QueryMeaning, readonly string[]> = {
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
    commonNames[meaning].some((other) => normalizeName(other) === normalized),
  )
  return known ?? meaningPatterns.find(([pattern]) => pattern.test(normalized))?.[1]
}

function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/gu, '')
}
