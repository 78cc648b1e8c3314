import { writeSync } from 'node:fs'
import { format } from 'node:util'
import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * Makes a logger of JSON lines in which all `secrets`, and the tokens of links, bots and interactions, are redacted: in
 * finished lines, so also within URLs. Errors are logged with selected properties only: libraries attach whole messages
 * and requests to theirs.
 * @example
 *   const log = createLogger('info', secretsOf(config))
 *   log.warn({ err: error }, 'the API does not answer')
 */
export function createLogger(
  level: LogLevel,
  secrets: readonly string[],
  destination: DestinationStream = standardOutput,
): Logger {
  const redact = redactor(secrets)
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: (error: unknown) => serializeError(error, maxCauses) },
    hooks: { streamWrite: (line: string) => escaped(redact(line)) },
  }
  return pino(options, destination)
}

/** Escapes characters that JSON allows in its texts and that a terminal or a viewer of logs acts on. */
function escaped(line: string): string {
  return line.replaceAll(
    acting,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
const acting = /[\x7f-\x9f\p{Bidi_Control}\u2028\u2029]/gu

/** Makes the function that strikes these secrets, and the tokens of links, bots and interactions, out of a text. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const secretSpellings = secrets.filter((secret) => secret !== '').flatMap(spellings)
  // Longest first: one secret may be the beginning of another.
  secretSpellings.sort((one, other) => other.length - one.length)
  return (line) =>
    tokens.reduce(
      (text, token) => text.replaceAll(token, '[redacted]'),
      secretSpellings.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), line),
    )
}

/** Milliseconds for which a line waits for the reader of standard output, and between two tries. */
const maxOutputWait = 1_000
const outputPause = 20

/**
 * Standard output. A line that its reader can't take is lost: pino's own destination would try for ever to write the last line
 * of a process whose reader is gone, and the process would neither end nor hear a signal.
 */
const standardOutput: DestinationStream = {
  write(line) {
    let rest = Buffer.from(line)
    for (let waited = 0; rest.length > 0 && waited <= maxOutputWait; ) {
      try {
        rest = rest.subarray(writeSync(1, rest))
      } catch (error) {
        if (!isFull(error)) return
        Atomics.wait(sleeper, 0, 0, outputPause)
        waited += outputPause
      }
    }
  },
}
const sleeper = new Int32Array(new SharedArrayBuffer(4))

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN'
}

/** The forms of a secret in a line: in JSON, in JSON within a JSON string (a body in an error), and in a URL. */
function spellings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inBody = JSON.stringify(inJson).slice(1, -1)
  const inUrl = encodeURIComponent(secret)
  return [...new Set([secret, inJson, inBody, inUrl])]
}

const slash = '(?:/|%2F)'
/** Patterns of tokens that give access to whoever has them. */
const tokens = [
  // Signing links: ours, and those to the operator's own page.
  `(?<=${slash}s${slash})[\\w-]{22,}`,
  `(?<=(?:[/=#?&]|%2F|%3D))[\\w-]{32}(?![\\w-])`,
  // Tokens that answer a Discord interaction, valid for 15 minutes.
  `(?<=${slash}(?:webhooks|interactions)${slash}\\w{1,20}${slash})[^/\\s"?\\\\]+`,
  // Bot tokens of Telegram and Discord.
  `(?<!\\w)(?:bot)?\\d{4,}:[\\w-]{24,}`,
  `(?<![\\w-])[\\w-]{23,30}\\.[\\w-]{6,7}\\.[\\w-]{27,}`,
].map((pattern) => new RegExp(pattern, 'giu'))

/** Maximum depth of an error's causes, which may be circular. */
const maxCauses = 6
const maxErrors = 10

/** Properties of errors that are logged beside the message, if they are texts, numbers or booleans. */
const loggedProperties = [
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

/** Serializes an error and its causes, without requests or messages that are attached to them. */
function serializeError(error: unknown, maxDepth: number): unknown {
  if (typeof error === 'string') return withoutAddresses(error)
  if (typeof error === 'number') return error
  if (!(error instanceof Error)) return { type: typeof error }
  const own = new Map<string, unknown>(Object.entries(error))
  const facts = loggedProperties
    .map((name) => [name, own.get(name)] as const)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  // grammY has the cause of a failed call in `error`.
  const cause = error.cause ?? (own.get('error') instanceof Error ? own.get('error') : undefined)
  const errors = error instanceof AggregateError ? error.errors.slice(0, maxErrors) : []
  return {
    type: error.constructor.name,
    message: withoutAddresses(error.message),
    ...(error.stack !== undefined && { stack: withoutAddresses(error.stack) }),
    ...Object.fromEntries(facts),
    ...(maxDepth > 0 && cause !== undefined && { cause: serializeError(cause, maxDepth - 1) }),
    ...(maxDepth > 0 &&
      errors.length > 0 && { errors: errors.map((each) => serializeError(each, maxDepth - 1)) }),
  }
}

/** Characters of an error's message or stack that are logged: a platform or proxy may answer with any number. */
const maxErrorText = 8_000

/** Shortens accounts, transactions and calldata in a library's message: they may be somebody's. */
function withoutAddresses(text: string): string {
  return clipped(text).replaceAll(/(0x[0-9a-f]{4})[0-9a-f]{36,}/giu, '$1…')
}

/** Cuts a long text between words: half of a secret would not be redacted. */
function clipped(text: string): string {
  if (text.length <= maxErrorText) return text
  return `${text.slice(0, Math.max(0, text.lastIndexOf(' ', maxErrorText)))}…`
}

/** Where output that bypasses the log comes from. */
interface Outputs {
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

/** Redirects console.* and process warnings to the logger. */
export function logConsole(log: Logger, { console, process }: Outputs): void {
  for (const method of methods) {
    console[method] = (...args: unknown[]) => {
      const err = args.find((each) => each instanceof Error)
      const words = args.filter((each) => typeof each !== 'object')
      log[levels[method]]({ err }, format(...words) || 'written to the console')
    }
  }
  // Node.js's own listener writes warnings to stderr.
  process.removeAllListeners('warning')
  process.on('warning', (warning: Error) => log.warn({ err: warning }, 'a warning from Node.js'))
}

interface Outage {
  /** Logs its beginning, with the error that showed it. */
  begins: (error: unknown) => void
  /** Logs its end. */
  ends: () => void
}

/** Logs an outage once at its beginning and once at its end, however many errors it causes. */
export class OutageLog {
  readonly #outage: Outage
  #isOn = false

  constructor(outage: Outage) {
    this.#outage = outage
  }

  /** Returns whether an outage begins with this error. */
  failed(error: unknown): boolean {
    if (this.#isOn) return false
    this.#isOn = true
    this.#outage.begins(error)
    return true
  }

  worked(): void {
    if (this.#isOn) this.#outage.ends()
    this.#isOn = false
  }
}
