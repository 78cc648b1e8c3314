import { baseToken } from '../src/api/asset.ts'
import type { Listing, Read } from '../src/api/client.ts'
import { type Asset, maxLimit, type SearchFilter } from '../src/api/schema.ts'
import { looksLikeAddress } from '../src/chain/address.ts'
import { type Chain, parseAddress } from '../src/chain/chains.ts'
import { formatLine, nearest } from '../src/core/command.ts'
import { withTimeout } from '../src/core/task.ts'
import { type Item, type List, type Message, t, type View } from '../src/core/view.ts'
import { ApiError, UserError } from '../src/errors.ts'
import { freshness } from '../src/views/facts.ts'
import { listView, pageSize, tokenItem } from '../src/views/list.ts'
import { chainName, fakeStatus, statusWord } from '../src/views/token.ts'
import type { Services } from './services.ts'

/** Milliseconds to wait for what is optional, such as names: a slow API must not delay the answer. */
const optionalMs = 2_000

/** Assets among which a person has to choose one. */
interface AssetChoices {
  choices: readonly Asset[]
  /** Whether all have exactly the name or symbol, have it as a part, or just a similar one: it may be misspelt. */
  match: 'exact' | 'part' | 'near'
  read: Read<Listing>
  chain: Chain
}

/**
 * Finds an asset by address, symbol or name.
 * @throws UserError if there is none
 */
export async function findAsset(
  term: string,
  named: Chain | undefined,
  services: Services,
): Promise<{ read: Read<Asset>; chain: Chain } | AssetChoices> {
  if (looksLikeAddress(term)) return findByAddress(term, named, services)
  const hasExact = (items: readonly Asset[]) => exactMatches(term, items).length > 0
  const { read, chain } = await searchFirst({ term }, named, services, hasExact)
  const { items } = read.value
  if (items.length === 0) {
    const near = await findNear(term, named, services)
    if (near) return near
    throw new UserError(noneCalled(term, named, services))
  }
  const exact = exactMatches(term, items)
  const [only] = exact
  if (only && exact.length === 1) return { read: { ...read, value: only }, chain }
  if (exact.length > 1) return { choices: exact, match: 'exact', read, chain }
  return { choices: items, match: 'part', read, chain }
}

/** Letters by which a misspelt name is searched for: few, as one of the others is wrong. */
const nearPrefix = 2
const maxNear = 5

/**
 * Finds assets whose name or symbol is probably what a misspelt term means, among those that begin like it and the
 * largest; undefined if there are none, or the API fails.
 */
export async function findNear(
  term: string,
  named: Chain | undefined,
  services: Services,
): Promise<AssetChoices | undefined> {
  const [chain] = chainsToSearch(named, services)
  const { api } = services
  const reads = await Promise.all([
    api
      .assets({ chain: chain.id, ordering: 'market_cap_desc', limit: maxLimit })
      .catch(ignoreApiError),
    api
      .search({ chain: chain.id, term: term.slice(0, nearPrefix), limit: maxLimit })
      .catch(ignoreApiError),
  ])
  const [read] = reads.filter((each) => each !== undefined)
  if (!read) return undefined
  const all = reads.flatMap((each) => each?.value.items ?? [])
  const choices = nearAssets(term, [
    ...new Map(all.map((each) => [each.asset_address, each])).values(),
  ])
  return choices.length === 0 ? undefined : { choices, match: 'near', read, chain }
}

/** The assets whose name, symbol or a word of the name is like the term, the most similar first. */
function nearAssets(term: string, assets: readonly Asset[]): Asset[] {
  const spellings = assets.flatMap((asset) => {
    const { token_name: name = '', token_symbol: symbol = '' } = baseToken(asset) ?? {}
    return [name, symbol.replace(/^\$/u, ''), ...name.split(/\s+/u)].map((word) => ({
      asset,
      word: word.toLowerCase(),
    }))
  })
  const typed = term.toLowerCase()
  const found: Asset[] = []
  while (found.length < maxNear) {
    const left = spellings.filter(({ asset }) => !found.includes(asset))
    const word = nearest(
      typed,
      left.map((each) => each.word),
    )
    if (word === undefined) break
    found.push(...left.filter((each) => each.word === word).map(({ asset }) => asset))
  }
  return [...new Set(found)].slice(0, maxNear)
}

