import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Config } from './config.ts'

// Keeps compiled code for the next start, where NODE_COMPILE_CACHE says or, if it can write there, beside the packages: a
// folder that others can write to could bring code of theirs. It knows only what is imported after this line.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)))
const { ConfigError, readConfig, secretsOf } = await import('./config.ts')
const { App } = await import('./app.ts')
const { PlatformError } = await import('./core/adapter.ts')
const { StoreError } = await import('./errors.ts')
const { createLogger, logConsole } = await import('./log.ts')
const { version } = await import('./version.ts')
const { readableByOthers, unencrypted } = await import('./warnings.ts')
const { PortError } = await import('./web/server.ts')

/** Milliseconds after which a stop that hangs is cut off; it should take less. */
const maxStop = 10_000

async function readSettings(): Promise<Config> {
  try {
    return await readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const lines = error.problems.map((problem) => `  ${problem}`)
    process.stderr.write(
      [
        'Gavel cannot start: these settings are missing or wrong.',
        ...lines,
        '.env.example explains each one. To try Gavel without any account: npm run sandbox',
        '',
      ].join('\n'),
    )
    process.exit(1)
  }
}

const config = await readSettings()
const log = createLogger(config.logLevel, secretsOf(config))
logConsole(log, { console, process })
log.info({ version, node: process.versions.node }, 'starting')

let stopping = false
let app: Awaited<ReturnType<typeof App.create>> | undefined

async function stop(code: number): Promise<void> {
  if (stopping) return
  stopping = true
  log.info('stopping')
  setTimeout(() => {
    log.error('stopping took too long')
    process.exit(code || 1)
  }, maxStop).unref()
  try {
    await app?.stop()
    log.info('stopped')
    process.exit(code)
  } catch (error) {
    log.error({ err: error }, 'stopping failed')
    process.exit(code || 1)
  }
}

function fail(error: unknown): void {
  // The operator can fix these, and their message says how.
  const isOperational =
    error instanceof PlatformError || error instanceof StoreError || error instanceof PortError
  if (isOperational) log.fatal({ reason: reasonOf(error) }, error.message)
  else log.fatal({ err: error }, 'an unexpected fault')
  void stop(1)
}

/** The message of an error's cause, unless the error's own message contains it. */
function reasonOf({ cause, message }: Error): string | undefined {
  return cause instanceof Error && !message.includes(cause.message) ? cause.message : undefined
}

process.on('SIGTERM', () => void stop(0))
process.on('SIGINT', () => void stop(0))
process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)

try {
  for (const { setting, text } of unencrypted(config)) log.warn({ setting }, text)
  app = await App.create(config, log, fail)
  // Once the database is there.
  for (const { text } of readableByOthers(config.database, process.execArgv)) log.warn(text)
  await app.start()
} catch (error) {
  if (!stopping) fail(error)
}
