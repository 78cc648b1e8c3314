import {
  ExponentialBackoff,
  type IBackoff,
  type IBackoffFactory,
  type IRetryBackoffContext,
} from 'cockatiel'
import { ApiError } from '../errors.ts'

type Wait = IBackoffFactory<IRetryBackoffContext<unknown>>

const jittered = new ExponentialBackoff({ initialDelay: 150, maxDelay: 1500 })

/** Growing, random waits between attempts, and never less than what the interface asked for with Retry-After. */
export function politeBackoff(factory: Wait = jittered): Wait {
  return {
    next(context): IBackoff<IRetryBackoffContext<unknown>> {
      const backoff = factory.next(context)
      const error = 'error' in context.result ? context.result.error : undefined
      const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0
      return { duration: asked + backoff.duration, next: politeBackoff(backoff).next }
    },
  }
}
