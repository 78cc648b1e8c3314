import { parseZone, zonesLike } from '../src/alerts/local-time.ts'
import { baseToken, statusOf } from '../src/api/asset.ts'
import { figuresOf } from '../src/api/figures.ts'
import { type Asset, type Category, categories, maxLimit } from '../src/api/schema.ts'
import type { Money } from '../src/api/units.ts'
import { compositePoolId, shortAddress } from '../src/chain/address.ts'
import { isModule } from '../src/chain/airlock/module-addresses.ts'
import { type Chain, parseAddress, quoteTokenBySymbol, wrappedCoin } from '../src/chain/chains.ts'
import {
  type Choice,
  integer,
  listed,
  nearest,
  oneOf,
  type Param,
  text,
} from '../src/core/command.ts'
import { harmless, shorten } from '../src/core/text.ts'
import { type List, type Text, t } from '../src/core/view.ts'
import { isRefused, UserError } from '../src/errors.ts'
import { symbolKey } from '../src/views/facts.ts'
import { isQuoteSymbol } from '../src/views/lookalike.ts'
import { moneyText } from '../src/views/money.ts'
import { fakeStatus, nameAndSymbol, statusWord, tokenSymbol } from '../src/views/token.ts'
import { ignoreApiError, knownFakes, searchFirst } from './lookup.ts'
import type { Services } from './services.ts'

/** Choices of autocomplete; Discord's limit. */
export const maxCompletions = 25
/** Maximum length of a search term. */
const maxTerm = 100

/** One of the configured chains, by id, name or slug. */
export function chain(): Param<Chain, Services> {
  return {
    about: t('param-chain'),
    example: 'base',
    required: true,
    choices: ({ chains }) => chains.map(({ slug, name }) => ({ value: slug, label: name })),
    parse: (raw, { chains }) => {
      const typed = raw.toLowerCase()
      const found = chains.find(
        ({ id, slug, name }) =>
          String(id) === typed || slug === typed || name.toLowerCase() === typed,
      )
      if (found) return found
      throw unknownChain(raw, chains)
    },
  }
}

export function address(about: Text): Param<`0x${string}`, Services> {
  return {
    about,
    example: '0x4200000000000000000000000000000000000006',
    required: true,
    parse: parseAddress,
  }
}

/**
 * A quote token, by its address or a symbol, which `quoteTokenOn` finds once the chain is known; autocomplete offers the symbols of
 * the bot's chains.
 */
export function quoteToken(about: Text): Param<string, Services> {
  const typed = text<Services>(about, 'WETH', maxTerm)
  return {
    ...typed,
    parse: (raw, services) =>
      /^0x/iu.test(raw) ? parseAddress(raw) : withoutDollar(typed.parse(raw, services)),
    complete: async (part, { chains }) => {
      const term = withoutDollar(part.trim()).toLowerCase()
      const symbols = [...new Set(chains.flatMap(quoteSymbols))].filter((symbol) =>
        symbol.toLowerCase().includes(term),
      )
      const begins = (symbol: string) => symbol.toLowerCase().startsWith(term)
      return [...symbols.filter(begins), ...symbols.filter((symbol) => !begins(symbol))]
        .slice(0, maxCompletions)
        .map((value) => ({ value, label: symbolLabel(value, chains) }))
    },
  }
}

/** With the chains that have it, if the bot has several. */
function symbolLabel(symbol: string, chains: readonly Chain[]): Text {
  if (chains.length === 1) return symbol
  const having = chains.filter((chain) => quoteSymbols(chain).includes(symbol))
  return t('asset-choice', { before: symbol, after: listed(having.map(({ name }) => name)) })
}

/** Symbols in an error. */
const maxSymbols = 12

/** Tokens with one symbol in an error. */
const maxAlike = 5

/**
 * The address of a quote token that was typed as an address or a symbol, and the first of these chains that knows the symbol: a
 * well-known one, else that of the only token which is called so.
 * @throws UserError that says which symbols there are, or which tokens have this one
 */
export async function quoteTokenOn(
  typed: string,
  chains: readonly [Chain, ...Chain[]],
  services: Services,
): Promise<{ address: string; chain?: Chain }> {
  if (/^0x/iu.test(typed)) return { address: typed }
  for (const chain of chains) {
    const address = quoteTokenBySymbol(chain, typed)
    if (address !== undefined) return { address: await inUse(address, chain, services), chain }
  }
  const elsewhere = services.chains.find((chain) => quoteTokenBySymbol(chain, typed))
  for (const chain of elsewhere ? [] : chains) {
    const address = await onlyToken(typed, chain, services)
    if (address !== undefined) return { address, chain }
  }
  throw unknownQuoteToken(typed, chains, elsewhere)
}

