import { HTTPException } from 'hono/http-exception'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Context } from '../../../src/core/command.ts'
import type { View } from '../../../src/core/view.ts'
import { ada, answers, type Bot, bob, chainId, LaunchHarness } from './harness.ts'
import { localChain } from './local-chain.ts'
import { confirmLineOf, lineOf, linkToken, textOf } from './view-reading.ts'

const chain = await localChain()
const honest = 'sandbox-standard'
/** Pays 60% of the fees to somebody, and leaves 35%. */
const greedy = 'sandbox-shared'

let harness: LaunchHarness
/** The template that the API really builds. */
let built: string
beforeEach(async () => {
  const template = { id: honest, label: 'Standard', chain: chainId }
  harness = await LaunchHarness.start({ chain, settings: { templates: [template] } })
  built = honest
  const { launches } = harness.apiServer
  const build = launches.build.bind(launches)
  launches.build = (id, asked) => build(id, { ...asked, template_id: built })
})

/** The review as somebody sees it. */
function reviewed(bot: Bot, context: Context = ada): Promise<View> {
  return bot.conversation.begin(context, { goal: 'launch' })
}

function expectReviewAgain(view: View): void {
  expect(textOf(view)).toContain('no longer what your review showed')
  expect(textOf(view)).toContain('60% to the integrator 0x')
  expect(harness.calls.uploads).toBe(0)
}

test.each([
  ['with a node', true, 'and 5% to the protocol'],
  ['without one', false, 'and 5% to the protocol 0x'],
])(
  'who gets the fees that a template presets is named, in the review and behind it: %s',
  async (_, hasNode, protocol) => {
    const settings = { templates: [{ id: greedy, label: 'Shared', chain: chainId }] }
    const other = await LaunchHarness.start(hasNode ? { chain, settings } : { settings })
    const bot = await other.bot()
    await other.draft(bot, { answers: { ...answers, template: greedy } })
    const review = await reviewed(bot)
    expect(textOf(review)).toMatch(
      /fees go: 60% to the integrator 0x[\da-f]{40}, 35% to you and 5% to the protocol\n/iu,
    )
    const ready = textOf(await bot.presses(review, 'Confirm'))
    expect(ready).toContain('Ready to sign')
    expect(ready).toMatch(/fees go: 60% to the integrator 0x[\da-f]{4}…[\da-f]{4}, 35% to you/iu)
    expect(ready).toContain(protocol)
  },
)

test('a review says of what its template does not promise that it is shown after Confirm', async () => {
  const bot = await harness.bot()
  await harness.draft(bot)
  const review = textOf(await reviewed(bot))
  for (const label of ['For sale', 'Starting price', 'Trading fee']) {
    expect(review).toContain(`${label}: shown after Confirm`)
  }
})

test('a review is confirmed for the terms that it showed, though others learned new ones after a restart', async () => {
  const before = await harness.bot()
  await harness.draft(before)
  const review = await reviewed(before)
  expect(textOf(review)).toContain('95% to you')
  built = greedy
  const bot = await harness.bot()
  await harness.draft(bot, {}, bob)
  expect(textOf(await reviewed(bot, bob))).toContain('60% to the integrator 0x')
  const again = await bot.presses(review, 'Confirm')
  expectReviewAgain(again)
  linkToken(await bot.presses(again, 'Confirm'))
})

test('a build that was refused goes on only with the terms that were confirmed', async () => {
  const bot = await harness.bot()
  const { id } = await harness.draft(bot)
  const review = await reviewed(bot)
  harness.apiServer.faults.set({ match: '/ipfs/upload-metadata', kind: 'status', status: 400 })
  const refused = await bot.presses(review, 'Confirm')
  harness.apiServer.faults.clear()
  built = greedy
  await harness.draft(bot, {}, bob)
  await reviewed(bot, bob)
  const again = await bot.presses(refused, 'Try again')
  expect(textOf(again)).toContain('no longer what your review showed')
  expect(await bot.payloads.ofDraft(id)).toEqual([])
  // The old terms are those that were confirmed.
  built = honest
  linkToken(await bot.presses(refused, 'Try again'))
})

