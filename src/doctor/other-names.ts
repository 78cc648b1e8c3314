import { type QueryMeaning, queryMeanings } from '../api/query-names.ts'

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
export function meaningOf(name: string): QueryMeaning | undefined {
  const plain = plainly(name)
  const known = queryMeanings.find((meaning) =>
    otherNames[meaning].some((other) => plainly(other) === plain),
  )
  return known ?? parts.find(([part]) => part.test(plain))?.[1]
}

function plainly(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/gu, '')
}