/**
 * Takes the native coin and its wrapped token for one another: the symbol of either stands for the one that assets are sold for.
 */
async function inUse(address: string, chain: Chain, { api }: Services): Promise<string> {
  const wrapped = wrappedCoin(chain)
  const coin = quoteTokenBySymbol(chain, chain.coin)
  const other = address === coin ? wrapped : address === wrapped ? coin : undefined
  if (other === undefined) return address
  const isUsed = async (numeraire: string) => {
    const read = await api
      .assets({ chain: chain.id, numeraire, limit: maxLimit })
      .catch(ignoreApiError)
    return read !== undefined && read.value.items.length > 0
  }
  return (await isUsed(address)) || !(await isUsed(other)) ? address : other
}

/**
 * The address of the only token of a chain with this symbol; undefined if there is none.
 * @throws UserError that says which ones there are, if there may be several
 */
async function onlyToken(
  symbol: string,
  chain: Chain,
  { api }: Services,
): Promise<string | undefined> {
  const key = tokenSymbol(symbol)?.toLowerCase()
  // Cards name no token by a symbol that imitates another's.
  if (key === undefined || !isQuoteSymbol(symbol, chain)) return undefined
  const read = await api
    .search({ chain: chain.id, term: symbol, limit: maxLimit })
    .catch((error: unknown) => {
      if (!isRefused(error)) throw error
    })
  const { items = [], receivedCount = 0 } = read?.value ?? {}
  const addresses = items
    .filter((asset) => symbolKey(asset) === key)
    .map((asset) => asset.asset_address)
  // There may be more than a full list has.
  if (addresses.length < 2 && receivedCount < maxLimit) return addresses[0]
  if (addresses.length === 0) return undefined
  const tokens = shortList(addresses, maxAlike, 'or')
  throw new UserError(t('quote-token-alike', { typed: symbol, chain: chain.name, tokens }))
}

function unknownQuoteToken(
  typed: string,
  chains: readonly Chain[],
  elsewhere: Chain | undefined,
): UserError {
  const where = { typed, chains: { list: chains.map(({ name }) => name), as: 'or' } } as const
  if (elsewhere) {
    const option = { code: `chain:${elsewhere.slug}` }
    return new UserError(t('quote-token-elsewhere', { ...where, chain: elsewhere.name, option }))
  }
  const symbols = [...new Set(chains.flatMap(quoteSymbols))]
  const near = nearest(typed.toUpperCase(), symbols)
  if (near) return new UserError(t('quote-token-near', { ...where, near: { code: near } }))
  const known = shortList(symbols, maxSymbols, 'and')
  return new UserError(t('quote-token-unknown', { ...where, known }))
}

/** The first of these to copy, and how many more there are. */
function shortList(all: readonly string[], max: number, as: List['as']): List {
  const shown = all.slice(0, max).map((code) => ({ code }))
  const count = all.length - shown.length
  return { list: count > 0 ? [...shown, t('list-more', { count })] : shown, as }
}

/** The symbols of the quote tokens that are known on a chain. */
function quoteSymbols({ coin, tokens }: Chain): string[] {
  return [coin, ...Object.values(tokens).map(({ symbol }) => symbol)]
}

/** One of the API's categories. */
export function category(): Param<Category, Services> {
  const param = oneOf<Category, Services>(
    t('param-category'),
    categories.map((value) => ({ value, label: value })),
  )
  return {
    ...param,
    parse: (raw, services) => categoryNamed(raw, categories) ?? param.parse(raw, services),
  }
}

/** The one of `names` that was typed: in any case, with spaces or dashes, with or without "coin" at the end. */
export function categoryNamed<const N extends string>(
  typed: string,
  names: readonly N[],
): N | undefined {
  const bareName = bareCategory(typed)
  return names.find((name) => bareCategory(name) === bareName)
}

function bareCategory(name: string): string {
  const words = name
    .toLowerCase()
    .split(/[\s_-]+/u)
    .filter(Boolean)
  const last = words.at(-1)
  return (words.length > 1 && last === 'coin' ? words.slice(0, -1) : words).join('-')
}

