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
import type { Block } from '../core/view.ts'
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
  | { kind: 'mixed'; script: string }

/** `name` may have several words and contain a symbol; `symbol` is a ticker. */
export type Role = 'name' | 'symbol'

const maxLink = 40

interface CoinSpelling {
  /** The coin's name in a warning. */
  like: string
  /** Its letters in their common spelling. */
  letters: string
  /** Whether it is an everyday word. */
  isWord: boolean
  /** Skeletons of its common spellings, with the case of letters. */
  skeletons: ReadonlySet<string>
  keys: ReadonlySet<string>
}

const coinSpellings: readonly CoinSpelling[] = coins.flatMap(
  ({ symbol, names, isWord = false }) => [
    spellingOf(symbol, isWord),
    ...names.map((name) => spellingOf(name, false)),
  ],
)

function spellingOf(like: string, isWord: boolean): CoinSpelling {
  const letters = lettersOf(like)
  const title = `${letters.slice(0, 1).toUpperCase()}${letters.slice(1).toLowerCase()}`
  const spellings = [letters, letters.toUpperCase(), letters.toLowerCase(), title]
  const skeletons = new Set(spellings.map(skeleton))
  const keys = new Set([...skeletons].map(looseKey))
  return { like, letters, isWord, skeletons, keys }
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
  const same = coinSpellings.find((each) => {
    if (each.letters.toLowerCase() !== lower) return false
    return role === 'symbol' || !each.isWord || each.letters === letters
  })
  if (same) return { kind: 'same', like: same.like }
  if (letters === lower && !/\d/u.test(letters)) return undefined
  const skeletons = [letters, letters.replaceAll('0', 'o')].map(skeleton)
  const found = coinSpellings.find(
    (each) =>
      each.letters.toLowerCase() !== lower && skeletons.some((key) => each.skeletons.has(key)),
  )
  return found && { kind: 'letters', like: found.like }
}

function lettersLike(letters: string, role: Role): string | undefined {
  const texts = role === 'symbol' ? [letters, withoutMarks(letters)] : [letters]
  const keys = texts.flatMap(looseKeys)
  return coinSpellings.find((each) => keys.some((key) => each.keys.has(key)))?.like
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

/** A warning about a third party's name or symbol. */
function lookalikeWords(lookalike: Lookalike): string {
  if (lookalike.kind === 'letters') {
    return `Written with look-alike letters: reads like ${lookalike.like}, but isn’t.`
  }
  if (lookalike.kind === 'same') {
    return `Called like ${lookalike.like}, a well-known coin. Compare the address: it may be another token.`
  }
  if (lookalike.kind === 'link')
    return `Its name looks like a link (${lookalike.like}). Don’t open it.`
  return `Written with ${lookalike.script} letters in a word of Latin ones: it may be taken for another name.`
}

/** A warning to a person about their own name or symbol; undefined if it imitates nothing. */
export function doubtOf(text: string, role: Role): string | undefined {
  const found = lookalikeOf(text, role)
  return found && doubtWords(text, found)
}

function doubtWords(raw: string, found: Lookalike): string {
  const text = shorten(harmless(raw), maxName)
  if (found.kind === 'letters') {
    return `“${text}” is written with look-alike letters: it reads like ${found.like}, a well-known coin, but isn’t. People will be warned of it.`
  }
  if (found.kind === 'same') {
    return `“${text}” is what a well-known coin is called. People may take one for the other, and will be warned.`
  }
  if (found.kind === 'link') {
    return `“${text}” looks like a link (${found.like}). People will be warned of it.`
  }
  return `“${text}” has ${found.script} letters in a word of Latin ones. People will be warned of it.`
}

/** A token's name, symbol and address. */
interface Called {
  name: string | undefined
  symbol: string | undefined
  address: string | undefined
}

/** Warnings about a third party's token, a sentence each; none for a token that the bot knows by its address. */
export function lookalikes({ name, symbol, address }: Called, chain: Chain): string[] {
  if (numeraireSymbol(chain, address) !== undefined) return []
  const found = [lookalikeOf(symbol ?? '', 'symbol'), lookalikeOf(name ?? '', 'name')]
  return [...new Set(found.flatMap((each) => (each ? [lookalikeWords(each)] : [])))]
}

/** `lookalikes` as blocks of a card. */
export function lookalikeBlocks(called: Called, chain: Chain): Block[] {
  return lookalikes(called, chain).map((words) => ({ kind: 'text', spans: [`⚠️ ${words}`] }))
}
