import { beforeEach, describe, expect, test } from 'vitest'
import { wrappedCoin } from '../../../sandbox/chain/modules.ts'
import { collectCall } from '../../../src/chain/airlock/fees.ts'
import { decodePayload } from '../../../src/chain/airlock/modules.ts'
import type { Draft } from '../../../src/launch/draft.ts'
import { bookOf } from '../../../src/launch/verdict.ts'
import { serveProvider } from '../chain/node-server.ts'
import { walletOn } from '../chain/on-chain.ts'
import { launchOn } from '../chain/trading.ts'
import { shown } from '../views/shown.ts'
import { ada, answers, LaunchHarness, stranger, wallet } from './harness.ts'
import { localChain } from './local-chain.ts'
import { textOf } from './view-reading.ts'

const chain = await localChain()
const hands = walletOn(chain)

/** A launch of ada's that was seen on the chain. */
async function launched(harness: LaunchHarness, changes: Partial<Draft> = {}) {
  const { bot, draft, payload } = await harness.handed(changes)
  const { calldata, to, airlock, check } = payload
  const subject = {
    to,
    airlock,
    calldata,
    from: payload.wallet,
    value: 0n,
    quote: wrappedCoin,
    modules: [],
    beneficiaries: [],
  }
  const { pool, trade } = await launchOn(chain, hands, subject)
  await bot.watch.poll(payload)
  const decoded = check && decodePayload(calldata, bookOf(check))
  const payer = { contract: decoded?.call?.params.poolInitializer ?? wrappedCoin, argument: pool }
  /** The lines of what opens in /launches that are about fees, and those below. */
  const read = async () => {
    const lines = shown(await bot.press(`show ${payload.id}`, ada))
    const first = lines.findIndex((line) => line.startsWith('💰'))
    return first < 0 ? [] : lines.slice(first, first + 5)
  }
  return { bot, draft, payload, trade, payer, read }
}

describe('/launches', () => {
  let harness: LaunchHarness
  beforeEach(async () => {
    harness = await LaunchHarness.start({ chain })
  })

  test('says what trading fees wait for the creator, and where to claim them', async () => {
    const { trade, payer, read } = await launched(harness)
    expect((await read())[0]).toBe('💰 Fees to claim: none right now')
    await trade()
    // The node is asked once a minute at most.
    harness.ahead += 30
    expect((await read())[0]).toBe('💰 Fees to claim: none right now')
    harness.ahead += 61
    const [fees, how, copied] = await read()
    expect(fees).toMatch(/^💰 Fees to claim: 0\.0\S* WETH and [\d.<]+ \$OTTER$/u)
    expect(how).toBe('Claim on the explorer · connect 0xf39F…2266 there and call collectFees with')
    expect(copied).toContain(payer.argument)
    const { to, data } = collectCall(payer, wallet)
    await hands.send(to, data)
    harness.ahead += 61
    expect((await read())[0]).toBe('💰 Fees to claim: none right now')
  })

  test('adds those of another account that the creator named, with how each is claimed', async () => {
    const { trade, read } = await launched(harness, {
      answers: {
        ...answers,
        feeReceiver: stranger,
        beneficiaries: [{ beneficiary: stranger, shares: '350000000000000000' }],
      },
    })
    await trade()
    const lines = await read()
    expect(lines.filter((line) => line.startsWith('Claim')).join()).toMatch(/0xf39F.*0x7099/su)
  })

  test.each([
    ['is down', () => ({ error: { code: -32_000, message: 'down' } })],
    ['can’t simulate', () => ({ error: { code: -32_601, message: 'method not found' } })],
  ])('leaves them out where the node %s', async (_, answer) => {
    let isBroken = false
    await using provider = await serveProvider(chain, ({ method }) =>
      isBroken && method === 'eth_simulateV1' ? answer() : undefined,
    )
    const other = await LaunchHarness.start({ chain, rpcUrl: provider.url })
    const { trade, read, payload, bot } = await launched(other)
    await trade()
    isBroken = true
    expect(await read()).toEqual([])
    expect(textOf(await bot.press(`show ${payload.id}`))).toContain('Launched: Moon Otter')
  })

  test('leaves them out while a node takes long, whose answer is there the next time', async () => {
    let isSlow = false
    const { promise: release, resolve: answerNow } = Promise.withResolvers<undefined>()
    await using provider = await serveProvider(chain, ({ method }) =>
      isSlow && method === 'eth_simulateV1' ? release : undefined,
    )
    const other = await LaunchHarness.start({ chain, rpcUrl: provider.url })
    const { read } = await launched(other)
    isSlow = true
    expect(await read()).toEqual([])
    answerNow(undefined)
    await expect.poll(async () => (await read())[0]).toBe('💰 Fees to claim: none right now')
  })

  test('leaves them out where the creator has no share of them', async () => {
    const { bot, payload, read } = await launched(harness, {
      answers: { ...answers, template: 'sandbox-dynamic' },
    })
    expect(await read()).toEqual([])
    expect(textOf(await bot.press(`show ${payload.id}`))).toContain('Launched: Moon Otter')
  })
})
