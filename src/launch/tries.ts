import {
  ExponentialBackoff,
  handleWhen,
  retry,
  TaskCancelledError,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel'

export interface Tries {
  /** Milliseconds for all tries together. */
  deadlineMs: number
  /** Tries after the first one. */
  maxRetries: number
  /** Whether another try may go better. */
  mayPass: (error: unknown) => boolean
  /** The error where time ran out before any try failed. */
  late: () => Error
}

/** Runs what may be repeated until it works, fails for good, or time runs out: the signal then aborts. */
export async function persistently<Result>(
  attempt: (signal: AbortSignal) => Promise<Result>,
  { deadlineMs, maxRetries, mayPass, late }: Tries,
): Promise<Result> {
  let last: unknown
  const passes = (error: unknown) => {
    if (!mayPass(error)) return false
    last = error
    return true
  }
  const backoff = new ExponentialBackoff({ initialDelay: 200, maxDelay: 3000 })
  const policy = wrap(
    timeout(deadlineMs, TimeoutStrategy.Aggressive),
    retry(handleWhen(passes), { maxAttempts: maxRetries, backoff }),
  )
  try {
    return await policy.execute(async ({ signal }) => {
      try {
        return await attempt(signal)
      } catch (error) {
        throw signal.aborted ? new TaskCancelledError() : error
      }
    })
  } catch (error) {
    if (!(error instanceof TaskCancelledError)) throw error
    // At the deadline the failure of an earlier try says more than that time ran out.
    throw last ?? late()
  }
}
