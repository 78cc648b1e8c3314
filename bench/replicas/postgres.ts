import { rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Client } from 'pg'
import { z } from 'zod'
import { PostgresCluster } from '../../test/postgres-cluster.ts'

/** The kernel counts a process' time in hundredths of a second. */
const tickMs = 10
/** Milliseconds for PostgreSQL's immediate shutdown. */
const shutdownMs = 700
const about = z.object({ pid: z.number(), folder: z.string() })

/** A local PostgreSQL server with default durability. */
export class BenchPostgres {
  readonly #cluster: PostgresCluster
  readonly #client: Client
  readonly #pid: number
  readonly #orphaned: () => void

  private constructor(cluster: PostgresCluster, client: Client, pid: number, folder: string) {
    this.#cluster = cluster
    this.#client = client
    this.#pid = pid
    // Stops the server if this process exits without doing so.
    this.#orphaned = () => {
      if (!Number.isNaN(pid)) process.kill(pid, 'SIGQUIT')
      // Blocks until the server is gone: nothing asynchronous runs in an exit handler.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, shutdownMs)
      rmSync(folder, { recursive: true, force: true })
    }
    process.once('exit', this.#orphaned)
  }

  static async start(): Promise<BenchPostgres> {
    const cluster = await PostgresCluster.start({ isDurable: true })
    const client = new Client({ connectionString: `${cluster.url}/postgres` })
    try {
      await client.connect()
      const { rows } = await client.query(
        `select pg_backend_pid() as pid, current_setting('data_directory') as folder`,
      )
      const { pid, folder } = about.parse(rows[0])
      const [, parent] = await timesOf(String(pid))
      return new BenchPostgres(cluster, client, parent ?? Number.NaN, dirname(folder))
    } catch (error) {
      await client.end()
      await cluster.stop()
      throw error
    }
  }

  /** Creates an empty database and returns its URL. */
  async database(name: string): Promise<string> {
    await this.#client.query(`create database ${name}`)
    return `${this.#cluster.url}/${name}`
  }

  /** Returns the processor time of all its processes in milliseconds; NaN if the system has no /proc. */
  async cpuMillis(): Promise<number> {
    if (Number.isNaN(this.#pid)) return Number.NaN
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name))
    let ticks = 0
    for (const pid of pids) {
      const [, parent, own = 0, ended = 0] = await timesOf(pid)
      if (Number(pid) === this.#pid) ticks += own + ended
      else if (parent === this.#pid) ticks += own
    }
    return ticks * tickMs
  }

  async stop(): Promise<void> {
    await this.#client.end()
    await this.#cluster.stop()
    process.off('exit', this.#orphaned)
  }
}

/** Reads a process's id, parent, time in ticks, and the time of its ended children. */
async function timesOf(pid: string): Promise<number[]> {
  // A process may end before its file is read.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat === '' ? [] : statTimes(stat)
}

/** Parses these from the text of `/proc/<pid>/stat`: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
export function statTimes(stat: string): number[] {
  // The second field is the program's name in brackets, which may hold spaces.
  const rest = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((field) =>
    Number(rest[field]),
  )
  const [own = 0, parentPid = Number.NaN] = [(user ?? 0) + (system ?? 0), parent]
  return [Number.parseInt(stat, 10), parentPid, own, (endedUser ?? 0) + (endedSystem ?? 0)]
}
