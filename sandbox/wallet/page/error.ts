/** A refusal with its number, as EIP-1193 and EIP-1474 have it. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const userRejected = (): RpcError => new RpcError(4001, 'User rejected the request.')
