import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { showcaseAddresses } from '../../../sandbox/api/showcase.ts'
import { localise } from '../../../src/core/catalogue.ts'
import type { View } from '../../../src/core/view.ts'
import { StoredCallbacks } from '../../../src/db/callback-lines.ts'
import { discord } from '../../../src/discord/platform.ts'
import { renderDiscord } from '../../../src/discord/render.ts'
import { createLogger } from '../../../src/log.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { renderTelegram } from '../../../src/telegram/render.ts'
import { type CommandHarness, startCommands } from './bot.ts'

let harness: CommandHarness
beforeEach(async () => {
  harness = await startCommands()
})
afterEach(() => harness.stop())

const shown = {
  telegram: (view: View, lines: StoredCallbacks) => renderTelegram(localise(view, 'en'), lines),
  discord: (view: View, lines: StoredCallbacks) => renderDiscord(localise(view, 'en'), lines),
}
const context = { user: '7', chat: '7', ephemeral: true, isPrivate: true, locale: 'en' } as const

describe.each([telegram, discord])('on $name', (platform) => {
  test.each([
    'help',
    'help alerts',
    'asset ADDRESS',
    'search moon',
    'assets',
    'assets status:live',
  ])('/%s, which only shows something, makes no statement to the database', async (line) => {
    const { bot, store, statements } = harness
    const command = bot.parse(line.replace('ADDRESS', showcaseAddresses.moonOtter))
    const { view, outcome } = await bot.answer(command, { ...context, platform })
    expect(outcome).toBe('answered')
    const lines = new StoredCallbacks(store, () => 0, createLogger('silent', []))
    await shown[platform.name](view, lines)
    expect(statements).toEqual([])
    expect(await store.selectFrom('callback_lines').select('line').execute()).toEqual([])
  })
})

test.each([
  ['alerts add live', ['Insert', 'Insert', 'Insert', 'Update']],
  ['alerts add graduated', ['Insert', 'Insert', 'Insert', 'Update']],
  ['alerts change 1 percent:50', ['Update', 'Insert', 'Update']],
  ['alerts mute 8h', ['Insert', 'Update', 'Update', 'Update']],
  ['alerts unmute', ['Insert', 'Update']],
])(
  '/%s changes something by three statements at most, and ends what was asked',
  async (line, changes) => {
    const { bot, statements } = harness
    let update = 0
    const answer = (each: string) =>
      bot.answer(bot.parse(each), { ...context, platform: telegram, update: `${update++}` })
    await answer('alerts add progress')
    const before = statements.length
    expect((await answer(line)).outcome).toBe('answered')
    const kinds = statements.slice(before).map((kind) => kind.replace('QueryNode', ''))
    expect(kinds.filter((kind) => kind !== 'Select')).toEqual(changes)
    // What the chat has, before and after.
    expect(kinds.filter((kind) => kind === 'Select').length).toBeLessThanOrEqual(3)
  },
)
