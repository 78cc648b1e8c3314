import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import { moduleAt, protocol } from '../../../sandbox/chain/modules.ts'
import type { CreateParams } from '../../../src/chain/airlock/calldata.ts'
import { knownLaunchers } from '../../../src/chain/chains.ts'
import { ChainNode } from '../../../src/chain/node.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import { t } from '../../../src/core/view.ts'
import { ada, dynamicData, encodeCreate, otter, somebody } from './airlock/sample.ts'
import { serveProvider } from './node-server.ts'
import { paramsOn, rehearsalOf, salt, smartAccountAbi, tokenAbi, walletOn } from './on-chain.ts'

const chainId = 4663
const launcher = knownLaunchers[chainId] ?? { to: ada, airlock: ada }
const { airlock } = launcher
const ownerAbi = parseAbi(['function owner() view returns (address)'])

let chain: LocalChain
let hands: ReturnType<typeof walletOn>
let node: ChainNode

beforeAll(async () => {
  // The chain on which transactions go to another contract than the one that emits `Create`.
  chain = await startChain({ chainId, launcher })
  hands = walletOn(chain)
  node = new ChainNode({ rpcUrl: chain.rpcUrl, chainId })
})

afterAll(() => chain.stop())

function rehearse(params: CreateParams) {
  return node.rehearse(rehearsalOf(launcher, params))
}

/** The token that a payload makes. */
async function tokenOf(params: CreateParams) {
  const rehearsal = await rehearse(params)
  if (rehearsal.kind === 'refused') throw new Error(plainText(rehearsal.reason))
  return rehearsal.asset
}

test('a rehearsal says which token a payload makes, and what gas it takes', async () => {
  const params = paramsOn(chain, { salt: salt(1) })
  const rehearsal = await rehearse(params)
  if (rehearsal.kind === 'refused') throw new Error(plainText(rehearsal.reason))
  const { gasUsed } = await hands.send(launcher.to, encodeCreate(params))
  expect(rehearsal.gas).toBeGreaterThanOrEqual(gasUsed)
  const ask = { address: rehearsal.asset, abi: tokenAbi } as const
  expect(await hands.client.readContract({ ...ask, functionName: 'name' })).toBe(otter.name)
  expect(await hands.client.readContract({ ...ask, functionName: 'symbol' })).toBe(otter.symbol)
  expect(await node.hasCode(rehearsal.asset)).toBe(true)
  expect((await rehearse(params)).kind).toBe('refused')
})

test('views are answered in order; one that is refused, missing or too long has no answer', async () => {
  await using provider = await serveProvider(chain, ({ method, params }) => {
    const [{ data = '' } = {}] = z
      .array(z.object({ data: z.string() }).partial())
      .parse(method === 'eth_call' ? params.slice(0, 1) : [])
    if (data === '0xaaaaaaaa') return { result: `0x${'00'.repeat(100_001)}` }
    if (data === '0xbbbbbbbb') return { result: { strange: true } }
    return undefined
  })
  const owner = encodeFunctionData({ abi: ownerAbi, functionName: 'owner' })
  const read = await new ChainNode({ rpcUrl: provider.url, chainId }).callAll([
    { to: airlock, data: '0x12345678' },
    { to: airlock, data: owner },
    { to: somebody('nobody'), data: owner },
    { to: airlock, data: '0xaaaaaaaa' },
    { to: airlock, data: '0xbbbbbbbb' },
  ])
  const word = `0x${protocol.slice(2).toLowerCase().padStart(64, '0')}`
  expect(read).toEqual([undefined, word, undefined, undefined, undefined])
})

