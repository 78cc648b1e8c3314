import { type Loss, SendError } from '../core/adapter.ts'
import { backoff } from '../core/task.ts'
import { messageOf } from '../errors.ts'
import type { Claim, DeliveryResult } from './outbox.ts'

/** The consequence of a failed send. */
export type SendOutcome =
  /** The chat is unreachable: pause it. */
  | { kind: 'unreachable'; loss: Loss }
  | { kind: 'migrated'; chat: string }
  | { kind: 'result'; result: DeliveryResult; cooldown: number }

interface Circumstances {
  /** Unix seconds. */
  now: number
  /** Whether the platform is unreachable, so that the failure is not this message's fault. */
  isDown: boolean
}

/** Attempts before a message is given up while others succeed. */
const maxTries = 12
/** Maximum seconds between attempts. */
const maxRetryPause = 600
/**
 * The same while the platform is unreachable: waiting messages go out soon after it recovers.
 */
const maxRetryPauseDown = 30
/** Seconds until the one retry of an uncertain delivery: a platform that fails needs longer than a moment. */
const uncertainRetryPause = 30

/**
 * Decides what to do after a failed send. `cooldown` is for the chat, in seconds, beside the platform's own
 * gap between messages.
 */
export function sendOutcome(
  error: unknown,
  claim: Claim,
  circumstances: Circumstances,
): SendOutcome {
  const failure =
    error instanceof SendError ? error : new SendError(messageOf(error), { final: false })
  if (failure.loss !== undefined) return { kind: 'unreachable', loss: failure.loss }
  if (failure.movedTo !== undefined) return { kind: 'migrated', chat: failure.movedTo }
  const reason = reasonOf(failure)
  if (failure.final) return resultOf({ kind: 'given-up', reason })
  if (failure.uncertain && claim.uncertain) return resultOf({ kind: 'uncertain', reason })
  const { now, isDown } = circumstances
  if (failure.retryAfter !== undefined) {
    const { retryAfter } = failure
    const cooldown = Number.isFinite(retryAfter) ? Math.ceil(retryAfter) : maxRetryPause
    return resultOf({ kind: 'retry', runAt: now + cooldown, reason }, cooldown)
  }
  if (claim.attempts >= maxTries && !isDown) return resultOf({ kind: 'given-up', reason })
  const seconds = backoff(claim.attempts, 2, isDown ? maxRetryPauseDown : maxRetryPause)
  if (!failure.uncertain) return resultOf({ kind: 'retry', runAt: now + seconds, reason })
  const runAt = now + Math.max(uncertainRetryPause, seconds)
  return resultOf({ kind: 'retry', runAt, reason, uncertain: true })
}

/** Whether a failed send shows that the platform itself works: it refused this message properly. */
export function isAnswer(error: unknown): boolean {
  if (!(error instanceof SendError)) return false
  const { final, retryAfter, loss, movedTo } = error
  return final || retryAfter !== undefined || loss !== undefined || movedTo !== undefined
}

function resultOf(result: DeliveryResult, cooldown = 0): SendOutcome {
  return { kind: 'result', result, cooldown }
}

function reasonOf({ message, cause }: SendError): string {
  const why = cause === undefined ? '' : ` (${messageOf(cause)})`
  return `${message}${why}`
}
