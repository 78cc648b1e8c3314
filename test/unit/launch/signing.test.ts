import { beforeEach, describe, expect, test } from 'vitest'
import { moduleAt } from '../../../sandbox/chain/modules.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import { t } from '../../../src/core/view.ts'
import { verdictOf } from '../../../src/launch/verdict.ts'
import { compileFile } from '../chain/airlock/solidity.ts'
import { walletOn } from '../chain/on-chain.ts'
import { answers, type Bot, chainId, LaunchHarness, launcher, stranger, wallet } from './harness.ts'
import { localChain } from './local-chain.ts'
import { failing, lineOf, linkToken, textOf } from './view-reading.ts'

const chain = await localChain()
let harness: LaunchHarness
let bot: Bot
beforeEach(async () => {
  harness = await LaunchHarness.start({ chain })
  bot = await harness.bot()
})

const hash = `0x${'ab'.repeat(32)}` as const

/** Waits for this message about an account, and answers it. */
async function answer(label: 'Allow' | 'Refuse', message: number): Promise<void> {
  await expect.poll(() => harness.sent.length).toBeGreaterThanOrEqual(message)
  const notice = harness.sent[message - 1]
  if (!notice) throw new Error('no message')
  await bot.presses(notice.view, label)
}

/** What the page is told of the stranger. */
async function stateOf(token: string) {
  const progress = await bot.signingService.progress(token)
  const signers = progress && 'signers' in progress ? progress.signers : undefined
  return signers?.find(({ account }) => account === stranger)
}

describe('opening a link', () => {
  test('gives the stored payload with its check, rehearsed anew, and can be done any number of times', async () => {
    const { token, payload } = await harness.linked({}, bot)
    for (let times = 0; times < 3; times += 1) {
      expect(await bot.signingService.open(token)).toEqual({
        state: 'open',
        chain: {
          id: chainId,
          name: 'Base',
          coin: 'ETH',
          explorer: expect.any(String),
          rpcUrl: expect.any(String),
        },
        to: launcher.to,
        data: payload.calldata,
        value: '0',
        digest: payload.digest,
        wallet,
        token: payload.token,
        name: 'Moon Otter',
        symbol: 'OTTER',
        uri: payload.uri,
        picture: false,
        verified: true,
        check: payload.check,
        simulation: { kind: 'passed', gas: expect.stringMatching(/^\d+$/u) },
        expiresAt: payload.linkExpiresAt,
        progress: { launched: false },
      })
    }
    expect((await bot.payloads.find(payload.id))?.rev).toBe(payload.rev)
  })

  test('names the chat in which it was prepared, also once it has ended', async () => {
    const { token, payload } = await harness.linked({}, bot)
    harness.chatUrl = 'https://t.me/gavel_bot'
    const chat = { platform: 'Telegram', url: harness.chatUrl }
    expect(await bot.signingService.open(token)).toMatchObject({ state: 'open', chat })
    await bot.payloads.change(payload.id, (each) => ({ ...each, state: 'revoked' }))
    expect(await bot.signingService.open(token)).toEqual({ state: 'revoked', chat })
  })

  test('an invented token is not found by any route', async () => {
    await harness.linked({}, bot)
    const guess = 'A'.repeat(32)
    expect(await bot.signingService.open(guess)).toBeUndefined()
    expect(await bot.signingService.progress(guess)).toBeUndefined()
    expect(await bot.signingService.picture(guess)).toBeUndefined()
    expect(await bot.signingService.claim(guess, wallet)).toBeUndefined()
    expect(await bot.signingService.report(guess, { account: wallet, hash })).toBeUndefined()
  })

  test('expires after an hour', async () => {
    const { token } = await harness.linked({}, bot)
    harness.ahead = 3_600
    expect(await bot.signingService.open(token)).toEqual({ state: 'expired' })
    expect(await bot.signingService.progress(token)).toEqual({ state: 'expired' })
    expect(await bot.signingService.claim(token, stranger)).toEqual({ state: 'expired' })
    expect((await bot.payloads.findByLink(token))?.signers).toEqual([])
  })

  test('shows the picture of the draft', async () => {
    const picture = await harness.picture(bot)
    const { token } = await harness.linked(
      {
        answers: { ...answers, picture: { cid: picture.cid, stored: true } },
      },
      bot,
    )
    expect(await bot.signingService.open(token)).toMatchObject({ picture: true })
    expect(await bot.signingService.picture(token)).toMatchObject({
      type: 'image/webp',
      bytes: picture.bytes,
    })
  })

  test('that has expired gives no picture', async () => {
    const picture = await harness.picture(bot)
    const { token } = await harness.linked(
      {
        answers: { ...answers, picture: { cid: picture.cid, stored: true } },
      },
      bot,
    )
    harness.ahead = 3_600
    expect(await bot.signingService.picture(token)).toEqual({ state: 'expired' })
  })

  test.each(['revoked', 'expired', 'launched'] as const)(
    'that is %s gives no picture',
    async (state) => {
      const { cid } = await harness.picture(bot)
      const pictured = { answers: { ...answers, picture: { cid, stored: true } } }
      const { token, payload } = await harness.linked(pictured, bot)
      await bot.payloads.change(payload.id, (each) => ({ ...each, state }))
      expect(await bot.signingService.picture(token)).toMatchObject({ state })
    },
  )

  test('shows what the chain does now, not what it did when the payload was built', async () => {
    const { token, payload } = await harness.linked({}, bot)
    const { client } = walletOn(chain)
    const before = await client.snapshot()
    const { code } = await compileFile(new URL('hostile.sol', import.meta.url))
    await client.setCode({
      address: moduleAt('NoOpGovernanceFactory'),
      bytecode: code.HandingGovernance ?? '0x',
    })
    const request = await bot.signingService.open(token)
    await client.revert({ id: before })
    if (request?.state !== 'open' || !request.check) throw new Error('it is not open')
    const { doubts } = verdictOf(request.data, wallet, request.check, 'ETH')
    expect(doubts.map((doubt) => plainText(doubt)).join()).toContain('simulation')
    expect(payload.check?.rehearsal?.timelock).not.toBe(request.check.rehearsal?.timelock)
  })

  test('a payload without a check is not verified', async () => {
    const { token, payload } = await harness.linked({}, bot)
    await bot.payloads.change(payload.id, ({ check: _, ...unchecked }) => unchecked)
    const request = await bot.signingService.open(token)
    expect(request).toMatchObject({ state: 'open', verified: false, simulation: { kind: 'none' } })
    expect(request).not.toHaveProperty('check')
  })

  test('a payload that would fail now says why', async () => {
    const { token, payload } = await harness.linked(
      {
        answers: { ...answers, template: 'sandbox-dynamic' },
      },
      bot,
    )
    expect(payload.linkExpiresAt).toBe(payload.staleAt)
    await walletOn(chain).client.increaseTime({ seconds: 1_000 })
    await walletOn(chain).client.mine({ blocks: 1 })
    const request = await bot.signingService.open(token)
    expect(request).toMatchObject({
      simulation: {
        kind: 'failed',
        reason: t('refused-by-contract', { why: t('refused-start-passed') }),
      },
    })
  })
})

