import { parseEventLogs } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { launchAbi } from '../../../src/chain/airlock/calldata.ts'
import { SendError } from '../../../src/core/adapter.ts'
import { discord } from '../../../src/discord/platform.ts'
import type { Payload } from '../../../src/launch/payload.ts'
import { type Question, serveProvider } from '../chain/node-server.ts'
import { walletOn } from '../chain/on-chain.ts'
import { ada, answers, type Bot, chainId, kept, LaunchHarness, wallet } from './harness.ts'
import { localChain } from './local-chain.ts'
import { failing, linkToken, textOf } from './view-reading.ts'

const chain = await localChain()
let harness: LaunchHarness
let bot: Bot
beforeEach(async () => {
  harness = await LaunchHarness.start({ chain })
  bot = await harness.bot()
  bot.queue.start()
})

/** Reads something after the job that waits for the card has run now, and not some seconds later. */
function afterRun<T>(
  { id }: Payload,
  event: 'card' | 'announced',
  read: () => T,
): () => Promise<T> {
  return async () => {
    await bot.queue.runNow({ key: `launch-notified:${id}:${event}` })
    return read()
  }
}

/** The sent messages, each by the first words of its title. */
function sentTitles(): string[] {
  return harness.sent.map(({ view }) => textOf(view).split(':')[0] ?? '')
}

const dutch = { answers: { ...answers, template: 'sandbox-dynamic' } }

