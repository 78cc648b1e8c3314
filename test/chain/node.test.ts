import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../sandbox/chain/chain.ts'
import { moduleAt } from '../../sandbox/chain/modules.ts'
import type { CreateParams } from '../../src/chain/airlock/calldata.ts'
import type { Simulation } from '../../src/chain/launch/simulate.ts'
import { knownLaunchers } from '../../src/chain/launchers.ts'
import { ChainNode } from '../../src/chain/node.ts'
import { ada, dynamicData, encodeCreate, otter, somebody } from './launch/sample.ts'
import { handsOn, paramsOn, salt, smartAccountAbi, tokenAbi } from './on-chain.ts'

const chainId = 4663
const launcher = knownLaunchers[chainId] ?? { to: ada, airlock: ada }
const { airlock } = launcher

let chain: LocalChain
let hands: ReturnType<typeof handsOn>
let node: ChainNode

beforeAll(async () => {
  // The chain on which transactions go to another contract than the one that emits `Create`.
  chain = await startChain({ chainId, launcher })
  hands = handsOn(chain)
  node = new ChainNode({ rpcUrl: chain.rpcUrl, chainId })
})

afterAll(() => chain.stop())

function simulate(params: CreateParams, other: Partial<Parameters<ChainNode['simulate']>[0]> = {}) {
  const calldata = encodeCreate(params)
  return node.simulate({ launcher, calldata, from: ada, modules: params, ...other })
}

async function passing(params: CreateParams) {
  const simulation = await simulate(params)
  if (simulation.kind === 'failed') throw new Error(simulation.reason)
  return simulation
}

function faultOf(simulation: Simulation) {
  return simulation.kind === 'failed' ? simulation.what : simulation.kind
}

describe('a simulation', () => {
  test('says which token a payload makes, what gas it takes, and from which block on', async () => {
    const params = paramsOn(chain, { salt: salt(1) })
    const { token, gas, block } = await passing(params)
    expect(block).toBe(await node.block())
    expect(await simulate(params, { token })).toEqual({ kind: 'passed', token, gas, block })

    const { gasUsed } = await hands.send(launcher.to, encodeCreate(params))
    expect(gas).toBeGreaterThanOrEqual(gasUsed)
    const ask = { address: token, abi: tokenAbi } as const
    expect(await hands.client.readContract({ ...ask, functionName: 'name' })).toBe(otter.name)
    expect(await hands.client.readContract({ ...ask, functionName: 'symbol' })).toBe(otter.symbol)
    expect(await node.hasCode(token)).toBe(true)
  })

  test('does not pass where the token stands already', async () => {
    const params = paramsOn(chain, { salt: salt(2) })
    const { token } = await passing(params)
    await hands.send(launcher.to, encodeCreate(params))
    expect(await simulate(params, { token })).toEqual({
      kind: 'failed',
      what: 'already launched',
      reason: `there is a contract at ${token} already`,
    })
    expect(faultOf(await simulate(params))).toBe('reverts')
  })

  test('does not pass where another token comes of it than was said', async () => {
    const token = somebody('the token that was promised')
    const simulation = await simulate(paramsOn(chain, { salt: salt(3) }), { token })
    expect(faultOf(simulation)).toBe('other token')
    expect(simulation).toMatchObject({ reason: expect.stringContaining(`not ${token}`) })
  })

  test.each([
    ['tokenFactory', 'token factory'],
    ['governanceFactory', 'governance factory'],
    ['poolInitializer', 'pool initializer'],
    ['liquidityMigrator', 'liquidity migrator'],
  ])('names the %s that is not whitelisted', async (role, name) => {
    const module = somebody('a module of nobody')
    const simulation = await simulate(paramsOn(chain, { [role]: module }))
    expect(simulation).toEqual({
      kind: 'failed',
      what: 'module not whitelisted',
      reason: `the launch contract does not know ${module} as a ${name}`,
    })
  })

  test('names a module that is whitelisted for something else', async () => {
    const { poolInitializer } = chain.standard
    const simulation = await simulate(paramsOn(chain, { tokenFactory: poolInitializer }))
    expect(faultOf(simulation)).toBe('module not whitelisted')
  })

  test.each(['to', 'airlock'] as const)('names a launcher without code: %s', async (part) => {
    const nobody = somebody('nobody')
    const simulation = await simulate(paramsOn(chain), {
      launcher: { ...launcher, [part]: nobody },
    })
    expect(simulation).toEqual({
      kind: 'failed',
      what: 'launcher has no code',
      reason: `there is no launch contract at ${nobody}`,
    })
  })

  test('does not take any contract for a launcher', async () => {
    const { smartAccount } = chain
    const params = paramsOn(chain)
    const strangeAirlock = { ...launcher, airlock: smartAccount }
    expect(faultOf(await simulate(params, { launcher: strangeAirlock }))).toBe(
      'module not whitelisted',
    )
    const strangeTarget = { ...launcher, to: chain.standard.liquidityMigrator }
    expect(faultOf(await simulate(params, { launcher: strangeTarget }))).toBe('reverts')
  })

  test('says why the contracts refuse a payload', async () => {
    const early = paramsOn(chain, { numTokensToSell: 10n ** 28n })
    expect(await simulate(early)).toEqual({
      kind: 'failed',
      what: 'reverts',
      reason: 'the launch contract refuses it: a fault in the contract, Panic(17)',
    })
    const empty = paramsOn(chain, { tokenFactoryData: '0x' })
    expect(await simulate(empty)).toMatchObject({
      reason: 'the launch contract refuses it: without saying why',
    })
  })

  test('of calldata that call another function does not pass', async () => {
    expect(faultOf(await simulate(paramsOn(chain), { calldata: '0xdeadbeef' }))).toBe('reverts')
  })
})