describe('a launch is found', () => {
  test('by its token, whoever sent it and without a hash', async () => {
    const fromBlock = await node.block()
    const params = paramsOn(chain, { salt: salt(10) })
    const token = await tokenOf(params)
    expect((await node.findLaunch({ airlock, token, fromBlock })).launch).toBeUndefined()
    const sent = await hands.send(launcher.to, encodeCreate(params))
    expect(await node.findLaunch({ airlock, token, fromBlock })).toEqual({
      launch: { hash: sent.transactionHash, block: sent.blockNumber },
      next: sent.blockNumber,
      head: sent.blockNumber,
      reachedHead: false,
    })
    const wanted = { airlock, token, calldata: encodeCreate(params) }
    expect(await node.receipt(sent.transactionHash, wanted)).toBe('launched')
  })

  test('if it was sent straight to the Airlock', async () => {
    const params = paramsOn(chain, { salt: salt(11) })
    const token = await tokenOf(params)
    const { transactionHash } = await hands.send(airlock, encodeCreate(params))
    const wanted = { airlock, token, calldata: encodeCreate(params) }
    expect(await node.receipt(transactionHash, wanted)).toBe('launched')
  })

  test('if a smart account sent it', async () => {
    const params = paramsOn(chain, { salt: salt(12) })
    const token = await tokenOf(params)
    const fromBlock = await node.block()
    const data = encodeFunctionData({
      abi: smartAccountAbi,
      functionName: 'execute',
      args: [launcher.to, 0n, encodeCreate(params)],
    })
    const { transactionHash } = await hands.send(chain.smartAccount, data)
    const wanted = { airlock, token, calldata: encodeCreate(params) }
    expect(await node.receipt(transactionHash, wanted)).toBe('launched')
    const { launch } = await node.findLaunch({ airlock, token, fromBlock })
    expect(launch?.hash).toBe(transactionHash)
  })

  test('only in the logs of the Airlock, and only of its own token', async () => {
    const params = paramsOn(chain, { salt: salt(13) })
    const token = await tokenOf(params)
    const { transactionHash, blockNumber } = await hands.send(launcher.to, encodeCreate(params))
    const calldata = encodeCreate(params)
    const strange = { airlock: somebody('another Airlock'), token, calldata }
    const other = { airlock, token: somebody('another token'), calldata }
    for (const wanted of [strange, other]) {
      expect(await node.receipt(transactionHash, wanted)).toBe('no-launch')
      const { launch } = await node.findLaunch({ ...wanted, fromBlock: blockNumber })
      expect(launch).toBeUndefined()
    }
  })

  test('not before the first block of the search', async () => {
    const params = paramsOn(chain, { salt: salt(14) })
    const token = await tokenOf(params)
    const { blockNumber } = await hands.send(launcher.to, encodeCreate(params))
    const fromBlock = blockNumber + 1n
    expect(await node.findLaunch({ airlock, token, fromBlock })).toEqual({
      launch: undefined,
      next: fromBlock,
      head: blockNumber,
      reachedHead: true,
    })
  })
})

describe('a transaction', () => {
  const wanted = { airlock, token: somebody('token'), calldata: '0xdeadbeef' } as const

  test('that the node does not know is unknown', async () => {
    expect(await node.receipt(salt(99), wanted)).toBe('unknown')
  })

  test('that waits for its block is pending', async () => {
    await hands.client.setAutomine(false)
    try {
      const calldata = encodeCreate(paramsOn(chain, { salt: salt(20) }))
      const hash = await hands.wallet.sendTransaction({
        to: launcher.to,
        data: calldata,
        gas: 8_000_000n,
      })
      expect(await node.receipt(hash, { ...wanted, calldata })).toBe('pending')
      // Somebody else's, which says nothing of the payload.
      expect(await node.receipt(hash, wanted)).toBe('unknown')
    } finally {
      await hands.client.setAutomine(true)
      await hands.client.mine({ blocks: 1 })
    }
  })

  test('that was reverted says so', async () => {
    const twice = encodeCreate(paramsOn(chain, { salt: salt(21) }))
    await hands.send(launcher.to, twice)
    const { transactionHash } = await hands.send(launcher.to, twice)
    expect(await node.receipt(transactionHash, { ...wanted, calldata: twice })).toBe('reverted')
  })

  test('that was reverted is not the payload’s if its calldata differ', async () => {
    const { status, transactionHash } = await hands.send(launcher.to, '0x882db70700')
    expect(status).toBe('reverted')
    expect(await node.receipt(transactionHash, wanted)).toBe('no-launch')
  })

  test('that was reverted through a smart account is known by the calldata inside', async () => {
    const calldata = encodeCreate(paramsOn(chain, { salt: salt(22) }))
    await hands.send(launcher.to, calldata)
    const args = [launcher.to, 0n, calldata] as const
    const data = encodeFunctionData({ abi: smartAccountAbi, functionName: 'execute', args })
    const { status, transactionHash } = await hands.send(chain.smartAccount, data)
    expect(status).toBe('reverted')
    expect(await node.receipt(transactionHash, { ...wanted, calldata })).toBe('reverted')
  })

  test('of something else is no launch', async () => {
    const { transactionHash } = await hands.send(ada, '0x')
    expect(await node.receipt(transactionHash, wanted)).toBe('no-launch')
  })
})

// The last of all: time never goes back.
test('a payload whose auction should have begun by now is stale', async () => {
  const { timestamp } = await hands.client.getBlock()
  const params = paramsOn(chain, {
    salt: salt(30),
    poolInitializer: moduleAt('UniswapV4Initializer'),
    poolInitializerData: dynamicData(timestamp + 600n, timestamp + 6600n),
  })
  expect((await rehearse(params)).kind).toBe('passed')
  await hands.client.increaseTime({ seconds: 700 })
  await hands.client.mine({ blocks: 1 })
  expect(await rehearse(params)).toMatchObject({
    kind: 'refused',
    reason: t('refused-by-contract', { why: t('refused-start-passed') }),
    blame: 'time',
  })
})
