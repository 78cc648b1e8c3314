import { Hono } from 'hono'
import { z } from 'zod'
import type { WalletOptions } from './options.ts'
import { walletScript } from './script.ts'

export interface WalletServerOptions extends Omit<WalletOptions, 'rpc'> {
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
