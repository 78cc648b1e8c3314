import { HTTPException } from 'hono/http-exception'
import { sql } from 'kysely'
import { base36 } from 'multiformats/bases/base36'
import { CID } from 'multiformats/cid'
import { type Hex, keccak256, padHex, toHex } from 'viem'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { localise } from '../../../src/core/catalogue.ts'
import type { View } from '../../../src/core/view.ts'
import { discord } from '../../../src/discord/platform.ts'
import { UserError } from '../../../src/errors.ts'
import { tokenUri } from '../../../src/launch/build.ts'
import { reportsOf } from '../../../src/launch/payload.ts'
import { walletOn } from '../chain/on-chain.ts'
import { ada, answers, type Bot, bob, chainId, LaunchHarness, wallet } from './harness.ts'
import { localChain } from './local-chain.ts'
import { confirmLineOf, failing, lineOf, linkToken, textOf, watchful } from './view-reading.ts'

const chain = await localChain()
let harness: LaunchHarness
let bot: Bot
beforeEach(async () => {
  harness = await LaunchHarness.start({ chain })
  bot = await harness.bot()
})

const hash = `0x${'ab'.repeat(32)}` as const
const file = 'bafkreigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'
const inBase36 = CID.parse(file).toString(base36.encoder)

function madeUp(number: number): Hex {
  return padHex(toHex(number + 1), { size: 32 })
}

/** Unix seconds that a view names. */
function timesIn(view: View): number[] {
  const { blocks } = localise(view, 'en')
  const spans = blocks.flatMap((block) => (block.kind === 'text' ? block.spans : []))
  return spans.flatMap((span) => (typeof span === 'object' && 'time' in span ? [span.time] : []))
}

