import type { Task } from '../core/task.ts'
import type { Logger } from '../log.ts'

/** Runs the background tasks in one process at a time. */
export interface Leadership {
  /** Registers a task before `start`; `begin` is called whenever this process becomes the leader. */
  run(name: string, begin: () => Task): void
  /** Resolves once the tasks are ready if this process leads at first. @throws what a task's `ready` rejects with */
  start(): Promise<void>
  /** Stops the tasks, and lets another process lead: a `start` after it begins nothing. */
  stop(): Promise<void>
  isLeader(): boolean
  /** Number of processes on this database, this one included, as of a second ago. */
  processes(): number
}

/**
 * The part of a platform's limit that a process may use. The part kept for answers is divided among all processes; the
 * leader has the rest, for its own messages.
 * @param answers the part that is kept for answers
 */
export function shareOf(
  leadership: Pick<Leadership, 'isLeader' | 'processes'>,
  answers: number,
): number {
  const processes = leadership.processes()
  if (processes === 1) return 1
  return answers / processes + (leadership.isLeader() ? 1 - answers : 0)
}

/** The tasks of a leader, which begin and end together. */
export class Tasks {
  readonly #begins = new Map<string, () => Task>()
  readonly #log: Logger
  #running: [name: string, task: Task][] = []
  #stopping: Promise<unknown> = Promise.resolve()

  constructor(log: Logger) {
    this.#log = log
  }

  add(name: string, begin: () => Task): void {
    if (this.#begins.has(name)) throw new Error(`two tasks named ${name}`)
    this.#begins.set(name, begin)
  }

  /** Begins all tasks. Rejects if one could not begin; the others go on. */
  async begin(): Promise<void> {
    const running = [...this.#begins].map(([name, begin]): [string, Task] => [name, taskOf(begin)])
    this.#running = running
    await Promise.all(running.map(([, { ready }]) => ready)).catch((error: unknown) => {
      // A task that was stopped while it started is no fault.
      if (this.#running === running) throw error
    })
  }

  /** Resolves once all have stopped, also those that an earlier call stops. */
  async stop(): Promise<void> {
    const running = this.#running
    this.#running = []
    this.#stopping = Promise.all([this.#stopping, ...running.map((each) => this.#stop(...each))])
    await this.#stopping
  }

  async #stop(name: string, task: Task): Promise<void> {
    await task
      .stop()
      .catch((err: unknown) => this.#log.error({ err, task: name }, 'a task failed to stop'))
  }
}

/** Begins a task. If that throws, the result is one that is never ready: one fault must not keep the others from their work. */
function taskOf(begin: () => Task): Task {
  try {
    return begin()
  } catch (error) {
    return { ready: Promise.reject(error), stop: () => Promise.resolve() }
  }
}

/** For a process that is alone on its database. */
export class OnlyProcess implements Leadership {
  readonly #tasks: Tasks
  #isStopping = false
  #isLeader = false

  constructor(log: Logger) {
    this.#tasks = new Tasks(log)
  }

  run(name: string, begin: () => Task): void {
    this.#tasks.add(name, begin)
  }

  async start(): Promise<void> {
    if (this.#isStopping) return
    this.#isLeader = true
    await this.#tasks.begin()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.#isLeader = false
    await this.#tasks.stop()
  }

  isLeader(): boolean {
    return this.#isLeader
  }

  processes(): number {
    return 1
  }
}
