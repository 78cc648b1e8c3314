import { wordlist as czech } from '@scure/bip39/wordlists/czech'
import { wordlist as english } from '@scure/bip39/wordlists/english'
import { wordlist as french } from '@scure/bip39/wordlists/french'
import { wordlist as italian } from '@scure/bip39/wordlists/italian'
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese'
import { wordlist as korean } from '@scure/bip39/wordlists/korean'
import { wordlist as portuguese } from '@scure/bip39/wordlists/portuguese'
import { wordlist as simplifiedChinese } from '@scure/bip39/wordlists/simplified-chinese'
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish'
import { wordlist as traditionalChinese } from '@scure/bip39/wordlists/traditional-chinese'
import { isAscii } from './text.ts'

const lists = [
  ...[english, spanish, french, italian, portuguese, czech],
  ...[japanese, korean, simplifiedChinese, traditionalChinese],
]

/** BIP-39 words, and a bit for each list that has the word; made for the first text that is long enough. */
let listsOf: Map<string, number> | undefined

function bitsOfWords(): Map<string, number> {
  const bits = new Map<string, number>()
  for (const [index, words] of lists.entries()) {
    for (const word of words.map(withoutMarks)) bits.set(word, (bits.get(word) ?? 0) | (1 << index))
  }
  return bits
}

/** Ordinary sentences hardly ever have that many words of one list in a row. */
const minPhrase = 12

/** Links are ignored: a transaction's hash looks like a private key. */
const links = /\b(?:https?|ipfs):\/\/\S+/giu

const addresses = /(?<![0-9a-z])0x[0-9a-f]{40}(?![0-9a-z])/giu

const separators = /[^\p{L}\p{N}%]+/gu

const keyDigits = /[0-9a-f]{64,}/giu

/** As wallets show a key; pools' ids and transactions' hashes begin with 0x. */
const bareKey = /(?<![\p{L}\p{N}])[0-9a-f]{64}(?![\p{L}\p{N}])/giu

/** A random key hardly ever has fewer letters or fewer digits; a long number has no letters. */
const minOfAKind = 6

/** A Bitcoin private key (WIF) or an extended private key (BIP-32). */
const base58Key =
  /(?<![0-9a-z])(?:[5KL][1-9A-HJ-NP-Za-km-z]{50,51}|[xyz]prv[1-9A-HJ-NP-Za-km-z]{100,})(?![0-9a-z])/u

/**
 * Returns whether a text could hold a private key or a seed phrase, however spaced, numbered or split; such texts are
 * never stored.
 */
export function looksSecret(text: string): boolean {
  const bare = bareText(text)
  return hasPhrase(bare) || hasKey(bare) || base58Key.test(bare)
}

/** Returns whether a text holds a secret for certain: 64 hex digits after 0x can be a pool's id or a transaction's hash, too. */
export function isSecret(text: string): boolean {
  const bare = bareText(text)
  return hasPhrase(bare) || base58Key.test(bare) || (bare.match(bareKey) ?? []).some(isMixed)
}

function bareText(text: string): string {
  // Most lines are commands, in which there is nothing to normalise.
  const plain = isAscii(text) ? text : text.normalize('NFKC').replaceAll(/\p{Cf}/gu, '')
  return plain.replaceAll(links, ' % ')
}

function hasPhrase(text: string): boolean {
  const words = withoutMarks(text.toLowerCase()).match(/\p{L}+/gu) ?? []
  if (words.length < minPhrase) return false
  listsOf ??= bitsOfWords()
  const bits = listsOf
  const found = words.map((word) => bits.get(word) ?? 0)
  return found.some((first, at) => {
    if (first === 0 || at + minPhrase > found.length) return false
    return found.slice(at, at + minPhrase).reduce((one, other) => one & other) !== 0
  })
}

/** Accents are often left out, and are typed in two ways. */
function withoutMarks(text: string): string {
  return isAscii(text) ? text : text.normalize('NFKD').replaceAll(/\p{M}/gu, '')
}

function hasKey(text: string): boolean {
  const joined = text.replaceAll(addresses, '%').replaceAll(separators, '')
  return (joined.match(keyDigits) ?? []).some(isMixed)
}

function isMixed(run: string): boolean {
  const digits = run.replaceAll(/\D/gu, '').length
  return digits >= minOfAKind && run.length - digits >= minOfAKind
}
