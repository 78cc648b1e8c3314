import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import { discord } from '../../../src/discord/platform.ts'
import { UserError } from '../../../src/errors.ts'
import { linkToken, textOf, watchful } from './seen.ts'
import { ada, answers, bob, chainId, confirm, launcher, Works } from './works.ts'

let chain: LocalChain
beforeAll(async () => {
  chain = await startChain({ chainId, launcher })
})
afterAll(() => chain.stop())

let works: Works
beforeEach(async () => {
  works = await Works.start({ chain })
})
afterEach(() => works.stop())

const { show: unseen } = watchful()

describe('what is confirmed', () => {
  test('is published, uploaded, built and checked, each step ticked off, and handed out with a link', async () => {
    const bot = await works.bot()
    const picture = await works.picture(bot)
    const draft = await works.draft(bot, {
      answers: { ...answers, picture: { cid: picture.cid, stored: true } },
    })
    const { views, show } = watchful()
    const view = await bot.launches.press(`confirm ${draft.id}.${draft.rev}`, ada, show)
    expect(views.map((each) => textOf(each).replaceAll(/[^✅⏳▫❌]/gu, ''))).toEqual([
      '⏳▫▫▫',
      '✅⏳▫▫',
      '✅✅⏳▫',
      '✅✅✅⏳',
    ])
    expect(works.kubo.find(picture.cid)).toBeDefined()
    const [uploaded] = works.upstream.launches.uploaded
    expect(uploaded?.asked).toMatchObject({ name: 'Moon Otter', image_hash: picture.cid })
    const [built] = works.upstream.launches.built
    expect(built?.asked).toMatchObject({
      debug: true,
      metadata: { token_symbol: 'OTTER', token_uri: `ipfs://${uploaded?.cid}` },
    })
    expect(linkToken(view)).toMatch(/^[\w-]{32}$/u)
    const read = textOf(views.at(-1) ?? view)
    expect(read).toContain('✅ Payload')
    expect(textOf(view)).toContain('a trial run on the chain showed it')
    const payload = await bot.payloads.active(draft.id)
    expect(payload).toMatchObject({
      state: 'active',
      verified: true,
      token: built?.result.token_address,
      picture: picture.cid,
    })
    expect((await bot.drafts.find(draft.id))?.state).toBe('handed')
  })

  test('needs every answer', async () => {
    const bot = await works.bot()
    const { wallet: _, ...unfinished } = answers
    const draft = await works.draft(bot, { answers: unfinished })
    await expect(confirm(bot, draft)).rejects.toThrow('Not every question is answered')
    expect(works.calls).toEqual({ uploads: 0, builds: 0 })
  })

  test('is Confirm alone: the lines behind later buttons build nothing before it', async () => {
    const bot = await works.bot()
    const draft = await works.draft(bot)
    for (const [action, at] of [
      ['unverified', `${draft.id}.${draft.rev}`],
      ['continue', draft.id],
    ] as const) {
      await expect(bot.launches.press(`${action} ${at}`, ada, unseen)).rejects.toThrow(UserError)
    }
    expect(works.calls).toEqual({ uploads: 0, builds: 0 })
  })

  test('is one person’s own: to all others it does not exist', async () => {
    const bot = await works.bot()
    const draft = await works.draft(bot)
    const namesake = { ...ada, platform: discord } as const
    await expect(confirm(bot, draft, namesake)).rejects.toThrow('no such launch of yours')
    await expect(confirm(bot, draft, bob)).rejects.toThrow('no such launch of yours')
    await expect(bot.launches.press('confirm zzzzzzzz.1', ada, unseen)).rejects.toThrow(
      'no such launch of yours',
    )
  })

  test('two presses at once build once; the second reads that it is under way', async () => {
    const bot = await works.bot()
    const draft = await works.draft(bot)
    const both = await Promise.allSettled([confirm(bot, draft), confirm(bot, draft)])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(both[1]).toMatchObject({ reason: { message: expect.stringContaining('built already') } })
    expect(works.calls).toEqual({ uploads: 1, builds: 1 })
    await expect(confirm(bot, draft)).rejects.toThrow('no longer being built')
    expect(works.calls).toEqual({ uploads: 1, builds: 1 })
  })

  test('two processes that are asked at once build once', async () => {
    const [one, other] = [await works.bot(), await works.bot()]
    const draft = await works.draft(one)
    const both = await Promise.allSettled([confirm(one, draft), confirm(other, draft)])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(works.calls).toEqual({ uploads: 1, builds: 1 })
    expect(await one.payloads.ofDraft(draft.id)).toHaveLength(1)
  })

  test('a Confirm from before a change says so', async () => {
    const bot = await works.bot()
    const draft = await works.draft(bot)
    await bot.drafts.save({ ...draft, answers: { ...answers, name: 'Sun Otter' } })
    await expect(confirm(bot, draft)).rejects.toThrow('already answered')
    expect(works.calls).toEqual({ uploads: 0, builds: 0 })
  })

  test('answers that change while it is built are not built from what they were', async () => {
    const bot = await works.bot()
    const draft = await works.draft(bot)
    works.upstream.faults.set({ match: '/auction-templates', kind: 'slow', delayMs: 300 })
    const building = confirm(bot, draft)
    await expect.poll(() => works.calls.builds).toBe(1)
    const now = await bot.drafts.find(draft.id)
    if (!now) throw new Error('no draft')
    await bot.drafts.save({ ...now, answers: { ...answers, name: 'Sun Otter' } })
    await expect(building).rejects.toThrow('already answered')
    expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
    expect((await bot.drafts.find(draft.id))?.answers.name).toBe('Sun Otter')
  })

  test('a chain without a known launch contract is refused before anything is uploaded', async () => {
    const other = await Works.start({ chain, settings: { launchers: {} } })
    try {
      const bot = await other.bot()
      const draft = await other.draft(bot)
      await expect(confirm(bot, draft)).rejects.toThrow('LAUNCHERS')
      expect(other.calls).toEqual({ uploads: 0, builds: 0 })
    } finally {
      await other.stop()
    }
  })
})
