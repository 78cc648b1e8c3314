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
import { expect, test } from 'vitest'
import { launchedPool } from '../../../../src/chain/airlock/launch-search.ts'
import { type Log, logs as readLogs } from '../../../../src/chain/rpc.ts'
import { somebody } from './sample.ts'

const abi = parseAbi([
  'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
  'event Create(address asset, address indexed numeraire, address initializer, address poolOrHook)',
])
const airlock = somebody('the airlock')
const manager = somebody('the pool manager')
const token = somebody('the token')
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

test('where two pools trade the token, none is named', () => {
  const [one, two] = [initialize(idOf('1'), token, weth), initialize(idOf('2'), token, weth)]
  expect(poolOf(one, two, create(token))).toBeUndefined()
})

test('a launch that another contract tells of names none', () => {
  const stranger = create(somebody('a pool'), { emitter: somebody('a stranger') })
  expect(poolOf(initialize(idOf('a pool'), token, weth), stranger)).toBeUndefined()
})
