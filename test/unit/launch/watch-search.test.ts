import { afterEach, expect, test } from 'vitest'
import { type Question, serveProvider } from '../chain/node-server.ts'
import { handsOn } from '../chain/on-chain.ts'
import { localChain } from './local-chain.ts'
import { textOf } from './seen.ts'
import { type Bot, confirm, handed as handedBy, Works } from './works.ts'

const chain = await localChain()
type Lie = (question: Question) => object | undefined

let lie: Lie | undefined
let works: Works
let provider: Awaited<ReturnType<typeof serveProvider>>
afterEach(async () => {
  await provider[Symbol.asyncDispose]()
})

/** A payload handed out by a bot whose node answers some questions as `lie` says at the time. */
async function handed(from?: Lie) {
  lie = from
  provider = await serveProvider(chain, (question) => lie?.(question))
  works = await Works.start({ chain, rpcUrl: provider.url })
  return handedBy(works)
}

async function launchedAfter(bot: Bot, id: string, looks: number): Promise<string | undefined> {
  for (let left = looks; left > 0; left -= 1) {
    const payload = await bot.payloads.find(id)
    if (payload) await bot.watch.poll(payload)
  }
  const payload = await bot.payloads.find(id)
  return payload?.launchedBy
}

const farHead: Lie = ({ method }) =>
  method === 'eth_blockNumber' ? { result: '0xfffffff' } : undefined
const noLogs: Lie = ({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined)

test('a node that named a block far too high before the launch does not hide it', async () => {
  const { bot, payload } = await handed(farHead)
  expect(payload.fromBlock).toBe(String(0xfffffff))
  lie = undefined
  const { transactionHash } = await handsOn(chain).send(payload.to, payload.calldata)
  expect(await launchedAfter(bot, payload.id, 2)).toBe(transactionHash)
})

test('a node that can’t say in which pool it sells does not hide it', async () => {
  const { bot, payload } = await handed()
  const { transactionHash } = await handsOn(chain).send(payload.to, payload.calldata)
  lie = ({ method }) =>
    method === 'eth_getTransactionReceipt' ? { error: { code: -32_000, message: 'no' } } : undefined
  expect(await launchedAfter(bot, payload.id, 1)).toBe(transactionHash)
  expect((await bot.payloads.find(payload.id))?.pool).toBeUndefined()
})

test('nor does one that names it while it is looked for', async () => {
  const { bot, payload } = await handed()
  const { transactionHash } = await handsOn(chain).send(payload.to, payload.calldata)
  lie = (question) => farHead(question) ?? noLogs(question)
  expect(await launchedAfter(bot, payload.id, 1)).toBeUndefined()
  lie = undefined
  expect(await launchedAfter(bot, payload.id, 2)).toBe(transactionHash)
})

test('a node whose logs lag behind is asked again from the first block, more and more rarely', async () => {
  const { bot, payload } = await handed()
  const { transactionHash } = await handsOn(chain).send(payload.to, payload.calldata)
  lie = noLogs
  expect(await launchedAfter(bot, payload.id, 6)).toBeUndefined()
  const searched = await bot.payloads.find(payload.id)
  expect(searched).toMatchObject({ state: 'active', search: { floor: '0', next: '0', passes: 6 } })
  expect(searched?.fromBlock).toBe(payload.fromBlock)
  bot.queue.start()
  await bot.watch.pollSoon(payload.id)
  await expect
    .poll(async () => {
      const row = bot.store.selectFrom('jobs').select('run_at')
      const found = await row.where('key', '=', `launch-watch:${payload.id}`).executeTakeFirst()
      return (found?.run_at ?? 0) - works.now()
    })
    .toBeGreaterThan(1_800)
  lie = undefined
  expect(await launchedAfter(bot, payload.id, 1)).toBe(transactionHash)
})

test.each([
  ['fails', { error: { code: -32_000, message: 'internal error' } }],
  ['gives what are no logs', { result: { bad: 1 } }],
])(
  'code at the token without a log of the launch is no launch where the node %s',
  async (_, answer) => {
    const { bot, payload } = await handed()
    lie = ({ method }) => {
      if (method === 'eth_getCode') return { result: '0x00' }
      return method === 'eth_getLogs' ? answer : undefined
    }
    await expect(bot.watch.poll(payload)).rejects.toThrow('The node of chain')
    expect((await bot.payloads.find(payload.id))?.state).toBe('active')
  },
)

test('a provider that gives no logs at all is believed that the token is there', async () => {
  const { bot, payload } = await handed()
  await handsOn(chain).send(payload.to, payload.calldata)
  lie = ({ method }) =>
    method === 'eth_getLogs' ? { error: { code: -32_601, message: 'method not found' } } : undefined
  expect((await bot.watch.poll(payload)).payload.state).toBe('launched')
})

test('a node that leads to another chain by now simulates nothing', async () => {
  const { bot } = await handed()
  lie = ({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined)
  const view = await confirm(bot, await works.draft(bot))
  expect(textOf(view)).toContain('on another chain')
})
