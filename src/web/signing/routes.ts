import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HttpBindings } from '@hono/node-server'
import { build, stop } from 'esbuild'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import { LRUCache } from 'lru-cache'
import { renderSVG } from 'uqr'
import { type Locale, localeFor, messagesFor, plainText } from '../../core/catalogue.ts'
import { TokenBucket } from '../../core/token-bucket.ts'
import { type Attachment, type Text, t } from '../../core/view.ts'
import type { SigningService } from '../../launch/signing.ts'
import {
  type ClosedRequest,
  claimSchema,
  reportSchema,
  type SigningRequest,
} from '../../launch/signing-wire.ts'
import type { Check, StoredText } from '../../launch/verdict.ts'
import type { Logger } from '../../log.ts'
import { noteFault } from '../fault.ts'

/** The dependencies of the signing routes. */
export interface SigningSite {
  signingService: Pick<SigningService, 'open' | 'progress' | 'picture' | 'claim' | 'report'>
  /** Base URL of the bot's own pages, without a trailing slash. */
  publicUrl: string
  /** Origin of the operator's own signing page, which may fetch the request. */
  pageOrigin?: string | undefined
  /** From `bundlePage`. */
  page: Promise<ReadonlyMap<string, PageFile>>
  log: Logger
  /** Milliseconds on a clock that never jumps. */
  now?: () => number
}

/** Max bytes of a body; both messages are far shorter. */
const maxBody = 2048

/**
 * Max requests a minute: of each purpose for an existing link, and in all for unknown ones. A polling page sends one every two
 * seconds; several may be open.
 */
const perMinute = { existing: 240, unknown: 120 }
const maxCounted = 10_000

/** Returns whether a text has the form of a link's token: 24 bytes in base64url. */
function isLinkToken(text: string): boolean {
  return /^[\w-]{32}$/u.test(text)
}

/** Makes the signing page's routes, to mount under /s. Fetching a link never uses it up. */
export function signingRoutes({
  signingService,
  page,
  publicUrl,
  pageOrigin,
  log,
  now = () => performance.now(),
}: SigningSite): Hono<{ Bindings: Partial<HttpBindings> }> {
  const { origin, protocol } = new URL(publicUrl)
  const answer = linkAnswers(now)
  const shellIn = shellWriter()
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  app.use(signingHeaders(protocol === 'https:'))
  app.use(async (context, next) => {
    await next()
    context.header('x-robots-tag', 'noindex, nofollow')
  })

  app.get('/assets/:name', async (context) => {
    const name = context.req.param('name')
    return asset(context, name === shellName ? undefined : (await page).get(name))
  })
  app.get('/:token', async (context) => {
    const shell = (await page).get(shellName)
    if (!shell) return refuse(context, 404, messages.nothing)
    const status = isLinkToken(context.req.param('token')) ? 200 : 404
    return context.body(shellIn(shell.content, localeOf(context)), status, {
      'content-type': shell.type,
    })
  })

  app.use('/:token/request', cors({ origin: (from) => (from === pageOrigin ? from : null) }))
  app.get('/:token/request', (context) =>
    answer(context, 'request', async (token) => {
      const found = await signingService.open(token)
      return found?.state === 'open' ? inWords(found, localeOf(context)) : found
    }),
  )
  app.get('/:token/progress', (context) =>
    answer(context, 'progress', (token) => signingService.progress(token)),
  )
  app.get('/:token/picture', (context) =>
    answer(context, 'picture', (token) => signingService.picture(token), picture),
  )
  app.get('/:token/qr.svg', (context) =>
    answer(
      context,
      'qr',
      (token) => signingService.progress(token),
      (_, found) => {
        if ('state' in found) return sendAnswer(context, found)
        // Black on white in dark mode, too: many cameras read no other.
        const link = `${publicUrl}/s/${context.req.param('token')}`
        const code = renderSVG(link, { ecc: 'M', border: 3 })
        return context.body(code, 200, { 'content-type': 'image/svg+xml' })
      },
    ),
  )

  const ownMessage = onlyFrom(origin)
  const limited = bodyLimit({
    maxSize: maxBody,
    onError: (context) => refuse(context, 413, messages.large),
  })
  app.post('/:token/claim', ownMessage, limited, async (context) => {
    const { data } = claimSchema.safeParse(await body(context))
    if (!data) return refuse(context, 400, messages.form)
    return answer(context, 'claim', (token) => signingService.claim(token, data.account))
  })
  app.post('/:token/report', ownMessage, limited, async (context) => {
    const { data } = reportSchema.safeParse(await body(context))
    if (!data) return refuse(context, 400, messages.form)
    return answer(context, 'report', (token) => signingService.report(token, data))
  })

  app.onError((error, context) => {
    noteFault(log, error, context.env.incoming, 'the signing page could not be answered')
    return refuse(context, 500, messages.failed)
  })
  return app
}

