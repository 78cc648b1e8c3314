import type { TestProject } from 'vitest/node'
import { PostgresCluster } from './postgres-cluster.ts'
import { PostgresDatabases } from './postgres-databases.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of a PostgreSQL cluster, without a database; where there is none the tests run on SQLite. */
    postgres: string | undefined
  }
}

/** Starts one PostgreSQL cluster for a whole run; each test that needs a database takes its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await PostgresCluster.start({ mayLose: true })
  try {
    await new PostgresDatabases(cluster.url).prepare()
    project.provide('postgres', cluster.url)
    return () => cluster.stop()
  } catch (error) {
    await cluster.stop()
    throw error
  }
}
