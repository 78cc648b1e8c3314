import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { z } from 'zod'
import { type Finding, ok, unknown, wrong } from './finding.ts'

/** Seconds by which a server's clock, and a proxy's cache, may differ from the right time. */
const tolerance = 30

const answerSchema = z.object({
  request: z.object({ origin: z.coerce.string() }),
  response: z.object({ headers: z.array(z.union([z.string(), z.instanceof(Uint8Array)])) }),
})

/** Compares this machine's clock with the Date of every server that is asked meanwhile, by whichever client. */
export class ClockCheck {
  /** Seconds by which this machine is ahead of each server. */
  readonly #ahead = new Map<string, number>()
  readonly #onAnswer = (message: unknown) => this.#note(message)

  constructor() {
    // Undici, Node.js's own too, says here what answers begin with.
    subscribe('undici:request:headers', this.#onAnswer)
  }

  stop(): void {
    unsubscribe('undici:request:headers', this.#onAnswer)
  }

  finding(): Finding {
    const differences = [...this.#ahead].sort(([, one], [, other]) => one - other)
    // One server may be wrong by itself.
    const [host, ahead] = differences[Math.floor((differences.length - 1) / 2)] ?? []
    if (host === undefined || ahead === undefined) {
      return unknown('clock', 'no server that was asked says the time')
    }
    const count = differences.length === 1 ? host : `${differences.length} servers`
    if (Math.abs(ahead) <= tolerance) return ok('clock', `as that of ${count}`)
    const how = `${Math.abs(ahead)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} ${count}`
    return wrong('clock', `${how}: set it, and run chrony or systemd-timesyncd`)
  }

  #note(message: unknown): void {
    const read = answerSchema.safeParse(message)
    if (!read.success) return
    const { request, response } = read.data
    const headers = response.headers.map((each) => Buffer.from(each).toString('latin1'))
    const place = headers.findIndex((each, index) => index % 2 === 0 && /^date$/iu.test(each))
    const date = place < 0 ? Number.NaN : Date.parse(headers[place + 1] ?? '')
    if (Number.isNaN(date)) return
    // A Date has no fraction of a second.
    this.#ahead.set(new URL(request.origin).host, Math.trunc((Date.now() - date) / 1_000))
  }
}