/** For data that an answer can do without. */
export function ignoreApiError(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error
}

/** The result, or undefined if the API fails or takes over two seconds. */
export function ifSoon<T>(read: Promise<T>): Promise<T | undefined> {
  return withTimeout(read, optionalMs).catch(ignoreApiError)
}

/** Finds an asset by address. @throws UserError if there is none, or the address is invalid */
export async function findByAddress(
  typed: string,
  named: Chain | undefined,
  services: Services,
): Promise<{ read: Read<Asset>; chain: Chain }> {
  const address = parseAddress(typed)
  return onFirstChain(
    named,
    services,
    ({ id }) => services.api.asset(address, id),
    (chains) => t('asset-none', { address: { code: address }, chains }),
  )
}

/** Assets with exactly this symbol or, if there are none, exactly this name. */
function exactMatches(term: string, assets: readonly Asset[]): Asset[] {
  const typed = term.toLowerCase()
  const tokens = assets.map((asset) => ({ asset, ...baseToken(asset) }))
  const bySymbol = tokens.filter(
    ({ token_symbol: symbol }) => symbol?.replace(/^\$/u, '').toLowerCase() === typed,
  )
  const byName = tokens.filter(({ token_name: name }) => name?.toLowerCase() === typed)
  return (bySymbol.length > 0 ? bySymbol : byName).map(({ asset }) => asset)
}

/**
 * The first result of `read` that is not 'not-found', chain by chain. Testnets come last: an address is unmistakable.
 * @throws UserError with the text of `missing` if every chain answers 'not-found', and any other error of `read`
 */
export async function onFirstChain<T>(
  named: Chain | undefined,
  services: Services,
  read: (chain: Chain) => Promise<T>,
  missing: (chains: List) => Message,
): Promise<{ read: T; chain: Chain }> {
  const chains = chainsWithTestnets(named, services)
  for (const chain of chains) {
    try {
      return { read: await read(chain), chain }
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'not-found') throw error
    }
  }
  throw new UserError(nothingOn(chains, services, missing))
}

/** The results of the first chain whose results suffice, else of the first that has any, else the empty ones of the first chain. */
export async function searchFirst(
  filter: Omit<SearchFilter, 'chain'>,
  named: Chain | undefined,
  services: Services,
  suffice = (items: readonly Asset[]) => items.length > 0,
): Promise<{ read: Read<Listing>; chain: Chain }> {
  const [first, ...others] = chainsToSearch(named, services)
  const search = async (chain: Chain) => ({
    read: await services.api.search({ ...filter, chain: chain.id }),
    chain,
  })
  let best = await search(first)
  for (const chain of others) {
    if (suffice(best.read.value.items)) return best
    const next = await search(chain)
    const [items, nextItems] = [best.read.value.items, next.read.value.items]
    if (suffice(nextItems) || (items.length === 0 && nextItems.length > 0)) best = next
  }
  return best
}

/**
 * The chains that are searched: the named one, or else all but testnets. Testnets' tokens are worth nothing, but have the
 * same names; they are searched if they are asked for, or the bot has nothing else.
 */
export function chainsToSearch(
  named: Chain | undefined,
  { chains }: Services,
): readonly [Chain, ...Chain[]] {
  if (named) return [named]
  const [first, ...others] = chains.filter(({ testnet }) => !testnet)
  return first ? [first, ...others] : chains
}

function chainsWithTestnets(named: Chain | undefined, services: Services): readonly Chain[] {
  const searched = chainsToSearch(named, services)
  return named ? searched : [...new Set([...searched, ...services.chains])]
}

/** Says that nothing is called so on the chains that were searched, and how to search testnets. */
export function noneCalled(term: string, named: Chain | undefined, services: Services): Message {
  const chains = chainsToSearch(named, services)
  const nothing = nothingOn(chains, services, (where) => t('search-none', { term, chains: where }))
  const testnet = services.chains.find((chain) => !named && !chains.includes(chain))
  if (!testnet) return nothing
  return t('search-none-on-mainnets', { nothing, chain: { code: `chain:${testnet.slug}` } })
}

