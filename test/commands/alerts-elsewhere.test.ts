import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Turn } from '../../src/chat/command.ts'
import type { View } from '../../src/chat/view.ts'
import { controls, shown } from '../views/shown.ts'
import { ada, opens, otter, Talk } from './alerts-talk.ts'
import { type CommandTown, startCommands } from './bot.ts'

const channel = '-200'
let town: CommandTown
let talk: Talk
let told: string[]

beforeEach(async () => {
  told = []
  town = await startCommands({
    messenger: {
      manages: async (chat, person) => chat === channel && person === ada.person,
      send: async ({ id }) => {
        told.push(id)
        return { message: '1' }
      },
    },
  })
  talk = new Talk(town)
})
afterEach(() => town.stop())

test('a channel is set up from the private chat, and no control leaves it unasked', async () => {
  const picking = await talk.presses(await talk.says('alerts'), 'Set up a channel')
  const list = await talk.says(`${picking.picker?.line} ${channel}`)
  expect(shown(list)[0]).toBe(`🔔 What the chat ${channel} follows`)
  const kinds = await talk.presses(list, 'Add')
  const how = await talk.presses(kinds, '⏳ Ending')
  const done = await talk.presses(how, '15 minutes')
  const again = await talk.presses(done, '◀ All alerts')
  expect(opens(again).map(({ label }) => label)).toEqual([
    '15 minutes before the end of any auction',
  ])
  const entry = await talk.says(opens(again)[0]?.run ?? '')
  const changed = await talk.presses(entry, 'Change', '60 minutes', '◀ All alerts')
  const muted = await talk.presses(changed, 'Mute', '24 h', 'Unmute')
  for (const view of [list, kinds, how, done, again, entry, changed, muted]) stays(view)
  expect(await talk.followed()).toEqual([])
  await talk.presses(muted, 'Remove all', 'Remove all')
  expect(opens(await talk.says(`alerts in:${channel}`))).toEqual([])
  expect(told).toEqual([channel])
})

test('one asset is followed there too', async () => {
  const panel = await talk.says(`follow ${otter} chain:8453 in:${channel}`)
  stays(panel)
  stays(await talk.presses(panel, 'Follow'))
  expect(opens(await talk.says(`alerts in:${channel}`)).length).toBeGreaterThan(1)
  expect(await talk.followed()).toEqual([])
})

test('foreign chats and chats that there are not get the same answer', async () => {
  const ben: Turn = { ...ada, person: '8', place: '8' }
  const foreign = await new Talk(town, ben).isRefused(`alerts in:${channel}`)
  expect(await talk.isRefused('alerts in:-999')).toBe(foreign)
  expect(await talk.isRefused('alerts add live in:-999')).toBe(foreign)
  expect(await talk.isRefused(`follow ${otter} in:-999`)).toBe(foreign)
})

test('there is no picker but in the private chat on Telegram', async () => {
  const group = new Talk(town, { ...ada, place: channel, alone: false })
  expect(controls(await group.says('alerts')).join()).not.toContain('Set up')
  expect(await group.isRefused('alerts channel')).toContain('private chat on Telegram')
  const onDiscord = new Talk(town, { ...ada, platform: 'discord', direct: true })
  expect(controls(await onDiscord.says('alerts')).join()).not.toContain('Set up')
})

function stays(view: View): void {
  const buttons = (view.buttons ?? []).flat().flatMap((each) => ('run' in each ? [each] : []))
  const runs = [...buttons.filter(({ label }) => label !== 'My own'), ...opens(view)]
  expect(runs.length).toBeGreaterThan(0)
  for (const { run } of runs) expect(run).toContain(` in:${channel}`)
}
