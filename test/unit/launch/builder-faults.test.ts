import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../../sandbox/chain/chain.ts'
import { lineOf, linkToken, textOf, watchful } from './seen.ts'
import { ada, answers, chainId, confirm, launcher, presses, Works } from './works.ts'

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

describe('a step that fails', () => {
  const faults = [
    ['/ipfs/upload-metadata', 'status', 'does not answer'],
    ['/ipfs/upload-metadata', 'reset', 'does not answer'],
    ['/ipfs/upload-metadata', 'broken-json', 'can’t be used'],
    ['/ipfs/upload-metadata', 'wrong-shape', 'can’t be used'],
    ['/ipfs/upload-metadata', 'html', 'operator has to look'],
    ['/auction-templates', 'status', 'does not answer'],
    ['/auction-templates', 'truncated', 'does not answer'],
    ['/auction-templates', 'wrong-shape', 'can’t be used'],
    ['/auction-templates', '429', 'busy'],
  ] as const

  test.each(faults)(
    '%s: %s says what to do, and “Go on” does only what is missing',
    async (match, kind, words) => {
      const bot = await works.bot()
      const draft = await works.draft(bot)
      works.upstream.faults.set({ match, kind, times: 1 })
      const failed = await confirm(bot, draft)
      expect(textOf(failed)).toContain('❌')
      expect(textOf(failed)).toContain(words)
      expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
      linkToken(await presses(bot, failed, 'Go on'))
      const wasUpload = match === '/ipfs/upload-metadata'
      expect(works.calls).toEqual({ uploads: wasUpload ? 2 : 1, builds: wasUpload ? 1 : 2 })
    },
  )

  test('an interface that refuses the answers says to change them', async () => {
    const bot = await works.bot()
    const draft = await works.draft(bot)
    works.upstream.faults.set({
      match: '/auction-templates',
      kind: 'status',
      status: 422,
      times: 1,
    })
    const failed = await confirm(bot, draft)
    expect(textOf(failed)).toContain('does not accept these answers')
    expect(lineOf(failed, 'Change an answer')).toMatch(/^review /u)
  })

  test('a publisher that is down, or gives another CID, stops it before the upload', async () => {
    const bot = await works.bot()
    const picture = await works.picture(bot)
    const draft = await works.draft(bot, {
      answers: { ...answers, picture: { cid: picture.cid, stored: true } },
    })
    works.kubo.fault = {
      kind: 'lying',
      cid: 'bafkreigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
    }
    const lied = await confirm(bot, draft)
    expect(textOf(lied)).toContain('stored something else')
    expect(works.calls).toEqual({ uploads: 0, builds: 0 })
    works.kubo.fault = undefined
    linkToken(await presses(bot, lied, 'Go on'))
    expect(works.calls).toEqual({ uploads: 1, builds: 1 })
  })

  test('a node that is down is a step to try again; what was built before is kept', async () => {
    const other = await Works.start({ rpcUrl: 'http://127.0.0.1:1' })
    try {
      const bot = await other.bot()
      const draft = await other.draft(bot)
      const failed = await confirm(bot, draft)
      expect(textOf(failed)).toContain('node does not answer')
      expect(textOf(await presses(bot, failed, 'Go on'))).toContain('node does not answer')
      expect(other.calls).toEqual({ uploads: 1, builds: 1 })
      expect(await bot.payloads.ofDraft(draft.id)).toEqual([])
    } finally {
      await other.stop()
    }
  })

  test('“Go on” after the answers changed asks for another Confirm', async () => {
    const bot = await works.bot()
    const draft = await works.draft(bot)
    works.upstream.faults.set({ match: '/auction-templates', kind: 'status', times: 1 })
    const failed = await confirm(bot, draft)
    const now = await bot.drafts.find(draft.id)
    if (!now) throw new Error('no draft')
    await bot.drafts.save({ ...now, answers: { ...answers, symbol: 'SUN' } })
    await expect(presses(bot, failed, 'Go on')).rejects.toThrow('confirm them once more')
    expect(works.calls.builds).toBe(1)
  })

  test('a fault that nobody foresaw is logged, and the steps stay to be gone on with', async () => {
    const bot = await works.bot()
    const draft = await works.draft(bot)
    await bot.store.schema.alterTable('payloads').renameColumn('body', 'gone').execute()
    const failed = await confirm(bot, draft)
    expect(textOf(failed)).toContain('❌')
    expect(works.log.of('error')).toHaveLength(1)
    await bot.store.schema.alterTable('payloads').renameColumn('gone', 'body').execute()
    linkToken(await presses(bot, failed, 'Go on'))
    expect(works.calls).toEqual({ uploads: 1, builds: 1 })
  })
})

describe('a process that is killed', () => {
  // Each save of the draft is the end of a step: whatever comes after it never happened.
  test.each([1, 2, 3, 4, 5])('after save %i goes on without anything done twice', async (saves) => {
    const bot = await works.bot()
    const picture = await works.picture(bot)
    const draft = await works.draft(bot, {
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
    void confirm(bot, draft)
    await expect.poll(() => left).toBe(0)
    const next = await works.bot()
    const known = await next.drafts.find(draft.id)
    if (known?.state === 'open') {
      linkToken(await next.launches.press(`continue ${draft.id}`, ada, unseen))
    } else {
      const [payload] = await next.payloads.ofDraft(draft.id)
      linkToken(await next.launches.press(`link ${payload?.id ?? ''}`, ada, unseen))
    }
    expect(works.kubo.added).toBe(1)
    expect(works.calls).toEqual({ uploads: 1, builds: 1 })
    expect(await next.payloads.ofDraft(draft.id)).toHaveLength(1)
  })

  test('between the payload and its hand-over, that payload is handed out', async () => {
    const bot = await works.bot()
    const draft = await works.draft(bot)
    bot.watch.begin = () => new Promise(() => undefined)
    void confirm(bot, draft)
    await expect.poll(async () => (await bot.payloads.ofDraft(draft.id)).length).toBe(1)
    const [made] = await bot.payloads.ofDraft(draft.id)
    const next = await works.bot()
    const view = await next.launches.press(`continue ${draft.id}`, ada, unseen)
    expect((await next.payloads.findByLink(linkToken(view)))?.id).toBe(made?.id)
    expect(works.calls).toEqual({ uploads: 1, builds: 1 })
  })

  test('and a payload that nobody got is replaced when the answers change', async () => {
    const bot = await works.bot()
    const draft = await works.draft(bot)
    bot.watch.begin = () => new Promise(() => undefined)
    void confirm(bot, draft)
    await expect.poll(async () => (await bot.payloads.ofDraft(draft.id)).length).toBe(1)
    const next = await works.bot()
    const now = await next.drafts.find(draft.id)
    if (!now) throw new Error('no draft')
    const changed = await next.drafts.save({ ...now, answers: { ...answers, name: 'Sun Otter' } })
    linkToken(await confirm(next, changed))
    const states = (await next.payloads.ofDraft(draft.id)).map(({ name, state }) => [name, state])
    expect(states).toContainEqual(['Moon Otter', 'revoked'])
    expect(states).toContainEqual(['Sun Otter', 'active'])
  })
})
