import { Socket } from 'node:net'
import { Client, type QueryResult } from 'pg'
import { z } from 'zod'
import { sleep, type Task, withTimeout } from '../core/task.ts'
import { reason } from '../db/database.ts'
import { type Logger, OutageLog } from '../log.ts'
import { type Leadership, Tasks } from './leadership.ts'

export interface LockedLeadershipParts {
  /** URL of the PostgreSQL database that all processes share. */
  url: string
  log: Logger
  /** Called if a task could not begin after `start`. */
  onFault: (error: unknown) => void
  /** Milliseconds between two looks at the lock. */
  everyMs?: number
  /** Milliseconds without an answer from PostgreSQL after which the leader stops its tasks. */
  maxSilentMs?: number
}

/**
 * PostgreSQL ends a session that asks nothing for this many milliseconds, and with it the lock: of a process that is frozen, or
 * whose machine is gone. Longer than a leader that gets no answers goes on.
 */
const sessionTimeout = 10_000
const connectTimeout = 3_000
/** Milliseconds for closing the connection. */
const endTimeout = 500

/** Advisory locks of this database: the leader's, and the one that every process shares, by which they are counted. */
const locks = { leader: [0x67617665, 1], alive: [0x67617665, 2] } as const

const seenSchema = z.tuple([z.object({ leads: z.boolean(), processes: z.number() })])

/** A connection of its own: its locks are free once it ends. */
interface Session {
  client: Client
  socket: Socket
}

/**
 * Leadership by an advisory lock of PostgreSQL. The process that holds it leads. The lock ends with its session, so that
 * another process leads within a second after a crash. A leader that gets no answer from PostgreSQL stops its tasks before
 * PostgreSQL would end its session.
 * @example
 *   const leadership = new LockedLeadership({ url, log, onFault })
 *   leadership.run('watch', () => startWatcher())
 *   await leadership.start()
 */
export class LockedLeadership implements Leadership {
  readonly #parts: Required<LockedLeadershipParts>
  readonly #tasks: Tasks
  readonly #stopping = new AbortController()
  readonly #outage: OutageLog
  #session: Session | undefined
  #loop: Promise<void> | undefined
  /** Rejects if a task of the present leadership could not begin. */
  #beginning: Promise<void> = Promise.resolve()
  #isLeader = false
  #processes = 1
  /** Stops the tasks unless PostgreSQL answers before. */
  #expiry: NodeJS.Timeout | undefined

  constructor(parts: LockedLeadershipParts) {
    this.#parts = { everyMs: 1_000, maxSilentMs: 5_000, ...parts }
    const { log } = parts
    this.#tasks = new Tasks(log)
    this.#outage = new OutageLog({
      begins: (error) => log.warn({ reason: reason(error) }, 'the leader’s lock can’t be reached'),
      ends: () => log.info('the leader’s lock can be reached again'),
    })
  }

  run(name: string, begin: () => Task): void {
    this.#tasks.add(name, begin)
  }

  async start(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    await this.#look()
    const beginning = this.#beginning
    this.#loop = this.#lookOn()
    await beginning
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#end()
    const looked = Promise.resolve(this.#loop).then(() => true)
    // A look that waits for PostgreSQL ends with its connection.
    if (!(await withTimeout(looked, endTimeout))) this.#session?.socket.destroy()
    await looked
    await this.#hangUp()
  }

  isLeader(): boolean {
    return this.#isLeader
  }

  processes(): number {
    return this.#processes
  }

  async #lookOn(): Promise<void> {
    const { everyMs, onFault } = this.#parts
    const { signal } = this.#stopping
    for (;;) {
      await sleep(everyMs, signal)
      if (signal.aborted) return
      const before = this.#beginning
      await this.#look()
      if (this.#beginning !== before) this.#beginning.catch(onFault)
    }
  }

  /** Looks at the lock once: begins the tasks if this process leads by now, and stops them if it can't know. */
  async #look(): Promise<void> {
    // Tasks that still stop, after a silence, must have ended before they begin again.
    if (!this.#isLeader) await this.#tasks.stop()
    const { signal } = this.#stopping
    if (signal.aborted) return
    const askedAt = performance.now()
    const wasLeader = this.#isLeader
    try {
      const { leads, processes } = await this.#ask()
      this.#processes = Math.max(1, processes)
      this.#outage.worked()
      // The tasks may have been stopped meanwhile.
      if (leads && wasLeader === this.#isLeader && !signal.aborted) this.#lead(askedAt)
    } catch (error) {
      if (signal.aborted) return
      this.#outage.failed(error)
      // The session may still hold the lock: it ends after the tasks, so that no other process leads before.
      await this.#lose()
      await this.#hangUp()
    }
  }

  #lead(askedAt: number): void {
    const { log, maxSilentMs } = this.#parts
    clearTimeout(this.#expiry)
    const left = askedAt + maxSilentMs - performance.now()
    this.#expiry = setTimeout(() => void this.#lose(), left)
    if (this.#isLeader) return
    this.#isLeader = true
    log.info('this process leads: it does the background work')
    this.#beginning = this.#tasks.begin()
    // Callers that await it get the error, too.
    this.#beginning.catch(() => undefined)
  }

  /** Takes the lock if it is free, and counts the processes. */
  async #ask(): Promise<z.output<typeof seenSchema>[0]> {
    const session = this.#session ?? (await this.#open())
    const lock = this.#isLeader ? 'true' : `pg_try_advisory_lock(${locks.leader.join(', ')})`
    const answer = await this.#query(
      session,
      `select ${lock} as leads, (
        select count(*)::int from pg_locks
        where locktype = 'advisory' and granted and mode = 'ShareLock'
          and database = (select oid from pg_database where datname = current_database())
          and classid = ${locks.alive[0]} and objid = ${locks.alive[1]}
      ) as processes`,
    )
    return seenSchema.parse(answer.rows)[0]
  }

  /** @throws if PostgreSQL gives no answer in time */
  async #query({ client }: Session, text: string): Promise<QueryResult> {
    const asking = client.query(text)
    asking.catch(() => undefined)
    const answer = await withTimeout(asking, this.#parts.maxSilentMs / 2)
    if (answer === undefined) throw new Error('PostgreSQL gave no answer')
    return answer
  }

  async #open(): Promise<Session> {
    const socket = new Socket()
    const client = new Client({
      stream: () => socket,
      connectionString: this.#parts.url,
      application_name: 'gavel leadership',
      connectionTimeoutMillis: connectTimeout,
      keepAlive: true,
    })
    client.on('error', () => undefined)
    const session = { client, socket }
    this.#session = session
    await client.connect()
    await this.#query(session, `set idle_session_timeout = ${sessionTimeout}`)
    await this.#query(session, `select pg_advisory_lock_shared(${locks.alive.join(', ')})`)
    return session
  }

  async #lose(): Promise<void> {
    if (this.#isLeader) this.#parts.log.warn('this process no longer leads')
    await this.#end()
  }

  /** Stops the tasks. The lock is not asked for again before they have ended. */
  async #end(): Promise<void> {
    clearTimeout(this.#expiry)
    this.#isLeader = false
    await this.#tasks.stop()
  }

  /** Ends the session, and the locks with it. */
  async #hangUp(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    if (!session) return
    await withTimeout(
      session.client.end().catch(() => undefined),
      endTimeout,
    )
    session.socket.destroy()
  }
}
