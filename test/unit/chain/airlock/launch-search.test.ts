import { inspect } from 'node:util'
import {
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  keccak256,
  parseAbi,
  toHex,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type LocalChain, startChain } from '../../../../sandbox/chain/chain.ts'
import { launchedPool, NoLogsError } from '../../../../src/chain/airlock/launch-search.ts'
import { ChainNode } from '../../../../src/chain/node.ts'
import { type Log, NodeError, logs as readLogs } from '../../../../src/chain/rpc.ts'
import { type Question, serveProvider } from '../node-server.ts'
import { paramsOn, rehearsalOf, salt, walletOn } from '../on-chain.ts'
import { encodeCreate, somebody } from './sample.ts'

const chainId = 8453
const airlock = somebody('airlock')
const launcher = { to: airlock, airlock }
const token = somebody('token')

let chain: LocalChain
let hands: ReturnType<typeof walletOn>

beforeAll(async () => {
  chain = await startChain({ chainId, launcher })
  hands = walletOn(chain)
})

afterAll(() => chain.stop())

async function failure(asking: Promise<unknown>): Promise<NodeError> {
  const error = await asking.then(
    (value) => value,
    (reason: unknown) => reason,
  )
  if (!(error instanceof NodeError)) throw new Error(`not a NodeError: ${inspect(error)}`)
  return error
}

const range = z.object({ fromBlock: z.string(), toBlock: z.string() })

function blocksAsked({ params }: Question): bigint {
  const [filter] = params
  const { fromBlock, toBlock } = range.parse(filter)
  return BigInt(toBlock) - BigInt(fromBlock) + 1n
}

test('a launch long ago is found in several calls, in pages as small as the provider wants', async () => {
  const params = paramsOn(chain, { salt: salt(1) })
  await hands.client.mine({ blocks: 700 })
  const mined = await hands.send(airlock, encodeCreate(params))
  await hands.client.mine({ blocks: 100 })
  await using server = await serveProvider(chain, (question) =>
    question.method === 'eth_getLogs' && blocksAsked(question) > 16n
      ? { error: { code: -32_600, message: 'eth_getLogs is limited to a 16 block range' } }
      : undefined,
  )
  const node = new ChainNode({ rpcUrl: server.url, chainId })
  const simulated = await node.rehearse(rehearsalOf(launcher, { ...params, salt: salt(2) }))
  const made = mined.logs.findLast(({ address }) => address === airlock.toLowerCase())
  const wanted = { airlock, token: `0x${made?.data.slice(26, 66)}` as const }
  expect(simulated.kind).toBe('passed')

  let found = await node.findLaunch({ ...wanted, fromBlock: 0n })
  let calls = 1
  while (found.launch === undefined && calls < 20) {
    const before = server.asked.length
    found = await node.findLaunch({ ...wanted, fromBlock: found.next })
    expect(server.asked.length - before).toBeLessThanOrEqual(27)
    calls += 1
  }
  expect(found.launch?.hash).toBe(mined.transactionHash)
  expect(calls).toBeGreaterThan(1)
})

test('the last blocks are searched again, and those before them are not', async () => {
  const node = new ChainNode({ rpcUrl: chain.rpcUrl, chainId })
  const head = await node.block()
  const { next } = await node.findLaunch({ airlock, token, fromBlock: 0n })
  expect(next).toBe(head - 64n)
})

test('a search says whether it reached the last block, even if it begins beyond it', async () => {
  const node = new ChainNode({ rpcUrl: chain.rpcUrl, chainId })
  const head = await node.block()
  for (const fromBlock of [0n, head + 1_000_000n]) {
    const found = await node.findLaunch({ airlock, token, fromBlock })
    expect(found).toMatchObject({ launch: undefined, head, reachedHead: true })
  }
})

test.each([
  ['by its code', { code: -32_601, message: 'no' }],
  ['as one that it lacks', { code: -32_004, message: 'no' }],
  ['in words', { code: -32_000, message: 'the method eth_getLogs does not exist' }],
])(
  'a provider that gives no logs at all is told apart from one that fails: %s',
  async (_, error) => {
    await using server = await serveProvider(chain, ({ method }) =>
      method === 'eth_getLogs' ? { error } : undefined,
    )
    const node = new ChainNode({ rpcUrl: server.url, chainId })
    const asking = node.findLaunch({ airlock, token, fromBlock: 0n })
    expect(await failure(asking)).toBeInstanceOf(NoLogsError)
    expect(server.asked.filter(({ method }) => method === 'eth_getLogs')).toHaveLength(1)
  },
)

