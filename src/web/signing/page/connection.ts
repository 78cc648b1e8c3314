import * as z from 'zod/mini'
import { ask, type Provider, read, WalletFault } from './provider.ts'
import type { Wallet } from './wallets.ts'
import { type Address, addressSchema, type Chain, sameAddress } from './wire.ts'

const accountsSchema = z.array(addressSchema)
const chainSchema = z.union([
  z.pipe(
    z.string().check(z.regex(/^(?:0x[0-9a-fA-F]{1,13}|\d{1,15})$/u)),
    z.transform((text: string) => Number(text)),
  ),
  z.number(),
])

/** The connected wallet with its current account and chain. */
export class Connection {
  readonly #changed: () => void
  #unsubscribe: () => void = () => undefined
  #wallet: Wallet | undefined
  #account: Address | undefined
  #chainId: number | undefined

  constructor(changed: () => void) {
    this.#changed = changed
  }

  get wallet(): Wallet | undefined {
    return this.#wallet
  }

  get account(): Address | undefined {
    return this.#account
  }

  get chainId(): number | undefined {
    return this.#chainId
  }

  /** Connects; with `quietly` only if the wallet already exposes an account to this page. */
  async use(wallet: Wallet, quietly: boolean): Promise<void> {
    if (this.#wallet !== wallet) this.#listen(wallet)
    await this.#read(quietly ? 'eth_accounts' : 'eth_requestAccounts')
  }

  leave(): void {
    this.#unsubscribe()
    this.#wallet = undefined
    this.#account = undefined
    this.#chainId = undefined
  }

  /** Lets the person choose another account in the wallet. */
  async switchAccount(): Promise<void> {
    try {
      await this.ask('wallet_requestPermissions', [{ eth_accounts: {} }])
    } catch (fault) {
      // Wallets without this method show their accounts when they are asked for them.
      if (!(fault instanceof WalletFault) || fault.kind !== 'other') throw fault
    }
    await this.#read('eth_requestAccounts')
  }

  /**
   * Switches the wallet to the chain, adding the chain if the wallet doesn't know it.
   * @throws WalletFault `unknown chain` if the person has to add it by hand
   */
  async switchChain(chain: Chain): Promise<void> {
    const chainId = `0x${chain.id.toString(16)}`
    try {
      await this.ask('wallet_switchEthereumChain', [{ chainId }])
    } catch (fault) {
      const unknown = fault instanceof WalletFault && fault.kind === 'unknown chain'
      if (!unknown || chain.rpcUrl === undefined) throw fault
      await this.ask('wallet_addEthereumChain', [
        {
          chainId,
          chainName: chain.name,
          nativeCurrency: { name: chain.coin, symbol: chain.coin, decimals: 18 },
          rpcUrls: [chain.rpcUrl],
          ...(chain.explorer && { blockExplorerUrls: [chain.explorer] }),
        },
      ])
    }
    await this.check()
  }

  /**
   * Calls a method that the wallet answers without asking the person.
   * @throws WalletFault
   */
  async read(method: string, params?: readonly unknown[]): Promise<unknown> {
    if (!this.#wallet) throw new WalletFault('disconnected', 'no wallet')
    return read(this.#wallet.provider, method, params)
  }

  /** Reads account and chain again. */
  check(): Promise<void> {
    return this.#read('eth_accounts')
  }

  /**
   * Calls a method that may ask the person.
   * @throws WalletFault
   */
  async ask(method: string, params?: readonly unknown[]): Promise<unknown> {
    if (!this.#wallet) throw new WalletFault('disconnected', 'no wallet')
    return ask(this.#wallet.provider, method, params)
  }

  async #read(method: 'eth_accounts' | 'eth_requestAccounts'): Promise<void> {
    const wallet = this.#wallet
    const accounts = await (method === 'eth_accounts' ? this.read(method) : this.ask(method))
    const chain = await this.read('eth_chainId')
    if (this.#wallet !== wallet) return
    this.#setAccounts(accounts)
    this.#setChain(chain)
    this.#changed()
  }

  #setAccounts(accounts: unknown): void {
    const [first] = accountsSchema.safeParse(accounts).data ?? []
    const same = first && this.#account && sameAddress(first, this.#account)
    if (!same) this.#account = first
  }

  #setChain(chain: unknown): void {
    this.#chainId = chainSchema.safeParse(chain).data
  }

  #listen(wallet: Wallet): void {
    this.leave()
    this.#wallet = wallet
    this.#unsubscribe = listen(wallet.provider, {
      accountsChanged: (accounts) => {
        this.#setAccounts(accounts)
        this.#changed()
      },
      chainChanged: (chain) => {
        this.#setChain(chain)
        this.#changed()
      },
      disconnect: () => {
        this.#account = undefined
        this.#changed()
      },
    })
  }
}

/** Subscribes to a wallet's events; the returned function unsubscribes. */
function listen(
  provider: Provider,
  listeners: Readonly<Record<string, (payload: unknown) => void>>,
): () => void {
  const each = Object.entries(listeners)
  for (const [event, listener] of each) provider.on?.(event, listener)
  return () => {
    for (const [event, listener] of each) provider.removeListener?.(event, listener)
  }
}
