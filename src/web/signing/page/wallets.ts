import { createStore } from 'mipd'
import * as z from 'zod/mini'
import type { Provider } from './provider.ts'
import { clean } from './text.ts'

/** A wallet in this browser, by its own description. */
export interface Wallet {
  /** Its reverse domain name, or `injected` if it doesn't announce itself. */
  id: string
  name: string
  /** A `data:` URL. */
  icon: string | undefined
  provider: Provider
}

const provider = z.custom<Provider>(
  (it) =>
    typeof it === 'object' && it !== null && 'request' in it && typeof it.request === 'function',
)
const announced = z.object({
  info: z.object({ name: z.string(), rdns: z.string(), icon: z.string() }),
  provider,
})

const icon = /^data:image\/(?:png|jpeg|webp|gif|svg\+xml)[;,]/u
/** Max characters of an icon, which is shown at 32 pixels. */
const maxIcon = 200_000

/**
 * Calls back with all wallets whenever one is added: those that announce themselves (EIP-6963), and `window.ethereum`.
 */
export function watchWallets(onChange: (wallets: readonly Wallet[]) => void): void {
  const store = createStore()
  const notify = () => {
    const announcedWallets = store.getProviders().flatMap((detail) => walletOf(detail) ?? [])
    const injected = provider.safeParse(Reflect.get(window, 'ethereum')).data
    const isUnannounced =
      injected && announcedWallets.every((wallet) => wallet.provider !== injected)
    onChange(isUnannounced ? [...announcedWallets, browserWallet(injected)] : announcedWallets)
  }
  store.subscribe(notify)
  window.addEventListener('ethereum#initialized', notify, { once: true })
  notify()
}

function walletOf(detail: unknown): Wallet | undefined {
  const { data } = announced.safeParse(detail)
  if (!data) return undefined
  const { info } = data
  return {
    id: clean(info.rdns, 60),
    name: clean(info.name, 40) || 'Unnamed wallet',
    icon: icon.test(info.icon) && info.icon.length <= maxIcon ? info.icon : undefined,
    provider: data.provider,
  }
}

function browserWallet(injected: Provider): Wallet {
  return { id: 'injected', name: 'Browser wallet', icon: undefined, provider: injected }
}
