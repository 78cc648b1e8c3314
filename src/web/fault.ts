import type { IncomingMessage } from 'node:http'
import type { Logger } from '../log.ts'

/** Logs an uncaught error of a route. A request that the client aborted is not an error. */
export function noteFault(
  log: Logger,
  error: unknown,
  request: Pick<IncomingMessage, 'errored'> | undefined,
  message: string,
): void {
  const level = error === request?.errored ? 'debug' : 'error'
  log[level]({ err: error }, message)
}