describe('a confirmed launch', () => {
  test('is published, uploaded, built and checked, each step ticked off, and handed out with a link', async () => {
    const picture = await harness.picture(bot)
    const draft = await harness.draft(bot, {
      answers: { ...answers, picture: { cid: picture.cid, stored: true } },
    })
    const { views, show } = watchful()
    const view = await bot.launches.press(confirmLineOf(bot.conversation.review(draft)), ada, show)
    expect(views.map((each) => textOf(each).replaceAll(/[^✅⏳▫❌]/gu, ''))).toEqual([
      '⏳▫▫▫',
      '✅⏳▫▫',
      '✅✅⏳▫',
      '✅✅✅⏳',
      '✅✅✅✅',
    ])
    expect(harness.kubo.find(picture.cid)).toBeDefined()
    const [uploaded] = harness.apiServer.launches.uploaded
    expect(uploaded?.asked).toMatchObject({ name: 'Moon Otter', image_hash: picture.cid })
    const [built] = harness.apiServer.launches.built
    expect(built?.asked).toMatchObject({
      debug: true,
      metadata: { token_symbol: 'OTTER', token_uri: `ipfs://${uploaded?.cid}` },
    })
    expect(linkToken(view)).toMatch(/^[\w-]{32}$/u)
    const read = textOf(views.at(-1) ?? view)
    expect(read).toContain('✅ Transaction')
    expect(textOf(view)).toContain('a test run on the chain showed the same')
    const payload = await bot.payloads.active(draft.id)
    expect(payload).toMatchObject({
      state: 'active',
      verified: true,
      token: built?.result.token_address,
      picture: picture.cid,
    })
    expect((await bot.drafts.find(draft.id))?.state).toBe('handed')
  })

  test('says of a picture that was not read back that nobody checked it, on message and page, also after a restart', async () => {
    const publishing = await harness.bot({ publishesByApi: true })
    // As of an API that cuts files into other blocks.
    harness.apiServer.launches.uploadPicture = () => file
    const { cid } = await harness.picture(publishing)
    const draft = await harness.draft(publishing, {
      answers: { ...answers, picture: { cid, stored: true } },
    })
    const unread = 'Logo on IPFS: uploaded; not read back, so nobody checked that it is yours'
    const { views, show } = watchful()
    const line = confirmLineOf(publishing.conversation.review(draft))
    const handed = await publishing.launches.press(line, ada, show)
    expect(textOf(views.at(-1) ?? handed)).toContain('uploaded to IPFS; not read back')
    expect(textOf(handed)).toContain(unread)
    const next = await harness.bot()
    const payload = await next.payloads.active(draft.id)
    expect(payload).toMatchObject({ verified: true })
    expect(textOf(await next.press(`show ${payload?.id}`))).toContain(unread)
    expect(await next.signingService.open(linkToken(handed))).toMatchObject({
      check: { picture: 'not read back' },
    })
    expect(harness.apiServer.launches.uploaded[0]?.asked).toMatchObject({ image_hash: file })
  })

  test('publishes a picture that replaced another one, and none that is on IPFS already', async () => {
    const { cid } = await harness.picture(bot)
    const done = { picture: { of: file, cid: file } }
    const kept = { answers: { ...answers, picture: { cid, stored: true } }, stepResults: done }
    linkToken(await bot.confirm(await harness.draft(bot, kept)))
    expect(harness.kubo.find(cid)).toBeDefined()
    const foreign = { answers: { ...answers, picture: { cid: file, stored: false } } }
    linkToken(await bot.confirm(await harness.draft(bot, foreign)))
    expect(harness.kubo.added).toBe(1)
    const images = harness.apiServer.launches.uploaded.map(({ asked }) => asked)
    expect(images).toMatchObject([{ image_hash: cid }, { image_hash: file }])
  })

  test.each([
    [`ipfs://${inBase36}`, `ipfs://${inBase36}`],
    [file, `ipfs://${file}`],
    [`https://ipfs.io/ipfs/${file}`, `ipfs://${file}`],
  ])(
    'has the upload %s as its token URI %s: the API finds it by its own spelling',
    (result, uri) => {
      expect(tokenUri(result)).toBe(uri)
    },
  )

  test('needs every answer, and that a new picture is accepted', async () => {
    const { description: _, ...unfinished } = answers
    const { cid } = await harness.picture(bot)
    for (const changes of [{ answers: unfinished }, { pendingPicture: cid }]) {
      const draft = await harness.draft(bot, changes)
      await expect(bot.confirm(draft)).rejects.toThrow('Some questions are still open')
      await bot.drafts.save({ ...draft, state: 'cancelled' })
    }
    expect(harness.calls).toEqual({ uploads: 0, builds: 0 })
  })

  test('begins with Confirm alone: the lines of later buttons build nothing before it', async () => {
    const draft = await harness.draft(bot)
    for (const [action, at] of [
      ['unverified', `${draft.id}.${draft.rev}`],
      ['continue', draft.id],
    ] as const) {
      await expect(bot.press(`${action} ${at}`)).rejects.toThrow(UserError)
    }
    expect(harness.calls).toEqual({ uploads: 0, builds: 0 })
  })

  test('is its creator’s own: to all others it does not exist', async () => {
    const draft = await harness.draft(bot)
    const namesake = { ...ada, platform: discord } as const
    await expect(bot.confirm(draft, namesake)).rejects.toThrow('You have no such launch')
    await expect(bot.confirm(draft, bob)).rejects.toThrow('You have no such launch')
    await expect(bot.press('confirm zzzzzzzz.1')).rejects.toThrow('You have no such launch')
  })

  test('two presses at once build once; the second is answered that it is under way', async () => {
    const draft = await harness.draft(bot)
    const both = await Promise.allSettled([bot.confirm(draft), bot.confirm(draft)])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(both[1]).toMatchObject({
      reason: { message: expect.stringContaining('Already being built') },
    })
    expect(harness.calls).toEqual({ uploads: 1, builds: 1 })
    await expect(bot.confirm(draft)).rejects.toThrow('is already built')
    expect(harness.calls).toEqual({ uploads: 1, builds: 1 })
  })

  test('a Confirm that its platform brings again after a crash goes on where that one came to', async () => {
    const draft = await harness.draft(bot)
    const press = { ...ada, update: '77' }
    const line = confirmLineOf(bot.conversation.review(draft))
    harness.apiServer.faults.set({ match: '/auction-templates', kind: 'status', times: 1 })
    await bot.press(line, press)
    const restarted = await harness.bot()
    await expect(restarted.press(line, { ...press, update: '78' })).rejects.toThrow(
      'Already answered',
    )
    linkToken(await restarted.press(line, press))
    expect(harness.calls).toEqual({ uploads: 1, builds: 2 })
    // It may also have died with the payload handed out: then the link may be in use.
    const again = await (await harness.bot()).press(line, press)
    expect(textOf(again)).toContain('Ready to sign')
    expect(() => linkToken(again)).toThrow()
    linkToken(await bot.presses(again, 'New link'))
    expect(await bot.payloads.ofDraft(draft.id)).toHaveLength(1)
  })

  test('“Try again” at two processes at once hands out one payload, and the other is answered in words', async () => {
    const draft = await harness.draft(bot)
    harness.apiServer.faults.set({ match: '/auction-templates', kind: 'status', times: 1 })
    const failed = await bot.confirm(draft)
    await bot.presses(failed, 'Try again')
    const [payload] = await bot.payloads.ofDraft(draft.id)
    const stored = await bot.stored(draft)
    // As it was before the payload was built: the steps before are stored, so that nothing is saved until then.
    await bot.payloads.change(payload?.id ?? '', (each) => ({ ...each, state: 'revoked' }))
    await bot.drafts.save({ ...stored, state: 'open' })
    const other = await harness.bot()
    const both = await Promise.allSettled([
      bot.press(`continue ${draft.id}`),
      other.press(`continue ${draft.id}`),
    ])
    const active = (await bot.payloads.ofDraft(draft.id)).filter(({ state }) => state === 'active')
    expect(active).toHaveLength(1)
    const words = both.map((each) =>
      each.status === 'fulfilled' ? textOf(each.value) : String(each.reason),
    )
    expect(words.filter((each) => each.includes('Ready to sign'))).toHaveLength(1)
    expect(words.join()).not.toContain('bug in the bot')
    expect(words.join()).toMatch(/Already answered|already built/u)
  })

  test('two processes at once build once', async () => {
    const [one, other] = [await harness.bot(), await harness.bot()]
    const draft = await harness.draft(one)
    const both = await Promise.allSettled([one.confirm(draft), other.confirm(draft)])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(harness.calls).toEqual({ uploads: 1, builds: 1 })
    expect(await one.payloads.ofDraft(draft.id)).toHaveLength(1)
  })

  test('a Confirm from before a change is refused as outdated', async () => {
    const draft = await harness.draft(bot)
    await bot.drafts.save({ ...draft, answers: { ...answers, name: 'Sun Otter' } })
    await expect(bot.confirm(draft)).rejects.toThrow('Already answered')
    expect(harness.calls).toEqual({ uploads: 0, builds: 0 })
  })

  test('answers changed during a build stop it', async () => {
    const draft = await harness.draft(bot)
    harness.apiServer.faults.set({ match: '/auction-templates', kind: 'slow', delayMs: 300 })
    const building = bot.confirm(draft)
    await expect.poll(() => harness.calls.builds).toBe(1)
    const now = await bot.stored(draft)
    await bot.drafts.save({ ...now, answers: { ...answers, name: 'Sun Otter' } })
    await expect(building).rejects.toThrow('Already answered')
    expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
    expect((await bot.drafts.find(draft.id))?.answers.name).toBe('Sun Otter')
  })

  test('a chain without a known launch contract is refused before anything is uploaded', async () => {
    const other = await LaunchHarness.start({ chain, settings: { launchers: {} } })
    const bot = await other.bot()
    const draft = await other.draft(bot)
    await expect(bot.confirm(draft)).rejects.toThrow('LAUNCHERS')
    expect(other.calls).toEqual({ uploads: 0, builds: 0 })
  })
})

