import type { MiddlewareHandler } from 'hono'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const unneeded = ['camera', 'microphone', 'geolocation', 'payment', 'display-capture']

/**
 * The headers of all that the signing page is made of: nothing but its own files runs or is asked for, nobody frames
 * it, and its address, which holds the token, is told to nobody. `https` also keeps browsers from plain http for a
 * year.
 */
export function signingHeaders(https: boolean): MiddlewareHandler {
  const headers: Record<string, string> = {
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    // A wallet's own window may still talk to the page that opened it.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': unneeded.map((feature) => `${feature}=()`).join(', '),
    'x-robots-tag': 'noindex, nofollow',
    ...(https && { 'strict-transport-security': 'max-age=31536000' }),
  }
  return async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(headers)) context.header(name, value)
  }
}
