import { inspect } from 'node:util'
import { onTestFinished } from 'vitest'
import { Transport, type TransportOptions } from '../../../src/api/http.ts'
import { ApiError } from '../../../src/errors.ts'
import { silent } from './server.ts'

export const key = 'k3y-that-must-never-show'

/** A transport that is closed when the test ends. */
export function open(baseUrl: string, options: Partial<TransportOptions> = {}): Transport {
  const transport = new Transport({ baseUrl, key, log: silent, ...options })
  onTestFinished(() => transport.close())
  return transport
}

/** The ApiError that a call must end in. */
export async function failure(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ApiError) return error
  throw new Error(`an ApiError was expected, but there was ${inspect(error)}`)
}
