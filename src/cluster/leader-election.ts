import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { noReplicas, type PubSub } from '../core/pubsub.ts'
import type { Task } from '../core/task.ts'
import { reason } from '../db/database.ts'
import { releaseLease, takeLease } from '../db/leases.ts'
import type { Store } from '../db/schema.ts'
import type { Logger } from '../log.ts'

export interface LeaderElectorParts {
  store: Store
  /** By it replicas learn at once that a role is free; without it, when they look next. */
  pubsub?: PubSub
  log: Logger
  /** Hears of a duty that could not begin; where it was one of those that the start waits for, that fails, too. */
  onFault: (error: unknown) => void
  /** Milliseconds of a clock that nobody sets. */
  elapsed?: () => number
  /** Milliseconds; after this the role of a replica that died is free. */
  lease?: number
  /** Milliseconds between two renewals; and before the end of a lease that was not renewed its work begins to end. */
  renewEvery?: number
}

/** Milliseconds that giving up a role may take; what is not given up in time ends with its lease. */
const dropWithin = 1_000

interface Role {
  name: string
  begin: () => Task
  task?: Task | undefined
  /** Of the duty that began last, also once it has ended. Rejects where that could not begin. */
  ready?: Promise<void>
  /** Its work here is ending: it is not begun anew before that. */
  ending?: Promise<void> | undefined
  /** Ends its work in time where no renewal gets through. */
  expiry?: NodeJS.Timeout | undefined
}

/**
 * Roles in the database: each is a lease by the database's clock, which its holder renews. Who can't renew in time, by
 * a clock of its own that began before the database's, begins to end its work before another can begin.
 */
export class LeaderElector implements LeaderElection {
  readonly #parts: Required<LeaderElectorParts>
  readonly #holder = randomUUID()
  readonly #roles: Role[] = []
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> | undefined
  #isStopping = false
  #isCutOff = false
  #wasFreed = false

  constructor(parts: LeaderElectorParts) {
    const usual = { pubsub: noReplicas, lease: 10_000, renewEvery: 2000 }
    this.#parts = { elapsed: () => performance.now(), ...usual, ...parts }
    this.#parts.pubsub.subscribe('roles', () => this.#lookNow())
  }

  run(name: string, begin: () => Task): void {
    this.#roles.push({ name, begin })
  }

