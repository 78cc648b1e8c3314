import { parseEventLogs } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import { shortAddress } from '../../../src/chain/address.ts'
import { launchAbi } from '../../../src/chain/airlock/abi.ts'
import { handsOn } from '../chain/on-chain.ts'
import { textOf } from './seen.ts'
import { answers, chainId, confirm, launcher, Works } from './works.ts'

let chain: LocalChain
beforeAll(async () => {
  chain = await startChain({ chainId, launcher })
})
afterAll(() => chain.stop())

let works: Works
afterEach(() => works.stop())

async function handed(options: Parameters<typeof Works.start>[0]) {
  works = await Works.start(options)
  const bot = await works.bot()
  const draft = await works.draft(bot, { answers: { ...answers, template: 'sandbox-dynamic' } })
  const view = await confirm(bot, draft)
  const payload = await bot.payloads.active(draft.id)
  if (!payload) throw new Error(textOf(view))
  return { bot, payload }
}

test('a launch is told with its pool, which its receipt names', async () => {
  const { bot, payload } = await handed({ chain })
  bot.queue.start()
  const { transactionHash, logs } = await handsOn(chain).send(payload.to, payload.calldata)
  const [created] = parseEventLogs({ abi: launchAbi, eventName: 'Create', logs })
  const pool = created?.args.poolOrHook ?? '0x'
  expect((await bot.watch.poll(payload)).payload).toMatchObject({
    launchedBy: transactionHash,
    pool,
  })
  await expect.poll(() => works.sent.length).toBeGreaterThan(0)
  const [notice] = works.sent
  expect(notice && textOf(notice.view)).toContain(`Pool: ${shortAddress(pool)}`)
})

test('without a node it is the one that the interface lists', async () => {
  const { bot, payload } = await handed({})
  const asked = { chain: chainId, status: 'all', limit: 1, offset: 0 } as const
  const [asset] = works.upstream.world.list(asked)
  if (!asset) throw new Error('nothing is listed')
  const { token_name: name = '', token_symbol: symbol = '' } = asset.auction_pool?.base_token ?? {}
  const token = `0x${asset.asset_address.slice(2)}` as const
  const listed = await bot.payloads.change(payload.id, (each) => ({ ...each, token, name, symbol }))
  expect(listed && (await bot.watch.poll(listed)).payload).toMatchObject({
    state: 'launched',
    pool: asset.auction_pool?.pool_id,
  })
})
