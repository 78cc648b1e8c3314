import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { seed } from '../alerts/seed.ts'

const move = fileURLToPath(new URL('../../src/move.ts', import.meta.url))

/** Creates the same subscriptions in a SQLite file and, moved with the operator's command, in a PostgreSQL database. */
export async function seedBoth(file: string, url: string, subscriptions: number): Promise<void> {
  await seed(file, subscriptions)
  await promisify(execFile)(process.execPath, [move, `file:${file}`, url])
  await onPostgres(url, (client) => client.query('vacuum analyze'))
}

/** Runs a function with a new connection, and closes it. */
export async function onPostgres<Result>(
  url: string,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
