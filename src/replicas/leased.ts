import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../log.ts'
import type { Store } from '../store/database.ts'
import { dropRoles, takeRole } from '../store/roles.ts'
import type { Duty, Roles } from './roles.ts'

export interface LeasedRolesParts {
  store: Store
  log: Logger
  /** Hears of a duty that could not begin, once the start is over. */
  onFault: (error: unknown) => void
  /** Milliseconds of a clock that nobody sets. */
  elapsed?: () => number
  /** Milliseconds; after this the role of a replica that died is free. */
  lease?: number
  /** Milliseconds between two renewals. */
  renewEvery?: number
}

/** Milliseconds that giving up roles may take; what is not given up in time ends with its lease. */
const dropWithin = 1_000

interface Role {
  name: string
  begin: () => Duty
  duty?: Duty | undefined
  /** Its work here is ending: it is not begun anew before that. */
  ending?: Promise<void> | undefined
  /** When, by our own clock, it may be somebody else's. */
  until: number
}

/**
 * Roles in the database: each is a lease by the database's clock, which its holder renews. Who can't renew in time, by
 * a clock of its own that began before the database's, ends its work before another can begin.
 */
export class LeasedRoles implements Roles {
  readonly #parts: Required<LeasedRolesParts>
  readonly #holder = randomUUID()
  readonly #roles: Role[] = []
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> | undefined
  #isStopping = false
  #hasStarted = false

  constructor(parts: LeasedRolesParts) {
    this.#parts = { elapsed: () => performance.now(), lease: 10_000, renewEvery: 2000, ...parts }
  }

  share(name: string, begin: () => Duty): void {
    this.#roles.push({ name, begin, until: 0 })
  }

  async start(): Promise<void> {
    this.#isStopping = false
    this.#next()
    await this.#round
    await Promise.all(this.#roles.map(({ duty }) => duty?.begun))
    this.#hasStarted = true
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#timer)
    await this.#round
    await Promise.all(this.#roles.map((role) => this.#end(role)))
    await soon(dropRoles(this.#parts.store, this.#holder), dropWithin).catch((error: unknown) => {
      this.#parts.log.warn({ err: error }, 'roles are given up when their lease ends')
    })
  }

  #next(): void {
    this.#round = this.#renewAll().finally(() => {
      if (this.#isStopping) return
      this.#timer = setTimeout(() => this.#next(), this.#parts.renewEvery)
    })
  }

  async #renewAll(): Promise<void> {
    await Promise.all(this.#roles.map((role) => this.#renew(role)))
  }

  async #renew(role: Role): Promise<void> {
    const { store, log, elapsed, lease } = this.#parts
    if (role.ending) return
    const from = elapsed()
    try {
      const isOurs = await soon(takeRole(store, role.name, this.#holder, lease), lease / 2)
      if (!isOurs) return this.#lose(role)
      role.until = from + lease
      if (role.duty !== undefined || this.#isStopping) return
      log.info({ role: role.name }, 'this replica has a role')
      role.duty = role.begin()
      role.duty.begun?.catch((error: unknown) => {
        if (this.#hasStarted && !this.#isStopping) this.#parts.onFault(error)
      })
    } catch (error) {
      log.warn({ err: error, role: role.name }, 'a role could not be renewed')
      // The next try may come too late.
      if (elapsed() + this.#parts.renewEvery >= role.until) this.#lose(role)
    }
  }

  /** The others are renewed meanwhile, however long the end of this one takes. */
  #lose(role: Role): void {
    if (role.duty === undefined) return
    this.#parts.log.warn({ role: role.name }, 'this replica has a role no more')
    void this.#end(role)
  }

  #end(role: Role): Promise<void> {
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
