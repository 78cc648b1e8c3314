import { english } from 'viem/accounts'
import { UserError } from '../../errors.ts'

/** BIP-39 words; ordinary sentences hardly ever have a dozen of them in a row. */
const seedWords: ReadonlySet<string> = new Set(english)
const minPhrase = 12

/** Links are ignored: a transaction's hash looks like a private key. */
const links = /\b(?:https?|ipfs):\/\/\S+/giu
const addresses = /(?<![0-9a-z])0x[0-9a-f]{40}(?![0-9a-z])/giu
const between = /[^\p{L}\p{N}%]+/gu
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
  const bare = text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(links, ' % ')
  return hasPhrase(bare) || hasKey(bare) || base58Key.test(bare)
}

/**
 * Rejects secrets.
 * @throws UserError if the text could hold a private key or a seed phrase
 */
export function refuseSecret(text: string): void {
  if (looksSecret(text)) throw new UserError(warning)
}

/**
 * Returns whether a rejected list of accounts may be stored for correction: only if it consists of addresses, even
 * wrong ones, and amounts. Anything else could be a kind of secret that we don't recognise.
 */
export function isAboutAccounts(text: string): boolean {
  const parts = text.split(/[\s,;:=]+/u).filter((part) => part !== '')
  return parts.every((part) => accountPart.test(part)) && !looksSecret(text)
}

const accountPart =
  /^(?:0x[0-9a-z]{0,50}|[\d.]{1,30}[%kmb]?|%|tokens?|thousand|million|billion|per|cent|percent|[•*–-])$/iu

function hasPhrase(text: string): boolean {
  let row = 0
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    row = seedWords.has(word) ? row + 1 : 0
    if (row >= minPhrase) return true
  }
  return false
}

function hasKey(text: string): boolean {
  const joined = text.replaceAll(addresses, '%').replaceAll(between, '')
  return [...joined.matchAll(keyDigits)].some(([run]) => {
    const digits = run.replaceAll(/\D/gu, '').length
    return digits >= minOfAKind && run.length - digits >= minOfAKind
  })
}

const warning =
  'This looks like a private key or a seed phrase. It was not kept. Never paste one anywhere: delete your message, give it to nobody, and move what it guards to a new wallet. Nobody here needs more than an address.'
