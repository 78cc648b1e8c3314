import type { MiddlewareHandler } from 'hono'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' https: data: blob:",
  "media-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The headers of every answer: nothing from outside runs, nothing is kept, nothing is framed. */
export const pageHeaders: MiddlewareHandler = async (context, next) => {
  await next()
  const { headers } = context.res
  headers.set('content-security-policy', policy)
  headers.set('cache-control', 'no-store')
  headers.set('referrer-policy', 'no-referrer')
  headers.set('x-content-type-options', 'nosniff')
  headers.set('cross-origin-opener-policy', 'same-origin')
  headers.set('cross-origin-resource-policy', 'same-origin')
}

/** Refuses a host name that merely resolves to this machine. */
export const ownHostOnly: MiddlewareHandler = async (context, next) => {
  const host = context.req.header('host') ?? ''
  if (/^(127\.0\.0\.1|localhost):\d+$/.test(host)) return next()
  return context.json({ message: 'This console answers on 127.0.0.1 only' }, 403)
}

/**
 * Refuses what a foreign web page could make a browser send: a host name that merely resolves to
 * this machine, another origin, and bodies that a plain form can post.
 */
export const ownPageOnly: MiddlewareHandler = async (context, next) => {
  const refused = await ownHostOnly(context, async () => undefined)
  if (refused) return refused
  const origin = context.req.header('origin')
  if (origin !== undefined && origin !== `http://${context.req.header('host')}`) {
    return context.json({ message: 'Another page may not use this console' }, 403)
  }
  const reads = context.req.method === 'GET' || context.req.method === 'HEAD'
  if (!reads && !/^application\/json\b/i.test(context.req.header('content-type') ?? '')) {
    return context.json({ message: 'Content-Type must be application/json' }, 415)
  }
  return next()
}
