import { ExponentialBackoff, handleWhen, type RetryPolicy, retry } from 'cockatiel'
import { PlatformError } from './platform.ts'

const longestWait = 30_000

/**
 * Tries again, ever more slowly, until a platform can be reached: a network that is down when the bot starts is
 * waited for. Only what `isFinal` ends it, such as a refused token, and what the operator has to mend.
 */
export function untilReachable(
  isFinal: (error: unknown) => boolean,
  onFailure: (error: unknown) => void,
): RetryPolicy {
  const policy = retry(
    handleWhen((error) => !(error instanceof PlatformError) && !isFinal(error)),
    {
      maxAttempts: Number.POSITIVE_INFINITY,
      backoff: new ExponentialBackoff({ initialDelay: 500, maxDelay: longestWait }),
    },
  )
  policy.onRetry((reason) => onFailure('error' in reason ? reason.error : undefined))
  return policy
}