describe('a launch', () => {
  test('that nobody reported is found by its log, and told once with the asset’s card', async () => {
    const { draft, payload } = await harness.linked({}, bot)
    const { transactionHash } = await walletOn(chain).send(payload.to, payload.calldata)
    await expect.poll(async () => (await harness.apiServer.launches.built).length).toBe(1)
    await bot.watch.pollSoon(payload.id)
    await expect.poll(sentTitles, { timeout: 20_000 }).toContain('🚀 Launched')
    await bot.watch.pollSoon(payload.id)
    expect(await bot.payloads.find(payload.id)).toMatchObject({
      state: 'launched',
      launchedBy: transactionHash,
    })
    expect((await bot.drafts.find(draft.id))?.state).toBe('launched')
    // The card is put into the message once the API lists the token.
    const all = () =>
      [...harness.sent, ...harness.edited].map(({ view }) => textOf(view)).join('\n')
    await expect.poll(afterRun(payload, 'card', all), { timeout: 20_000 }).toContain('MC $')
    for (const { key } of harness.edited) expect(key).toBe('1')
    expect(sentTitles().filter((each) => each === '🚀 Launched')).toHaveLength(1)
    expect(harness.sent[0]?.to).toEqual({ kind: 'person', id: ada.user })
  })

  test('is told to the group in which it began where that was asked for, and the person is in it', async () => {
    const { payload } = await harness.linked({ origin: '-100', announce: true }, bot)
    await walletOn(chain).send(payload.to, payload.calldata)
    await bot.watch.pollSoon(payload.id)
    const groups = () => harness.sent.filter(({ to }) => to.kind === 'chat')
    await expect
      .poll(
        afterRun(payload, 'announced', () => groups().length),
        { timeout: 20_000 },
      )
      .toBe(1)
    const [announced] = groups()
    expect(announced?.to.id).toBe('-100')
    expect(textOf(announced?.view ?? expect.unreachable())).toMatch(/^🚀 Launched: /u)
    // It can't be announced there a second time.
    await expect
      .poll(async () => (await bot.payloads.find(payload.id))?.announced)
      .toEqual(['-100'])
  })

  test('is not announced where that was not asked for', async () => {
    const { draft, payload } = await harness.linked({ origin: '-100', announce: false }, bot)
    await bot.notices.launched(payload, draft)
    const jobs = await bot.store.selectFrom('jobs').select('key').execute()
    const keys = jobs.map(({ key }) => key)
    expect(keys).toContain(`launch-notified:${payload.id}:launched`)
    expect(keys).not.toContain(`launch-notified:${payload.id}:announced`)
  })

  test('is not announced where the launcher has left the group', async () => {
    harness.member = false
    const { payload } = await harness.linked({ origin: '-100', announce: true }, bot)
    await walletOn(chain).send(payload.to, payload.calldata)
    await bot.watch.pollSoon(payload.id)
    // It is told when the card is there; only then is it asked who is in the group.
    const asked = afterRun(payload, 'announced', () => harness.membersAsked)
    await expect.poll(asked, { timeout: 20_000 }).toBeGreaterThan(0)
    expect(harness.sent.filter(({ to }) => to.kind === 'chat')).toEqual([])
  })

  test('of a payload that was revoked is told as such', async () => {
    const { view, payload } = await harness.linked({}, bot)
    await bot.revoke(view)
    await walletOn(chain).send(payload.to, payload.calldata)
    // As a look does that began before it was revoked.
    await bot.watch.poll(payload)
    await expect
      .poll(() => harness.sent.map(({ view: each }) => textOf(each)).join())
      .toContain('after this launch had ended')
  })

  test('of an old payload revokes the one that was built for it anew', async () => {
    const { draft, view, payload } = await harness.linked({}, bot)
    const revoked = await bot.revoke(view)
    await bot.presses(revoked, 'Build again')
    const open = await bot.stored(draft)
    const token = linkToken(await bot.confirm(open))
    await walletOn(chain).send(payload.to, payload.calldata)
    await bot.watch.pollSoon(payload.id)
    await expect.poll(() => bot.signingService.open(token)).toEqual({ state: 'revoked' })
  })

  test('is seen by the API where there is no node', async () => {
    const other = await LaunchHarness.start()
    const alone = await other.bot()
    const draft = await other.draft(alone)
    await alone.confirm(draft)
    const payload = await alone.payloads.active(draft.id)
    const [asset] = other.apiServer.world.list({
      chain: chainId,
      status: 'all',
      limit: 1,
      offset: 0,
    })
    if (!payload || !asset) throw new Error('nothing to watch')
    expect((await alone.watch.poll(payload)).payload.state).toBe('active')
    const token = asset.asset_address as `0x${string}`
    const namesake = await alone.payloads.change(payload.id, (each) => ({ ...each, token }))
    // Something is listed there, but it is called otherwise.
    expect(namesake && (await alone.watch.poll(namesake)).payload.state).toBe('active')
    const { token_name: name = '', token_symbol: symbol = '' } =
      asset.auction_pool?.base_token ?? {}
    const own = await alone.payloads.change(payload.id, (each) => ({ ...each, name, symbol }))
    expect(own && (await alone.watch.poll(own)).payload.state).toBe('launched')
  })

  test('survives a restart between its finding and its telling', async () => {
    const { payload } = await harness.linked({}, bot)
    await bot.queue.stop()
    await walletOn(chain).send(payload.to, payload.calldata)
    await bot.watch.poll(payload)
    await bot.watch.poll(payload)
    expect(harness.sent).toEqual([])
    const next = await harness.bot()
    next.queue.start()
    await expect.poll(sentTitles).toContain('🚀 Launched')
    await next.watch.pollSoon(payload.id)
    await expect
      .poll(async () => {
        const rows = await next.store.selectFrom('jobs').select(['key', 'state']).execute()
        return rows.find(({ key }) => key === `launch-watch:${payload.id}`)?.state
      })
      .toBe('done')
    expect(sentTitles().filter((each) => each === '🚀 Launched')).toHaveLength(1)
  })
})