test('a firewall before the API fails the step that it stopped, and none that was not begun', async () => {
  const bot = await harness.bot()
  await harness.draft(bot)
  const review = await reviewed(bot)
  harness.apiServer.faults.set({ match: '/', kind: 'html', status: 403 })
  const steps = (view: View) => textOf(view).replaceAll(/[^✅⏳▫❌]/gu, '')
  const failed = await bot.presses(review, 'Confirm')
  expect(steps(failed)).toBe('❌▫▫')
  // After a restart the template's terms are not known before the first step.
  const again = await (await harness.bot()).presses(failed, 'Try again')
  expect(steps(again)).toBe('▫▫▫')
  expect(textOf(again)).toContain('Not built yet: Moon Otter')
  expect(textOf(again)).toContain('A firewall in front of the data provider')
  harness.apiServer.faults.clear()
  linkToken(await bot.presses(again, 'Try again'))
})

test('a process that learned something else before the review was shown by another asks again', async () => {
  const [old, bot] = [await harness.bot(), await harness.bot()]
  await harness.draft(old, {}, bob)
  expect(textOf(await reviewed(old, bob))).toContain('95% to you')
  built = greedy
  await harness.draft(bot)
  const review = await reviewed(bot)
  expect(textOf(review)).toContain('60% to the integrator 0x')
  linkToken(await old.presses(review, 'Confirm'))
})

test('a payload that was built for other terms is not handed out for those that were confirmed last', async () => {
  const bot = await harness.bot()
  const draft = await harness.draft(bot)
  const begin = bot.watch.begin.bind(bot.watch)
  bot.watch.begin = async () => {
    throw new Error('killed')
  }
  await bot.presses(await reviewed(bot), 'Confirm')
  const [first] = await bot.payloads.ofDraft(draft.id)
  expect(first?.state).toBe('active')
  expect(first?.handedAt).toBeUndefined()
  bot.watch.begin = begin
  built = greedy
  const next = await harness.bot()
  linkToken(await next.presses(await reviewed(next), 'Confirm'))
  expect(await next.payloads.find(first?.id ?? '')).toMatchObject({ state: 'revoked' })
})

describe('a template that the API lists, and turns out not to have,', () => {
  const missing = 'The data provider doesn’t have the template that you chose on Base.'
  let bot: Bot
  beforeEach(async () => {
    const lacking = await LaunchHarness.start({ chain, settings: { templates: [] } })
    const { launches } = lacking.apiServer
    const build = launches.build.bind(launches)
    launches.build = async (id, asked) => {
      if (asked.template_id === greedy) throw new HTTPException(404, { message: 'Not found' })
      return build(id, asked)
    }
    bot = await lacking.bot()
  })

  test('is said to be none as soon as it is chosen, and another is asked for', async () => {
    const draft = await harness.draft(bot, { answers: { chain: chainId } })
    const view = await bot.presses(await reviewed(bot), 'Shared fees')
    expect(textOf(view)).toContain(missing)
    expect(textOf(view)).toContain('Template')
    expect(() => lineOf(view, 'Shared fees')).toThrow('no button')
    await bot.presses(view, 'Standard curve')
    expect((await bot.stored(draft)).answers.template).toBe(honest)
  })

  test('is chosen anew in place of the review', async () => {
    const draft = await harness.draft(bot, { answers: { ...answers, template: greedy } })
    const view = await reviewed(bot)
    expect(textOf(view)).toContain(missing)
    expect((await bot.stored(draft)).answers.template).toBeUndefined()
    linkToken(await bot.presses(await bot.presses(view, 'Standard curve'), 'Confirm'))
  })
})

test('a Confirm that names no terms shows the review again', async () => {
  const bot = await harness.bot()
  await harness.draft(bot)
  const [action = '', at = ''] = confirmLineOf(await reviewed(bot)).split(' ')
  const again = await bot.press(`${action} ${at}`)
  expect(textOf(again)).toContain('no longer what your review showed')
  expect(harness.calls.uploads).toBe(0)
})