describe('an account that wants to sign', () => {
  test('needs no approval by the launcher if it is the wallet, however it is written', async () => {
    const { token } = await harness.linked({}, bot)
    expect(await bot.signingService.claim(token, wallet)).toEqual({ launched: false })
    const lower = wallet.toLowerCase() as `0x${string}`
    expect(await bot.signingService.claim(token, lower)).toEqual({ launched: false })
    expect(harness.sent).toEqual([])
  })

  test.each([
    ['Allow', 'allowed'],
    ['Refuse', 'refused'],
  ] as const)('the launcher is asked in the chat about another, once: %s', async (label, state) => {
    bot.queue.start()
    const { token } = await harness.linked({}, bot)
    const asked = { launched: false, signers: [{ account: stranger, state: 'asked' }] }
    expect(await bot.signingService.claim(token, stranger)).toEqual(asked)
    expect(await bot.signingService.claim(token, stranger)).toEqual(asked)
    await expect.poll(() => harness.sent).toHaveLength(1)
    const [notice] = harness.sent
    if (!notice) throw new Error('no notice')
    expect(notice.to).toEqual({ kind: 'person', id: '7' })
    expect(textOf(notice.view)).toContain(stranger)
    await bot.presses(notice.view, label)
    const answered = { launched: false, signers: [{ account: stranger, state }] }
    expect(await bot.signingService.progress(token)).toMatchObject(answered)
    expect(await bot.signingService.claim(token, stranger)).toMatchObject(answered)
    expect(harness.sent).toHaveLength(1)
  })

  test.each([
    ['launched', 'Launched: Moon Otter'],
    ['revoked', 'Cancelled: Moon Otter'],
    ['expired', 'Expired: Moon Otter'],
  ] as const)('can no longer be allowed if the link is %s: Allow says so', async (state, title) => {
    bot.queue.start()
    const { token, payload } = await harness.linked({}, bot)
    await bot.signingService.claim(token, stranger)
    await expect.poll(() => harness.sent).toHaveLength(1)
    const [notice] = harness.sent
    if (!notice) throw new Error('no notice')
    await bot.payloads.change(payload.id, (each) => ({ ...each, state }))
    const answered = textOf(await bot.presses(notice.view, 'Allow'))
    expect(answered).toContain(title)
    expect(answered).not.toContain('Allowed to sign')
    expect((await bot.payloads.find(payload.id))?.signers).toMatchObject([{ account: stranger }])
    expect((await bot.payloads.find(payload.id))?.signers[0]?.allowed).toBeUndefined()
  })

  test('is allowed for the next link if that one has expired, which the answer says', async () => {
    bot.queue.start()
    const { token } = await harness.linked({}, bot)
    await bot.signingService.claim(token, stranger)
    await expect.poll(() => harness.sent).toHaveLength(1)
    harness.ahead = 3_600
    const [notice] = harness.sent
    if (!notice) throw new Error('no notice')
    const answered = await bot.presses(notice.view, 'Allow')
    expect(textOf(answered)).toContain('The link has expired')
    const shown = await bot.presses(answered, 'Show the launch')
    const next = linkToken(await bot.presses(shown, 'New link'))
    expect(await bot.signingService.claim(next, stranger)).toMatchObject({
      signers: [{ account: stranger, state: 'allowed' }],
    })
  })

  test('many invented accounts cause no more questions, but are listed under /launches, also the last one', async () => {
    bot.queue.start()
    const { token, payload } = await harness.linked({}, bot)
    for (let each = 10; each <= 50; each += 1) {
      const account = `0x${String(each).repeat(20)}` as const
      const progress = await bot.signingService.claim(token, account)
      const state = each < 15 ? 'asked' : 'waiting'
      const signers = expect.arrayContaining([{ account, state }])
      expect(progress).toMatchObject({ signers })
    }
    await bot.signingService.claim(token, stranger)
    expect((await bot.payloads.find(payload.id))?.signers).toHaveLength(10)
    await expect.poll(() => harness.sent).toHaveLength(5)
    const [first] = harness.sent
    if (!first) throw new Error('no notice')
    const show = await bot.presses(await bot.presses(first.view, 'Refuse'), 'Show the launch')
    expect(lineOf(show, 'Allow 0x7099…79C8')).toContain(stranger)
    await bot.presses(show, 'Allow 0x7099…79C8')
    expect(await bot.signingService.claim(token, stranger)).toMatchObject({
      signers: expect.arrayContaining([{ account: stranger, state: 'allowed' }]),
    })
    expect(harness.sent).toHaveLength(5)
  })
})

