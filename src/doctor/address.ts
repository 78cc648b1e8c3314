import { randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'
import { type Identity, identityHeader, identityPath } from '../web/identity.ts'
import { PortError, WebServer } from '../web/server.ts'
import { type Finding, off, ok, wrong } from './finding.ts'

/** Milliseconds for an answer. */
const timeoutMs = 10_000
/** Characters of an answer that are looked at. */
const maxText = 100

/**
 * Tries PORT and PUBLIC_URL: takes the port as a start does, and asks through the public address for a path that is made up
 * for it and that only a bot with these settings can answer: the doctor, or the bot that has the port already.
 */
export async function tryAddress(
  { port, host, launch: { publicUrl } }: Pick<Config, 'port' | 'host' | 'launch'>,
  identity: Identity,
  log: Logger,
): Promise<Finding[]> {
  const server = new WebServer({
    health: () => ({}),
    ready: async () => ({ status: 'starting', parts: {} }),
    metrics: async () => ({ type: 'text/plain', text: '' }),
    identity,
    log,
  })
  const taken = await server.start(port, host).then(
    () => undefined,
    (error: unknown) => error,
  )
  try {
    const portFinding = await portFindingOf({ port, host, taken, identity })
    if (publicUrl === undefined) return [portFinding, off('PUBLIC_URL')]
    // Who asks for what another program answers learns nothing.
    if (portFinding.verdict === 'wrong') return [portFinding]
    return [portFinding, await publicFinding(publicUrl, port, identity)]
  } finally {
    if (taken === undefined) await server.stop()
  }
}

async function portFindingOf(parts: {
  port: number
  host: string | undefined
  /** Why the port can't be had; undefined if it can. */
  taken: unknown
  identity: Identity
}): Promise<Finding> {
  const { port, host = '127.0.0.1', taken, identity } = parts
  if (taken === undefined) {
    return ok('PORT', port === 0 ? 'the system chooses one at each start' : `${port} is free`)
  }
  if (!(taken instanceof PortError)) throw taken
  const answer = await ask(`http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  if (isFrom(answer, identity)) return ok('PORT', `${port}, which the bot that runs has`)
  return wrong('PORT', taken.message)
}

async function publicFinding(url: string, port: number, identity: Identity): Promise<Finding> {
  const answer = await ask(url)
  const setting = 'PUBLIC_URL'
  if ('fault' in answer) return wrong(setting, `${url} ${answer.fault}`)
  const { status, location, headers } = answer
  if (isFrom(answer, identity)) {
    const isChanged = !headers.get('cache-control')?.includes('no-store')
    return isChanged
      ? wrong(setting, `a proxy at ${url} changes headers: pass cache-control on as it is`)
      : ok(setting, `${url} leads here`)
  }
  if (answer.text === identity(answer.nonce, '')) {
    return wrong(setting, `a proxy at ${url} drops the header ${identityHeader}: pass all on`)
  }
  if (location !== undefined) {
    return wrong(setting, `${url} sends on to ${location}: set the address that answers itself`)
  }
  const where = port === 0 ? 'PORT' : `PORT ${port}`
  if (status >= 502 && status <= 504) {
    return wrong(setting, `the proxy at ${url} does not reach ${where} (status ${status})`)
  }
  return wrong(
    setting,
    `something else answers at ${url} (status ${status}): it must lead to ${where}, and pass on ${identityPath}`,
  )
}

/** The answer to a question of one path, made up for it. */
interface Answered {
  nonce: string
  /** The value of the header that has to come through. */
  passed: string
  status: number
  /** The origin that it redirects to. */
  location: string | undefined
  headers: Headers
  text: string
}

async function ask(origin: string): Promise<Answered | { fault: string }> {
  const nonce = randomBytes(32).toString('base64url')
  const passed = randomBytes(8).toString('hex')
  try {
    const response = await fetch(`${origin}${identityPath}/${nonce}`, {
      redirect: 'manual',
      headers: { [identityHeader]: passed },
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { status, headers } = response
    const location = headers.get('location')
    return {
      nonce,
      passed,
      status,
      location: location === null ? undefined : URL.parse(location, origin)?.origin,
      headers,
      text: await beginningOf(response),
    }
  } catch (error) {
    return { fault: faultOf(error) }
  }
}

/** The first characters of a body: whoever answers there may have no end of them. */
async function beginningOf({ body }: Response): Promise<string> {
  let text = ''
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    if (text.length >= maxText) break
  }
  return text.slice(0, maxText)
}

function isFrom(answer: Awaited<ReturnType<typeof ask>>, identity: Identity): boolean {
  return 'text' in answer && answer.text === identity(answer.nonce, answer.passed)
}

const certificateCode = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/u

function faultOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return `gave no answer within ${timeoutMs / 1_000} seconds: is a firewall before it?`
  }
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no connection'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `has no address in the DNS (${code})`
  if (certificateCode.test(code)) return `has a certificate that is not trusted (${code})`
  return `can’t be reached (${code})`
}