describe('a launch is found', () => {
  test('by its token, whoever sent it and without a hash', async () => {
    const fromBlock = await node.block()
    const params = paramsOn(chain, { salt: salt(10) })
    const { token } = await passing(params)
    expect((await node.findLaunch({ airlock, token, fromBlock })).launch).toBeUndefined()
    const sent = await hands.send(launcher.to, encodeCreate(params))
    expect(await node.findLaunch({ airlock, token, fromBlock })).toEqual({
      launch: { hash: sent.transactionHash, block: sent.blockNumber },
      next: sent.blockNumber,
      head: sent.blockNumber,
      whole: false,
    })
    const wanted = { airlock, token, calldata: encodeCreate(params) }
    expect(await node.receipt(sent.transactionHash, wanted)).toBe('launched')
  })

  test('where it was sent straight to the Airlock', async () => {
    const params = paramsOn(chain, { salt: salt(11) })
    const { token } = await passing(params)
    const { transactionHash } = await hands.send(airlock, encodeCreate(params))
    const wanted = { airlock, token, calldata: encodeCreate(params) }
    expect(await node.receipt(transactionHash, wanted)).toBe('launched')
  })

  test('where a smart account sent it through itself', async () => {
    const params = paramsOn(chain, { salt: salt(12) })
    const { token, block } = await passing(params)
    const data = encodeFunctionData({
      abi: smartAccountAbi,
      functionName: 'execute',
      args: [launcher.to, 0n, encodeCreate(params)],
    })
    const { transactionHash } = await hands.send(chain.smartAccount, data)
    const wanted = { airlock, token, calldata: encodeCreate(params) }
    expect(await node.receipt(transactionHash, wanted)).toBe('launched')
    const { launch } = await node.findLaunch({ airlock, token, fromBlock: block })
    expect(launch?.hash).toBe(transactionHash)
  })

  test('only in the logs of the Airlock, and only of its own token', async () => {
    const params = paramsOn(chain, { salt: salt(13) })
    const { token } = await passing(params)
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

  test('not before the block from which it is looked for', async () => {
    const params = paramsOn(chain, { salt: salt(14) })
    const { token } = await passing(params)
    const { blockNumber } = await hands.send(launcher.to, encodeCreate(params))
    const fromBlock = blockNumber + 1n
    expect(await node.findLaunch({ airlock, token, fromBlock })).toEqual({
      launch: undefined,
      next: fromBlock,
      head: blockNumber,
      whole: true,
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

  test('that was reverted is nothing of the payload’s if it carries something else', async () => {
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
  await passing(params)
  await hands.client.increaseTime({ seconds: 700 })
  await hands.client.mine({ blocks: 1 })
  expect(await simulate(params)).toEqual({
    kind: 'failed',
    what: 'reverts',
    reason:
      'the launch contract refuses it: the starting time of its auction has passed (InvalidStartTime)',
  })
})
