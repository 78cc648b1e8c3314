import { encodeAbiParameters, parseAbiParameters } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type LocalChain, startChain } from '../../../../sandbox/chain/chain.ts'
import type { CreateParams } from '../../../../src/chain/airlock/calldata.ts'
import { type Rehearsal, rehearse } from '../../../../src/chain/airlock/rehearse.ts'
import { NodeError, Rpc } from '../../../../src/chain/rpc.ts'
import { t } from '../../../../src/core/view.ts'
import { type Question, serveProvider } from '../node-server.ts'
import { paramsOn, salt } from '../on-chain.ts'
import { ada, encodeCreate, somebody } from './sample.ts'

// Nodes and providers that can't rehearse, or say something else than what is so, in front of a chain.

const chainId = 1
const airlock = somebody('airlock of this chain')
let chain: LocalChain

beforeAll(async () => {
  chain = await startChain({ chainId, launcher: { to: airlock, airlock } })
})

afterAll(() => chain.stop())

function rehearsalOf(params: CreateParams, other: Partial<Rehearsal> = {}): Rehearsal {
  return {
    to: airlock,
    airlock,
    calldata: encodeCreate(params),
    from: ada,
    quote: params.numeraire,
    supply: params.initialSupply,
    beneficiaries: [],
    modules: [{ kind: 'token factory', address: params.tokenFactory }],
    ...other,
  }
}

/** The rehearsal of the otter through a provider that answers some questions itself. */
async function rehearsedBy(
  own: (question: Question) => object | undefined,
  other: Partial<Rehearsal> = {},
) {
  await using provider = await serveProvider(chain, own)
  const rpc = new Rpc({ rpcUrl: provider.url, chainId, timeoutMs: 3000 })
  const rehearsal = rehearsalOf(paramsOn(chain, { salt: salt(1) }), other)
  const result = await rehearse(rpc, rehearsal).catch((error: unknown) => error)
  return { result, asked: provider.asked.map(({ method }) => method) }
}

function instead(answer: object) {
  return ({ method }: Question) => (method === 'eth_simulateV1' ? answer : undefined)
}

/** What the chain itself says to a simulation. */
async function truth(question: Question) {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', ...question })
  const response = await fetch(chain.rpcUrl, { method: 'POST', headers, body })
  return z
    .object({
      result: z.array(z.looseObject({ calls: z.array(z.looseObject({ status: z.string() })) })),
    })
    .parse(await response.json())
}

const refusals: [string, object][] = [
  [
    'geth and Erigon',
    { code: -32601, message: 'the method eth_simulateV1 does not exist/is not available' },
  ],
  ['Reth and anvil', { code: -32601, message: 'Method not found' }],
  ['EIP-1474', { code: -32004, message: 'Method not supported' }],
  ['Alchemy', { code: -32600, message: 'Unsupported method: eth_simulateV1 on ETH_MAINNET' }],
  [
    'a proxy',
    { code: -32000, message: 'rpc method eth_simulateV1 is not allowed: method not allowed' },
  ],
]

test.each(refusals)(
  'without the method, as %s report it, the launch is only called, which the result says',
  async (_, error) => {
    const { result, asked } = await rehearsedBy(instead({ error }))
    expect(result).toEqual({
      kind: 'passed',
      asset: expect.stringMatching(/^0x\w{40}$/u),
      block: expect.any(BigInt),
      gas: expect.any(BigInt),
      note: t('verify-called-lacks'),
    })
    expect(asked).toEqual(expect.arrayContaining(['eth_call', 'eth_estimateGas']))
  },
)

test.each([
  ['crashes', { code: -32603, message: 'method handler crashed' }],
  ['gives up', { code: -38026, message: 'too many blocks' }],
])('a node that %s in it says nothing about the payload', async (_, error) => {
  const { result } = await rehearsedBy(instead({ error }))
  expect(result).toMatchObject({
    kind: 'passed',
    note: t('verify-called-fails'),
  })
})

test('without the method a payload is still refused if the contracts revert', async () => {
  const missing = instead({ error: { code: -32601, message: 'Method not found' } })
  const params = paramsOn(chain, { salt: salt(1), numTokensToSell: 10n ** 27n })
  const { result } = await rehearsedBy(missing, { calldata: encodeCreate(params) })
  expect(result).toMatchObject({ kind: 'refused', blame: 'vesting' })
  const token = somebody('another token')
  expect((await rehearsedBy(missing, { token })).result).toMatchObject({
    reason: { key: 'refused-other-token', args: { expected: token } },
  })
})

test('a node that limits requests is asked again later, not taken to lack the method', async () => {
  const error = { code: 429, message: 'Too many requests, method not available now' }
  const { result } = await rehearsedBy(instead({ error }))
  expect(result).toBeInstanceOf(NodeError)
})

