import { isDeepStrictEqual } from 'node:util'
import { type Chain, numeraireSymbol } from '../chain/chains.ts'
import {
  asciiReading,
  harmless,
  isAscii,
  lettersOf,
  linkIn,
  looseKey,
  looseKeys,
  shorten,
  skeleton,
  strayLetter,
  withoutMarks,
} from '../core/text.ts'
import { type Block, type Message, t } from '../core/view.ts'
import { maxName } from './token.ts'

/** A well-known coin. */
interface Coin {
  symbol: string
  names: readonly string[]
  /** The symbol is also an everyday word or name, so a token with just this name may be unrelated. */
  isWord?: true
}

/** The coins that tokens imitate most often. */
export const coins: readonly Coin[] = [
  { symbol: 'BTC', names: ['Bitcoin'] },
  { symbol: 'WBTC', names: ['Wrapped Bitcoin', 'Wrapped BTC'] },
  { symbol: 'cbBTC', names: ['Coinbase Wrapped BTC'] },
  { symbol: 'ETH', names: ['Ethereum', 'Ether'] },
  { symbol: 'WETH', names: ['Wrapped Ether', 'Wrapped Ethereum', 'Wrapped ETH'] },
  { symbol: 'stETH', names: ['Lido Staked Ether', 'Liquid staked Ether 2.0'] },
  { symbol: 'wstETH', names: ['Wrapped liquid staked Ether 2.0'] },
  { symbol: 'cbETH', names: ['Coinbase Wrapped Staked ETH'] },
  { symbol: 'USDC', names: ['USD Coin'] },
  { symbol: 'USDT', names: ['Tether', 'Tether USD', 'USD Tether'] },
  { symbol: 'DAI', names: ['Dai Stablecoin'], isWord: true },
  { symbol: 'USDe', names: ['Ethena USDe'] },
  { symbol: 'USDS', names: ['USDS Stablecoin'] },
  { symbol: 'PYUSD', names: ['PayPal USD'] },
  { symbol: 'FDUSD', names: ['First Digital USD'] },
  { symbol: 'EURC', names: ['Euro Coin'] },
  { symbol: 'SOL', names: ['Solana'], isWord: true },
  { symbol: 'BNB', names: ['Binance Coin'] },
  { symbol: 'XRP', names: ['Ripple'] },
  { symbol: 'DOGE', names: ['Dogecoin'] },
  { symbol: 'SHIB', names: ['Shiba Inu'] },
  { symbol: 'PEPE', names: ['Pepe'] },
  { symbol: 'FLOKI', names: ['Floki'] },
  { symbol: 'BONK', names: ['Bonk'] },
  { symbol: 'WIF', names: ['dogwifhat'] },
  { symbol: 'ADA', names: ['Cardano'], isWord: true },
  { symbol: 'TRX', names: ['Tron'] },
  { symbol: 'AVAX', names: ['Avalanche'] },
  { symbol: 'LTC', names: ['Litecoin'] },
  { symbol: 'BCH', names: ['Bitcoin Cash'] },
  { symbol: 'XMR', names: ['Monero'] },
  { symbol: 'XLM', names: ['Stellar Lumens'] },
  { symbol: 'HBAR', names: ['Hedera'] },
  { symbol: 'LINK', names: ['Chainlink'], isWord: true },
  { symbol: 'UNI', names: ['Uniswap'], isWord: true },
  { symbol: 'AAVE', names: ['Aave'] },
  { symbol: 'ARB', names: ['Arbitrum'] },
  { symbol: 'MATIC', names: ['Polygon'] },
]

/** The names and symbols that a text can be mistaken for. */
type Lookalike =
  /** Written with other letters than the coin that it resembles. */
  | { kind: 'letters'; like: string }
  /** Written exactly like a well-known coin. */
  | { kind: 'same'; like: string }
  | { kind: 'link'; like: string }
  /** A word of Latin letters with one of another script among them. */
  | { kind: 'mixed'; script: Message }

/** `name` may have several words and contain a symbol; `symbol` is a ticker. */
export type Role = 'name' | 'symbol'

const maxLink = 40

