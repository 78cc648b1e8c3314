import type { Context } from 'hono'
import type { Attachment } from '../../chat/view.ts'
import type { ClosedRequest } from '../../launch/signing.ts'
import type { PageFile } from './bundle.ts'

/** What the routes say where they give nothing else. */
export const words = {
  unknown:
    'There is no such signing link. Go back to the chat and send /launches: it gives you a new link.',
  expired: 'This link has expired. Go back to the chat and send /launches for a new one.',
  revoked: 'This link was revoked. Go back to the chat and send /launches to see what can be done.',
  many: 'Too many requests. Wait a minute and try again.',
  origin: 'Only the signing page itself may send this.',
  json: 'The body must be JSON.',
  large: 'The body is too large.',
  form: 'The body does not have the form that is expected here.',
  nothing: 'not found',
  failed: 'Something went wrong here. Wait a moment and try again.',
} as const

type Refusal = 400 | 403 | 404 | 413 | 415 | 429 | 500

/** JSON that says in words what is wrong. */
export function refuse(context: Context, status: Refusal, error: string): Response {
  return context.json({ error }, status)
}

/** JSON of what the desk said. A link that can't be used any more is 410, one whose token is launched is not a fault. */
export function shown(context: Context, found: object | ClosedRequest): Response {
  if (!('state' in found)) return context.json(found)
  const { state } = found
  if (state !== 'expired' && state !== 'revoked') return context.json(found)
  return context.json({ error: words[state], ...found }, 410)
}

const pictures = new Set(['image/webp', 'image/jpeg', 'image/png', 'image/gif'])

/** The picture, where it is one that browsers only paint. */
export function picture(context: Context, found: Attachment | ClosedRequest): Response {
  if ('state' in found) return shown(context, found)
  if (!pictures.has(found.type)) return refuse(context, 404, words.nothing)
  return context.body(Uint8Array.from(found.bytes), 200, { 'content-type': found.type })
}

/** A script or a style; its name changes with its content, so it may be kept. */
export function asset(context: Context, file: PageFile | undefined): Response {
  if (!file) return refuse(context, 404, words.nothing)
  return context.body(file.content, 200, {
    'content-type': file.type,
    'cache-control': 'public, max-age=31536000, immutable',
  })
}
