/**
 * `unavailable`: nobody has it, or not in time; it may work later. `too large`: longer than was allowed, or in several
 * blocks. `refused`: it can't be had this way. `other bytes`: what came does not hash to the CID. `no file`: the CID
 * names something else than a file.
 */
export type IpfsReadErrorKind = 'unavailable' | 'too large' | 'refused' | 'other bytes' | 'no file'

/** Why something was not read from IPFS. Its message is for the log, and holds neither address nor key. */
export class IpfsReadError extends Error {
  override readonly name = 'IpfsReadError'
  readonly kind: IpfsReadErrorKind

  constructor(kind: IpfsReadErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
