import { readdir } from 'node:fs/promises'
import { Client } from 'pg'
import { z } from 'zod'
import { PostgresCluster } from '../test/postgres-cluster.ts'
import { timesOf } from './process.ts'

/** A local PostgreSQL server with default durability. */
export class BenchPostgres {
  readonly #cluster: PostgresCluster
  readonly #client: Client
  readonly #pid: number
  readonly #onExit: () => void

  private constructor(cluster: PostgresCluster, client: Client, pid: number) {
    this.#cluster = cluster
    this.#client = client
    this.#pid = pid
    // Stops the server if this process exits without doing so.
    this.#onExit = () => Number.isNaN(pid) || process.kill(pid, 'SIGQUIT')
    process.once('exit', this.#onExit)
  }

  static async start(): Promise<BenchPostgres> {
    const cluster = await PostgresCluster.start({ isDurable: true })
    const client = new Client({ connectionString: `${cluster.url}/postgres` })
    await client.connect()
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const { pid } = z.object({ pid: z.number() }).parse(rows[0])
    return new BenchPostgres(cluster, client, (await timesOf(pid)).parent)
  }

  /** Creates an empty database and returns its URL. */
  async database(name: string): Promise<string> {
    await this.#client.query(`create database ${name}`)
    return `${this.#cluster.url}/${name}`
  }

  /** Returns the processor time of all its processes in milliseconds; NaN if the system has no /proc. */
  async cpuMillis(): Promise<number> {
    if (Number.isNaN(this.#pid)) return Number.NaN
    const server = await timesOf(this.#pid)
    let millis = server.own + server.children
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/u.test(name))) {
      const { parent, own } = await timesOf(pid)
      if (parent === this.#pid) millis += own
    }
    return millis
  }

  async stop(): Promise<void> {
    await this.#client.end()
    await this.#cluster.stop()
    process.off('exit', this.#onExit)
  }
}
