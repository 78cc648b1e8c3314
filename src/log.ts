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
  const written = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [
      ...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]),
    ])
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