interface CoinSpelling {
  /** The coin's name in a warning. */
  like: string
  /** Its letters in their common spelling, and in lower case. */
  letters: string
  lower: string
  /** Whether it is an everyday word. */
  isWord: boolean
  /** Skeletons of its common spellings, with the case of letters. */
  skeletons: ReadonlySet<string>
  keys: ReadonlySet<string>
}

/** The spellings of all coins, and the skeletons of all spellings. */
interface Spellings {
  all: readonly CoinSpelling[]
  skeletons: ReadonlySet<string>
}

/** Made for the first name that is looked at: a start waits for none. */
let coinSpellings: Spellings | undefined

function spellings(): Spellings {
  if (coinSpellings) return coinSpellings
  const all = coins.flatMap(({ symbol, names, isWord = false }) => [
    spellingOf(symbol, isWord),
    ...names.map((name) => spellingOf(name, false)),
  ])
  coinSpellings = { all, skeletons: new Set(all.flatMap(({ skeletons }) => [...skeletons])) }
  return coinSpellings
}

function spellingOf(like: string, isWord: boolean): CoinSpelling {
  const letters = lettersOf(like)
  const title = `${letters.slice(0, 1).toUpperCase()}${letters.slice(1).toLowerCase()}`
  const written = [letters, letters.toUpperCase(), letters.toLowerCase(), title]
  const skeletons = new Set(written.map(skeleton))
  const keys = new Set([...skeletons].map(looseKey))
  return { like, letters, lower: letters.toLowerCase(), isWord, skeletons, keys }
}

/** Returns what a third party's name or symbol imitates; undefined if nothing. */
export function lookalikeOf(text: string, role: Role): Lookalike | undefined {
  const shown = harmless(text).trim().replace(/^\$+/u, '')
  return coinLike(shown, role) ?? linkLike(shown) ?? mixed(shown)
}

function coinLike(shown: string, role: Role): Lookalike | undefined {
  const letters = lettersOf(shown)
  if (letters === '') return undefined
  if (isAscii(letters)) return asciiLike(letters, role)
  const like = lettersLike(letters, role) ?? wordLike(shown)
  return like === undefined ? undefined : { kind: 'letters', like }
}

/** For ASCII letters only: capital I and l, or O and zero look alike, but no two lower-case letters do. */
function asciiLike(letters: string, role: Role): Lookalike | undefined {
  const lower = letters.toLowerCase()
  const { all, skeletons: ofCoins } = spellings()
  const same = all.find((each) => {
    if (each.lower !== lower) return false
    return role === 'symbol' || !each.isWord || each.letters === letters
  })
  if (same) return { kind: 'same', like: same.like }
  if (letters === lower && !/\d/u.test(letters)) return undefined
  const skeletons = [letters, letters.replaceAll('0', 'o')].map(skeleton)
  // Nearly all names look like none of them.
  if (!skeletons.some((key) => ofCoins.has(key))) return undefined
  const found = all.find(
    (each) => each.lower !== lower && skeletons.some((key) => each.skeletons.has(key)),
  )
  return found && { kind: 'letters', like: found.like }
}

function lettersLike(letters: string, role: Role): string | undefined {
  const texts = role === 'symbol' ? [letters, withoutMarks(letters)] : [letters]
  const keys = texts.flatMap(looseKeys)
  return spellings().all.find((each) => keys.some((key) => each.keys.has(key)))?.like
}

/**
 * Checks each word of a longer name. Short words in other scripts are skipped: they may resemble a short symbol by
 * chance.
 */
function wordLike(shown: string): string | undefined {
  const hasAscii = /[a-z]/iu.test(shown)
  for (const each of shown.split(/\s+/u)) {
    const letters = lettersOf(each)
    if (isAscii(letters) || (letters.length < 4 && !hasAscii)) continue
    const like = lettersLike(letters, 'name')
    if (like !== undefined) return like
  }
  return undefined
}

function linkLike(shown: string): Lookalike | undefined {
  const like = linkIn(shown)
  return like === undefined ? undefined : { kind: 'link', like: shorten(like, maxLink) }
}