describe('what else happens', () => {
  test('a transaction that fails is told, once', async () => {
    const { token, payload } = await harness.linked({}, bot)
    const failed = await failing(chain, payload)
    const sent = { account: wallet, hash: failed.transactionHash } as const
    await bot.signingService.report(token, sent)
    await expect.poll(sentTitles).toEqual(['Not launched'])
    await bot.watch.pollSoon(payload.id)
    await bot.notices.reverted(payload, failed.transactionHash)
    expect(sentTitles()).toEqual(['Not launched'])
  })

  test('a link that nobody used is told when it has run out, with the way to another', async () => {
    const { payload } = await harness.linked({}, bot)
    harness.ahead = 3_601
    await bot.watch.pollSoon(payload.id)
    await expect.poll(sentTitles).toEqual(['Your link has expired'])
    const [notice] = harness.sent
    const view = notice && (await bot.presses(notice.view, 'New link'))
    expect(view && linkToken(view)).toBeDefined()
  })

  test('a hash that the chain does not know does not keep that from being told', async () => {
    const { token, payload } = await harness.linked({}, bot)
    const hash = `0x${'ab'.repeat(32)}` as const
    await bot.signingService.report(token, { account: wallet, hash })
    harness.ahead = 5_000
    await bot.watch.pollSoon(payload.id)
    await expect.poll(sentTitles).toEqual(['Your link has expired'])
    const [notice] = harness.sent
    expect(notice && textOf(notice.view)).toContain(hash)
  })

  test('one that waits for its block does', async () => {
    const { token, payload } = await harness.linked({}, bot)
    const { client, wallet: signer } = walletOn(chain)
    await client.setAutomine(false)
    try {
      const { to, calldata: data } = payload
      const hash = await signer.sendTransaction({ to, data, gas: 8_000_000n })
      await bot.signingService.report(token, { account: wallet, hash })
      harness.ahead = 5_000
      await bot.watch.pollSoon(payload.id)
      await bot.notices.expired(payload)
      await expect.poll(sentTitles).toEqual(['Expired'])
    } finally {
      await client.setAutomine(true)
      await client.mine({ blocks: 1 })
    }
    await bot.watch.pollSoon(payload.id)
    await expect.poll(sentTitles).toContain('🚀 Launched')
    expect(sentTitles()).not.toContain('Your link has expired')
  })

  test('a payload that nobody signs expires, and that is told; it is watched for a week more', async () => {
    const { payload } = await harness.linked({}, bot)
    harness.ahead = 86_400
    await bot.watch.pollSoon(payload.id)
    await expect.poll(sentTitles).toEqual(['Expired'])
    expect((await bot.payloads.find(payload.id))?.state).toBe('expired')
    const [notice] = harness.sent
    if (!notice) throw new Error('no notice')
    expect(textOf(await bot.presses(notice.view, 'Build again'))).toContain('Review: ')
    await walletOn(chain).send(payload.to, payload.calldata)
    harness.ahead = 86_400 * 3
    await bot.watch.pollSoon(payload.id)
    await expect.poll(sentTitles).toContain('🚀 Launched')
  })

  test('after that week nobody looks any more', async () => {
    const { payload } = await harness.linked({}, bot)
    harness.ahead = 86_400
    await bot.watch.pollSoon(payload.id)
    await expect.poll(sentTitles).toEqual(['Expired'])
    harness.ahead = 86_400 * 9
    await bot.watch.pollSoon(payload.id)
    const jobs = bot.store.selectFrom('jobs').select('state')
    const watching = jobs.where('key', '=', `launch-watch:${payload.id}`)
    await expect.poll(() => watching.executeTakeFirst()).toEqual({ state: 'done' })
  })

  test('a draft that was left alone for a week is told, once, and not to who began it on a server', async () => {
    await harness.draft(bot)
    const elsewhere = { ...ada, platform: discord }
    await harness.draft(bot, { origin: '55' }, elsewhere)
    harness.ahead = 7 * 86_400 + 1
    expect((await bot.launches.prune(kept)).drafts).toBe(2)
    await expect.poll(sentTitles).toEqual(['Your draft expired'])
    expect((await bot.launches.prune(kept)).drafts).toBe(0)
  })
})

describe('a notice that can’t be sent', () => {
  test('is sent again when the platform says', async () => {
    harness.refusals.push(new SendError('slow down', { final: false, retryAfter: 30 }))
    const { payload } = await harness.linked({}, bot)
    await bot.notices.expired(payload)
    await expect
      .poll(() => harness.log.of('info').join())
      .toContain('"about":"expired","outcome":"not sent: it will be tried again"')
    expect(sentTitles()).toEqual([])
    harness.ahead = 30
    // The queue looks at its clock.
    await bot.queue.add({ key: 'tick', kind: 'tick', body: 1 })
    await expect.poll(sentTitles).toEqual(['Expired'])
    expect(harness.refusals).toEqual([])
  })

  test('is given up where the person blocked the bot, and logged', async () => {
    harness.refusals.push(new SendError('bot was blocked', { final: true }))
    const { payload } = await harness.linked({}, bot)
    await bot.notices.expired(payload)
    await expect.poll(() => harness.log.of('warn').join()).toContain('bot was blocked')
    await bot.notices.reverted(payload, `0x${'ab'.repeat(32)}`)
    await expect.poll(sentTitles).toEqual(['Not launched'])
  })
})