describe('a step that fails', () => {
  const faults = [
    ['/ipfs/upload-metadata', 'status', 'isn’t responding'],
    ['/ipfs/upload-metadata', 'wrong-shape', 'something unusable'],
    ['/ipfs/upload-metadata', 'html', 'A firewall in front of the data provider'],
    ['/auction-templates', 'wrong-shape', 'something unusable'],
    ['/auction-templates', '429', 'busy'],
  ] as const

  test.each(faults)(
    '%s: %s says what to do, and “Try again” does only what is missing',
    async (match, kind, words) => {
      const draft = await harness.draft(bot)
      harness.apiServer.faults.set({ match, kind, times: 1 })
      const failed = await bot.confirm(draft)
      expect(textOf(failed)).toContain('❌')
      expect(textOf(failed)).toContain(words)
      expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
      linkToken(await bot.presses(failed, 'Try again'))
      const wasUpload = match === '/ipfs/upload-metadata'
      expect(harness.calls).toEqual({ uploads: wasUpload ? 2 : 1, builds: wasUpload ? 1 : 2 })
    },
  )

  test('an API that refuses the answers says to change them', async () => {
    const draft = await harness.draft(bot)
    harness.apiServer.faults.set({
      match: '/auction-templates',
      kind: 'status',
      status: 422,
      times: 1,
    })
    const failed = await bot.confirm(draft)
    expect(textOf(failed)).toContain('doesn’t accept these answers')
    expect(lineOf(failed, 'Change an answer')).toMatch(/^review /u)
  })

  test('an API that says which answers it refuses leads to them, with shares in percent', async () => {
    const draft = await harness.draft(bot)
    const build = harness.apiServer.launches.build
    harness.apiServer.launches.build = () => {
      const cause = new z.ZodError([
        {
          code: 'custom',
          path: ['beneficiaries'],
          message: 'beneficiaries shares must sum to 650000000000000000',
          input: undefined,
        },
        { code: 'custom', path: ['token', 'name'], message: 'Required', input: undefined },
      ])
      throw new HTTPException(400, { message: 'Validation failed', cause })
    }
    const failed = await bot.confirm(draft)
    expect(textOf(failed)).toContain(
      '“beneficiaries shares must sum to 650000000000000000 (65%); token.name: Required”',
    )
    expect(lineOf(failed, '✎ Name')).toMatch(/^change \S+ name$/u)
    harness.apiServer.launches.build = build
    const asked = await bot.presses(failed, '✎ Fee split')
    expect(textOf(asked)).toContain('Split your trading fees with anyone?')
  })

  test('a publisher that is down, or gives another CID, stops it before the upload', async () => {
    const picture = await harness.picture(bot)
    const draft = await harness.draft(bot, {
      answers: { ...answers, picture: { cid: picture.cid, stored: true } },
    })
    harness.kubo.fault = {
      kind: 'lying',
      cid: 'bafkreigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
    }
    const lied = await bot.confirm(draft)
    expect(textOf(lied)).toContain('stored something other')
    expect(harness.calls).toEqual({ uploads: 0, builds: 0 })
    harness.kubo.fault = undefined
    linkToken(await bot.presses(lied, 'Try again'))
    expect(harness.calls).toEqual({ uploads: 1, builds: 1 })
  })

  test('a node that is down fails a step that can be retried; what was built before is kept', async () => {
    const other = await LaunchHarness.start({ rpcUrl: 'http://127.0.0.1:1' })
    const bot = await other.bot()
    const draft = await other.draft(bot)
    const failed = await bot.confirm(draft)
    expect(textOf(failed)).toContain('node isn’t responding')
    expect(textOf(await bot.presses(failed, 'Try again'))).toContain('node isn’t responding')
    expect(other.calls).toEqual({ uploads: 1, builds: 1 })
    expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
  })

  test('“Try again” after the answers changed asks for another Confirm', async () => {
    const draft = await harness.draft(bot)
    harness.apiServer.faults.set({ match: '/auction-templates', kind: 'status', times: 1 })
    const failed = await bot.confirm(draft)
    const now = await bot.stored(draft)
    await bot.drafts.save({ ...now, answers: { ...answers, symbol: 'SUN' } })
    await expect(bot.presses(failed, 'Try again')).rejects.toThrow('confirm once more')
    expect(harness.calls.builds).toBe(1)
  })

  test('an unexpected fault is logged, and the build can be continued', async () => {
    const draft = await harness.draft(bot)
    await bot.store.schema.alterTable('payloads').renameColumn('body', 'gone').execute()
    const failed = await bot.confirm(draft)
    expect(textOf(failed)).toContain('❌')
    expect(harness.log.of('error')).toHaveLength(1)
    await bot.store.schema.alterTable('payloads').renameColumn('gone', 'body').execute()
    linkToken(await bot.presses(failed, 'Try again'))
    expect(harness.calls).toEqual({ uploads: 1, builds: 1 })
  })
})

