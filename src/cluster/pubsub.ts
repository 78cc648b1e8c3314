import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { z } from 'zod'
import type { Channel, PubSub } from '../core/pubsub.ts'
import { reason } from '../db/database.ts'
import type { Store } from '../db/schema.ts'
import { notify } from '../db/sql.ts'
import type { Logger } from '../log.ts'

export interface PostgresPubSubParts {
  /** Of the PostgreSQL database that all replicas share. */
  url: string
  /** A connection to it. */
  store: Store
  log: Logger
  /** Milliseconds after which a connection that gives no sign is taken for broken. */
  probeEvery?: number
}

type Heard = (what: readonly string[]) => void

const channel = 'gavel'
/** Milliseconds for which what is told is collected: one notice then says it all. */
const collectFor = 100
/** As many as one notice holds: PostgreSQL takes none of 8,000 bytes. What is beyond is let go. */
const most = 100
const longest = 50
const connectWithin = 5_000
const defaultProbe = 10_000
const pause = 1_000
/** Milliseconds for a farewell. */
const endWithin = 500

const noticeSchema = z.object({
  from: z.string(),
  told: z.array(z.tuple([z.string(), z.string()])),
})

/** A bulletin by PostgreSQL's LISTEN and NOTIFY: heard on a connection of its own, which is opened again when it breaks. */
export class PostgresPubSub implements PubSub {
  readonly #parts: PostgresPubSubParts
  readonly #name = randomUUID()
  readonly #listeners: [Channel, Heard][] = []
  readonly #stopping = new AbortController()
  #told: [Channel, string][] = []
  #timer: NodeJS.Timeout | undefined
  #listening: Promise<void> | undefined
  #isDeaf = false

  constructor(parts: PostgresPubSubParts) {
    this.#parts = parts
  }

  publish(topic: Channel, what = ''): void {
    if (this.#told.length >= most || this.#stopping.signal.aborted) return
    this.#told.push([topic, what.slice(0, longest)])
    this.#timer ??= setTimeout(() => void this.#postAll(), collectFor)
  }

  subscribe(topic: Channel, heard: Heard): void {
    this.#listeners.push([topic, heard])
  }

  start(): void {
    this.#listening ??= this.#listen()
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    // At the end others are told of the roles that they can have.
    if (this.#told.length > 0)
      await Promise.race([this.#post(), delay(endWithin, undefined, { ref: false })])
    this.#stopping.abort()
    await this.#listening
  }

  /** One after the other: where the database is slow, more is collected meanwhile. */
  async #postAll(): Promise<void> {
    while (this.#told.length > 0 && !this.#stopping.signal.aborted) await this.#post()
    this.#timer = undefined
  }

  async #post(): Promise<void> {
    const notice = JSON.stringify({ from: this.#name, told: this.#told })
    this.#told = []
    const { store, log } = this.#parts
    try {
      await notify(store, channel, notice)
    } catch (error) {
      log.debug({ err: error }, 'other replicas could not be told')
    }
  }

  async #listen(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        await this.#connected()
      } catch (error) {
        if (signal.aborted) return
        this.#deafened(error)
      }
      await delay(pause, undefined, { signal }).catch(() => undefined)
    }
  }

  /** Told once at the beginning, however often it is tried. */
  #deafened(error: unknown): void {
    const { log } = this.#parts
    log.debug({ err: error }, 'listening to other replicas failed')
    if (!this.#isDeaf)
      log.warn({ reason: reason(error) }, 'other replicas can’t be heard; trying again')
    this.#isDeaf = true
  }

  /** Listens until the connection breaks or the end comes. */
  async #connected(): Promise<void> {
    const { signal } = this.#stopping
    const { url, probeEvery = defaultProbe } = this.#parts
    const socket = new Socket()
    const client = new Client({
      stream: () => socket,
      connectionString: url,
      application_name: 'gavel listens',
      connectionTimeoutMillis: connectWithin,
      query_timeout: connectWithin,
      keepAlive: true,
    })
    const broken = new Promise<void>((_, reject) => client.on('error', reject))
    broken.catch(() => undefined)
    const hangUp = () => socket.destroy()
    signal.addEventListener('abort', hangUp)
    client.on('notification', ({ payload }) => this.#heard(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      if (this.#isDeaf) this.#parts.log.info('other replicas are heard again')
      this.#isDeaf = false
      while (!signal.aborted) {
        const probe = delay(probeEvery, undefined, { signal }).catch(() => undefined)
        await Promise.race([probe, broken])
        if (!signal.aborted) await client.query('select 1')
      }
    } finally {
      signal.removeEventListener('abort', hangUp)
      await Promise.race([client.end(), delay(endWithin, undefined, { ref: false })]).catch(
        () => undefined,
      )
      socket.destroy()
    }
  }

  #heard(payload: string): void {
    const notice = parsed(payload)
    if (notice === undefined || notice.from === this.#name) return
    for (const [topic, heard] of this.#listeners) {
      const what = notice.told.flatMap(([about, each]) => (about === topic ? [each] : []))
      if (what.length > 0) heard(what)
    }
  }
}

/** Another version's notices may look otherwise. */
function parsed(payload: string): z.output<typeof noticeSchema> | undefined {
  try {
    return noticeSchema.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}
