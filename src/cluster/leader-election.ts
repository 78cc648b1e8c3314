import { randomUUID } from 'node:crypto'
import { noReplicas, type PubSub } from '../core/pubsub.ts'
import { type Task, withTimeout } from '../core/task.ts'
import { reason } from '../db/database.ts'
import {
  aliveReplicas,
  type Fence,
  fenceOf,
  releaseLease,
  releaseReplica,
  renewLeases,
  unfenced,
} from '../db/leases.ts'
import type { Store } from '../db/schema.ts'
import { type Logger, OutageLog } from '../log.ts'

/** Runs tasks so that one replica at a time runs each. */
export interface LeaderElection {
  /** Registers a role before `start`; `begin` is called whenever this replica becomes its leader. @throws Error if it has the name of another */
  run(name: string, begin: (fence: Fence) => Task): void
  /** Shows the others, until `leave`, that this replica is alive: they leave it what it works on. To be called before any update comes in. */
  join(): Promise<void>
  /** Resolves once the tasks that this replica leads at first are ready, or a stop has begun. @throws what a task's `ready` rejects with */
  start(): Promise<void>
  /** Stops all tasks of this replica and releases their roles, for good: a `start` after it begins nothing. */
  stop(): Promise<void>
  /** Tells the others that this replica ends. To be called after `stop`, once it works on nothing any more. */
  leave(): Promise<void>
  /** Every role by its name, and whether this replica is its leader. */
  leading(): ReadonlyMap<string, boolean>
  /** This process's id; another start has another one. */
  readonly replica: string
  /** The ids of the replicas that are alive, this one included, as of a few seconds ago. */
  replicas(): ReadonlySet<string>
}

export interface LeaderElectorParts {
  store: Store
  /** Notifies replicas at once that a role was released; without it, they find out at their next renewal. */
  pubsub?: PubSub
  log: Logger
  /** Called if a task could not begin. If `start` waits for that task, it rejects too. */
  onFault: (error: unknown) => void
  /** Milliseconds on a monotonic clock. */
  elapsed?: () => number
  /** Milliseconds after which the lease of a replica that died ends. */
  lease?: number
  /** Milliseconds between two renewals. If none succeeds, the task is stopped this long before the lease ends. */
  renewEvery?: number
}

/** Milliseconds that releasing a lease may take; a lease that is not released runs out. */
const releaseTimeout = 1_000

interface Role {
  name: string
  begin: (fence: Fence) => Task
  task?: Task | undefined
  /** `ready` of the task that began last, even if it has ended since. Rejects if the task could not begin. */
  ready?: Promise<void>
  /** Resolves once the task has stopped; the role is not taken again before. */
  ending?: Promise<void> | undefined
  /** Stops the task before the lease ends, if no renewal succeeds. */
  expiry?: NodeJS.Timeout | undefined
}

/**
 * Leader election by leases in the database: each role is a lease by the database's clock, which its leader renews. A
 * leader that can't renew in time stops its task before another replica can take the role; it measures that on its own
 * clock, from before the request, so that it never counts on more time than the database gives.
 * @example
 *   const election = new LeaderElector({ store, pubsub, log, onFault })
 *   election.run('watch', (fence) => startWatcher(fence))
 *   await election.start()
 */
export class LeaderElector implements LeaderElection {
  readonly #parts: Required<LeaderElectorParts>
  readonly replica = randomUUID()
  readonly #roles: Role[] = []
  #replicas: ReadonlySet<string> = new Set([this.replica])
  #timer: NodeJS.Timeout | undefined
  #renewal: Promise<void> | undefined
  /** Between `start` and `stop` it asks for roles. */
  #wantsRoles = false
  #isStopping = false
  #hasLeft = false
  readonly #outage: OutageLog
  #wasReleased = false

