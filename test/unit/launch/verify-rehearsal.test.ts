import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ModuleName, moduleAt } from '../../../sandbox/chain/modules.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import type { Row } from '../../../src/launch/table.ts'
import { compileFile } from '../chain/airlock/solidity.ts'
import { serveProvider } from '../chain/node-server.ts'
import { walletOn } from '../chain/on-chain.ts'
import { chainId, LaunchHarness } from './harness.ts'
import { localChain } from './local-chain.ts'
import { builds } from './tampering.ts'
import { alarmOf, departing, expectUnverified, expectVerified, rowOf } from './unverified.ts'

const chain = await localChain()
const weth: Address = '0x4200000000000000000000000000000000000006'

let hostile: Record<string, `0x${string}`>
beforeAll(async () => {
  hostile = (await compileFile(new URL('hostile.sol', import.meta.url))).code
  const { client } = walletOn(chain)
  const opener = await client.getCode({ address: moduleAt('UniswapV4MulticurveInitializer') })
  await client.setCode({
    address: '0x0000000000000000000000000000000000a11cE5',
    bytecode: opener ?? '0x',
  })
})
let harness: LaunchHarness
let before: `0x${string}`
beforeEach(async () => {
  harness = await LaunchHarness.start({ chain })
  before = await walletOn(chain).client.snapshot()
})
afterEach(async () => {
  await walletOn(chain).client.revert({ id: before })
})

/** A module that is known by its address does something else from now on. */
async function becomes(name: ModuleName, contract: string): Promise<void> {
  const bytecode = hostile[contract]
  if (!bytecode) throw new Error(`there is no ${contract}`)
  await walletOn(chain).client.setCode({ address: moduleAt(name), bytecode })
}

type Case = [what: string, ModuleName, contract: string, row: Row['key'], says: RegExp]

const cases: Case[] = [
  [
    'gives tokens to somebody whom the payload does not name',
    'TokenFactory80',
    'GivingFactory',
    'stranger',
    /eeee…eeee.*1,000,000 tokens.*does not name/iu,
  ],
  [
    'gives the rest of the supply to somebody else',
    'NoOpGovernanceFactory',
    'HandingGovernance',
    'rest',
    /simulation shows something else/u,
  ],
  [
    'opens at another price',
    'UniswapV4MulticurveInitializer',
    'DearInitializer',
    'opening',
    /simulation shows something else/u,
  ],
  [
    'takes another fee of each trade',
    'UniswapV4MulticurveInitializer',
    'CostlyInitializer',
    'tradingFee',
    /simulation shows something else/u,
  ],
]

describe('a module that does something else than its data say is seen in the rehearsal', () => {
  test.each(cases)('it %s', async (_, name, contract, row, says) => {
    await becomes(name, contract)
    const read = await expectUnverified(harness)
    expect(alarmOf(read, row)).toMatch(says)
    expect((await walletOn(chain).send(read.payload.to, read.payload.calldata)).status).toBe(
      'success',
    )
  })

  test('it takes what the wallet once allowed it to take', async () => {
    const { send } = walletOn(chain)
    const abi = parseAbi([
      'function deposit() payable',
      'function approve(address spender, uint256 value) returns (bool)',
    ])
    const { wallet, client } = walletOn(chain)
    const deposit = encodeFunctionData({ abi, functionName: 'deposit' })
    const hash = await wallet.sendTransaction({ to: weth, data: deposit, value: 10n ** 18n })
    await client.waitForTransactionReceipt({ hash })
    const args = [moduleAt('NoOpGovernanceFactory'), 10n ** 18n] as const
    await send(weth, encodeFunctionData({ abi, functionName: 'approve', args }))
    await becomes('NoOpGovernanceFactory', 'TakingGovernance')
    const read = await expectUnverified(harness)
    expect(alarmOf(read, 'taken')).toMatch(/from your wallet/u)
  })
})

describe('a node without eth_simulateV1', () => {
  const lacking = { error: { code: -32601, message: 'the method eth_simulateV1 does not exist' } }

  async function withNode(
    own: Parameters<typeof serveProvider>[1],
    look: (harness: LaunchHarness) => Promise<void>,
  ) {
    await using provider = await serveProvider(chain, own)
    const other = await LaunchHarness.start({ chain, rpcUrl: provider.url })
    await look(other)
  }
  const without: Parameters<typeof serveProvider>[1] = ({ method }) =>
    method === 'eth_simulateV1' ? lacking : undefined

  test('leaves it verified, and it says that the launch was only called', async () => {
    await withNode(without, async (other) => {
      const { text, payload } = await expectVerified(other)
      expect(text).toContain('no eth_simulateV1')
      expect(text).toContain('called')
      expect(text).not.toMatch(/simulated$/mu)
      expect(payload.check?.rehearsal).toBeUndefined()
      expect(payload.simulation).toMatchObject({
        kind: 'passed',
        note: { key: 'verify-called-lacks' },
      })
      expect(payload.token).toBeDefined()
    })
  })
})

describe('a quote token that is not well known', () => {
  /** Launches a token over the API. */
  async function launchedQuote() {
    const { payload } = await expectVerified(harness)
    await walletOn(chain).send(payload.to, payload.calldata)
    const { token } = payload
    if (!token) throw new Error('no token')
    const listed = () => harness.apiServer.world.tokens.map(({ address }) => address)
    await expect.poll(listed).toContain(token)
    return { numeraire: token }
  }

  test('is told by the symbol and decimals that the chain gives if the API does not have it', async () => {
    const quote = await launchedQuote()
    harness.apiServer.world.remove({ chain: chainId, address: quote.numeraire })
    builds(harness, () => quote)
    const read = await expectUnverified(harness)
    expect(departing(read)).toContain('quote')
    expect(alarmOf(read, 'quote')).toMatch(/OTTER 0x/u)
    expect(plainText([rowOf(read, 'opening').does ?? ''])).toContain('OTTER')
  })

  test('is as good as a known one if it was launched over the API', async () => {
    const quote = await launchedQuote()
    builds(harness, () => quote)
    const read = await expectVerified(harness)
    expect(plainText([rowOf(read, 'quote').does ?? ''])).toMatch(
      /^OTTER, a token that was launched/u,
    )
  })
})