/** The text if nothing was found: `text` for the chains that could be searched, and `ignoredChainText` for the others. */
function nothingOn(
  chains: readonly Chain[],
  services: Services,
  text: (chains: List) => Message,
): Message {
  const searched = chains.filter((chain) => !isIgnored(chain, services))
  const ignored = ignoredChainText(chains, services)
  if (searched.length === 0 && ignored) return ignored
  const nothing = text({ list: searched.map(chainName), as: 'or' })
  return ignored ? t('search-none-and', { nothing, ignored }) : nothing
}

/** Says for which chains nothing can be shown, because the API returns assets of another; undefined if there are none. */
export function ignoredChainText(
  chains: readonly Chain[],
  services: Services,
): Message | undefined {
  const ignored = chains.filter((chain) => isIgnored(chain, services))
  if (ignored.length === 0) return undefined
  const [home] = services.chains
  return t('chain-ignored', {
    home: home.name,
    chains: { list: ignored.map(({ name }) => name), as: 'or' },
  })
}

function isIgnored({ id }: Chain, { api }: Services): boolean {
  return api.state().chainsIgnored.includes(id)
}

/** Why the API calls a token a fake; undefined if it doesn't, or doesn't say so soon. */
export async function fakeReasons(
  token: string | undefined,
  { id }: Chain,
  { fakes }: Services,
): Promise<readonly string[] | undefined> {
  const verdict = token === undefined ? undefined : await ifSoon(fakes.verdict(token, id))
  return verdict?.isFake ? verdict.reasons : undefined
}

/** Whether it is known that the API calls an asset a fake. Lists ask nothing: it would be a call for each line. */
export function knownFakes({ id }: Chain, { fakes }: Services): (asset: Asset) => boolean {
  return (asset) => fakes.known(asset.asset_address, id)?.isFake === true
}

/** Shows the assets that a term may mean, to choose from. */
export function choicesView(term: string, found: AssetChoices, services: Services): View {
  const { choices, match, read, chain } = found
  return listView({
    title: [titleOf(term, found)],
    assets: choices.slice(0, pageSize),
    chain,
    units: services.units,
    isFake: knownFakes(chain, services),
    freshness: freshness(read, services.now()),
    // A search has no pages of names that are only similar.
    ...(match !== 'near' && {
      paging: {
        page: 1,
        hasNext: choices.length > pageSize,
        lineOf: (page) => formatLine('search', term, { chain: chain.id, page }),
      },
    }),
  })
}

function titleOf(term: string, { match, chain }: AssetChoices): Message {
  if (match === 'exact') return t('asset-which', { term })
  if (match === 'part') return t('asset-did-you-mean')
  return t('search-near', { term, chains: chainName(chain) })
}

/**
 * Finds an asset by address, symbol or name; returns a view that asks if several fit. `lineFor` writes the line that
 * repeats the command with one of them.
 * @throws UserError if there is none
 */
export async function resolveAsset(
  term: string,
  wanted: Chain | undefined,
  lineFor: (asset: string, chain: number) => string,
  services: Services,
): Promise<{ asset: Asset; chain: Chain } | View> {
  const found = await findAsset(term, wanted, services)
  if (!('choices' in found)) return { asset: found.read.value, chain: found.chain }
  const { choices, chain } = found
  const isFake = knownFakes(chain, services)
  const items = choices.slice(0, pageSize).map((asset): Item => {
    const address = asset.asset_address
    const status = isFake(asset) ? fakeStatus.word : statusWord(asset)
    const details = [...(status === undefined ? [] : [status]), { code: address }]
    const { spans, open } = tokenItem(asset, chain, details, isFake)
    return { spans, open: { ...open, line: lineFor(address, chain.id) } }
  })
  const title = titleOf(term, found)
  return { title: [title], blocks: [{ kind: 'list', first: 1, items, choose: title }] }
}
