import * as z from 'zod/mini'

/** The part of EIP-1193 that this page uses. Answers are untrusted. */
export interface Provider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, listener: (payload: unknown) => void): void
  removeListener?(event: string, listener: (payload: unknown) => void): void
}

type Kind =
  | 'refused'
  | 'pending'
  | 'unauthorised'
  | 'unknown chain'
  | 'funds'
  | 'disconnected'
  | 'no hash'
  | 'other'

/** Thrown if a wallet did not do what it was asked. */
export class WalletFault extends Error {
  override readonly name = 'WalletFault'
  readonly kind: Kind

  constructor(kind: Kind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

const code = z.union([z.number(), z.string()])
const faultSchema = z.object({
  code: z.optional(code),
  message: z.optional(z.string()),
  data: z.optional(z.unknown()),
})
const nestedSchema = z.object({ originalError: z.object({ code }) })

/** Kinds by error code of EIP-1193, EIP-1474 and EIP-3085, and by the name that some wallets use. */
const kinds: Record<string, Kind> = {
  '4001': 'refused',
  ACTION_REJECTED: 'refused',
  '4100': 'unauthorised',
  '4900': 'disconnected',
  '4901': 'disconnected',
  '4902': 'unknown chain',
  '-32002': 'pending',
}

// Wallets forward their node's errors with codes of their own, so these are recognised by text.
const messagePatterns: [saying: RegExp, kind: Kind][] = [
  [/insufficient (?:funds|balance)|exceeds (?:the )?balance/iu, 'funds'],
  [/user (?:rejected|denied|cancell?ed)|rejected by user/iu, 'refused'],
  [/unrecognized chain|unknown chain/iu, 'unknown chain'],
  [/already (?:pending|processing)/iu, 'pending'],
]

/**
 * Calls a wallet; waits as long as the person takes.
 * @throws WalletFault
 */
export async function ask(
  provider: Provider,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  try {
    return await provider.request({ method, params })
  } catch (cause) {
    throw faultOf(cause)
  }
}

/** Timeout in milliseconds for calls that need no prompt. */
const timeoutMs = 8_000

/**
 * Calls a method that needs no prompt; a wallet that doesn't answer counts as disconnected.
 * @throws WalletFault
 */
export async function read(
  provider: Provider,
  method: string,
  params?: readonly unknown[],
): Promise<unknown> {
  let timer: number | undefined
  const timedOut = new Promise<never>((_, reject) => {
    const timeOut = () => reject(new WalletFault('disconnected', `${method} was not answered`))
    timer = window.setTimeout(timeOut, timeoutMs)
  })
  try {
    return await Promise.race([ask(provider, method, params), timedOut])
  } finally {
    clearTimeout(timer)
  }
}

function faultOf(cause: unknown): WalletFault {
  const { data: fault } = faultSchema.safeParse(cause)
  const { data: nested } = nestedSchema.safeParse(fault?.data)
  const message = fault?.message ?? ''
  const byCode = kinds[String(fault?.code)] ?? kinds[String(nested?.originalError.code)]
  const byMessage = messagePatterns.find(([saying]) => saying.test(message))?.[1]
  return new WalletFault(byCode ?? byMessage ?? 'other', message, { cause })
}
