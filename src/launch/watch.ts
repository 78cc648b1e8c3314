import type { Hex } from 'viem'
import { z } from 'zod'
import type { Api } from '../api/client.ts'
import type { ChainNode } from '../chain/node.ts'
import { NodeError } from '../chain/node-error.ts'
import { ApiError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Outcome, Queue } from '../queue/queue.ts'
import type { Draft } from './draft.ts'
import { type Drafts, StaleDraftError } from './drafts.ts'
import { lookFor } from './found.ts'
import type { Notices } from './notices.ts'
import type { Payload } from './payload.ts'
import { type Payloads, payloadExpiresAt } from './payloads.ts'

export interface WatchParts {
  queue: Queue
  drafts: Drafts
  payloads: Payloads
  notices: Notices
  /** By chain id. */
  nodes: ReadonlyMap<number, ChainNode>
  api: Pick<Api, 'asset'>
  log: Logger
  /** Unix seconds. */
  now: () => number
}

const kind = 'launch-watch'
const body = z.object({ payload: z.string() })
/** Seconds for which what was handed out is watched after it was revoked or has expired: it can still be signed. */
const watchedAfterEnd = 7 * 86_400
/** Seconds after a hand-over in which it is likely to be signed, and after a report in which it is likely to be mined. */
const soon = 900
const mostTries = 5

/** Watches every payload that was handed out, until it is launched or long past its end, and tells what happens. */
export class Watch {
  readonly #parts: WatchParts

  constructor(parts: WatchParts) {
    this.#parts = parts
    parts.queue.handle(kind, async (job) => this.#run(body.parse(job).payload))
  }

  /** Begins to watch a payload; one that is watched already stays so. */
  begin({ id }: Payload): Promise<void> {
    return this.#parts.queue.add({ key: keyOf(id), kind, body: { payload: id } })
  }

  /** Something happened: look now. */
  hasten(id: string): Promise<void> {
    return this.#parts.queue.hasten(keyOf(id))
  }

  /**
   * The payload as it is after looking whether it was launched; a launch is told of.
   * @throws NodeError or ApiError where that can't be seen
   */
  async look(payload: Payload): Promise<Payload> {
    const { nodes, api, notices, payloads } = this.#parts
    if (payload.state === 'launched') return payload
    const found = await lookFor(payload, { node: nodes.get(payload.chain), api })
    switch (found.kind) {
      case 'launched':
        return this.#launched(payload, found.hash)
      case 'reverted':
        await notices.reverted(payload, found.hash)
        return payload
      case 'open': {
        const fromBlock = found.next === undefined ? undefined : String(found.next)
        if (fromBlock === undefined || fromBlock === payload.fromBlock) return payload
        return (await payloads.change(payload.id, (each) => ({ ...each, fromBlock }))) ?? payload
      }
    }
  }

  async #run(id: string): Promise<Outcome> {
    const { payloads, now } = this.#parts
    const payload = await payloads.find(id)
    if (!payload) return 'done'
    const looked = await this.#tryLook(payload)
    if (looked.state === 'launched') {
      // Once more, for a process that was killed in between.
      await this.#tellLaunched(looked, false)
      return 'done'
    }
    const ended = await this.#endings(looked)
    if (ended.state !== 'active' && now() >= ended.updatedAt + watchedAfterEnd) return 'done'
    return { again: now() + pauseOf(ended, now()) }
  }

  /** Where it can't be seen now, it is looked for again; the clock of the payload goes on meanwhile. */
  async #tryLook(payload: Payload): Promise<Payload> {
    try {
      return await this.look(payload)
    } catch (error) {
      if (!(error instanceof NodeError) && !(error instanceof ApiError)) throw error
      this.#parts.log.warn({ err: error, payload: payload.id }, 'a launch could not be looked for')
      return payload
    }
  }

  /** What time alone brings about. */
  async #endings(payload: Payload): Promise<Payload> {
    const { payloads, notices, now } = this.#parts
    if (payload.state === 'active' && now() >= payloadExpiresAt(payload)) {
      const ended = await payloads.change(payload.id, (each) =>
        each.state === 'active' && now() >= payloadExpiresAt(each)
          ? { ...each, state: 'expired' }
          : undefined,
      )
      if (ended) return this.#endings(ended)
    }
    if (payload.state === 'expired') await notices.expired(payload)
    const { linkExpiresAt, reported } = payload
    const isSilent = linkExpiresAt !== undefined && linkExpiresAt <= now() && !reported
    if (payload.state === 'active' && isSilent) await notices.silence(payload)
    return payload
  }

  async #launched(payload: Payload, hash: Hex | undefined): Promise<Payload> {
    const { payloads } = this.#parts
    const launched = await payloads.change(payload.id, (each) => ({
      ...each,
      state: 'launched',
      ...(hash !== undefined && { launchedBy: hash }),
    }))
    if (!launched) return payload
    await this.#tellLaunched(launched, payload.state !== 'active')
    return launched
  }

  async #tellLaunched(payload: Payload, late: boolean): Promise<void> {
    const { payloads, notices } = this.#parts
    const draft = await this.#endDraft(payload.draft)
    // A draft is launched once: what was built for it anew must not be signed as well.
    const other = await payloads.active(payload.draft)
    if (other) await payloads.change(other.id, (each) => ({ ...each, state: 'revoked' }))
    if (draft) await notices.launched(payload, draft, late)
  }

  async #endDraft(id: string): Promise<Draft | undefined> {
    const { drafts } = this.#parts
    for (let left = mostTries; ; left -= 1) {
      const draft = await drafts.find(id)
      if (!draft || draft.state === 'launched') return draft
      try {
        return await drafts.save({ ...draft, state: 'launched' })
      } catch (error) {
        if (!(error instanceof StaleDraftError) || left === 0) throw error
      }
    }
  }
}

function keyOf(id: string): string {
  return `launch-watch:${id}`
}

/** Seconds until the next look. */
function pauseOf(payload: Payload, now: number): number {
  if (payload.reported && now < payload.reported.at + soon) return 5
  if (now < (payload.handedAt ?? payload.createdAt) + soon) return 10
  return payload.state === 'active' ? 60 : 300
}
