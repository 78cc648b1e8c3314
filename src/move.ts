import { printable } from './core/text.ts'
import { cantOpen, isPostgres, nameOf, reason } from './db/database.ts'
import { type MovedTable, MoveSource, mover, moveStore, SealedError, unseal } from './db/move.ts'
import { openPostgres } from './db/postgres.ts'
import { StoreError } from './errors.ts'
import { PgBossQueue } from './jobs/pg-boss.ts'
import { createLogger } from './log.ts'
import { database, encoding } from './setting-forms.ts'

const usage = `npm run move -- file:data/gavel.db
The file is moved to the DATABASE_URL of .env or of the environment, such as postgres://name:password@host/gavel, or to a URL
that you give after the file: other users of this machine can see that one in the list of processes.
npm run move -- --unseal file:data/gavel.db
A file that was moved is sealed: no Gavel starts on it. This unseals it, as it was at the move.`

/** Milliseconds: the checksum of a very large table takes some time. */
const maxStatement = 3_600_000

/** The command line is not valid. */
class UsageError extends Error {
  override readonly name = 'UsageError'
}

interface Arguments {
  file: string
  /** Undefined: the file is unsealed. */
  url: string | undefined
}

/** Reads the file from the command line, and the URL from it or the environment. @throws UsageError */
function readArguments(args: readonly string[], environment: string | undefined): Arguments {
  const isUnsealing = args[0] === '--unseal'
  const [file, url, ...more] = isUnsealing ? args.slice(1) : args
  if (isUnsealing) {
    if (file === undefined || url !== undefined)
      throw new UsageError('Give the file to unseal, and nothing else.')
    return { file: readFile(file), url: undefined }
  }
  const target = url ?? environment
  if (file === undefined || !target || more.length > 0)
    throw new UsageError('Give two databases: the one to move, and the one to move to.')
  const to = database.safeParse(target)
  if (!to.success || !isPostgres(to.data))
    throw new UsageError(
      `The target must be a PostgreSQL database, such as postgres://name:password@host/gavel; ${encoding}.`,
    )
  return { file: readFile(file), url: to.data }
}

function readFile(given: string): string {
  const read = database.safeParse(given)
  if (!read.success || isPostgres(read.data))
    throw new UsageError('The source must be a file, such as file:data/gavel.db.')
  return read.data
}

/** Thrown where the data were moved, and the file could not be sealed. */
class UnsealedError extends Error {
  override readonly name = 'UnsealedError'
}

/** Moves the file and seals it. @throws UnsealedError */
async function move(file: string, url: string): Promise<MovedTable[] | undefined> {
  const source = MoveSource.open(file)
  try {
    const moved = await copy(source, url)
    try {
      source.seal(nameOf(url))
    } catch (cause) {
      throw new UnsealedError(reason(cause), { cause })
    }
    return moved
  } finally {
    source.close()
  }
}

async function copy(source: MoveSource, url: string): Promise<MovedTable[] | undefined> {
  const target = await openPostgres(url, mover, maxStatement).catch((cause: unknown) => {
    throw cantOpen(url, cause)
  })
  const log = createLogger('silent', [])
  try {
    return await moveStore(source, target, () => PgBossQueue.open({ url, store: target, log }))
  } finally {
    await target.destroy()
  }
}

function print(moved: readonly MovedTable[]): string {
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
    `Moved ${rows} rows in ${seconds.toFixed(1)} s. All were read back and are the same.`,
    '',
  ].join('\n')
}

const next =
  'Now set DATABASE_URL to the PostgreSQL database, where it isn’t yet, and start Gavel (npm start).\n'

/** The way back from a sealed file. */
function unsealHint(file: string): string {
  return `To use the file again: npm run move -- --unseal file:${file}`
}

function explain(error: unknown, { file }: Partial<Arguments>): string {
  if (error instanceof UsageError) return `${error.message}\nUsage: ${usage}\n`
  if (error instanceof UnsealedError)
    return `Everything was moved, but the file could not be sealed: ${error.message}. Don't start Gavel on it; run the move again to seal it.\n`
  if (error instanceof SealedError && file !== undefined)
    return `${error.message}. Nothing was changed. ${unsealHint(file)}\n`
  if (error instanceof StoreError) return `${error.message}\n`
  return `The move was interrupted, and nothing was changed: ${reason(error)}. It can be run again.\n`
}

/** Unseals a file, and says so. */
function runUnseal(file: string): string {
  const seal = unseal(file)
  return seal === undefined
    ? `${file} is not sealed. Nothing was changed.\n`
    : `${file} is unsealed, as it was when it was ${seal}: nothing that happened there since is in it. Don't run a bot on each.\n`
}

/** Moves a file, and says what was moved and what to do next. */
async function runMove(file: string, url: string): Promise<string> {
  const target = nameOf(url)
  process.stdout.write(printable(`Moving ${file} to ${target}.\n`))
  try {
    const moved = await move(file, url)
    const done = moved
      ? print(moved)
      : 'It has already been moved: both hold the same. Nothing was changed there.\n'
    return `${done}${file} is sealed: no Gavel starts on it. ${unsealHint(file)}\n${next}`
  } catch (error) {
    if (!(error instanceof SealedError && error.isFor(target))) throw error
    return `It has already been moved: ${error.message}. Nothing was changed. ${unsealHint(file)}\n${next}`
  }
}

/** Does what the command line says and returns the exit code: 0 if it is done. */
async function run(args: readonly string[], environment: string | undefined): Promise<number> {
  let given: Arguments | undefined
  try {
    given = readArguments(args, environment)
    const { file, url } = given
    process.stdout.write(printable(url === undefined ? runUnseal(file) : await runMove(file, url)))
    return 0
  } catch (error) {
    process.stderr.write(printable(explain(error, given ?? {})))
    return 1
  }
}

process.exitCode = await run(process.argv.slice(2), process.env.DATABASE_URL)