describe('a killed process', () => {
  // Each save of the draft is the end of a step: whatever comes after it never happened.
  test.each([1, 2, 3, 4, 5])(
    'after save %i continues without doing anything twice',
    async (saves) => {
      const picture = await harness.picture(bot)
      const draft = await harness.draft(bot, {
        answers: { ...answers, picture: { cid: picture.cid, stored: true } },
      })
      const save = bot.drafts.save.bind(bot.drafts)
      let left = saves
      bot.drafts.save = async (each) => {
        if (left === 0) return new Promise(() => undefined)
        left -= 1
        const saved = await save(each)
        return left === 0 ? new Promise(() => undefined) : saved
      }
      void bot.confirm(draft)
      await expect.poll(() => left).toBe(0)
      const next = await harness.bot()
      const known = await next.drafts.find(draft.id)
      if (known?.state === 'open') {
        linkToken(await next.press(`continue ${draft.id}`))
      } else {
        const [payload] = await next.payloads.ofDraft(draft.id)
        linkToken(await next.press(`link ${payload?.id ?? ''}`))
      }
      expect(harness.kubo.added).toBe(1)
      expect(harness.calls).toEqual({ uploads: 1, builds: 1 })
      expect(await next.payloads.ofDraft(draft.id)).toHaveLength(1)
    },
  )

  test('between the payload and its hand-over, that payload is handed out', async () => {
    const draft = await harness.draft(bot)
    bot.watch.begin = () => new Promise(() => undefined)
    void bot.confirm(draft)
    await expect.poll(async () => (await bot.payloads.ofDraft(draft.id)).length).toBe(1)
    const [made] = await bot.payloads.ofDraft(draft.id)
    const next = await harness.bot()
    const view = await next.press(`continue ${draft.id}`)
    expect((await next.payloads.findByLink(linkToken(view)))?.id).toBe(made?.id)
    expect(harness.calls).toEqual({ uploads: 1, builds: 1 })
  })

  test('and a payload that was not handed out is replaced if the answers change', async () => {
    const draft = await harness.draft(bot)
    bot.watch.begin = () => new Promise(() => undefined)
    void bot.confirm(draft)
    await expect.poll(async () => (await bot.payloads.ofDraft(draft.id)).length).toBe(1)
    const next = await harness.bot()
    const now = await next.stored(draft)
    const changed = await next.drafts.save({ ...now, answers: { ...answers, name: 'Sun Otter' } })
    linkToken(await next.confirm(changed))
    const states = (await next.payloads.ofDraft(draft.id)).map(({ name, state }) => [name, state])
    expect(states).toContainEqual(['Moon Otter', 'revoked'])
    expect(states).toContainEqual(['Sun Otter', 'active'])
  })
})