  constructor(parts: LeaderElectorParts) {
    const defaults = { pubsub: noReplicas, lease: 10_000, renewEvery: 2000 }
    this.#parts = { elapsed: () => performance.now(), ...defaults, ...parts }
    const { pubsub, log } = this.#parts
    this.#outage = new OutageLog({
      begins: (error) => log.warn({ reason: reason(error) }, 'roles can’t be renewed'),
      ends: () => log.info('roles are renewed again'),
    })
    pubsub.subscribe('roles', () => this.#renewNow())
  }

  run(name: string, begin: (fence: Fence) => Task): void {
    if (this.#roles.some((role) => role.name === name)) throw new Error(`two roles named ${name}`)
    this.#roles.push({ name, begin })
  }

  async join(): Promise<void> {
    this.#renewAndSchedule()
    await this.#renewal
  }

  async start(): Promise<void> {
    // That of `join`.
    await this.#renewal
    if (this.#isStopping) return
    this.#wantsRoles = true
    clearTimeout(this.#timer)
    this.#renewAndSchedule()
    await this.#renewal
    await Promise.all(this.#roles.map(({ ready }) => ready))
    if (this.#isStopping) return
    const roles = this.#roles.filter(({ task }) => !task).map(({ name }) => name)
    if (roles.length > 0) this.#parts.log.info({ roles }, 'this replica stands by for roles')
  }

  leading(): ReadonlyMap<string, boolean> {
    return new Map(this.#roles.map(({ name, task }) => [name, task !== undefined]))
  }

  replicas(): ReadonlySet<string> {
    return this.#replicas
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.#wantsRoles = false
    const faults = await Promise.all(this.#roles.map((role) => this.#release(role)))
    const fault = faults.find((each) => each !== undefined)
    if (fault) this.#parts.log.warn({ err: fault }, 'roles are given up when their lease ends')
  }

  async leave(): Promise<void> {
    const { store, log } = this.#parts
    this.#hasLeft = true
    clearTimeout(this.#timer)
    const leaving = async () => {
      // A renewal under way may still renew it.
      await this.#renewal
      await releaseReplica(store, this.replica)
    }
    try {
      await withDeadline(leaving(), releaseTimeout)
    } catch (err) {
      log.warn({ err }, 'the others learn that this replica ended when its lease ends')
    }
  }

  /** Releases a role once its task has stopped, whatever the other tasks take. Returns the error, if any. */
  async #release(role: Role): Promise<unknown> {
    const { store, pubsub } = this.#parts
    // A renewal under way may still take the role.
    await Promise.all([this.#end(role), this.#renewal])
    try {
      const wasLeader = await withDeadline(
        releaseLease(store, role.name, this.replica),
        releaseTimeout,
      )
      if (wasLeader) pubsub.publish('roles')
      return undefined
    } catch (error) {
      return error
    }
  }

  #renewAndSchedule(): void {
    this.#timer = undefined
    this.#wasReleased = false
    this.#renewal = this.#renewAll().finally(() => {
      if (this.#hasLeft) return
      const pause = this.#wasReleased ? 0 : this.#parts.renewEvery
      this.#timer = setTimeout(() => this.#renewAndSchedule(), pause)
    })
  }

  /** A role was released. A renewal that is under way may have been too early, so another one follows it. */
  #renewNow(): void {
    this.#wasReleased = true
    if (this.#timer === undefined || this.#hasLeft) return
    clearTimeout(this.#timer)
    this.#renewAndSchedule()
  }

  /** Shows the others that this replica is alive, reads who else is, and takes or renews its roles. */
  async #renewAll(): Promise<void> {
    const { store, log, elapsed, lease } = this.#parts
    const roles = this.#wantsRoles ? this.#roles.filter(({ ending }) => !ending) : []
    const names = roles.map(({ name }) => name)
    const startedAt = elapsed()
    try {
      const renewal = renewLeases(store, this.replica, names, lease)
      const numbers = await withDeadline(renewal, lease / 2)
      for (const role of roles) {
        const number = numbers.get(role.name)
        // The role may have been lost, or a stop begun, in the meantime.
        if (role.ending || this.#isStopping) continue
        if (number === undefined) this.#lose(role)
        else this.#lead(role, number, startedAt + lease)
      }
      // After the roles: none of them waits for this.
      this.#replicas = new Set(await withDeadline(aliveReplicas(store), lease / 2))
      this.#outage.worked()
    } catch (error) {
      log.debug({ err: error }, 'roles could not be renewed')
      this.#outage.failed(error)
    }
  }

  #lead(role: Role, number: number, until: number): void {
    const { elapsed, renewEvery } = this.#parts
    clearTimeout(role.expiry)
    role.expiry = setTimeout(() => this.#lose(role), until - renewEvery - elapsed())
    if (role.task === undefined) this.#begin(role, number)
  }

  #begin(role: Role, number: number): void {
    const task = taskOf(() =>
      role.begin(fenceOf({ name: role.name, holder: this.replica, number })),
    )
    role.task = task
    role.ready = this.#awaitReady(role, task)
    // Nobody awaits it after `start`.
    role.ready.catch(() => undefined)
  }

  async #awaitReady(role: Role, task: Task): Promise<void> {
    const { log, onFault } = this.#parts
    try {
      if (task.ready) await task.ready
    } catch (error) {
      // Ignore failures of a task that was stopped while starting.
      if (role.task !== task) return
      onFault(error)
      throw error
    }
    if (role.task === task) log.info({ role: role.name }, 'this replica has a role')
  }

  /** Stops the task of a role, without holding up the renewal of other roles. */
  #lose(role: Role): void {
    if (role.task === undefined) return
    this.#parts.log.warn({ role: role.name }, 'this replica has a role no more')
    void this.#end(role)
  }

  #end(role: Role): Promise<void> {
    clearTimeout(role.expiry)
    role.ending ??= this.#stopTask(role).finally(() => {
      role.ending = undefined
    })
    return role.ending
  }

  async #stopTask(role: Role): Promise<void> {
    const { task, name } = role
    role.task = undefined
    try {
      await task?.stop()
    } catch (error) {
      this.#parts.log.error({ err: error, role: name }, 'the work of a role did not end well')
    }
  }
}