test('a launch is told with its pool, which its receipt names', async () => {
  const { payload } = await harness.handed(dutch, bot)
  const { transactionHash, logs } = await walletOn(chain).send(payload.to, payload.calldata)
  const [created] = parseEventLogs({ abi: launchAbi, eventName: 'Create', logs })
  const pool = created?.args.poolOrHook ?? '0x'
  expect((await bot.watch.poll(payload)).payload).toMatchObject({
    launchedBy: transactionHash,
    pool,
  })
  await expect.poll(() => harness.sent.length).toBeGreaterThan(0)
  const [notice] = harness.sent
  expect(notice && textOf(notice.view)).toContain('Transaction · Pool')
})

test('without a node it is the one that the API lists', async () => {
  harness = await LaunchHarness.start()
  const { bot, payload } = await harness.handed(dutch)
  const asked = { chain: chainId, status: 'all', limit: 1, offset: 0 } as const
  const [asset] = harness.apiServer.world.list(asked)
  if (!asset) throw new Error('nothing is listed')
  const { token_name: name = '', token_symbol: symbol = '' } = asset.auction_pool?.base_token ?? {}
  const token = `0x${asset.asset_address.slice(2)}` as const
  const listed = await bot.payloads.change(payload.id, (each) => ({ ...each, token, name, symbol }))
  expect(listed && (await bot.watch.poll(listed)).payload).toMatchObject({
    state: 'launched',
    pool: asset.auction_pool?.pool_id,
  })
})

describe('the search for the launch', () => {
  type Lie = (question: Question) => object | undefined

  let lie: Lie | undefined
  let provider: Awaited<ReturnType<typeof serveProvider>>
  afterEach(async () => {
    await provider[Symbol.asyncDispose]()
  })

  /** A payload handed out by a bot whose node answers some questions as `lie` says at the time. */
  async function handed(from?: Lie) {
    lie = from
    provider = await serveProvider(chain, (question) => lie?.(question))
    harness = await LaunchHarness.start({ chain, rpcUrl: provider.url })
    return harness.handed()
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
    const { transactionHash } = await walletOn(chain).send(payload.to, payload.calldata)
    expect(await launchedAfter(bot, payload.id, 2)).toBe(transactionHash)
  })

  test('a node that can’t say in which pool it sells does not hide it', async () => {
    const { bot, payload } = await handed()
    const { transactionHash } = await walletOn(chain).send(payload.to, payload.calldata)
    lie = ({ method }) =>
      method === 'eth_getTransactionReceipt'
        ? { error: { code: -32_000, message: 'no' } }
        : undefined
    expect(await launchedAfter(bot, payload.id, 1)).toBe(transactionHash)
    expect((await bot.payloads.find(payload.id))?.pool).toBeUndefined()
  })

  test('nor does one that names it while it is looked for', async () => {
    const { bot, payload } = await handed()
    const { transactionHash } = await walletOn(chain).send(payload.to, payload.calldata)
    lie = (question) => farHead(question) ?? noLogs(question)
    expect(await launchedAfter(bot, payload.id, 1)).toBeUndefined()
    lie = undefined
    expect(await launchedAfter(bot, payload.id, 2)).toBe(transactionHash)
  })

  test('a node whose logs lag behind is asked again from the first block, more and more rarely', async () => {
    const { bot, payload } = await handed()
    const { transactionHash } = await walletOn(chain).send(payload.to, payload.calldata)
    lie = noLogs
    expect(await launchedAfter(bot, payload.id, 6)).toBeUndefined()
    const searched = await bot.payloads.find(payload.id)
    expect(searched).toMatchObject({
      state: 'active',
      search: { floor: '0', next: '0', passes: 6 },
    })
    expect(searched?.fromBlock).toBe(payload.fromBlock)
    bot.queue.start()
    await bot.watch.pollSoon(payload.id)
    await expect
      .poll(async () => {
        const row = bot.store.selectFrom('jobs').select('run_at_s')
        const found = await row.where('key', '=', `launch-watch:${payload.id}`).executeTakeFirst()
        return (found?.run_at_s ?? 0) - harness.now()
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
    await walletOn(chain).send(payload.to, payload.calldata)
    lie = ({ method }) =>
      method === 'eth_getLogs'
        ? { error: { code: -32_601, message: 'method not found' } }
        : undefined
    expect((await bot.watch.poll(payload)).payload.state).toBe('launched')
  })

  test('a node that leads to another chain by now simulates nothing', async () => {
    const { bot } = await handed()
    lie = ({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined)
    const view = await bot.confirm(await harness.draft(bot))
    expect(textOf(view)).toContain('on another chain')
  })
})