describe('while a transaction is on its way, nothing is built again', () => {
  test('if the node says that it is pending', async () => {
    const { view, payload, token } = await harness.linked({}, bot)
    const { client, wallet: signer } = walletOn(chain)
    await client.setAutomine(false)
    try {
      const data = payload.calldata
      const sent = await signer.sendTransaction({ to: payload.to, data, gas: 8_000_000n })
      await bot.signingService.report(token, { account: wallet, hash: sent })
      const ended = await bot.revoke(view)
      harness.ahead = 10_000
      await expect(bot.presses(ended, 'Build again')).rejects.toThrow(`on its way: ${sent}`)
    } finally {
      await client.setAutomine(true)
      await client.mine({ blocks: 1 })
    }
    expect(harness.calls.builds).toBe(1)
  })

  test('also after it was opened again, from a page that was open when the link ended: Confirm says so', async () => {
    const { draft, view, payload, token } = await harness.linked({}, bot)
    await bot.presses(await bot.revoke(view), 'Build again')
    const { client, wallet: signer } = walletOn(chain)
    await client.setAutomine(false)
    try {
      const { to, calldata: data } = payload
      const sent = await signer.sendTransaction({ to, data, gas: 8_000_000n })
      await bot.signingService.report(token, { account: wallet, hash: sent })
      const confirmed = await bot.confirm(await bot.stored(draft))
      expect(textOf(confirmed)).toContain(`on its way: ${sent}`)
    } finally {
      await client.setAutomine(true)
      await client.mine({ blocks: 1 })
    }
    expect(harness.calls.builds).toBe(1)
  })

  test('if the node receives it only after the page of an expired link reported it', async () => {
    const { view, payload, token } = await harness.linked({}, bot)
    const ended = await bot.revoke(view)
    const { client, wallet: signer } = walletOn(chain)
    const request = { to: payload.to, data: payload.calldata, gas: 8_000_000n }
    const raw = await signer.signTransaction(await signer.prepareTransactionRequest(request))
    const sent = keccak256(raw)
    const reported = await bot.signingService.report(token, { account: wallet, hash: sent })
    expect(reported).toEqual({ state: 'revoked' })
    await client.setAutomine(false)
    try {
      await client.sendRawTransaction({ serializedTransaction: raw })
      await expect(bot.presses(ended, 'Build again')).rejects.toThrow(`on its way: ${sent}`)
      // What it said last counts for two seconds.
      const elapsed = performance.now.bind(performance)
      vi.spyOn(performance, 'now').mockImplementation(() => elapsed() + 2_000)
      onTestFinished(() => void vi.restoreAllMocks())
      expect(await bot.signingService.progress(token)).toMatchObject({
        transaction: { hash: sent, state: 'pending' },
      })
    } finally {
      await client.setAutomine(true)
      await client.mine({ blocks: 1 })
    }
    expect((await bot.watch.poll(payload)).payload).toMatchObject({
      state: 'launched',
      launchedBy: sent,
    })
  })

  test('but not while one has failed', async () => {
    const { view, payload, token } = await harness.linked({}, bot)
    const failed = await failing(chain, payload)
    await bot.signingService.report(token, { account: wallet, hash: failed.transactionHash })
    expect(textOf(await bot.presses(await bot.revoke(view), 'Build again'))).toContain('Review')
  })
})

