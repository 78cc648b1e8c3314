import { randomUUID } from 'node:crypto'
import type { BrowserContext } from 'playwright-core'
import { type WalletOptions, walletScript } from '../sandbox/wallet/server.ts'

/**
 * Puts the wallet into every page that the context opens from now on, as an extension would: its requests to the node
 * at `rpcUrl` go past the page's own policy.
 */
export async function installWallet(
  context: BrowserContext,
  { rpcUrl, ...options }: Omit<WalletOptions, 'rpc'> & { rpcUrl: string },
): Promise<void> {
  const binding = `sandboxWallet_${randomUUID().replaceAll('-', '')}`
  await context.exposeFunction(binding, async (body: string) => {
    const headers = { 'content-type': 'application/json' }
    return await (await fetch(rpcUrl, { method: 'POST', headers, body })).text()
  })
  await context.addInitScript({ content: await walletScript({ ...options, rpc: { binding } }) })
}
