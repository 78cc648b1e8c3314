import { UserError } from '../../errors.ts'

const privateKey = /(?<![0-9a-z])(?:0x)?[0-9a-f]{64}(?![0-9a-z])/iu
/** Seed phrases have 12 to 24 words. */
const seedPhrase = /^\s*(?:[a-z]{3,8}[\s,]+){11,23}[a-z]{3,8}\s*$/iu

/** Whether a text could hold a private key or be a seed phrase: it is then kept nowhere. */
export function looksSecret(text: string): boolean {
  return privateKey.test(text) || seedPhrase.test(text)
}

/** @throws UserError where the text could hold a private key */
export function refusePrivateKey(text: string): void {
  if (privateKey.test(text)) throw new UserError(warning)
}

/** @throws UserError where the text could hold a private key or be a seed phrase */
export function refuseSecret(text: string): void {
  if (looksSecret(text)) throw new UserError(warning)
}

const warning =
  'This looks like a private key or a seed phrase. It was not kept. Delete your message, never give it to anybody, and move what it guards to a new wallet. Only an address is needed here.'
