import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Bulletin, nobodyElse } from '../core/pubsub.ts'
import type { Duty } from '../core/task.ts'
import { reason } from '../db/database.ts'
import { dropRole, takeRole } from '../db/leases.ts'
import type { Store } from '../db/schema.ts'
import type { Logger } from '../log.ts'

export interface LeasedRolesParts {
  store: Store
  /** By it replicas learn at once that a role is free; without it, when they look next. */
  bulletin?: Bulletin
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
  begin: () => Duty
  duty?: Duty | undefined
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
export class LeasedRoles implements Roles {
  readonly #parts: Required<LeasedRolesParts>
  readonly #holder = randomUUID()
  readonly #roles: Role[] = []
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> | undefined
  #isStopping = false
  #isCutOff = false
  #wasFreed = false

  constructor(parts: LeasedRolesParts) {
    const usual = { bulletin: nobodyElse, lease: 10_000, renewEvery: 2000 }
    this.#parts = { elapsed: () => performance.now(), ...usual, ...parts }
    this.#parts.bulletin.hear('roles', () => this.#lookNow())
  }

  share(name: string, begin: () => Duty): void {
    this.#roles.push({ name, begin })
  }

  async start(): Promise<void> {
    if (this.#isStopping) return
    this.#next()
    await this.#round
    await Promise.all(this.#roles.map(({ ready }) => ready))
    if (this.#isStopping) return
    const roles = this.#roles.filter(({ duty }) => !duty).map(({ name }) => name)
    if (roles.length > 0) this.#parts.log.info({ roles }, 'this replica stands by for roles')
  }

  held(): ReadonlyMap<string, boolean> {
    return new Map(this.#roles.map(({ name, duty }) => [name, duty !== undefined]))
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
    const { store, bulletin } = this.#parts
    // What is under way may yet take it.
    await Promise.all([this.#end(role), this.#round])
    try {
      const wasOurs = await soon(dropRole(store, role.name, this.#holder), dropWithin)
      if (wasOurs) bulletin.tell('roles')
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
      const isOurs = await soon(takeRole(store, role.name, this.#holder, lease), lease / 2)
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
    if (role.duty === undefined) this.#begin(role)
  }

  #begin(role: Role): void {
    const duty = role.begin()
    role.duty = duty
    role.ready = this.#isReady(role, duty)
    // Once the start is over nobody waits for it.
    role.ready.catch(() => undefined)
  }

  async #isReady(role: Role, duty: Duty): Promise<void> {
    const { log, onFault } = this.#parts
    try {
      if (duty.begun) await duty.begun
    } catch (error) {
      // A duty that ended before it was under way did not fail.
      if (role.duty !== duty) return
      onFault(error)
      throw error
    }
    if (role.duty === duty) log.info({ role: role.name }, 'this replica has a role')
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
    if (role.duty === undefined) return
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
    const { duty, name } = role
    role.duty = undefined
    try {
      await duty?.stop()
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
export interface Roles {
  /** Names a piece of work; `begin` is called whenever this replica gets it. Before the start. */
  share(name: string, begin: () => Duty): void
  /** Resolves once what this replica got at first is under way, or a stop has begun. @throws what kept it from that */
  start(): Promise<void>
  /** Ends all that this replica does, and lets others have it. For good: a start after it begins nothing. */
  stop(): Promise<void>
  /** Every role by its name, and whether this replica has it. */
  held(): ReadonlyMap<string, boolean>
}

/** All roles of the one process that there is. */
export class SoleRoles implements Roles {
  readonly #begins = new Map<string, () => Duty>()
  #duties: Duty[] = []
  #isStopping = false

  share(name: string, begin: () => Duty): void {
    this.#begins.set(name, begin)
  }

  async start(): Promise<void> {
    if (this.#isStopping) return
    this.#duties = [...this.#begins.values()].map((begin) => begin())
    await Promise.all(this.#duties.map(({ begun }) => begun))
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(this.#duties.map((duty) => duty.stop()))
    this.#duties = []
  }

  held(): ReadonlyMap<string, boolean> {
    return new Map([...this.#begins.keys()].map((name) => [name, this.#duties.length > 0]))
  }
}
