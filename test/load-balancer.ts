import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Listening, listen } from '../sandbox/http.ts'

/** One address before several servers, as a load balancer is: each call goes to one of those that are there. */
export class LoadBalancer {
  /** Where the servers are that are there at this moment: roots without a slash at the end. */
  targets: () => readonly string[] = () => []
  /** Which of so many comes next. */
  choose: (count: number) => number = (count) => Math.floor(Math.random() * count)
  /** How often each was called. */
  readonly calls = new Map<string, number>()
  /** How many answers get lost on their way back. */
  losses = 0
  readonly #server: Listening

  private constructor(server: Listening) {
    this.#server = server
  }

  static async start(): Promise<LoadBalancer> {
    const calls: { balancer?: LoadBalancer } = {}
    const server = await listen(
      (request, { outgoing }) => calls.balancer?.forward(request, outgoing) ?? gone(),
    )
    calls.balancer = new LoadBalancer(server)
    return calls.balancer
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  stop(): Promise<void> {
    return this.#server.stop()
  }

  /** Each of them in its turn. */
  inTurn(): void {
    let next = 0
    this.choose = (count) => {
      next += 1
      return next % count
    }
  }

  async forward(request: Request, outgoing: HttpBindings['outgoing']): Promise<Response> {
    const targets = this.targets()
    const at = this.choose(targets.length)
    const target = targets[at]
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
    try {
      const body = hasBody ? await request.arrayBuffer() : null
      const answer = target ? await this.#call(target, request, body) : gone()
      if (this.losses > 0) {
        this.losses -= 1
        outgoing.destroy()
        return RESPONSE_ALREADY_SENT
      }
      return answer
    } catch {
      return gone()
    }
  }

  async #call(target: string, request: Request, body: ArrayBuffer | null): Promise<Response> {
    this.calls.set(target, (this.calls.get(target) ?? 0) + 1)
    const { pathname, search } = new URL(request.url)
    const headers = new Headers(request.headers)
    for (const name of ['host', 'connection', 'content-length', 'transfer-encoding']) {
      headers.delete(name)
    }
    const { method } = request
    const answer = await fetch(`${target}${pathname}${search}`, {
      method,
      headers,
      body,
      redirect: 'manual',
    })
    const told = new Headers(answer.headers)
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) {
      told.delete(name)
    }
    return new Response(await answer.arrayBuffer(), { status: answer.status, headers: told })
  }
}

function gone(): Response {
  return new Response('nobody is there', { status: 502 })
}
