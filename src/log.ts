import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * A logger of JSON lines in which none of `secrets` can appear: they are struck from every finished line, so also
 * from URLs and causes inside a library's error.
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
    hooks: {
      streamWrite: (line: string) =>
        written.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), line),
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
