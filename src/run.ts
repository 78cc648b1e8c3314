import { App } from './app.ts'
import { type Config, ConfigError, type Environment, readConfig, secretsOf } from './config.ts'
import { PlatformError } from './core/adapter.ts'
import { StoreError } from './errors.ts'
import { createLogger, logConsole } from './log.ts'
import { version } from './version.ts'
import { readableByOthers, retiredSettings, unencrypted } from './warnings.ts'
import { PortError } from './web/server.ts'

/** Milliseconds after which a stop that hangs is cut off; it should take less. */
const maxStop = 10_000

async function readSettings(env: Environment): Promise<Config> {
  try {
    const config = await readConfig(env)
    const { templates } = config.launch
    // Few bots have templates of their own, and all that launches need is loaded with the check.
    if (templates.length > 0) (await import('./launch/settings.ts')).checkTemplates(templates)
    return config
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

/** Runs the bot until it is told to stop, or can't go on; then the process ends. */
export async function run(env: Environment): Promise<void> {
  const config = await readSettings(env)
  const log = createLogger(config.logLevel, secretsOf(config))
  logConsole(log, { console, process })
  log.info({ version, node: process.versions.node }, 'starting')

  let stopping = false
  let app: App | undefined

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

  process.on('SIGTERM', () => void stop(0))
  process.on('SIGINT', () => void stop(0))
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)

  try {
    for (const { setting, text } of [...retiredSettings(env), ...unencrypted(config)])
      log.warn({ setting }, text)
    app = await App.create(config, log, fail)
    // Once the database is there.
    for (const { text } of readableByOthers(config.database, process.execArgv)) log.warn(text)
    await app.start()
  } catch (error) {
    if (!stopping) fail(error)
  }
}

/** The message of an error's cause, unless the error's own message contains it. */
function reasonOf({ cause, message }: Error): string | undefined {
  return cause instanceof Error && !message.includes(cause.message) ? cause.message : undefined
}