describe('without a node', () => {
  test('a token that is listed already is never handed out', async () => {
    harness = await LaunchHarness.start()
    bot = await harness.bot()
    const asked = { chain: chainId, status: 'all', limit: 1, offset: 0 } as const
    const [asset] = harness.apiServer.world.list(asked)
    harness.apiServer.launches.tamper = (result) => ({
      ...result,
      token_address: asset?.asset_address,
    })
    const draft = await harness.draft(bot)
    const view = await bot.confirm(draft)
    expect(textOf(view)).toContain('❌ Check')
    expect(textOf(view)).toContain('already lists a token at')
    expect(textOf(view)).toContain('My launches +launches')
    expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
  })

  test('an API that can’t say whether it is listed is a step to try again', async () => {
    harness = await LaunchHarness.start()
    bot = await harness.bot()
    const draft = await harness.draft(bot)
    harness.apiServer.faults.set({ match: '/assets', kind: 'status' })
    const failed = await bot.confirm(draft)
    expect(textOf(failed)).toContain('provider isn’t responding')
    expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
    harness.apiServer.faults.clear()
    const view = await bot.presses(failed, 'Try again')
    expect(harness.calls).toEqual({ uploads: 1, builds: 1 })
    // Nor can it say whether an earlier payload was launched.
    const ended = await bot.revoke(view)
    harness.apiServer.faults.set({ match: '/assets', kind: 'status' })
    await expect(bot.presses(ended, 'Build again')).rejects.toThrow(
      'I can’t tell whether the earlier transaction launched',
    )
  })
})

