import * as z from 'zod/mini'

/** As much of EIP-1193 as this page uses. What it answers is a stranger's word. */
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

/** A wallet did not do what it was asked for. */
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

/** By the numbers of EIP-1193, EIP-1474 and EIP-3085, and the name that some wallets use. */
const kinds: Record<string, Kind> = {
  '4001': 'refused',
  ACTION_REJECTED: 'refused',
  '4100': 'unauthorised',
  '4900': 'disconnected',
  '4901': 'disconnected',
  '4902': 'unknown chain',
  '-32002': 'pending',
}

// Wallets pass on what their node said, under numbers of their own.
const sayings: [saying: RegExp, kind: Kind][] = [
  [/insufficient (?:funds|balance)|exceeds (?:the )?balance/iu, 'funds'],
  [/user (?:rejected|denied|cancell?ed)|rejected by user/iu, 'refused'],
  [/unrecognized chain|unknown chain/iu, 'unknown chain'],
  [/already (?:pending|processing)/iu, 'pending'],
]

/**
 * Asks a wallet.
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

/** Milliseconds that a wallet gets for what it need not ask anybody. */
const patience = 8_000

/**
 * Asks a wallet what it can answer by itself; one that says nothing counts as disconnected.
 * @throws WalletFault
 */
export async function read(
  provider: Provider,
  method: string,
  params?: readonly unknown[],
): Promise<unknown> {
  let timer: number | undefined
  const tired = new Promise<never>((_, reject) => {
    const silent = () => reject(new WalletFault('disconnected', `${method} was not answered`))
    timer = window.setTimeout(silent, patience)
  })
  try {
    return await Promise.race([ask(provider, method, params), tired])
  } finally {
    clearTimeout(timer)
  }
}

function faultOf(cause: unknown): WalletFault {
  const { data: fault } = faultSchema.safeParse(cause)
  const { data: nested } = nestedSchema.safeParse(fault?.data)
  const message = fault?.message ?? ''
  const byCode = kinds[String(fault?.code)] ?? kinds[String(nested?.originalError.code)]
  const bySaying = sayings.find(([saying]) => saying.test(message))?.[1]
  return new WalletFault(byCode ?? bySaying ?? 'other', message, { cause })
}
