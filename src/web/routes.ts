import type { RequestListener } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { Logger } from '../log.ts'
import { noteFault } from './fault.ts'
import { type Identity, identityHeader, identityPath, isNonce } from './identity.ts'
import type { Ready } from './readiness.ts'

/** The sources of the routes. Health, readiness and metrics contain no secrets and nothing about users. */
export interface RouteParts {
  /** State of each part, by name. */
  health: () => Record<string, unknown>
  ready: () => Promise<Ready>
  /** Prometheus metrics. */
  metrics: () => Promise<{ type: string; text: string }>
  /** The routes of the signing page; undefined if none is served. */
  signing?: Hono<{ Bindings: Partial<HttpBindings> }> | undefined
  /** Proves to whoever has the same settings that the public address leads here. */
  identity: Identity
  log: Logger
}

/** Answers people and monitoring. */
export function listenerOf(parts: RouteParts): RequestListener {
  // By default the listener replaces the global Request and Response.
  const listener = getRequestListener(routesOf(parts).fetch, { overrideGlobalObjects: false })
  return (request, response) => void listener(request, response)
}

function routesOf(parts: RouteParts) {
  const { health, ready, metrics, signing, identity, log } = parts
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  app.use(async (context, next) => {
    await next()
    if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store')
    context.header('x-content-type-options', 'nosniff')
  })
  app.get('/healthz', (context) => context.json({ status: 'ok', parts: health() }))
  app.get('/readyz', async (context) => {
    const { status, parts } = await ready()
    const serves = status === 'ready' || status === 'degraded'
    return context.json({ status, parts }, serves ? 200 : 503)
  })
  app.get('/metrics', async (context) => {
    const { type, text } = await metrics()
    return context.body(text, 200, { 'content-type': type })
  })
  app.get(`${identityPath}/:nonce`, (context) => {
    const nonce = context.req.param('nonce')
    if (!isNonce(nonce)) return context.notFound()
    return context.text(identity(nonce, context.req.header(identityHeader) ?? ''))
  })
  if (signing) app.route('/s', signing)
  app.notFound((context) => context.json({ error: 'not found' }, 404))
  app.onError((error, context) => {
    noteFault(log, error, context.env.incoming, 'a request could not be answered')
    return context.json({ error: 'something went wrong' }, 500)
  })
  return app
}