test('without a node, a reported transaction is shown when the payload ends, and building again asks twice', async () => {
  harness = await LaunchHarness.start()
  bot = await harness.bot()
  bot.queue.start()
  const { draft, payload, token } = await harness.linked({}, bot)
  // Nothing says where its token would stand, so no listing can tell.
  await bot.payloads.change(payload.id, ({ token: _, ...each }) => each)
  await bot.signingService.report(token, { account: wallet, hash })
  harness.ahead = 25 * 3_600
  await bot.watch.pollSoon(payload.id)
  await expect.poll(() => harness.sent).toHaveLength(1)
  const [notice] = harness.sent
  if (!notice) throw new Error('no notice')
  expect(textOf(notice.view)).toContain(hash)
  expect(textOf(notice.view)).not.toContain('Nobody signed')
  const asked = await bot.presses(notice.view, 'Build again')
  expect(textOf(asked)).toContain('would launch a second one')
  expect((await bot.stored(draft)).state).toBe('handed')
  expect(textOf(await bot.presses(asked, 'Build again anyway'))).toContain('Review: ')
})

test('a link that could not be stored is made by “Try again”', async () => {
  const draft = await harness.draft(bot)
  await sql`create temp trigger full before update on main.payloads begin
    select raise(abort, 'database or disk is full'); end`.execute(bot.store)
  const failed = await bot.confirm(draft)
  expect(textOf(failed)).toContain('❌')
  expect((await bot.drafts.find(draft.id))?.state).toBe('handed')
  await sql`drop trigger full`.execute(bot.store)
  linkToken(await bot.presses(failed, 'Try again'))
  expect(harness.calls).toEqual({ uploads: 1, builds: 1 })
  expect(lineOf(failed, 'Try again')).toMatch(/^continue /u)
})

