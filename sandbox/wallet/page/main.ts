import type { WalletOptions } from '../options.ts'
import { announce } from './announce.ts'
import { ChainLine } from './line.ts'
import { Memory } from './memory.ts'
import { SandboxProvider } from './provider.ts'
import { Sheet } from './sheet.ts'

/** Put in by the bundler. */
declare const walletOptions: WalletOptions

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
