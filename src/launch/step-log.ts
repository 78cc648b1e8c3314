import type { Logger } from '../log.ts'

/** The steps of a launch, as the log names them. */
type LaunchStep =
  | 'draft'
  | 'answers'
  | 'confirm'
  /** Those of a build, in order. */
  | 'earlier'
  | 'picture'
  | 'metadata'
  | 'built'
  | 'check'
  | 'hand-off'
  | 'page'
  | 'signer'
  | 'transaction'
  | 'chain'
  | 'notice'

interface StepTaken {
  /** The draft's id, which all lines of a launch have. */
  draft: string
  /** The payload's id, from the hand-off on. */
  payload?: string
  step: LaunchStep
  /** The outcome, in words of the bot's own. */
  outcome: string
  /** The id of the question, reason or notice that it is about. */
  about?: string | undefined
  err?: unknown
}

/**
 * Logs one step of a launch. Its line says nothing that a person or a token could be known by: no name, address, hash, link or text
 * that somebody typed.
 */
export function logStep(
  log: Logger,
  { draft, payload, step, about, outcome, err }: StepTaken,
  level: 'info' | 'warn' | 'error' = 'info',
): void {
  const fields = {
    draft,
    ...(payload !== undefined && { payload }),
    step,
    ...(about !== undefined && { about }),
    outcome,
    ...(err !== undefined && { err }),
  }
  log[level](fields, 'a step of a launch')
}