/**
 * Makes a function that queries the signing service for the link in the path, within rate limits, and sends the answer.
 *
 * A proxy makes everybody one address, so requests are counted per existing link; unknown links share one limit, so
 * guessing slows down nobody else. Each purpose has its own limit: polling pages don't use up what opening, claiming and
 * reporting need.
 */
function linkAnswers(now: () => number) {
  const bucket = (count: number) => new TokenBucket({ perSecond: count / 60, burst: count, now })
  const existing = new LRUCache<string, TokenBucket>({
    max: maxCounted,
    memoMethod: () => bucket(perMinute.existing),
  })
  const unknown = bucket(perMinute.unknown)
  return async <Found extends object>(
    context: Context,
    purpose: 'request' | 'progress' | 'picture' | 'qr' | 'claim' | 'report',
    ask: (token: string) => Promise<Found | ClosedRequest | undefined>,
    show: (context: Context, found: Found | ClosedRequest) => Response = sendAnswer,
  ): Promise<Response> => {
    const token = context.req.param('token') ?? ''
    if (!isLinkToken(token)) return refuse(context, 404, messages.unknown)
    const key = `${purpose} ${token}`
    if (!existing.memo(key).tryTake()) return refuse(context, 429, messages.many)
    const found = await ask(token)
    if (found !== undefined) return show(context, found)
    // A guessed token must leave nothing in memory.
    existing.delete(key)
    if (!unknown.tryTake()) return refuse(context, 429, messages.many)
    return refuse(context, 404, messages.unknown)
  }
}

/** Rejects requests that a page of another origin could have sent, and bodies that are not JSON. */
function onlyFrom(origin: string): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context
    const own = req.header('origin') === origin || req.header('sec-fetch-site') === 'same-origin'
    if (!own) return refuse(context, 403, messages.origin)
    const [type = ''] = (req.header('content-type') ?? '').split(';')
    if (type.trim().toLowerCase() !== 'application/json') return refuse(context, 415, messages.json)
    return next()
  }
}

function body(context: Context): Promise<unknown> {
  return context.req.json().catch(() => undefined)
}

/** Keys of the texts that the page has itself. */
const pageTexts = /^(?:sign|terms)-/u

/** Puts the reasons of checks, whose texts the page does not have, into a language. */
function inWords(request: SigningRequest, locale: Locale): SigningRequest {
  const say = (text: StoredText) =>
    typeof text === 'string' || pageTexts.test(text.key) ? text : plainText(text, locale)
  const { simulation, check } = request
  return {
    ...request,
    ...(simulation.kind === 'failed' && {
      simulation: { ...simulation, reason: say(simulation.reason) },
    }),
    ...(check && { check: checkInWords(check, say) }),
  }
}

function checkInWords(check: Check, say: (text: StoredText) => StoredText): Check {
  const { metadata } = check
  return {
    ...check,
    doubts: check.doubts.map(say),
    ...(metadata.kind === 'not checked' && { metadata: { ...metadata, why: say(metadata.why) } }),
    ...(metadata.kind === 'different' && {
      metadata: {
        ...metadata,
        fields: metadata.fields.map(({ name, typed, found }) => ({
          name: say(name),
          typed: say(typed),
          found: say(found),
        })),
      },
    }),
  }
}