describe('a transaction that is reported', () => {
  test('is looked up on the chain, and its state is shown until the end', async () => {
    bot.queue.start()
    const { token, payload } = await harness.linked({}, bot)
    expect(await bot.signingService.report(token, { account: wallet, hash })).toEqual({
      launched: false,
      transaction: { hash, state: 'unknown' },
    })
    const mined = await walletOn(chain).send(payload.to, payload.calldata)
    // Another hash in its place: a wallet sped it up.
    await bot.signingService.report(token, { account: wallet, hash: mined.transactionHash })
    await expect
      .poll(() => bot.signingService.progress(token))
      .toEqual({ launched: true, transaction: { hash: mined.transactionHash, state: 'launched' } })
    expect(await bot.signingService.open(token)).toEqual({
      state: 'launched',
      token: payload.token,
      explorer: expect.stringContaining(payload.token ?? 'none'),
    })
    harness.ahead = 10_000
    expect(await bot.signingService.progress(token)).toMatchObject({ launched: true })
  })

  test('that failed is shown as failed, and the link can be used again', async () => {
    const { token, payload } = await harness.linked({}, bot)
    const failed = await failing(chain, payload)
    expect(failed.status).toBe('reverted')
    const sent = { account: wallet, hash: failed.transactionHash } as const
    expect(await bot.signingService.report(token, sent)).toMatchObject({
      transaction: { state: 'reverted' },
    })
    expect(await bot.signingService.open(token)).toMatchObject({ state: 'open' })
  })

  test('that failed with other calldata is not this launch’s', async () => {
    const { token, payload } = await harness.linked({}, bot)
    const strange = await walletOn(chain).send(payload.to, '0x882db70700')
    expect(strange.status).toBe('reverted')
    const sent = { account: wallet, hash: strange.transactionHash } as const
    expect(await bot.signingService.report(token, sent)).toMatchObject({
      transaction: { state: 'unknown' },
    })
  })

  test('is stored once', async () => {
    const { token, payload } = await harness.linked({}, bot)
    for (let times = 0; times < 2; times += 1) {
      await bot.signingService.report(token, { account: wallet, hash })
    }
    expect(await bot.payloads.find(payload.id)).toMatchObject({ reports: 1, reportedBefore: [] })
  })

  test('is stored and kept however many invented ones come before and after it', async () => {
    const { token, payload } = await harness.linked({}, bot)
    const junk = async (from: number) => {
      for (let each = from; each < from + 20; each += 1) {
        await bot.signingService.report(token, {
          account: wallet,
          hash: `0x${String(each).repeat(32)}`,
        })
      }
    }
    await junk(10)
    const failed = await failing(chain, payload)
    const sent = { account: wallet, hash: failed.transactionHash } as const
    expect(await bot.signingService.report(token, sent)).toMatchObject({
      transaction: { state: 'reverted' },
    })
    await junk(40)
    bot.queue.start()
    await bot.watch.pollSoon(payload.id)
    await expect.poll(() => harness.sent.map(({ key }) => key).join()).toContain(sent.hash)
    harness.ahead = 120
    await bot.watch.pollSoon(payload.id)
    await expect
      .poll(() => bot.signingService.progress(token))
      .toMatchObject({ transaction: { hash: sent.hash, state: 'reverted' } })
    expect((await bot.payloads.find(payload.id))?.reportedBefore).toHaveLength(4)
  })
})