  async start(): Promise<void> {
    if (this.#isStopping) return
    this.#next()
    await this.#round
    await Promise.all(this.#roles.map(({ ready }) => ready))
    if (this.#isStopping) return
    const roles = this.#roles.filter(({ task }) => !task).map(({ name }) => name)
    if (roles.length > 0) this.#parts.log.info({ roles }, 'this replica stands by for roles')
  }

  leading(): ReadonlyMap<string, boolean> {
    return new Map(this.#roles.map(({ name, task }) => [name, task !== undefined]))
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#timer)
    const faults = await Promise.all(this.#roles.map((role) => this.#giveUp(role)))
    const fault = faults.find((each) => each !== undefined)
    if (fault) this.#parts.log.warn({ err: fault }, 'roles are given up when their lease ends')
  }

  /** Each once its own work has ended: others wait for that alone. Returns why it could not. */
  async #giveUp(role: Role): Promise<unknown> {
    const { store, pubsub } = this.#parts
    // What is under way may yet take it.
    await Promise.all([this.#end(role), this.#round])
    try {
      const wasOurs = await soon(releaseLease(store, role.name, this.#holder), dropWithin)
      if (wasOurs) pubsub.publish('roles')
      return undefined
    } catch (error) {
      return error
    }
  }

  #next(): void {
    this.#timer = undefined
    this.#wasFreed = false
    this.#round = this.#renewAll().finally(() => {
      if (this.#isStopping) return
      const pause = this.#wasFreed ? 0 : this.#parts.renewEvery
      this.#timer = setTimeout(() => this.#next(), pause)
    })
  }

  /** A role is free. A look that is under way may have been too early. */
  #lookNow(): void {
    this.#wasFreed = true
    if (this.#timer === undefined || this.#isStopping) return
    clearTimeout(this.#timer)
    this.#next()
  }

  async #renewAll(): Promise<void> {
    const faults = await Promise.all(this.#roles.map((role) => this.#renew(role)))
    this.#report(faults.find((fault) => fault !== undefined))
  }

  /** Returns why it could not. */
  async #renew(role: Role): Promise<Error | undefined> {
    const { store, log, elapsed, lease } = this.#parts
    if (role.ending) return undefined
    const from = elapsed()
    try {
      const isOurs = await soon(takeLease(store, role.name, this.#holder, lease), lease / 2)
      // It may have been too late meanwhile.
      if (role.ending || this.#isStopping) return undefined
      if (isOurs) this.#keep(role, from + lease)
      else this.#lose(role)
      return undefined
    } catch (error) {
      log.debug({ err: error, role: role.name }, 'a role could not be renewed')
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  #keep(role: Role, until: number): void {
    const { elapsed, renewEvery } = this.#parts
    clearTimeout(role.expiry)
    role.expiry = setTimeout(() => this.#lose(role), until - renewEvery - elapsed())
    if (role.task === undefined) this.#begin(role)
  }

  #begin(role: Role): void {
    const task = role.begin()
    role.task = task
    role.ready = this.#isReady(role, task)
    // Once the start is over nobody waits for it.
    role.ready.catch(() => undefined)
  }

  async #isReady(role: Role, task: Task): Promise<void> {
    const { log, onFault } = this.#parts
    try {
      if (task.ready) await task.ready
    } catch (error) {
      // A duty that ended before it was under way did not fail.
      if (role.task !== task) return
      onFault(error)
      throw error
    }
    if (role.task === task) log.info({ role: role.name }, 'this replica has a role')
  }

  /** An outage is told once at its beginning and once at its end, for all roles together. */
  #report(fault: Error | undefined): void {
    const { log } = this.#parts
    if (fault && !this.#isCutOff) log.warn({ reason: reason(fault) }, 'roles can’t be renewed')
    if (!fault && this.#isCutOff) log.info('roles are renewed again')
    this.#isCutOff = fault !== undefined
  }

  /** The others are renewed meanwhile, however long the end of this one takes. */
  #lose(role: Role): void {
    if (role.task === undefined) return
    this.#parts.log.warn({ role: role.name }, 'this replica has a role no more')
    void this.#end(role)
  }

  #end(role: Role): Promise<void> {
    clearTimeout(role.expiry)
    role.ending ??= this.#stopDuty(role).finally(() => {
      role.ending = undefined
    })
    return role.ending
  }

  async #stopDuty(role: Role): Promise<void> {
    const { task, name } = role
    role.task = undefined
    try {
      await task?.stop()
    } catch (error) {
      this.#parts.log.error({ err: error, role: name }, 'the work of a role did not end well')
    }
  }
}

/** Rejects where there is no answer for so many milliseconds: a connection may hang for minutes. */
async function soon<Result>(answer: Promise<Result>, ms: number): Promise<Result> {
  const late = new AbortController()
  const tooLate = delay(ms, undefined, late).then(() => {
    throw new Error(`the database gave no answer for ${ms} ms`)
  })
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    late.abort()
    tooLate.catch(() => undefined)
    answer.catch(() => undefined)
  }
}

/** Work of which one replica at a time does each piece. */
export interface LeaderElection {
  /** Names a piece of work; `begin` is called whenever this replica gets it. Before the start. */
  run(name: string, begin: () => Task): void
  /** Resolves once what this replica got at first is under way, or a stop has begun. @throws what kept it from that */
  start(): Promise<void>
  /** Ends all that this replica does, and lets others have it. For good: a start after it begins nothing. */
  stop(): Promise<void>
  /** Every role by its name, and whether this replica has it. */
  leading(): ReadonlyMap<string, boolean>
}

/** All roles of the one process that there is. */
export class SingleNode implements LeaderElection {
  readonly #begins = new Map<string, () => Task>()
  #duties: Task[] = []
  #isStopping = false

  run(name: string, begin: () => Task): void {
    this.#begins.set(name, begin)
  }

  async start(): Promise<void> {
    if (this.#isStopping) return
    this.#duties = [...this.#begins.values()].map((begin) => begin())
    await Promise.all(this.#duties.map(({ ready: begun }) => begun))
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(this.#duties.map((task) => task.stop()))
    this.#duties = []
  }

  leading(): ReadonlyMap<string, boolean> {
    return new Map([...this.#begins.keys()].map((name) => [name, this.#duties.length > 0]))
  }
}