/** Makes the function that writes the page's texts in a language into its HTML. */
function shellWriter(): (html: string, locale: Locale) => string {
  const shells = new Map<Locale, string>()
  return (html, locale) => {
    const known = shells.get(locale)
    if (known !== undefined) return known
    const messages = JSON.stringify(messagesFor(locale, pageTexts))
    const texts: Record<string, string> = {
      title: plainText(t('sign-title'), locale),
      never: plainText(t('sign-never'), locale),
      noscript: plainText(t('sign-needs-javascript'), locale),
    }
    const shell = html
      .replace('lang="en"', `lang="${locale}"`)
      .replace(/\{\{(\w+)\}\}(?!")/gu, (_, name: string) => escaped(texts[name] ?? ''))
      // A text could end the element.
      .replace('"{{messages}}"', () => messages.replaceAll('<', '\\u003c'))
    shells.set(locale, shell)
    return shell
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** Error messages of the routes: those that only a program can meet are plain English. */
const messages = {
  unknown: t('signing-unknown'),
  expired: t('signing-expired'),
  revoked: t('signing-revoked'),
  many: t('signing-many'),
  origin: 'Only the signing page itself may send this.',
  json: 'The body must be JSON.',
  large: 'The body is too large.',
  form: 'The body does not have the form that is expected here.',
  nothing: 'not found',
  failed: t('signing-failed'),
} as const

type Refusal = 400 | 403 | 404 | 413 | 415 | 429 | 500

/** Sends an error message as JSON, in the browser's language. */
function refuse(context: Context, status: Refusal, error: Text): Response {
  return context.json({ error: plainText(error, localeOf(context)) }, status)
}

function localeOf(context: Context): Locale {
  return localeFor(context.req.header('accept-language')?.split(/[,;]/u)[0])
}

/** Sends the service's answer as JSON; 410 for an expired or revoked link. A launched one is no error. */
function sendAnswer(context: Context, found: object | ClosedRequest): Response {
  if (!('state' in found)) return context.json(found)
  const { state } = found
  if (state !== 'expired' && state !== 'revoked') return context.json(found)
  const error = plainText(messages[state], localeOf(context))
  return context.json({ error, ...found }, 410)
}

const pictures = new Set(['image/webp', 'image/jpeg', 'image/png', 'image/gif'])

/** Sends the picture, if it is a format that can't run scripts. */
function picture(context: Context, found: Attachment | ClosedRequest): Response {
  if ('state' in found) return sendAnswer(context, found)
  if (!pictures.has(found.type)) return refuse(context, 404, messages.nothing)
  return context.body(Uint8Array.from(found.bytes), 200, { 'content-type': found.type })
}

/** Sends a script or style; cacheable, because its name changes with its content. */
function asset(context: Context, file: PageFile | undefined): Response {
  if (!file) return refuse(context, 404, messages.nothing)
  return context.body(file.content, 200, {
    'content-type': file.type,
    'cache-control': 'public, max-age=31536000, immutable',
  })
}

const own = ["'self'"]
const none = ["'none'"]

/**
 * Makes the middleware of the security headers: only the page's own files may load, nobody may frame it, and its URL,
 * which holds the token, is sent to nobody. `https` also sends HSTS for a year.
 */
function signingHeaders(https: boolean): MiddlewareHandler {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: none,
      scriptSrc: own,
      styleSrc: own,
      connectSrc: own,
      imgSrc: [...own, 'data:'],
      baseUri: none,
      formAction: none,
      frameAncestors: none,
    },
    xFrameOptions: 'DENY',
    // Wallet popups need to talk to the page that opened them.
    crossOriginOpenerPolicy: 'same-origin-allow-popups',
    permissionsPolicy: {
      camera: [],
      microphone: [],
      geolocation: [],
      payment: [],
      displayCapture: [],
    },
    strictTransportSecurity: https && 'max-age=31536000',
  })
}

/** A file of the signing page, ready to serve. */
interface PageFile {
  type: string
  content: string
}

/** Key of the HTML page in the bundle; the other keys are its scripts and styles. */
const shellName = 'index.html'

const inPage = (name: string) => fileURLToPath(new URL(`page/${name}`, import.meta.url))

/**
 * Bundles the signing page in memory; slow, so call it once per process, and don't wait for it at the start. A second call
 * before the first one has ended would hang: each stops the process that bundles. Names of scripts and styles contain a
 * hash of their content, so browsers may cache them for ever.
 */
export async function bundlePage(): Promise<ReadonlyMap<string, PageFile>> {
  const { outputFiles } = await build({
    entryPoints: [inPage('main.ts'), inPage('style.css')],
    bundle: true,
    write: false,
    minify: true,
    outdir: 'page',
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
  })
  // It would go on, with 75 MB.
  await stop()
  const files = new Map<string, PageFile>()
  let shell = await readFile(inPage(shellName), 'utf8')
  for (const { path, text } of outputFiles) {
    const name = hashedName(basename(path), text)
    files.set(name, { type: typeOf(name), content: text })
    shell = shell.replaceAll(`assets/${basename(path)}`, `assets/${name}`)
  }
  return files.set(shellName, { type: typeOf(shellName), content: shell })
}

function hashedName(name: string, content: string): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const extension = extname(name)
  return `${basename(name, extension)}-${hash}${extension}`
}

function typeOf(name: string): string {
  const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' }
  return `${types[extname(name)] ?? 'text/html'}; charset=utf-8`
}