/** The task that this begins; where it throws, one that is never ready: one role's fault must not keep the others from theirs. */
function taskOf(begin: () => Task): Task {
  try {
    return begin()
  } catch (error) {
    return { ready: Promise.reject(error), stop: () => Promise.resolve() }
  }
}

/** Rejects if there is no answer within `ms` milliseconds: a connection may hang for minutes. */
async function withDeadline<Answer>(work: Promise<Answer>, ms: number): Promise<Answer> {
  const answered = await withTimeout(
    work.then((answer) => ({ answer })),
    ms,
  )
  if (answered) return answered.answer
  throw new Error(`the database gave no answer for ${ms} ms`)
}

/** Leads all roles: for a single process. */
export class SingleNode implements LeaderElection {
  readonly replica = randomUUID()
  readonly #begins = new Map<string, (fence: Fence) => Task>()
  #tasks: Task[] = []
  #isStopping = false

  run(name: string, begin: (fence: Fence) => Task): void {
    this.#begins.set(name, begin)
  }

  join(): Promise<void> {
    return Promise.resolve()
  }

  leave(): Promise<void> {
    return Promise.resolve()
  }

  async start(): Promise<void> {
    if (this.#isStopping) return
    this.#tasks = [...this.#begins.values()].map((begin) => begin(unfenced))
    await Promise.all(this.#tasks.map(({ ready }) => ready))
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(this.#tasks.map((task) => task.stop()))
    this.#tasks = []
  }

  leading(): ReadonlyMap<string, boolean> {
    return new Map([...this.#begins.keys()].map((name) => [name, this.#tasks.length > 0]))
  }

  replicas(): ReadonlySet<string> {
    return new Set([this.replica])
  }
}
