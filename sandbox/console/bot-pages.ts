import { type Context, Hono } from 'hono'
import { request } from 'undici'

/** What a connection says about itself, which is not meant for the other end. */
const betweenNeighbours = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const maxBytes = 1_000_000

export interface BotPages {
  /** The bot's own address, while there is a bot. */
  origin: () => string | undefined
  /** Put before every other script of its pages. */
  script?: string | undefined
}

/**
 * The bot's own pages, as a server in front of it would give them: each answer is the bot's, headers and all. In its
 * pages one script of this origin is added, where a browser would have a wallet's extension.
 */
export function botPages(pages: BotPages): Hono {
  const app = new Hono()
  app.all('/s/*', (context) => passOn(context, pages))
  return app
}

async function passOn(context: Context, { origin, script }: BotPages): Promise<Response> {
  const bot = origin()
  if (bot === undefined) return context.text('The bot is not running.\n', 502)
  const { method, raw } = context.req
  const { pathname, search } = new URL(raw.url)
  const body = Buffer.from(await raw.arrayBuffer())
  if (body.length > maxBytes) return context.text('Too much.\n', 413)
  try {
    const answer = await request(`${bot}${pathname}${search}`, {
      method,
      headers: { ...forwarded(raw.headers), 'accept-encoding': 'identity' },
      body: body.length > 0 ? body : null,
    })
    const headers = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) {
      if (betweenNeighbours.has(name)) continue
      for (const one of [value ?? []].flat()) headers.append(name, one)
    }
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    const isPage = /^text\/html\b/iu.test(headers.get('content-type') ?? '')
    const content = isPage && script ? withScript(bytes.toString(), script) : bytes
    const empty = content.length === 0
    return new Response(empty ? null : content, { status: answer.statusCode, headers })
  } catch {
    return context.text('The bot does not answer.\n', 502)
  }
}

function forwarded(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !betweenNeighbours.has(name)))
}

function withScript(html: string, script: string): string {
  return html.replace(/<head[^>]*>/iu, (head) => `${head}<script src="${script}"></script>`)
}