function mixed(shown: string): Lookalike | undefined {
  const stray = strayLetter(shown)
  return stray && { kind: 'mixed', script: stray.script }
}

/** Another spelling to search for, to find a listed token that the text imitates; undefined if there is none. */
export function searchedInstead(text: string): string | undefined {
  const shown = harmless(text)
  const words = shown.split(/\s+/u).map(lettersOf)
  return asciiReading(words.filter((word) => word !== '').join(' '))
}

/** Whether two names or symbols look alike although they are written with other letters. */
export function readsLike(one: string, other: string): boolean {
  const [first = '', second = ''] = [one, other].map((each) => lettersOf(harmless(each)))
  if (first === '' || second === '' || (isAscii(first) && isAscii(second))) return false
  if (first.toLowerCase() === second.toLowerCase()) return false
  const keys = looseKeys(first)
  return looseKeys(second).some((key) => keys.includes(key))
}

/** Reads as part of the amount beside it: digits and signs, or a figure such as 5K. Pictures are no signs. */
const figure = /^[\p{N}\p{P}\p{Sc}\p{Sm}\p{Sk}]+[kmbt]?$/iu
/** Spaces, signs of money, and characters that can't be seen as `plain` writes them. */
const noLetter = /[\s\p{Sc}\\]/u

/**
 * Whether a symbol that a stranger chose may stand beside an amount, as that of the token that it is in. It may not read as a figure, as
 * dollars, as a well-known coin, or as one of the chain's own quote tokens, in whatever letters.
 */
export function isQuoteSymbol(symbol: string, { coin, tokens }: Chain): boolean {
  const read = symbol.normalize('NFKC').replace(/^\$+/u, '')
  if (noLetter.test(read) || figure.test(read) || lookalikeOf(symbol, 'symbol')) return false
  const own = ['USD', coin, ...Object.values(tokens).map((token) => token.symbol)]
  const keys = new Set(own.flatMap(symbolKeys))
  return !symbolKeys(read).some((key) => keys.has(key))
}

/** Keys of a symbol: two look alike, whatever their case, accents and punctuation, if they share one. */
function symbolKeys(symbol: string): string[] {
  return looseKeys(withoutMarks(lettersOf(symbol)))
}

/** A warning about a third party's name or symbol. */
function warningOf(found: Lookalike): Message {
  if (found.kind === 'letters') return t('lookalike-letters', { like: found.like })
  if (found.kind === 'same') return t('lookalike-same', { like: found.like })
  if (found.kind === 'link') return t('lookalike-link', { link: found.like })
  return t('lookalike-mixed', { script: found.script })
}

/** A warning to a person about their own name or symbol; undefined if it imitates nothing. */
export function doubtOf(text: string, role: Role): Message | undefined {
  const found = lookalikeOf(text, role)
  return found && doubtAbout(shorten(harmless(text), maxName), found)
}

function doubtAbout(name: string, found: Lookalike): Message {
  if (found.kind === 'letters') return t('lookalike-own-letters', { name, like: found.like })
  if (found.kind === 'same') return t('lookalike-own-same', { name })
  if (found.kind === 'link') return t('lookalike-own-link', { name, link: found.like })
  return t('lookalike-own-mixed', { name, script: found.script })
}

/** A token's name, symbol and address. */
interface Called {
  name: string | undefined
  symbol: string | undefined
  address: string | undefined
}

/** Warnings about a third party's token, a sentence each; none for a token that the bot knows by its address. */
export function lookalikes({ name, symbol, address }: Called, chain: Chain): Message[] {
  if (numeraireSymbol(chain, address) !== undefined) return []
  const bySymbol = lookalikeOf(symbol ?? '', 'symbol')
  const byName = lookalikeOf(name ?? '', 'name')
  const found = isDeepStrictEqual(bySymbol, byName) ? [byName] : [bySymbol, byName]
  return found.flatMap((each) => (each ? [warningOf(each)] : []))
}

/** `lookalikes` as blocks of a card. */
export function lookalikeBlocks(called: Called, chain: Chain): Block[] {
  return lookalikes(called, chain).map((warning) => ({ kind: 'text', spans: [warning] }))
}
