import { createHmac } from 'node:crypto'

/** Path below which a bot says that it is itself; with those of the signing page, which a reverse proxy passes on. */
export const identityPath = '/s/doctor'

/** A header that a proxy has to pass on: Telegram's calls carry their secret in it. */
export const identityHeader = 'x-telegram-bot-api-secret-token'

/** Whether a text has the form of a nonce: 32 bytes in base64url. */
export function isNonce(text: string): boolean {
  return /^[\w-]{43}$/u.test(text)
}

/** Makes the answer to a nonce, and to the header that came with it: only a bot with the same settings can. */
export type Identity = (nonce: string, header: string) => string

/** Makes the identity of all bots that have these secrets, such as the replicas on one database, and of the doctor beside them. */
export function identityOf(secrets: readonly (string | undefined)[]): Identity {
  const key = JSON.stringify(['identity of Gavel', ...secrets])
  return (nonce, header) =>
    createHmac('sha256', key)
      .update(JSON.stringify([nonce, header]))
      .digest('base64url')
}
