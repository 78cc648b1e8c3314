import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Logger } from '../log.ts'

/** Takes note of what a route did not catch. That somebody ends a request amid its body is no fault of the bot's. */
export function noteFault(log: Logger, error: Error, context: Context, message: string): void {
  const { incoming }: Partial<HttpBindings> = context.env
  const level = error === incoming?.errored ? 'debug' : 'error'
  log[level]({ err: error }, message)
}
