import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { Hono } from 'hono'
import { z } from 'zod'

interface WalletServerOptions extends Omit<WalletOptions, 'rpc'> {
  /** The node that signs for the accounts. */
  rpcUrl: string
}

/** All that a wallet asks of its node; the node itself would also let anyone rewrite the chain. */
const allowed = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_sendTransaction',
  'net_version',
])

const call = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.int(), z.string()]),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
})

/** The wallet's script, and its line to the chain at `/wallet/rpc` of whoever mounts these routes. */
export async function walletRoutes({ rpcUrl, ...options }: WalletServerOptions): Promise<Hono> {
  const script = await walletScript({ ...options, rpc: { url: '/wallet/rpc' } })
  const app = new Hono()
  app.get('/wallet.js', (context) =>
    context.body(script, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  )
  app.post('/wallet/rpc', async (context) => {
    const asked = call.safeParse(await context.req.json().catch(() => undefined))
    if (!asked.success) return context.json(failure(null, -32600, 'Invalid Request'), 400)
    const { id, method } = asked.data
    if (!allowed.has(method)) {
      return context.json(failure(id, -32601, `The sandbox wallet does not ask for ${method}`))
    }
    try {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify(asked.data)
      const answer = await fetch(rpcUrl, { method: 'POST', headers, body })
      return context.body(await answer.text(), 200, headers)
    } catch {
      return context.json(failure(id, -32603, 'The local chain does not answer'))
    }
  })
  return app
}

function failure(id: number | string | null, code: number, message: string) {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

/** How the sandbox wallet is set up; what is not said is as a person would have it. */
export interface WalletOptions {
  /** Where its requests to the chain go; `binding` names a function of the page that takes them instead. */
  rpc: { url: string } | { binding: string }
  /** The id of the chain behind `rpc`. */
  chain: number
  /** Its accounts, for which the node signs; the first is chosen at first. */
  accounts: readonly string[]
  /** The chain that it is on at first, which may be another one; `chain` without it. */
  on?: number
  /** Whether it knows `chain` before somebody adds it; it does without this. */
  knows?: boolean
  /** `never` says no to everything, `always` asks nobody. */
  approval?: 'ask' | 'always' | 'never'
  /**
   * What becomes of a transaction. `replaced`: another one with the same call is mined in its place. `dropped`: it is
   * never mined.
   */
  sending?: 'mined' | 'replaced' | 'dropped'
  /** What it announces itself as. */
  name?: string
  rdns?: string
}

/** The sandbox wallet as one script, to run in a page before the page's own scripts. */
export async function walletScript(options: WalletOptions): Promise<string> {
  // The asynchronous build is a service that whoever else bundles in this process would stop.
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('page/main.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'silent',
    define: { walletOptions: JSON.stringify(options) },
  })
  const [script] = outputFiles
  if (!script) throw new Error('the wallet was not bundled')
  return script.text
}
