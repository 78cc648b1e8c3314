import type { Upload } from '../check/message.ts'

/** A parsed REST call as a handler gets it. */
export interface RestRequest {
  /** The values of the path's `:` parts, in order. */
  params: readonly string[]
  query: URLSearchParams
  body: unknown
  files: Upload[]
}

export interface RestAnswer {
  status: number
  /** Sent as JSON; left out for 204. */
  body?: unknown
}

export interface Route {
  /** Such as `POST /channels/:id/messages`; its text also names the route in the log and the buckets. */
  name: string
  /** `bot` wants the bot's token; `open` routes carry a token of their own in the path. */
  access: 'bot' | 'open'
  /** How many leading params make the major parameter of the rate limit. */
  major: number
  /** Whether the route has no bucket of its own to be limited by. */
  unlimited?: boolean
  handle: (request: RestRequest) => RestAnswer | Promise<RestAnswer>
}

export interface Match {
  route: Route
  params: string[]
}

interface Compiled {
  route: Route
  method: string
  parts: string[]
}

/** Finds the route of a call; a path known only for other methods is told apart from an unknown one. */
export class Router {
  readonly #routes = new Map<string, Compiled[]>()

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const [method = '', path = ''] = route.name.split(' ')
      const parts = path.split('/').slice(1)
      const key = `${parts.length}/${parts[0]}`
      this.#routes.set(key, [...(this.#routes.get(key) ?? []), { route, method, parts }])
    }
  }

  match(method: string, path: string): Match | 'no route' | 'wrong method' {
    const parts = path.split('/').slice(1)
    const candidates = this.#routes.get(`${parts.length}/${parts[0]}`) ?? []
    let known = false
    for (const candidate of candidates) {
      const params = paramsOf(candidate.parts, parts)
      if (params === undefined) continue
      if (candidate.method === method) return { route: candidate.route, params }
      known = true
    }
    return known ? 'wrong method' : 'no route'
  }
}

function paramsOf(pattern: readonly string[], parts: readonly string[]): string[] | undefined {
  const params: string[] = []
  for (const [index, part] of pattern.entries()) {
    const given = parts[index] ?? ''
    // The only character of these paths that clients escape is the one in `@original`.
    if (part.startsWith(':')) params.push(given.replace('%40', '@'))
    else if (part !== given) return undefined
  }
  return params
}
