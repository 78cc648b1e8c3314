import { format } from 'node:util'
import type { Logger } from './log.ts'

/** What is written past the log where nobody takes it. */
export interface Loud {
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
