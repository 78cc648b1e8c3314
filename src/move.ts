import { database, encoding } from './config.ts'
import { cantOpen, isPostgres, nameOf, reason } from './db/database.ts'
import { type MovedTable, MoveSource, mover, moveStore } from './db/move.ts'
import { openPostgres } from './db/postgres.ts'
import { StoreError } from './errors.ts'
import { PgBossQueue } from './jobs/pg-boss.ts'
import { createLogger } from './log.ts'

const usage = `npm run move -- file:data/gavel.db
It is moved to the DATABASE_URL of .env or of the environment, such as postgres://name:password@host/gavel, or to the one that
is named after the file: other users of this machine can see that in the list of processes.`

/** Milliseconds: the checksum of a very large table takes some time. */
const maxStatement = 3_600_000

/** The command line is not valid. */
class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Reads the file from the command line, and the URL from it or the environment. @throws UsageError */
function readArguments(
  args: readonly string[],
  environment: string | undefined,
): { file: string; url: string } {
  const [file, url = environment, ...more] = args
  if (file === undefined || !url || more.length > 0)
    throw new UsageError('Two databases are needed: the one that is there, and the one to move to.')
  const [from, to] = [file, url].map((each) => database.safeParse(each))
  if (!from?.success || isPostgres(from.data))
    throw new UsageError('What is moved must be a file, such as file:data/gavel.db.')
  if (!to?.success || !isPostgres(to.data))
    throw new UsageError(
      `It is moved to a PostgreSQL database, such as postgres://name:password@host/gavel; ${encoding}.`,
    )
  return { file: from.data, url: to.data }
}

async function move(file: string, url: string): Promise<MovedTable[] | undefined> {
  const source = await MoveSource.open(file)
  try {
    const target = await openPostgres(url, mover, maxStatement).catch((cause: unknown) => {
      throw cantOpen(url, cause)
    })
    const log = createLogger('silent', [])
    try {
      return await moveStore(source, target, () => PgBossQueue.open({ url, store: target, log }))
    } finally {
      await target.destroy()
    }
  } finally {
    source.close()
  }
}

function print(moved: readonly MovedTable[], file: string): string {
  const width = Math.max(...moved.map(({ table }) => table.length))
  const lines = moved.map(({ table, rows, ms }) =>
    [
      table.padEnd(width),
      String(rows).padStart(10),
      `${(ms / 1000).toFixed(1)} s`.padStart(9),
    ].join(''),
  )
  const rows = moved.reduce((sum, each) => sum + each.rows, 0)
  const seconds = moved.reduce((sum, { ms }) => sum + ms, 0) / 1000
  return [
    ...lines,
    `Moved ${rows} rows in ${seconds.toFixed(1)} s. All were read back and are the same; ${file} is as it was.`,
    '',
  ].join('\n')
}

const next = `Now set DATABASE_URL to the PostgreSQL database, where it isn't yet, and start Gavel (npm start). Don't start it on the file any more.
`

function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\nUsage: ${usage}\n`
  if (error instanceof StoreError) return `${error.message}\n`
  return `The move broke off, and nothing was changed: ${reason(error)}. It can be run again.\n`
}

/** Moves an installation and returns the exit code: 0 if it is moved. */
async function run(args: readonly string[], environment: string | undefined): Promise<number> {
  try {
    const { file, url } = readArguments(args, environment)
    process.stdout.write(`Moving ${file} to ${nameOf(url)}.\n`)
    const moved = await move(file, url)
    const done = moved
      ? print(moved, file)
      : 'It is moved already: both hold the same. Nothing was changed.\n'
    process.stdout.write(`${done}${next}`)
    return 0
  } catch (error) {
    process.stderr.write(explain(error))
    return 1
  }
}

process.exitCode = await run(process.argv.slice(2), process.env.DATABASE_URL)