test('the launcher can be asked again about a refused account after a minute, three times in all', async () => {
  bot.queue.start()
  const { token } = await harness.linked({}, bot)
  await bot.signingService.claim(token, stranger)
  await answer('Refuse', 1)
  expect(await stateOf(token)).toMatchObject({ state: 'refused', askAgainAt: expect.any(Number) })
  await bot.signingService.claim(token, stranger)
  expect(await stateOf(token)).toMatchObject({ state: 'refused' })
  for (const message of [2, 3]) {
    harness.ahead += 60
    await bot.signingService.claim(token, stranger)
    await bot.signingService.claim(token, stranger)
    expect(await stateOf(token)).toEqual({ account: stranger, state: 'asked' })
    await answer('Refuse', message)
  }
  harness.ahead += 600
  await bot.signingService.claim(token, stranger)
  expect(await stateOf(token)).toEqual({ account: stranger, state: 'refused' })
  expect(harness.sent).toHaveLength(3)
})

test('an account that was refused by mistake may sign once it is allowed', async () => {
  bot.queue.start()
  const { token } = await harness.linked({}, bot)
  await bot.signingService.claim(token, stranger)
  await answer('Refuse', 1)
  harness.ahead += 60
  await bot.signingService.claim(token, stranger)
  await answer('Allow', 2)
  harness.ahead += 60
  await bot.signingService.claim(token, stranger)
  expect(await stateOf(token)).toEqual({ account: stranger, state: 'allowed' })
  expect(harness.sent).toHaveLength(2)
})

test('an allowed account stays allowed, however many others ask after it', async () => {
  bot.queue.start()
  const { token } = await harness.linked({}, bot)
  await bot.signingService.claim(token, stranger)
  await answer('Allow', 1)
  for (let each = 1; each <= 9; each += 1) {
    await bot.signingService.claim(token, `0x${String(each).repeat(40)}`)
    await bot.signingService.claim(token, `0x${'a'.repeat(39)}${each}`)
  }
  expect(await stateOf(token)).toEqual({ account: stranger, state: 'allowed' })
  const progress = await bot.signingService.progress(token)
  const states =
    progress && 'signers' in progress ? progress.signers?.map(({ state }) => state) : []
  expect(states?.filter((state) => state === 'asked')).toHaveLength(4)
  expect(states?.filter((state) => state === 'waiting')).toHaveLength(5)
})