/** The maximum number of assets over all pages; 1 to 50 is the API's own range. */
export function limit() {
  // As text: a number would have Fluent make its formats, and a start waits for the menus.
  return integer<Services>(t('param-limit', { max: { own: String(maxLimit) } }), 1, maxLimit)
}

export function page() {
  return integer<Services>(t('param-page'), 1, 1_000)
}

/**
 * A search term; autocomplete offers matching assets with their address as the value. A pool id with an asset in it stands for
 * that asset, and an address that auctions share for none.
 */
export function assetTerm(about: Text, example: string): Param<string, Services> {
  const term = text<Services>(about, example, maxTerm)
  return {
    ...term,
    parse: (raw, services) => assetNamed(term.parse(raw, services), services),
    complete: completeAsset,
  }
}

/**
 * The term itself, unless it is a pool id with a chain that the bot does not serve: on another chain its asset's address is another
 * token's.
 * @throws UserError that says which chains there are
 */
export function servedPool(typed: string, { chains }: Services): string {
  const { chain: id } = compositePoolId(typed) ?? {}
  if (id === undefined || chains.some((chain) => chain.id === id)) return typed
  throw unknownChain(String(id), chains)
}

function unknownChain(typed: string, chains: readonly Chain[]): UserError {
  return new UserError(
    t('param-chain-unknown', { typed, chains: listed(chains.map(({ slug }) => slug)) }),
  )
}

/** Removes the `$` of a symbol, which cards show and the API does not know. */
function withoutDollar(term: string): string {
  return term.replace(/^\$(?=[^\s$])/u, '')
}

/** The term for the asset that was typed. @throws UserError for the address of a contract that auctions share, and as `servedPool` */
export function assetNamed(typed: string, services: Services): string {
  if (isModule(typed)) throw new UserError(t('pool-shared', { address: { code: typed } }))
  return compositePoolId(servedPool(typed, services))?.asset ?? withoutDollar(typed)
}

async function completeAsset(typed: string, services: Services): Promise<Choice[]> {
  const term = withoutDollar(typed.trim())
  // An empty term matches everything.
  if (term === '' || term.length > maxTerm || isModule(term)) return []
  const { read, chain } = await searchFirst({ term, limit: maxCompletions }, undefined, services)
  return read.value.items.map((asset) => ({
    value: asset.asset_address,
    label: choiceLabel(asset, chain, services),
  }))
}

/** Maximum length of a name in a choice: Discord shows 100 characters, and the address must be among them. */
const maxChosenName = 24

/** Tells an asset from others of the same name. The least important part comes last, where a long text is cut. */
function choiceLabel(asset: Asset, chain: Chain, services: Services): Text {
  const { token_name: name, token_symbol: symbol } = baseToken(asset) ?? {}
  const { proceeds, marketCap } = figuresOf(asset, services.units)
  const money = (each: Money) => moneyText(each, chain, asset)
  const isRaising = statusOf(asset) === 'live' && proceeds !== undefined
  const parts = [
    chain.testnet ? t('list-testnet') : undefined,
    nameAndSymbol(shorten(harmless(name ?? ''), maxChosenName), symbol),
    shortAddress(asset.asset_address),
    knownFakes(chain, services)(asset) ? fakeStatus.text : statusWord(asset),
    isRaising ? t('top-raised', { money: money(proceeds) }) : undefined,
    !isRaising && marketCap ? t('asset-mc', { amount: money(marketCap) }) : undefined,
  ]
  const [first = '', ...others] = parts.filter((part) => part !== undefined)
  return others.reduce<Text>((before, after) => t('asset-choice', { before, after }), first)
}

/** Another chat by its id. A name would have to be looked up, which would reveal chats to anybody. */
export function otherChat(): Param<string, Services> {
  return {
    about: t('alerts-param-in'),
    example: '-1001234567890',
    required: true,
    otherChat: true,
    parse: (raw) => {
      if (/^-?\d{1,25}$/u.test(raw)) return raw
      throw new UserError(t('alerts-chat-unreadable', { typed: raw }))
    },
  }
}

export function zone(about: Text): Param<string, Services> {
  return {
    about,
    example: 'Europe/Berlin',
    required: true,
    parse: parseZone,
    complete: async (typed) =>
      zonesLike(typed, maxCompletions).map((value) => ({ value, label: value })),
  }
}
