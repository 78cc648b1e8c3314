import { afterEach, beforeEach, expect, test } from 'vitest'
import { chainById } from '../../../src/chain/chains.ts'
import type { Context } from '../../../src/core/command.ts'
import { discord } from '../../../src/discord/platform.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { controls, shown } from '../views/shown.ts'
import { type CommandHarness, dispatch, startCommands } from './bot.ts'

let harness: CommandHarness
beforeEach(async () => {
  harness = await startCommands({
    messenger: {
      manages: async () => true,
      title: async () => undefined,
      send: async () => ({ message: '1' }),
    },
  })
})
afterEach(() => harness.stop())

const group: Context = {
  platform: telegram,
  user: '7',
  chat: '-100',
  ephemeral: false,
  isPrivate: false,
  locale: 'en',
  update: '1',
}
const person: Context = { ...group, chat: '7', ephemeral: true, isPrivate: true }
const again = (context: Context) => ({ ...context, update: '2' })
const welcome = (context: Context) => harness.bot.welcome(context)
const run = (line: string, context: Context) =>
  harness.bot.answer(harness.bot.parse(line), { ...context, update: line })
const pause = (loss: string) => harness.store.updateTable('chats').set({ paused: loss }).execute()

test.each([telegram, discord])(
  'a new chat on $name is offered alerts, each of which is added by its line',
  async (platform) => {
    const view = await welcome({ ...group, platform })
    const lines = (view?.buttons ?? []).flat().map((button) => 'line' in button && button.line)
    expect(lines).toEqual([
      'alerts add live graduated chain:base',
      'alerts choose live creator chain:base',
      'alerts add digest hour:9',
      'alerts add',
    ])
    for (const line of [lines[0], lines[2]]) {
      const { view: added, outcome } = await run(String(line), { ...group, platform })
      expect([outcome, shown(added).join(' ')]).toEqual([
        'answered',
        expect.stringMatching(/✅|🔔/u),
      ])
    }
    const context = { ...group, platform }
    const list = await harness.services.alerts.of(harness.services.alerts.permissions({ context }))
    expect(list.subscriptions.map(({ rule }) => rule.kind)).toEqual(['live', 'graduated', 'digest'])
  },
)

test('a chat is offered no graduations on a chain whose tokens don’t graduate', async () => {
  harness.services.chains = [chainById(4663)]
  const view = await welcome(group)
  expect(view && controls(view)[0]).toEqual([
    '🔔 New auctions on Robinhood Chain alerts add live chain:robinhood',
  ])
})

test('an update that its platform brings twice is answered once', async () => {
  expect(await welcome(group)).toBeDefined()
  expect(await welcome(group)).toBeUndefined()
  expect(await welcome(again(group))).toBeDefined()
})

test('who lets the bot in and removes it again and again is not greeted each time', async () => {
  const bot = dispatch(harness.services, { person: 3, chat: 100 })
  const greetings = []
  for (let update = 0; update < 20; update += 1) {
    greetings.push(await bot.welcome({ ...group, update: `${update}` }))
  }
  expect(greetings.filter((view) => view !== undefined)).toHaveLength(3)
})

test('a chat that has alerts is not offered any', async () => {
  await run('alerts add live', group)
  expect(await welcome(group)).toBeUndefined()
})

test('a chat whose alerts were paused hears why, and that they go on', async () => {
  await run('alerts add live', group)
  await pause('removed')
  const view = await welcome(group)
  expect(view && shown(view).join(' ')).toMatch(/removed|nothing was sent/u)
  const { alerts } = harness.services
  expect((await alerts.of(alerts.permissions({ context: group }))).paused).toBeUndefined()
  expect(await welcome(again(group))).toBeUndefined()
})

test('a person who unblocks the bot hears of paused alerts alone', async () => {
  expect(await welcome(person)).toBeUndefined()
  await run('alerts add live', person)
  await pause('blocked')
  const view = await welcome(again(person))
  expect(view && shown(view).join(' ')).toMatch(/blocked/u)
})

test('a failure of the database is logged, and nothing is said', async () => {
  await harness.store.schema.dropTable('subscriptions').execute()
  expect(await welcome(group)).toBeUndefined()
})
