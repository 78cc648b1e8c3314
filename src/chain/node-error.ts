/** Why a node could not say what it was asked. */
export type NodeErrorKind =
  | 'unavailable' // no answer, a refusal, a deadline
  | 'wrong-chain' // it answers for another chain
  | 'malformed' // an answer that is none

/** A question to a node that came to nothing. Neither its message nor its cause holds the node's URL: that may be a secret. */
export class NodeError extends Error {
  override readonly name: string = 'NodeError'
  readonly kind: NodeErrorKind

  constructor(kind: NodeErrorKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}
