import fc from 'fast-check'
import { expect, test } from 'vitest'
import { UserError } from '../../../src/errors.ts'
import type { Draft } from '../../../src/launch/draft.ts'
import { answers, type Bot, LaunchHarness } from './harness.ts'
import { confirmLineOf } from './view-reading.ts'

const step = fc.oneof(
  fc.constantFrom('confirm', 'stale', 'continue', 'rebuild', 'revoke', 'link', 'restart', 'fault'),
  fc.constantFrom('confirm twice', 'rename', 'expire'),
)

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** One launch, pressed at in any order; what a person can't do is refused in words. */
class Launch {
  bot: Bot
  readonly harness: LaunchHarness
  readonly id: string

  constructor(harness: LaunchHarness, bot: Bot, id: string) {
    this.harness = harness
    this.bot = bot
    this.id = id
  }

  async take(what: Step): Promise<void> {
    const draft = await this.bot.stored(this)
    const [payload] = await this.bot.payloads.ofDraft(this.id)
    switch (what) {
      case 'confirm':
        return this.confirm(draft)
      case 'confirm twice':
        await Promise.all([this.confirm(draft), this.confirm(draft)])
        return
      case 'stale':
        return this.confirm(draft, 1)
      case 'continue':
      case 'rebuild':
        return this.press(what, this.id)
      case 'revoke':
        return this.press('revoked', payload?.id ?? '')
      case 'link':
        return this.press('link', payload?.id ?? '')
      case 'restart':
        this.bot = await this.harness.bot()
        return
      case 'fault':
        this.harness.apiServer.faults.set({ match: '/auction-templates', kind: 'status', times: 1 })
        return
      case 'rename': {
        const name = `Otter ${draft.rev}`
        if (draft.state !== 'open') return
        await this.bot.drafts.save({ ...draft, answers: { ...draft.answers, name } })
        return
      }
      case 'expire': {
        await this.bot.payloads.change(payload?.id ?? '', (each) =>
          each.state === 'active' ? { ...each, state: 'expired' } : undefined,
        )
      }
    }
  }

  /** Presses Confirm below a review of the draft, of this rev or the one `before` it. */
  async confirm(draft: Draft, before = 0): Promise<void> {
    const review = this.bot.conversation.review({ ...draft, rev: draft.rev - before })
    const [action = '', ...at] = confirmLineOf(review).split(' ')
    await this.press(action, at.join(' '))
  }

  async press(action: string, at: string): Promise<void> {
    try {
      await this.bot.press(`${action} ${at}`)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
    }
  }
}

test('no order of presses, changes, faults and restarts makes two payloads to sign, or uploads twice', async () => {
  const harness = await LaunchHarness.start()
  let bot = await harness.bot()
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const before = harness.apiServer.launches.uploaded.length
        const draft = await harness.draft(bot, { answers: { ...answers } })
        const launch = new Launch(harness, bot, draft.id)
        const names = new Set<string | undefined>()
        for (const each of steps) {
          await launch.take(each)
          names.add((await launch.bot.drafts.find(draft.id))?.answers.name)
          const built = await launch.bot.payloads.ofDraft(draft.id)
          expect(built.filter(({ state }) => state === 'active').length).toBeLessThanOrEqual(1)
          // Who got a payload has confirmed just those answers.
          expect(built.every(({ name }) => names.has(name))).toBe(true)
        }
        const uploads = harness.apiServer.launches.uploaded.length - before
        expect(uploads).toBeLessThanOrEqual(names.size)
        bot = launch.bot
        const last = await bot.drafts.find(draft.id)
        if (last?.state === 'open') await bot.drafts.save({ ...last, state: 'cancelled' })
      }),
      { numRuns: 40 },
    )
  } finally {
  }
})
