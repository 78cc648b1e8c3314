import { format } from 'node:util'
import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * A logger of JSON lines in which none of `secrets` can appear, nor the token of any link, bot or interaction: they
 * are struck from every finished line, so also from URLs. Of errors only what says what happened is kept: libraries
 * hang whole messages and requests on theirs.
 */
export function createLogger(
  level: LogLevel,
  secrets: readonly string[],
  destination?: DestinationStream,
): Logger {
  const written = secrets.filter((secret) => secret !== '').flatMap(spellings)
  // One secret may be the beginning of another.
  written.sort((one, other) => other.length - one.length)
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: (error: unknown) => described(error, maxCauses) },
    hooks: {
      streamWrite: (line: string) =>
        tokens.reduce(
          (text, token) => text.replaceAll(token, '[redacted]'),
          written.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), line),
        ),
    },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** A secret as it can stand in a line: in JSON, in JSON that is itself a text in JSON (a body in an error), in a URL. */
function spellings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inBody = JSON.stringify(inJson).slice(1, -1)
  const inUrl = encodeURIComponent(secret)
  return [...new Set([secret, inJson, inBody, inUrl])]
}

const slash = '(?:/|%2F)'
/** What opens something to whoever has it, by its shape. */
const tokens = [
  // A signing link of ours, and one into the operator's own page.
  `(?<=${slash}s${slash})[\\w-]{22,}`,
  `(?<=(?:[/=#?&]|%2F|%3D))[\\w-]{32}(?![\\w-])`,
  // What answers an interaction of Discord's for a quarter of an hour.
  `(?<=${slash}(?:webhooks|interactions)${slash}\\w{1,20}${slash})[^/\\s"?\\\\]+`,
  // A bot's token, of Telegram and of Discord.
  `(?<!\\w)(?:bot)?\\d{4,}:[\\w-]{24,}`,
  `(?<![\\w-])[\\w-]{23,30}\\.[\\w-]{6,7}\\.[\\w-]{27,}`,
].map((pattern) => new RegExp(pattern, 'giu'))

/** How deep the causes of an error are followed: they may go in a circle. */
const maxCauses = 6
const maxErrors = 10

/** What errors say of themselves beside their message, in words or numbers of their own. */
const telling = [
  'code',
  'errno',
  'syscall',
  'status',
  'statusCode',
  'error_code',
  'method',
  'kind',
  'final',
  'retryAfter',
] as const

/** An error without what was being sent or read when it came up, and its causes in the same way. */
function described(error: unknown, deeper: number): unknown {
  if (typeof error === 'string' || typeof error === 'number') return error
  if (!(error instanceof Error)) return { type: typeof error }
  const own = new Map<string, unknown>(Object.entries(error))
  const facts = telling
    .map((name) => [name, own.get(name)] as const)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  // grammY hangs what made a call fail on its own error as `error`.
  const cause = error.cause ?? (own.get('error') instanceof Error ? own.get('error') : undefined)
  const errors = error instanceof AggregateError ? error.errors.slice(0, maxErrors) : []
  return {
    type: error.constructor.name,
    message: error.message,
    stack: error.stack,
    ...Object.fromEntries(facts),
    ...(deeper > 0 && cause !== undefined && { cause: described(cause, deeper - 1) }),
    ...(deeper > 0 &&
      errors.length > 0 && { errors: errors.map((each) => described(each, deeper - 1)) }),
  }
}

/** What is written past the log where nobody takes it. */
interface Loud {
  console: Console
  process: NodeJS.EventEmitter
}

const levels = {
  error: 'error',
  warn: 'warn',
  info: 'debug',
  log: 'debug',
  debug: 'debug',
  trace: 'debug',
} as const
const methods = ['error', 'warn', 'info', 'log', 'debug', 'trace'] as const

/** Has what libraries write to the console, and Node.js's warnings, go through the log: a line each, without secrets. */
export function logConsole(log: Logger, { console, process }: Loud): void {
  for (const method of methods) {
    console[method] = (...written: unknown[]) => {
      const err = written.find((each) => each instanceof Error)
      const words = written.filter((each) => typeof each !== 'object')
      log[levels[method]]({ err }, format(...words) || 'written to the console')
    }
  }
  // Else Node.js writes them beside the log as well.
  process.removeAllListeners('warning')
  process.on('warning', (warning: Error) => log.warn({ err: warning }, 'a warning of Node.js’s'))
}