test.each([
  ['refuses what is asked', { error: { code: -32_000, message: 'block not found' } }],
  ['gives no logs', { result: { bad: 1 } }],
])('a provider that %s has not said that it can’t', async (_, answer) => {
  await using server = await serveProvider(chain, ({ method }) =>
    method === 'eth_getLogs' ? answer : undefined,
  )
  const node = new ChainNode({ rpcUrl: server.url, chainId })
  const error = await failure(node.findLaunch({ airlock, token, fromBlock: 0n }))
  expect(error).not.toBeInstanceOf(NoLogsError)
})

test('a rate limit ends the search instead of making its pages smaller', async () => {
  await using server = await serveProvider(chain, ({ method }) =>
    method === 'eth_getLogs'
      ? { error: { code: -32_000, message: 'Too many requests per second' } }
      : undefined,
  )
  const node = new ChainNode({ rpcUrl: server.url, chainId })
  const error = await failure(node.findLaunch({ airlock, token, fromBlock: 0n }))
  expect(error.kind).toBe('unavailable')
  expect(server.asked.filter(({ method }) => method === 'eth_getLogs')).toHaveLength(1)
})

describe('the pool of a launch', () => {
  const abi = parseAbi([
    'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
    'event Create(address asset, address indexed numeraire, address initializer, address poolOrHook)',
  ])
  const manager = somebody('the pool manager')
  const weth = somebody('the quote token')

  function create(poolOrHook: Address, { emitter = airlock, asset = token } = {}) {
    const args = { numeraire: weth }
    const topics = encodeEventTopics({ abi, eventName: 'Create', args })
    const types = [{ type: 'address' }, { type: 'address' }, { type: 'address' }] as const
    const data = encodeAbiParameters(types, [asset, somebody('an initializer'), poolOrHook])
    return { address: emitter, topics, data }
  }

  function initialize(id: Hex, currency0: Address, currency1: Address) {
    const args = { id, currency0, currency1 }
    const topics = encodeEventTopics({ abi, eventName: 'Initialize', args })
    const types = [
      { type: 'uint24' },
      { type: 'int24' },
      { type: 'address' },
      { type: 'uint160' },
      { type: 'int24' },
    ] as const
    const data = encodeAbiParameters(types, [10_000, 200, zeroAddress, 1n << 96n, -160_000])
    return { address: manager, topics, data }
  }

  const idOf = (words: string) => keccak256(toHex(words))
  const poolOf = (...logs: object[]) =>
    launchedPool(readLogs.parse(logs) satisfies Log[], { airlock, token })

  test.each([
    ['first', token, weth],
    ['second', weth, token],
    ['only, against the coin', zeroAddress, token],
  ])(
    'a pool of the PoolManager is named by its id, where the token is the %s currency',
    (_, ...currencies) => {
      const id = idOf('a pool')
      expect(poolOf(initialize(id, ...currencies), create(token))).toBe(id)
    },
  )

  test.each(['a contract of Uniswap V3', 'a hook of a dynamic auction'])(
    'a pool is named by its address where that is %s',
    (name) => {
      const pool = somebody(name)
      const found = poolOf(initialize(idOf('beneath a hook'), token, weth), create(pool))
      expect(found?.toLowerCase()).toBe(pool.toLowerCase())
    },
  )

  test('pools of other tokens in the same transaction are not it', () => {
    const [own, other] = [idOf('own'), idOf('other')]
    const asset = somebody('another token')
    const logs = [initialize(other, asset, weth), create(asset, { asset })]
    expect(poolOf(...logs, initialize(own, token, weth), create(token))).toBe(own)
    expect(poolOf(...logs)).toBeUndefined()
  })

  test('if two pools trade the token, none is named', () => {
    const [one, two] = [initialize(idOf('1'), token, weth), initialize(idOf('2'), token, weth)]
    expect(poolOf(one, two, create(token))).toBeUndefined()
  })

  test('a launch in another contract’s log names none', () => {
    const stranger = create(somebody('a pool'), { emitter: somebody('a stranger') })
    expect(poolOf(initialize(idOf('a pool'), token, weth), stranger)).toBeUndefined()
  })
})