describe('a transaction that was reported, and that the node doesn’t know,', () => {
  test('blocks building for two minutes, says until when, and can be overridden by the launcher', async () => {
    const { draft, view, token } = await harness.linked({}, bot)
    await bot.signingService.report(token, { account: wallet, hash })
    const until = (await bot.payloads.findByLink(token))?.reported?.at ?? 0
    const ended = await bot.revoke(view)
    expect(textOf(ended)).toContain(hash)
    const warned = await bot.presses(ended, 'Build again')
    expect(textOf(warned)).toContain(hash)
    expect(textOf(warned)).toContain('would launch a second one')
    expect(timesIn(warned)).toEqual([until + 120])
    expect((await bot.drafts.find(draft.id))?.state).toBe('handed')
    expect(textOf(await bot.presses(warned, 'Build again anyway'))).toContain('Review: ')
    // Confirm does not ask once more.
    const open = await bot.stored(draft)
    linkToken(await bot.confirm(open))
  })

  test('of a later payload is warned of, also by the button that accepted an earlier one', async () => {
    const first = await harness.linked({}, bot)
    await bot.signingService.report(first.token, { account: wallet, hash })
    const warned = await bot.presses(await bot.revoke(first.view), 'Build again')
    await bot.presses(warned, 'Build again anyway')
    const second = await bot.confirm(await bot.stored(first.draft))
    const later = madeUp(2)
    await bot.signingService.report(linkToken(second), { account: wallet, hash: later })
    await bot.revoke(second)
    const again = await bot.presses(warned, 'Build again anyway')
    expect(textOf(again)).toContain(later)
    expect(textOf(await bot.presses(again, 'Build again anyway'))).toContain('Review: ')
  })

  test('blocks nothing after two minutes', async () => {
    const { view, token } = await harness.linked({}, bot)
    await bot.signingService.report(token, { account: wallet, hash })
    const ended = await bot.revoke(view)
    harness.ahead = 110
    expect(textOf(await bot.presses(ended, 'Build again'))).toContain('Already launched?')
    harness.ahead = 121
    expect(textOf(await bot.presses(ended, 'Build again'))).toContain('Review: ')
  })

  test('blocks nothing for longer, even if another hash is made up each minute', async () => {
    const { view, token } = await harness.linked({}, bot)
    const madeUpIn = async (from: number, to: number) => {
      for (let minute = from; minute < to; minute += 1) {
        harness.ahead = minute * 60
        await bot.signingService.report(token, { account: wallet, hash: madeUp(minute) })
      }
    }
    await madeUpIn(0, 20)
    const ended = await bot.revoke(view)
    expect(textOf(await bot.presses(ended, 'Build again'))).toContain('Already launched?')
    await madeUpIn(20, 23)
    expect(textOf(await bot.presses(ended, 'Build again'))).toContain('Review: ')
  })

  test.each(['revoked', 'expired'] as const)('blocks nothing if its link is %s', async (state) => {
    const { draft, payload, token } = await harness.linked({}, bot)
    await bot.payloads.change(payload.id, (each) => ({ ...each, state }))
    expect(await bot.signingService.report(token, { account: wallet, hash })).toEqual({ state })
    const ended = await bot.press(`show ${payload.id}`)
    expect(textOf(await bot.presses(ended, 'Build again'))).toContain('Review: ')
    await bot.signingService.report(token, { account: wallet, hash: madeUp(1) })
    const open = await bot.stored(draft)
    linkToken(await bot.confirm(open))
  })

  test('is refused from a link that another one replaced', async () => {
    const { view, payload, token } = await harness.linked({}, bot)
    await bot.presses(view, 'New link')
    expect(await bot.signingService.report(token, { account: wallet, hash })).toBeUndefined()
    expect(await bot.payloads.find(payload.id)).toMatchObject({ reports: 0 })
    expect(textOf(await bot.presses(await bot.revoke(view), 'Build again'))).toContain('Review')
  })

  test('through an expired link is not shown as sent by the next link', async () => {
    const { view, token } = await harness.linked({}, bot)
    harness.ahead = 3_600
    expect(await bot.signingService.report(token, { account: wallet, hash })).toEqual({
      state: 'expired',
    })
    const next = linkToken(await bot.presses(view, 'New link'))
    expect(await bot.signingService.progress(next)).toEqual({ launched: false })
  })

  test('is not shown as sent for ever by the page of a valid link', async () => {
    const { token } = await harness.linked({}, bot)
    await bot.signingService.report(token, { account: wallet, hash })
    expect(await bot.signingService.progress(token)).toMatchObject({ transaction: { hash } })
    harness.ahead = 121
    expect(await bot.signingService.progress(token)).toEqual({ launched: false })
  })

  test('reported after the link expired replaces none that was reported before', async () => {
    const { view, token } = await harness.linked({}, bot)
    const before = Array.from({ length: 5 }, (_, each) => madeUp(each))
    for (const each of before)
      await bot.signingService.report(token, { account: wallet, hash: each })
    await bot.revoke(view)
    await bot.signingService.report(token, { account: wallet, hash })
    const payload = await bot.payloads.findByLink(token)
    const kept = payload && reportsOf(payload).map((each) => each.hash)
    expect(kept).toEqual(before.reverse())
  })
})

test('without a node, a transaction reported after the link expired is mentioned once as unchecked, before anything is built', async () => {
  harness = await LaunchHarness.start()
  const { bot, draft, view, token } = await harness.linked()
  await bot.presses(await bot.revoke(view), 'Build again')
  await bot.signingService.report(token, { account: wallet, hash })
  const open = await bot.stored(draft)
  const warned = await bot.confirm(open)
  expect(textOf(warned)).toContain(hash)
  expect(textOf(warned)).toContain('after the link had expired')
  expect(textOf(warned)).toContain('I couldn’t check')
  expect(harness.calls.builds).toBe(1)
  expect(textOf(await bot.presses(warned, 'Build again anyway'))).toContain('Review: ')
  // Whoever makes up more of them changes nothing.
  await bot.signingService.report(token, { account: wallet, hash: madeUp(1) })
  const again = await bot.stored(draft)
  linkToken(await bot.confirm(again))
})
