import { english } from 'viem/accounts'
import { UserError } from '../../errors.ts'

/** The words that seed phrases are made of (BIP-39); hardly any sentence has a dozen of them in a row. */
const seedWords: ReadonlySet<string> = new Set(english)
const minPhrase = 12

/** Links may hold the hash of a transaction, which looks like a key. */
const links = /\b(?:https?|ipfs):\/\/\S+/giu
const addresses = /(?<![0-9a-z])0x[0-9a-f]{40}(?![0-9a-z])/giu
const between = /[^\p{L}\p{N}%]+/gu
const keyDigits = /[0-9a-f]{64,}/giu
/** Of a random key hardly ever as few are letters, nor digits; a long number has no letters at all. */
const minOfAKind = 6
/** A key as Bitcoin's wallets write one (WIF), or one that many keys come from (BIP-32). */
const base58Key =
  /(?<![0-9a-z])(?:[5KL][1-9A-HJ-NP-Za-km-z]{50,51}|[xyz]prv[1-9A-HJ-NP-Za-km-z]{100,})(?![0-9a-z])/u

/** Whether a text could hold a private key or a seed phrase, however it is spaced, numbered or cut: it is then kept nowhere. */
export function looksSecret(text: string): boolean {
  const bare = text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(links, ' % ')
  return hasPhrase(bare) || hasKey(bare) || base58Key.test(bare)
}

/** @throws UserError where the text could hold a private key or a seed phrase */
export function refuseSecret(text: string): void {
  if (looksSecret(text)) throw new UserError(warning)
}

/**
 * Whether a text that was refused where accounts are asked for may be kept to be corrected: only what is made of
 * addresses, even wrong ones, and of amounts. Anything else could be a secret of a kind that nobody knows here.
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
