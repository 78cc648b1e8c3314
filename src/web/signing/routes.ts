import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { z } from 'zod'
import type { ClosedRequest, SigningDesk } from '../../launch/signing.ts'
import type { Logger } from '../../log.ts'
import { noteFault } from '../faults.ts'
import { type PageFile, shellName } from './bundle.ts'
import { signingHeaders } from './headers.ts'
import { LinkLimits, type Purpose } from './limits.ts'
import { qrCode } from './qr.ts'
import { asset, picture, refuse, shown, words } from './replies.ts'

/** What the signing page's routes are made of. */
export interface SigningSite {
  desk: SigningDesk
  /** Where the bot's own pages are, without a trailing slash. */
  publicUrl: string
  /** The origin of the operator's own signing page, which may read what is to be signed. */
  pageOrigin?: string | undefined
  /** From `bundlePage`. */
  page: ReadonlyMap<string, PageFile>
  log: Logger
}

const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/u)])
const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/u)])
const claimSchema = z.strictObject({ account: address })
const reportSchema = z.strictObject({ account: address, hash })

/** Bytes; both messages are far shorter. */
const mostBody = 2048

/** Whether this can be the token of a link at all: 24 bytes, in characters that every path takes. */
function isLinkToken(text: string): boolean {
  return /^[\w-]{32}$/u.test(text)
}

/** The signing page, to be mounted under /s. Looking at a link never uses it up. */
export function signingRoutes({ desk, page, publicUrl, pageOrigin, log }: SigningSite): Hono {
  const { origin, protocol } = new URL(publicUrl)
  const answer = linkAnswers(new LinkLimits())
  const app = new Hono()
  app.use(signingHeaders(protocol === 'https:'))

  app.get('/assets/:name', (context) => {
    const name = context.req.param('name')
    return asset(context, name === shellName ? undefined : page.get(name))
  })
  app.get('/:token', (context) => {
    const shell = page.get(shellName)
    if (!shell) return refuse(context, 404, words.nothing)
    const status = isLinkToken(context.req.param('token')) ? 200 : 404
    return context.body(shell.content, status, { 'content-type': shell.type })
  })

  app.use('/:token/request', cors({ origin: (from) => (from === pageOrigin ? from : null) }))
  app.get('/:token/request', (context) => answer(context, 'request', (token) => desk.open(token)))
  app.get('/:token/progress', (context) =>
    answer(context, 'progress', (token) => desk.progress(token)),
  )
  app.get('/:token/picture', (context) =>
    answer(context, 'picture', (token) => desk.picture(token), picture),
  )
  app.get('/:token/qr.svg', (context) =>
    answer(
      context,
      'qr',
      (token) => desk.progress(token),
      (_, found) => {
        if ('state' in found) return shown(context, found)
        const code = qrCode(`${publicUrl}/s/${context.req.param('token')}`)
        return context.body(code, 200, { 'content-type': 'image/svg+xml' })
      },
    ),
  )

  const ownMessage = onlyFrom(origin)
  const limited = bodyLimit({
    maxSize: mostBody,
    onError: (context) => refuse(context, 413, words.large),
  })
  app.post('/:token/claim', ownMessage, limited, async (context) => {
    const { data } = claimSchema.safeParse(await body(context))
    if (!data) return refuse(context, 400, words.form)
    return answer(context, 'claim', (token) => desk.claim(token, data.account))
  })
  app.post('/:token/report', ownMessage, limited, async (context) => {
    const { data } = reportSchema.safeParse(await body(context))
    if (!data) return refuse(context, 400, words.form)
    return answer(context, 'report', (token) => desk.report(token, data))
  })

  app.onError((error, context) => {
    noteFault(log, error, context, 'the signing page could not be answered')
    return refuse(context, 500, words.failed)
  })
  return app
}

/** Makes what asks the desk about the link in the path, within limits, and shows its answer. */
function linkAnswers(limits: LinkLimits) {
  return async <Found extends object>(
    context: Context,
    purpose: Purpose,
    ask: (token: string) => Promise<Found | ClosedRequest | undefined>,
    show: (context: Context, found: Found | ClosedRequest) => Response = shown,
  ): Promise<Response> => {
    const token = context.req.param('token') ?? ''
    if (!isLinkToken(token)) return refuse(context, 404, words.unknown)
    if (!(await limits.allows(token, purpose))) return refuse(context, 429, words.many)
    const found = await ask(token)
    if (found !== undefined) return show(context, found)
    const slow = !(await limits.allowsUnknown(token, purpose))
    return slow ? refuse(context, 429, words.many) : refuse(context, 404, words.unknown)
  }
}

/** Refuses JSON that a page of another origin could have sent, and what is not JSON. */
function onlyFrom(origin: string): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context
    const own = req.header('origin') === origin || req.header('sec-fetch-site') === 'same-origin'
    if (!own) return refuse(context, 403, words.origin)
    const [type = ''] = (req.header('content-type') ?? '').split(';')
    if (type.trim().toLowerCase() !== 'application/json') return refuse(context, 415, words.json)
    return next()
  }
}

function body(context: Context): Promise<unknown> {
  return context.req.json().catch(() => undefined)
}
