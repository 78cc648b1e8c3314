import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { inspect } from 'node:util'
import { ConfigError, readDatabase } from '../config.ts'
import { harmless, printable } from '../core/text.ts'
import { isPostgres, nameOf, openStore } from '../db/database.ts'
import type { Store } from '../db/schema.ts'
import { waitForLocks } from '../db/sql.ts'
import { StoreError } from '../errors.ts'
import { EmbeddedQueue } from '../jobs/embedded.ts'
import type { Queue } from '../jobs/queue.ts'
import { createLogger } from '../log.ts'
import { type AdminContext, AdminError } from './action.ts'
import { administer, type Done, usage } from './actions.ts'

const options = `--yes does it without asking; --as NAME goes into the log instead of this machine’s user.`

interface Arguments {
  line: string
  isConfirmed: boolean
  who: string
}

function readArguments(args: readonly string[]): Arguments {
  const words = [...args]
  const isConfirmed = words.includes('--yes')
  const at = words.indexOf('--as')
  const [, name] = at < 0 ? [] : words.splice(at, 2)
  if (at >= 0 && !name) throw new AdminError('--as needs a name.')
  const line = words.filter((word) => word !== '--yes').join(' ')
  return { line, isConfirmed, who: name ?? userInfo().username }
}

/** Opens the database beside a bot that may run on it. @throws StoreError */
async function open(database: string): Promise<Store> {
  if (!isPostgres(database) && !existsSync(database)) {
    throw new StoreError(
      `There is no database ${nameOf(database)} yet: the bot creates it at its first start.`,
    )
  }
  const store = await openStore(database, 'gavel admin')
  // The bot may write at the same moment, and here nobody minds the wait.
  await waitForLocks(store)
  return store
}

/** The queue of the bot, which works on nothing here. */
async function openJobs(database: string, store: Store, now: () => number): Promise<Queue> {
  const log = createLogger('silent', [])
  if (!isPostgres(database)) return new EmbeddedQueue({ store, log, now })
  const { PgBossQueue } = await import('../jobs/pg-boss.ts')
  return PgBossQueue.open({ url: database, store, log })
}

function print({ lines }: Pick<Done, 'lines'>): void {
  // Lines may hold control characters of strangers, which a terminal would obey.
  process.stdout.write(lines.map((line) => `${harmless(line)}\n`).join(''))
}

function complain(text: string): void {
  process.stderr.write(`${printable(text)}\n`)
}

async function isAgreed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    complain(`${question} Nothing was done; add --yes to do it.`)
    return false
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(`${printable(question)} Type yes to do it: `)).trim() === 'yes'
  } finally {
    terminal.close()
  }
}

/** Does what the command line says, and returns the exit code: 0 if it was done or shown, 2 if it was not confirmed. */
async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  let store: Store | undefined
  let jobs: Queue | undefined
  try {
    const { line, isConfirmed, who } = readArguments(args)
    if (line === '' || line === 'help') {
      print({ lines: [...usage(), options] })
      return 0
    }
    const database = readDatabase(env)
    store = await open(database)
    const now = () => Math.floor(Date.now() / 1000)
    const opened = store
    const context: AdminContext = {
      store,
      now,
      jobs: async () => {
        jobs ??= await openJobs(database, opened, now)
        return jobs
      },
    }
    const done = await administer(isConfirmed ? `yes ${line}` : line, who, context)
    print(done)
    if (!done.confirm) return 0
    if (!(await isAgreed(done.confirm.question))) return 2
    print(await administer(done.confirm.line, who, context))
    return 0
  } catch (error) {
    const isOperational =
      error instanceof AdminError || error instanceof StoreError || error instanceof ConfigError
    complain(isOperational ? error.message : inspect(error))
    return 1
  } finally {
    await jobs?.stop()
    await store?.destroy()
  }
}

process.exitCode = await run(process.argv.slice(2), process.env)
