import { createStore } from 'mipd'
import * as z from 'zod/mini'
import { type Text, t } from '../../../core/view.ts'
import { type Address, accountsSchema, type SigningRequest } from '../../../launch/signing-wire.ts'
import { clean } from './elements.ts'

/** The part of EIP-1193 that this page uses. Answers are untrusted. */
interface Provider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, listener: (payload: unknown) => void): void
  removeListener?(event: string, listener: (payload: unknown) => void): void
}

/** A wallet in this browser, by its own description. */
export interface Wallet {
  /** Its reverse domain name, or `injected` if it doesn't announce itself. */
  id: string
  name: Text
  /** A `data:` URL. */
  icon: string | undefined
  provider: Provider
}

/** The account and chain that the connected wallet shows this page. */
export interface Exposed {
  account: Address | undefined
  chainId: number | undefined
}

type FaultKind =
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
  readonly kind: FaultKind

  constructor(kind: FaultKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

const providerSchema = z.custom<Provider>(
  (it) =>
    typeof it === 'object' && it !== null && 'request' in it && typeof it.request === 'function',
)
const announcedSchema = z.object({
  info: z.object({ name: z.string(), rdns: z.string(), icon: z.string() }),
  provider: providerSchema,
})
/** At most 200,000 characters of an icon, which is shown at 32 pixels. */
const iconSchema = z
  .string()
  .check(z.maxLength(200_000), z.regex(/^data:image\/(?:png|jpeg|webp|gif|svg\+xml)[;,]/u))

/**
 * Calls back with all wallets whenever one is added: those that announce themselves (EIP-6963), and `window.ethereum`.
 */
export function watchWallets(onChange: (wallets: readonly Wallet[]) => void): void {
  const store = createStore()
  const notify = () => {
    const announced = store.getProviders().flatMap((detail) => walletOf(detail) ?? [])
    const provider = providerSchema.safeParse(Reflect.get(window, 'ethereum')).data
    const isAnnounced = announced.some((wallet) => wallet.provider === provider)
    const injected = { id: 'injected', name: t('sign-browser-wallet'), icon: undefined }
    onChange(provider && !isAnnounced ? [...announced, { ...injected, provider }] : announced)
  }
  store.subscribe(notify)
  window.addEventListener('ethereum#initialized', notify, { once: true })
  notify()
}

function walletOf(detail: unknown): Wallet | undefined {
  const { data } = announcedSchema.safeParse(detail)
  if (!data) return undefined
  const { info, provider } = data
  return {
    id: clean(info.rdns, 60),
    name: clean(info.name, 40) || t('sign-unnamed-wallet'),
    icon: iconSchema.safeParse(info.icon).data,
    provider,
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
const faultKinds: Record<string, FaultKind> = {
  '4001': 'refused',
  ACTION_REJECTED: 'refused',
  '4100': 'unauthorised',
  '4900': 'disconnected',
  '4901': 'disconnected',
  '4902': 'unknown chain',
  '-32002': 'pending',
}

// Wallets forward their node's errors with codes of their own, so these are recognised by text.
const faultPatterns: [pattern: RegExp, kind: FaultKind][] = [
  [/insufficient (?:funds|balance)|exceeds (?:the )?balance/iu, 'funds'],
  [/user (?:rejected|denied|cancell?ed)|rejected by user/iu, 'refused'],
  [/unrecognized chain|unknown chain/iu, 'unknown chain'],
  [/already (?:pending|processing)/iu, 'pending'],
]

/**
 * Calls a method that may ask the person; waits as long as that takes.
 * @throws WalletFault
 */
export async function ask(
  { provider }: Wallet,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  try {
    return await provider.request({ method, params })
  } catch (cause) {
    const { data: fault } = faultSchema.safeParse(cause)
    const { data: nested } = nestedSchema.safeParse(fault?.data)
    const message = fault?.message ?? ''
    const byCode = faultKinds[String(fault?.code)] ?? faultKinds[String(nested?.originalError.code)]
    const byMessage = faultPatterns.find(([pattern]) => pattern.test(message))?.[1]
    throw new WalletFault(byCode ?? byMessage ?? 'other', message, { cause })
  }
}

/**
 * Calls a method that needs no prompt; a wallet that doesn't answer for 8 s counts as disconnected.
 * @throws WalletFault
 */
export async function read(
  wallet: Wallet,
  method: string,
  params?: readonly unknown[],
): Promise<unknown> {
  const late = new Promise<never>((_, reject) => {
    const timeOut = () => reject(new WalletFault('disconnected', `${method} was not answered`))
    AbortSignal.timeout(8_000).addEventListener('abort', timeOut)
  })
  return Promise.race([ask(wallet, method, params), late])
}

const chainSchema = z.union([
  z.pipe(
    z.string().check(z.regex(/^(?:0x[0-9a-fA-F]{1,13}|\d{1,15})$/u)),
    z.transform((text: string) => Number(text)),
  ),
  z.number(),
])

const accountOf = (accounts: unknown) => accountsSchema.safeParse(accounts).data?.[0]
const chainOf = (chain: unknown) => chainSchema.safeParse(chain).data

/**
 * Reads account and chain; with `mayPrompt` the wallet asks the person if it doesn't show this page an account yet.
 * @throws WalletFault
 */
export async function readExposed(wallet: Wallet, mayPrompt: boolean): Promise<Exposed> {
  const accounts = mayPrompt
    ? await ask(wallet, 'eth_requestAccounts')
    : await read(wallet, 'eth_accounts')
  return { account: accountOf(accounts), chainId: chainOf(await read(wallet, 'eth_chainId')) }
}

/** Calls back with what changes in the wallet; the returned function ends that. */
export function listen(
  { provider }: Wallet,
  onChange: (change: Partial<Exposed>) => void,
): () => void {
  const listeners = Object.entries({
    accountsChanged: (accounts: unknown) => onChange({ account: accountOf(accounts) }),
    chainChanged: (chain: unknown) => onChange({ chainId: chainOf(chain) }),
    disconnect: () => onChange({ account: undefined }),
  })
  for (const [event, listener] of listeners) provider.on?.(event, listener)
  return () => {
    for (const [event, listener] of listeners) provider.removeListener?.(event, listener)
  }
}

/** Lets the person choose another account in the wallet. */
export async function chooseAccount(wallet: Wallet): Promise<void> {
  try {
    await ask(wallet, 'wallet_requestPermissions', [{ eth_accounts: {} }])
  } catch (fault) {
    // Wallets without this method show their accounts when they are asked for them.
    if (!(fault instanceof WalletFault) || fault.kind !== 'other') throw fault
  }
}

/**
 * Switches the wallet to the chain, adding the chain if the wallet doesn't know it.
 * @throws WalletFault `unknown chain` if the person has to add it by hand
 */
export async function switchChain(wallet: Wallet, chain: SigningRequest['chain']): Promise<void> {
  const { id, name, coin, rpcUrl, explorer } = chain
  const chainId = `0x${id.toString(16)}`
  try {
    await ask(wallet, 'wallet_switchEthereumChain', [{ chainId }])
  } catch (fault) {
    const isUnknown = fault instanceof WalletFault && fault.kind === 'unknown chain'
    if (!isUnknown || rpcUrl === undefined) throw fault
    const nativeCurrency = { name: coin, symbol: coin, decimals: 18 }
    const links = { rpcUrls: [rpcUrl], ...(explorer && { blockExplorerUrls: [explorer] }) }
    const added = { chainId, chainName: name, nativeCurrency, ...links }
    await ask(wallet, 'wallet_addEthereumChain', [added])
  }
}
