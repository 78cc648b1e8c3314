import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Context } from '../../../src/core/command.ts'
import { shown } from '../views/shown.ts'
import { type CommandHarness, startCommands } from './bot.ts'
import { ada, opens, otter, Talk } from './talk.ts'

const group = '-100'
const adaInGroup: Context = {
  ...ada,
  chat: group,
  ephemeral: false,
  isPrivate: false,
  locale: 'en',
}
let harness: CommandHarness
let asked: string[]

beforeEach(async () => {
  asked = []
  harness = await startCommands({
    messenger: {
      manages: async (chat) => {
        asked.push(chat)
        return true
      },
      title: async () => 'Otter News',
      send: async () => ({ message: '1' }),
    },
  })
})
afterEach(() => harness.stop())

const changes = [
  'alerts add live',
  'alerts add',
  'alerts choose live',
  'alerts change ID',
  'alerts change ID percent:50',
  'alerts remove ID',
  'alerts remove all',
  'alerts remove all sure',
  'alerts mute 8h',
  'alerts unmute',
  `follow ${otter} on:all`,
  `follow ${otter} off:all`,
]
const looks = ['alerts', 'alerts show ID', `follow ${otter}`]

describe.each([
  ['a group', adaInGroup, ''],
  ['another chat, from the private one', ada, ` in:${group}`],
])('who may in %s', (_, context, place) => {
  test.each(changes)('is asked once by %s', async (line) => {
    await asks(line, [group])
  })

  test.each(looks)('is only asked if needed by %s', async (line) => {
    await asks(line, place === '' ? [] : [group])
  })

  async function asks(line: string, expected: string[]): Promise<void> {
    const talk = new Talk(harness, context)
    await talk.says(`alerts add progress${place}`)
    const [first] = opens(await talk.says(`alerts${place}`))
    const id = /#\d+/u.exec(first?.line ?? '')?.[0] ?? ''
    asked = []
    await talk.says(line.replace('ID', id) + place)
    expect(asked).toEqual(expected)
    await talk.says(`alerts mute 1h${place}`)
    expect(asked).toHaveLength(expected.length + 1)
  }
})

test('a typed value that its platform brings again after a crash is not taken for the answer to something else', async () => {
  const talk = new Talk(harness)
  const types = (text: string, update: string) =>
    harness.bot.receive(
      { text, fields: {}, files: [] },
      {
        ...ada,
        update,
      },
    )
  await talk.says(`alerts choose price asset:${otter}`)
  expect((await types('0.5', '1')).outcome).toBe('answered')
  const again = await types('0.5', '1')
  expect(shown(again.view).join()).toContain('Already done. See /alerts')
  await talk.says(`alerts choose mcap asset:${otter}`)
  expect(shown((await types('0.5', '1')).view).join()).toContain('Already done. See /alerts')
  expect(await talk.followed()).toHaveLength(1)
})
