import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { Client } from 'pg'
import { z } from 'zod'
import type { Channel, PubSub } from '../core/pubsub.ts'
import { sleep, withTimeout } from '../core/task.ts'
import { reason } from '../db/database.ts'
import type { Store } from '../db/schema.ts'
import { notify } from '../db/sql.ts'
import { type Logger, OutageLog } from '../log.ts'

export interface PostgresPubSubParts {
  /** URL of the PostgreSQL database that all replicas share. */
  url: string
  /** The same database, for NOTIFY. */
  store: Store
  log: Logger
  /** Milliseconds between two probes of the listening connection. */
  probeEvery?: number
}

const postgresChannel = 'gavel'
/** Milliseconds for which channels are collected into one notice. */
const batchMs = 100
const connectTimeout = 5_000
const defaultProbeEvery = 10_000
/** Milliseconds before reconnecting. */
const reconnectPause = 1_000
/** Milliseconds for sending the last notice, and for closing the connection. */
const endTimeout = 500

const noticeSchema = z.object({
  from: z.string(),
  channels: z.array(z.string()),
})

/** Publish/subscribe by PostgreSQL's LISTEN and NOTIFY. Listens on a connection of its own, and reconnects if it breaks. */
export class PostgresPubSub implements PubSub {
  readonly #parts: PostgresPubSubParts
  readonly #sender = randomUUID()
  readonly #listeners: [Channel, () => void][] = []
  readonly #stopping = new AbortController()
  readonly #outgoing = new Set<Channel>()
  #timer: NodeJS.Timeout | undefined
  #listening: Promise<void> | undefined
  readonly #outage: OutageLog

  constructor(parts: PostgresPubSubParts) {
    this.#parts = parts
    const { log } = parts
    this.#outage = new OutageLog({
      begins: (error) =>
        log.warn({ reason: reason(error) }, 'other replicas can’t be heard; trying again'),
      ends: () => log.info('other replicas are heard again'),
    })
  }

  publish(channel: Channel): void {
    if (this.#stopping.signal.aborted) return
    this.#outgoing.add(channel)
    this.#timer ??= setTimeout(() => void this.#sendAll(), batchMs)
  }

  subscribe(channel: Channel, onNotice: () => void): void {
    this.#listeners.push([channel, onNotice])
  }

  start(): void {
    this.#listening ??= this.#listen()
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    // The last notice tells other replicas which roles were released.
    if (this.#outgoing.size > 0) await withTimeout(this.#send(), endTimeout)
    this.#stopping.abort()
    await this.#listening
  }

  /** Sends one notice after the other; if the database is slow, each collects more. */
  async #sendAll(): Promise<void> {
    while (this.#outgoing.size > 0 && !this.#stopping.signal.aborted) await this.#send()
    this.#timer = undefined
  }

  async #send(): Promise<void> {
    const notice = JSON.stringify({ from: this.#sender, channels: [...this.#outgoing] })
    this.#outgoing.clear()
    const { store, log } = this.#parts
    try {
      await notify(store, postgresChannel, notice)
    } catch (error) {
      log.debug({ err: error }, 'other replicas could not be told')
    }
  }

  async #listen(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        await this.#listenOnce()
      } catch (error) {
        if (signal.aborted) return
        this.#parts.log.debug({ err: error }, 'listening to other replicas failed')
        this.#outage.failed(error)
      }
      await sleep(reconnectPause, signal)
    }
  }

  /** Listens until the connection breaks, which rejects, or a stop begins. */
  async #listenOnce(): Promise<void> {
    const { signal } = this.#stopping
    const { url, probeEvery = defaultProbeEvery } = this.#parts
    const socket = new Socket()
    const client = new Client({
      stream: () => socket,
      connectionString: url,
      application_name: 'gavel listens',
      connectionTimeoutMillis: connectTimeout,
      query_timeout: connectTimeout,
      keepAlive: true,
    })
    const broken = new Promise<void>((_, reject) => client.on('error', reject))
    broken.catch(() => undefined)
    const hangUp = () => socket.destroy()
    signal.addEventListener('abort', hangUp)
    client.on('notification', ({ payload }) => this.#onNotice(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${postgresChannel}`)
      this.#outage.worked()
      while (!signal.aborted) {
        await Promise.race([sleep(probeEvery, signal), broken])
        if (!signal.aborted) await client.query('select 1')
      }
    } finally {
      signal.removeEventListener('abort', hangUp)
      await withTimeout(client.end(), endTimeout).catch(() => undefined)
      socket.destroy()
    }
  }

  #onNotice(payload: string): void {
    const notice = parseNotice(payload)
    if (notice === undefined || notice.from === this.#sender) return
    for (const [channel, onNotice] of this.#listeners) {
      if (notice.channels.includes(channel)) onNotice()
    }
  }
}

/** Undefined if the notice is not valid: any user of the database can send one. */
function parseNotice(payload: string): z.output<typeof noticeSchema> | undefined {
  try {
    return noticeSchema.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}
