import { readdir } from 'node:fs/promises'
import { Client } from 'pg'
import { z } from 'zod'
import { PostgresCluster } from '../test/postgres-cluster.ts'
import { timesOf } from './process.ts'

export type BenchPostgres = Awaited<ReturnType<typeof startPostgres>>

/** Starts a local PostgreSQL server with default durability. */
export async function startPostgres() {
  const cluster = await PostgresCluster.start({ isDurable: true })
  const client = new Client({ connectionString: `${cluster.url}/postgres` })
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const { parent: pid } = await timesOf(z.object({ pid: z.number() }).parse(rows[0]).pid)
  // Stops the server if this process exits without doing so.
  const onExit = () => Number.isNaN(pid) || process.kill(pid, 'SIGQUIT')
  process.once('exit', onExit)
  return {
    /** Creates an empty database and returns its URL. */
    database: async (name: string) => {
      await client.query(`create database ${name}`)
      return `${cluster.url}/${name}`
    },
    /** Returns the processor time of all its processes in milliseconds; NaN if the system has no /proc. */
    cpuMillis: async () => {
      const server = await timesOf(pid)
      let millis = server.own + server.children
      for (const each of (await readdir('/proc')).filter((name) => /^\d+$/u.test(name))) {
        const { parent, own } = await timesOf(each)
        if (parent === pid) millis += own
      }
      return millis
    },
    stop: async () => {
      await client.end()
      await cluster.stop()
      process.off('exit', onExit)
    },
  }
}