test('a refusal is explained by a call: nodes leave its reason out of simulations', async () => {
  const params = paramsOn(chain, { salt: salt(1), numTokensToSell: 10n ** 27n })
  const { result, asked } = await rehearsedBy(() => undefined, { calldata: encodeCreate(params) })
  expect(result).toMatchObject({
    kind: 'refused',
    reason: t('refused-by-contract', { why: t('refused-vesting-sale') }),
  })
  expect(asked.at(-1)).toBe('eth_call')
  expect(asked).not.toContain('eth_simulateV1')
})

test('a launch is simulated once', async () => {
  const { asked } = await rehearsedBy(() => undefined)
  expect(asked.filter((method) => method === 'eth_simulateV1')).toHaveLength(1)
})

const good = { status: '0x1', returnData: '0x', gasUsed: '0x1', logs: [] }
test.each<[string, unknown]>([
  ['nothing', null],
  ['no blocks', []],
  ['no calls', [{ timestamp: '0x1', calls: [] }]],
  ['more calls than it was asked', [{ timestamp: '0x1', calls: [good, good] }]],
  ['a status that is none', [{ timestamp: '0x1', calls: [{ ...good, status: '0x2' }] }]],
  ['no logs', [{ timestamp: '0x1', calls: [{ ...good, logs: null }] }]],
  ['half a byte', [{ timestamp: '0x1', calls: [{ ...good, returnData: '0x1' }] }]],
  [
    'a log without an address',
    [{ timestamp: '0x1', calls: [{ ...good, logs: [{ topics: [], data: '0x' }] }] }],
  ],
  [
    'more than anybody reads',
    [{ timestamp: '0x1', calls: [{ ...good, returnData: `0x${'00'.repeat(6_000_000)}` }] }],
  ],
])('a node that answers %s gives no result', async (_, result) => {
  expect((await rehearsedBy(instead({ result }))).result).toBeInstanceOf(NodeError)
})

/** A provider that changes the calls of the simulation. */
async function lied(change: (call: { status: string }, place: number) => object) {
  await using honest = await serveProvider(chain, () => undefined)
  const rpc = new Rpc({ rpcUrl: honest.url, chainId })
  // The evidence as the chain gives it, to be changed.
  await rehearse(rpc, rehearsalOf(paramsOn(chain, { salt: salt(1) })))
  const evidence = honest.asked.find(({ method }) => method === 'eth_simulateV1')
  if (!evidence) throw new Error('no evidence was asked for')
  const { result } = await truth(evidence)
  const changed = result.map((block) => ({ ...block, calls: block.calls.map(change) }))
  return (await rehearsedBy(instead({ result: changed }))).result
}

const failed = { status: '0x0', returnData: '0x', logs: [] }
const number = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

test('a node that contradicts itself about a launch gives no result', async () => {
  const calldata = encodeCreate(paramsOn(chain, { salt: salt(1) }))
  const addresses = parseAbiParameters('address, address, address, address, address')
  const other = somebody('another token')
  const created = encodeAbiParameters(addresses, [other, other, other, other, other])
  const { result } = await rehearsedBy(({ method, params }) =>
    method === 'eth_call' && JSON.stringify(params).includes(calldata)
      ? { result: created }
      : undefined,
  )
  expect(result).toBeInstanceOf(NodeError)
})

test('a launch that fails in the simulation alone is refused', async () => {
  const result = await lied((call, place) => (place === 0 ? { ...call, ...failed } : call))
  expect(result).toMatchObject({ kind: 'refused' })
})

test.each([
  ['the supply is more than what the log gives out', 1, 2n * 10n ** 27n],
  ['somebody has more than the log gives', 6, 2n * 10n ** 27n],
  ['somebody has nothing of what the log gives', 7, 0n],
])('it is refused if %s', async (_, at, value) => {
  const result = await lied((call, place) =>
    place === at ? { ...call, returnData: number(value) } : call,
  )
  expect(result).toMatchObject({ kind: 'refused' })
})

test('it is refused if a log of the launch is missing', async () => {
  const result = await lied((call, place) => {
    const { logs } = z
      .object({ logs: z.array(z.looseObject({ topics: z.array(z.string()) })) })
      .parse(call)
    const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
    const first = logs.findIndex(({ topics }) => topics[0] === transfer)
    return place === 0 ? { ...call, logs: logs.filter((_, index) => index !== first) } : call
  })
  expect(result).toMatchObject({ kind: 'refused' })
})

test('it is refused if the launch contract does not store what it launched', async () => {
  const result = await lied((call, place) => (place === 2 ? { ...call, ...failed } : call))
  expect(result).toEqual({
    kind: 'refused',
    reason: t('refused-malformed', {
      detail: 'the launch contract does not answer as it should',
    }),
  })
})
