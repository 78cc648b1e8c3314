import type { WalletOptions } from '../server.ts'
import { Memory } from './memory.ts'
import { ChainLine, SandboxProvider } from './provider.ts'
import { Sheet } from './sheet.ts'

/** Put in by the bundler. */
declare const walletOptions: WalletOptions

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 96 96'%3E%3Crect width='96' height='96' rx='22' fill='%23b4542c'/%3E%3Cpath d='M20 34h56v34a6 6 0 0 1-6 6H26a6 6 0 0 1-6-6zm6-12h36v8H20a6 6 0 0 1 6-8zm34 28v10h16V50z' fill='%23fff'/%3E%3C/svg%3E"

// Elsewhere, as on about:blank, nothing can be remembered and nobody looks for wallets.
if (/^https?:$/u.test(location.protocol) && window.top === window) {
  const { name = 'Sandbox wallet', rdns = 'sandbox.gavel' } = walletOptions
  const provider = new SandboxProvider({
    options: walletOptions,
    line: new ChainLine(walletOptions.rpc),
    memory: new Memory(rdns, walletOptions),
    sheet: new Sheet(name),
  })
  announce({ name, rdns }, provider)
  // Tests and the browser's own console stand in for the window of an extension.
  window.addEventListener(rdns, (event) => {
    if (event instanceof CustomEvent) provider.become(Object(event.detail))
  })
}

/** Makes the wallet known to the page, now and whenever the page asks (EIP-6963). */
function announce({ name, rdns }: { name: string; rdns: string }, provider: SandboxProvider): void {
  const info = Object.freeze({ uuid: crypto.randomUUID(), name, icon, rdns })
  // Pages keep what they were given: none may change what another is told.
  const detail = Object.freeze({ info, provider })
  const tell = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', tell)
  tell()
}
