import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { ChainNode } from '../../../src/chain/node.ts'

const token = '0x00000000000000000000000000000000000e7e11'

test.each([
  [6n, 6],
  [77n, 77],
  [78n, undefined],
  [3_000_000n, undefined],
  [2n ** 53n - 1n, undefined],
])('a quote token that says it has %d decimals', async (said, expected) => {
  const server = createServer(async (request, response) => {
    const body: string[] = []
    for await (const part of request) body.push(String(part))
    const { id, method } = JSON.parse(body.join(''))
    const result = method === 'eth_chainId' ? '0x2105' : `0x${said.toString(16).padStart(64, '0')}`
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as AddressInfo
    const node = new ChainNode({ chainId: 8453, rpcUrl: `http://127.0.0.1:${port}` })
    expect((await node.tokenFacts(token))?.decimals).toBe(expected)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
