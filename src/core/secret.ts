import { wordlist } from '@scure/bip39/wordlists/english'

/** BIP-39 words; ordinary sentences hardly ever have a dozen of them in a row. */
const seedWords: ReadonlySet<string> = new Set(wordlist)

const minPhrase = 12

/** Links are ignored: a transaction's hash looks like a private key. */
const links = /\b(?:https?|ipfs):\/\/\S+/giu

const addresses = /(?<![0-9a-z])0x[0-9a-f]{40}(?![0-9a-z])/giu

const separators = /[^\p{L}\p{N}%]+/gu

const keyDigits = /[0-9a-f]{64,}/giu

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

/** Returns whether a text holds a secret for certain: 64 hex digits can be a pool's id or a transaction's hash, too. */
export function isSecret(text: string): boolean {
  const bare = bareText(text)
  return hasPhrase(bare) || base58Key.test(bare)
}

function bareText(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(links, ' % ')
}

function hasPhrase(text: string): boolean {
  let row = 0
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    row = seedWords.has(word) ? row + 1 : 0
    if (row >= minPhrase) return true
  }
  return false
}

function hasKey(text: string): boolean {
  const joined = text.replaceAll(addresses, '%').replaceAll(separators, '')
  return [...joined.matchAll(keyDigits)].some(([run]) => {
    const digits = run.replaceAll(/\D/gu, '').length
    return digits >= minOfAKind && run.length - digits >= minOfAKind
  })
}
