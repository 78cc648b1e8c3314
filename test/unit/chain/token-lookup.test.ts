import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { ChainNode, tokenLookup } from '../../../src/chain/node.ts'
import { NodeError } from '../../../src/chain/rpc.ts'

const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const odd = `0x${'d'.repeat(40)}`
const facts = { symbol: 'ODD', decimals: 9 }

/** A node's word for tokens, and how often it was asked. */
function node(say: () => Promise<{ symbol: string; decimals: number } | undefined>) {
  const asked: string[] = []
  return {
    asked,
    tokenFacts: (token: string) => {
      asked.push(token)
      return say()
    },
  }
}

test('what known tokens are needs no request', async () => {
  const chain = node(() => Promise.reject(new Error('not to be asked')))
  const lookUp = tokenLookup({ nodes: new Map([[8453, chain]]) })
  expect(await lookUp(8453, usdc)).toMatchObject({ symbol: 'USDC', decimals: 6 })
  expect(await lookUp(8453, usdc.toLowerCase())).toMatchObject({ decimals: 6 })
  expect(await lookUp(8453, `0x${'0'.repeat(40)}`)).toEqual({ symbol: 'ETH', decimals: 18 })
  expect(chain.asked).toEqual([])
})

test('others are read from the chain once, and not at all without a node', async () => {
  const chain = node(() => Promise.resolve(facts))
  const lookUp = tokenLookup({ nodes: new Map([[8453, chain]]) })
  expect(
    await Promise.all([lookUp(8453, odd), lookUp(8453, odd.toUpperCase().replace('X', 'x'))]),
  ).toEqual([facts, facts])
  expect(await lookUp(8453, odd)).toEqual(facts)
  expect(chain.asked).toHaveLength(1)
  expect(await lookUp(84532, odd)).toBeUndefined()
})

test('no request is made for what is no address', async () => {
  const chain = node(() => Promise.resolve(facts))
  const lookUp = tokenLookup({ nodes: new Map([[8453, chain]]) })
  for (const none of ['no address', '', '0x', `0x${'d'.repeat(64)}`, `${odd} ${odd}`]) {
    expect(await lookUp(8453, none)).toBeUndefined()
  }
  expect(chain.asked).toEqual([])
})

test('after a failure a token is unknown, and read again after a minute', async () => {
  let now = 1000
  const answers = [
    () => Promise.reject(new NodeError('unavailable', 'no answer')),
    () => Promise.resolve(facts),
  ]
  const chain = node(() => (answers.shift() ?? (() => Promise.resolve(undefined)))())
  const lookUp = tokenLookup({ nodes: new Map([[8453, chain]]), now: () => now })
  expect(await lookUp(8453, odd)).toBeUndefined()
  now += 59_000
  expect(await lookUp(8453, odd)).toBeUndefined()
  now += 2000
  expect(await lookUp(8453, odd)).toEqual(facts)
})

test('an answer does not wait for a slow node, and the next one has what it said', async () => {
  let answer = (_facts: { symbol: string; decimals: number }): void => undefined
  const chain = node(
    () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  )
  const lookUp = tokenLookup({ nodes: new Map([[8453, chain]]), patienceMs: 5 })
  expect(await lookUp(8453, odd)).toBeUndefined()
  answer(facts)
  await expect.poll(() => lookUp(8453, odd)).toEqual(facts)
  expect(chain.asked).toHaveLength(1)
})

test('an empty symbol is none', async () => {
  const chain = node(() => Promise.resolve({ ...facts, symbol: '' }))
  const lookUp = tokenLookup({ nodes: new Map([[8453, chain]]) })
  expect(await lookUp(8453, odd)).toEqual({ ...facts, symbol: undefined })
})

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
