import { execFile } from 'node:child_process'
import { mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PollingLoop, type Task } from '../core/task.ts'
import { freeBytes, sizeText } from '../db/disk.ts'
import { messageOf } from '../errors.ts'
import { type Logger, OutageLog } from '../log.ts'

const program = fileURLToPath(new URL('../db/copy-file.ts', import.meta.url))
/** Seconds between two copies. */
const every = 86_400
/** Milliseconds between two checks for a due copy, and so between two tries. */
const lookEvery = 3_600_000
/** Extra room for a copy: it outgrows the file only if rows are written meanwhile. */
const spare = 1.1

interface BackupsParts {
  /** The SQLite file. */
  file: string
  /** Folder of the copies; created if absent. */
  folder: string
  /** How many are kept. */
  keep: number
  /** Unix seconds. */
  now: () => number
  log: Logger
  /** Bytes that are free in the folder. */
  room?: (folder: string) => Promise<number>
}

/** For /healthz. */
interface BackupState {
  state: 'ok' | 'none yet' | 'failed'
  /** Seconds since the newest copy; since the start, if there is none. */
  age: number
}

/** Copies of the SQLite file: one a day, checked, the newest few kept. Nothing else in their folder is touched. */
export class Backups {
  readonly #parts: Required<BackupsParts>
  readonly #startedAt: number
  readonly #outage: OutageLog
  /** Unix seconds of the newest copy. */
  #newest: number | undefined
  #hasFailed = false

  constructor(parts: BackupsParts) {
    this.#parts = { room: freeBytes, ...parts }
    this.#startedAt = parts.now()
    const { folder, log } = parts
    this.#outage = new OutageLog({
      begins: (error) => {
        const reason = messageOf(error)
        log.error(
          { reason },
          `no backup could be made in ${folder}; the bot tries again every hour`,
        )
      },
      ends: () => log.info('backups are made again'),
    })
  }

  /** Checks at once, and then every hour, whether a copy is due. */
  start(): Task {
    return new PollingLoop({
      poll: (signal) => this.#tryOnce(signal),
      everyMs: lookEvery,
      firstAfterMs: 0,
      onFault: () => undefined,
    })
  }

  state(): BackupState {
    const state = this.#newest === undefined ? 'none yet' : 'ok'
    return { state: this.#hasFailed ? 'failed' : state, age: this.age() }
  }

  /** Seconds since the newest copy; since the start, if there is none, so that an alert on it fires then, too. */
  age(): number {
    return Math.max(0, this.#parts.now() - (this.#newest ?? this.#startedAt))
  }

  async #tryOnce(signal: AbortSignal): Promise<void> {
    try {
      await this.makeIfDue(signal)
      this.#hasFailed = false
      this.#outage.worked()
    } catch (error) {
      if (signal.aborted) return
      this.#hasFailed = true
      this.#outage.failed(error)
    }
  }

  /** Makes a copy if the newest is a day old, and removes those beyond the newest few. @throws Error if it can't */
  async makeIfDue(signal: AbortSignal): Promise<void> {
    const { folder, now } = this.#parts
    await mkdir(folder, { recursive: true, mode: 0o700 })
    this.#newest = (await this.#times()).at(-1)
    if (this.#newest !== undefined && now() - this.#newest < every) return
    await this.#make(signal)
    await this.#prune()
  }

  async #make(signal: AbortSignal): Promise<void> {
    const { file, folder, now, log } = this.#parts
    // First: leftovers of a broken-off copy may take up the room.
    await this.#removeParts()
    await this.#checkRoom()
    const madeAt = now()
    const path = join(folder, nameOf(madeAt))
    const startedAt = performance.now()
    try {
      // SQLite writes into an empty file that is there, whose mode stays.
      await (await open(`${path}${part}`, 'wx', 0o600)).close()
      await copyInProcess(file, `${path}${part}`, signal)
      await flush(`${path}${part}`)
      await rename(`${path}${part}`, path)
    } catch (error) {
      await this.#removeParts()
      throw error
    }
    this.#newest = madeAt
    const { size } = await stat(path)
    const ms = Math.round(performance.now() - startedAt)
    log.info({ file: path, bytes: size, ms }, 'the database was backed up')
  }

  /** A copy that fills the disk would keep the bot itself from writing. */
  async #checkRoom(): Promise<void> {
    const { file, folder, room } = this.#parts
    const sizes = await Promise.all([file, `${file}-wal`].map(sizeOf))
    const needed = sizes.reduce((sum, size) => sum + size, 0) * spare
    const free = await room(folder)
    if (free < needed) {
      throw new Error(`it needs ${sizeText(needed)}, but ${sizeText(free)} are free there`)
    }
  }

  /** Removes the leftovers of broken-off copies. */
  async #removeParts(): Promise<void> {
    const { folder } = this.#parts
    const parts = (await readdir(folder)).filter((name) => partName.test(name))
    await Promise.all(parts.map((name) => rm(join(folder, name), { force: true })))
  }

  /**
   * When the copies were made, oldest first, without those of a clock that was ahead: as the newest they would have a copy made
   * every hour, and all others removed. The file itself is none, if somebody restored a copy by naming it.
   */
  async #times(): Promise<number[]> {
    const { file, folder, now } = this.#parts
    const [live, here] = await Promise.all([realpath(file).catch(() => file), realpath(folder)])
    const files = (await readdir(folder, { withFileTypes: true })).filter((each) => each.isFile())
    const names = files.map(({ name }) => name).filter((name) => join(here, name) !== live)
    return timesOf(names).filter((time) => time <= now())
  }

  async #prune(): Promise<void> {
    const { folder, keep } = this.#parts
    const times = await this.#times()
    for (const time of times.slice(0, -keep)) await rm(join(folder, nameOf(time)), { force: true })
  }
}

/** Suffix of a copy's name while it is made. */
const part = '.part'
const copyName = /^gavel-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/u
const partName = /^gavel-\d{8}T\d{6}Z\.db\.part(?:-journal)?$/u

/** The name of a copy that was made then, in Unix seconds. */
function nameOf(time: number): string {
  const iso = new Date(time * 1000).toISOString()
  return `gavel-${iso.replaceAll(/[-:]|\.\d+/gu, '')}.db`
}

/** When the copies among these files were made, in Unix seconds, oldest first. */
function timesOf(names: readonly string[]): number[] {
  const times = names.flatMap((name) => {
    const [, year, month, day, hour, minute, second] = copyName.exec(name) ?? []
    const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) / 1000
    return Number.isNaN(time) || nameOf(time) !== name ? [] : [time]
  })
  return times.sort((one, other) => one - other)
}

/** @throws Error with the reason in its message */
function copyInProcess(from: string, to: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { signal, killSignal: 'SIGKILL', env: {} } as const
    execFile(process.execPath, [program, from, to], options, (error, _out, said) => {
      if (error === null) resolve()
      else reject(said === '' ? error : new Error(said, { cause: error }))
    })
  })
}

/** Waits until a file is on the disk: after a power cut its name must not belong to an incomplete file. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0
}
