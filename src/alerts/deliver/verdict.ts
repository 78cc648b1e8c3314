import { type Loss, SendError } from '../../chat/platform.ts'
import type { Claim, Settlement } from '../../queue/outbox.ts'

/** What follows from a send that failed. */
export type Verdict =
  /** Nothing is sent there any more. */
  | { kind: 'lost'; loss: Loss }
  | { kind: 'moved'; chat: string }
  | { kind: 'settled'; settlement: Settlement; quietFor: number }

/** When it failed, and how the platform is doing. */
export interface Circumstances {
  /** Unix seconds. */
  now: number
  /** The platform takes nothing from anybody: that is no fault of this message. */
  isDown: boolean
}

/** Tries until a message is given up that fails while others get through. */
const mostTries = 12
const firstPause = 2
const longestPause = 600
/** While a platform is out of reach: what waits for it goes soon after it is back. */
const longestPauseDown = 30
/** Until the one other try of what may be there already: a platform that stumbles needs longer than a moment. */
const uncertainPause = 30
const longestReason = 500

/**
 * What becomes of a claim whose send failed. `quietFor` are seconds for which nothing else may be sent there beside
 * the usual gap.
 */
export function verdictOn(error: unknown, claim: Claim, circumstances: Circumstances): Verdict {
  const failure =
    error instanceof SendError ? error : new SendError(messageOf(error), { final: false })
  if (failure.loss !== undefined) return { kind: 'lost', loss: failure.loss }
  if (failure.movedTo !== undefined) return { kind: 'moved', chat: failure.movedTo }
  const reason = reasonOf(failure)
  if (failure.final) return settled({ kind: 'given-up', reason })
  if (failure.uncertain && claim.uncertain) return settled({ kind: 'uncertain', reason })
  const { now, isDown } = circumstances
  if (failure.retryAfter !== undefined) {
    const { retryAfter } = failure
    const quietFor = Number.isFinite(retryAfter) ? Math.ceil(retryAfter) : longestPause
    return settled({ kind: 'later', runAt: now + quietFor, reason }, quietFor)
  }
  if (claim.attempts >= mostTries && !isDown) return settled({ kind: 'given-up', reason })
  const pause = pauseAfter(claim.attempts, isDown ? longestPauseDown : longestPause)
  if (!failure.uncertain) return settled({ kind: 'later', runAt: now + pause, reason })
  const runAt = now + Math.max(uncertainPause, pause)
  return settled({ kind: 'later', runAt, reason, uncertain: true })
}

/** Whether a failed send tells that the platform itself answers as it should. */
export function isAnswer(error: unknown): boolean {
  if (!(error instanceof SendError)) return false
  const { final, retryAfter, loss, movedTo } = error
  return final || retryAfter !== undefined || loss !== undefined || movedTo !== undefined
}

function settled(settlement: Settlement, quietFor = 0): Verdict {
  return { kind: 'settled', settlement, quietFor }
}

/** 2 s, 4 s, 8 s … */
function pauseAfter(attempts: number, longest: number): number {
  return Math.min(longest, firstPause * 2 ** Math.min(20, Math.max(0, attempts - 1)))
}

function reasonOf({ message, cause }: SendError): string {
  const why = cause === undefined ? '' : ` (${messageOf(cause)})`
  return `${message}${why}`.slice(0, longestReason)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
