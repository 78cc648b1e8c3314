import { afterEach, beforeEach, expect, test } from 'vitest'
import { SendError } from '../../../src/core/adapter.ts'
import { type Context, lineAboutChat } from '../../../src/core/command.ts'
import type { LocalisedView, View } from '../../../src/core/view.ts'
import { discord } from '../../../src/discord/platform.ts'
import { controls, shown } from '../views/shown.ts'
import { type CommandHarness, startCommands } from './bot.ts'
import { ada, opens, otter, Talk } from './talk.ts'

const channel = '-200'
let harness: CommandHarness
let talk: Talk
let told: string[]
let title: string | undefined

beforeEach(async () => {
  told = []
  title = 'Otter News'
  harness = await startCommands({
    messenger: {
      manages: async (chat, person) => chat === channel && person === ada.user,
      title: async (chat) => (chat === channel ? title : undefined),
      send: async ({ id }) => {
        told.push(id)
        return { message: '1' }
      },
    },
  })
  talk = new Talk(harness)
})
afterEach(() => harness.stop())

test('a channel is set up from the private chat, and every control stays with the channel', async () => {
  const picking = await talk.presses(await talk.says('alerts'), 'Set up a channel')
  const list = await talk.says(`${picking.picker?.line} ${channel}`)
  expect(shown(list)[0]).toBe('🔔 Alerts · Otter News')
  const kinds = await talk.presses(list, 'Add')
  const how = await talk.presses(kinds, '⏳ Ending')
  const done = await talk.presses(how, '15 min')
  const again = await talk.presses(done, '◀ All alerts')
  expect(opens(again).map(({ label }) => label)).toEqual(['15 min before any auction ends'])
  const entry = await talk.says(opens(again)[0]?.line ?? '')
  const changed = await talk.presses(entry, 'Change', '1 h', '◀ All alerts')
  const muted = await talk.presses(changed, 'Mute', '24 h', 'Unmute')
  for (const view of [list, kinds, how, done, again, entry, changed, muted]) {
    stays(view)
    expect(shown(view)[0]).toContain('Otter News')
  }
  expect(shown(kinds)[0]).toBe('Which alerts do you want? · Otter News')
  expect(shown(done)[0]).toBe('✅ Alert added · Otter News')
  expect(await talk.followed()).toEqual([])
  await talk.presses(muted, 'Remove all', 'Remove all')
  expect(opens(await talk.says(`alerts in:${channel}`))).toEqual([])
  expect(told).toEqual([channel])
})

test('a refusal there leads back there', async () => {
  const list = `/alerts in:${channel}`
  expect(await talk.isRefused(`alerts show in:${channel}`)).toContain(`its number from ${list}`)
  expect(await talk.isRefused(`alerts remove 9 in:${channel}`)).toContain(`See ${list}`)
})

test('a channel whose title is unknown is shown by its number', async () => {
  title = undefined
  expect(shown(await talk.says(`alerts in:${channel}`))[0]).toBe(`🔔 Alerts · chat ${channel}`)
})

test('one asset is followed there too', async () => {
  const panel = await talk.says(`follow ${otter} chain:8453 in:${channel}`)
  stays(panel)
  expect(shown(panel)[0]).toMatch(/ · Otter News$/u)
  stays(await talk.presses(panel, 'Follow'))
  expect(opens(await talk.says(`alerts in:${channel}`)).length).toBeGreaterThan(1)
  expect(await talk.followed()).toEqual([])
})

test('chats of others and chats that don’t exist get the same answer', async () => {
  const ben: Context = { ...ada, user: '8', chat: '8' }
  const foreign = await new Talk(harness, ben).isRefused(`alerts in:${channel}`)
  expect(await talk.isRefused('alerts in:-999')).toBe(foreign)
  expect(await talk.isRefused('alerts add live in:-999')).toBe(foreign)
  expect(await talk.isRefused(`follow ${otter} in:-999`)).toBe(foreign)
})

test.each([
  'mute',
  'add',
  'choose live',
  'choose price',
  'add price asset:otter',
  'remove all',
  'change 1',
])('no menu for another chat is shown to a person who does not manage it: %s', async (words) => {
  const stranger = new Talk(harness, { ...ada, user: '8', chat: '8' })
  expect(await stranger.isRefused(`alerts ${words} in:${channel}`)).toContain('set up that chat')
  const inChannel = new Talk(harness, {
    ...ada,
    user: '-1',
    chat: '-1',
    ephemeral: false,
    isPrivate: false,
    locale: 'en',
    asChat: true,
  })
  const refusal = await inChannel.isRefused(`alerts ${words} in:${channel}`)
  expect(refusal).toContain('in our DM.')
})

test('nor are they asked for an asset to follow there', async () => {
  const stranger = new Talk(harness, { ...ada, user: '8', chat: '8' })
  expect(await stranger.isRefused(`follow otter in:${channel}`)).toContain('set up that chat')
})

test.each([
  ['alerts', false],
  ['alerts show 3', false],
  ['alerts mute', false],
  ['alerts add', false],
  ['alerts choose live', false],
  ['alerts remove all', true],
  ['alerts remove all sure', true],
  ['alerts REMOVE  3', true],
  ['Alerts do:"mute on"', true],
  [`alerts mute 8h in:${channel}`, true],
  ['alerts unmute', true],
  ['alerts add live', true],
  ['alerts change 3 percent:50', true],
  [`follow ${otter}`, false],
  [`follow ${otter} on:all`, true],
  [`follow ${otter} chain:8453 off:#3`, true],
  [`asset ${otter}`, false],
  ['alerts add live in:1 in:2', false],
  ['nothing like it', false],
])('whether a line changes stored state is known before it runs: %s (%s)', (line, changes) => {
  expect(harness.bot.parse(line).mutates).toBe(changes)
})

test.each([
  ['alerts', `alerts in:${channel}`],
  [`follow ${otter} chain:8453`, `follow ${otter} chain:8453 in:${channel}`],
  ['alerts in:-1', 'alerts in:-1'],
  [`asset ${otter}`, `asset ${otter}`],
  ['alerts in:1 in:2', 'alerts in:1 in:2'],
  ['nothing like it', 'nothing like it'],
])('%s, pressed in a channel, is in private %s', (line, about) => {
  expect(lineAboutChat(harness.bot.parse(line), channel)).toBe(about)
})

test('only the private chat on Telegram has a picker', async () => {
  const group = new Talk(harness, {
    ...ada,
    chat: channel,
    ephemeral: false,
    isPrivate: false,
    locale: 'en',
  })
  expect(controls(await group.says('alerts')).join()).not.toContain('Set up')
  expect(await group.isRefused('alerts channel')).toContain('in a DM on Telegram')
  const onDiscord = new Talk(harness, { ...ada, platform: discord, isPrivate: true })
  expect(controls(await onDiscord.says('alerts')).join()).not.toContain('Set up')
})

test('on Discord missing rights are called as Discord calls them', async () => {
  const sent: View[] = []
  let fails: SendError | undefined
  let says: boolean | SendError = false
  await harness.stop()
  harness = await startCommands({
    messenger: {
      manages: async () => {
        if (says instanceof SendError) throw says
        return says
      },
      title: async () => title,
      send: async (_, view) => {
        if (fails) throw fails
        sent.push(view)
        return { message: '1' }
      },
    },
  })
  const onDiscord = new Talk(harness, { ...ada, platform: discord, isPrivate: true })
  const line = 'alerts do:"add live" in:55'
  const heard = [await onDiscord.isRefused(line)]
  expect(heard[0]).toContain('neither Manage Server nor Manage Webhooks there')
  says = new SendError('no answer', { final: false })
  heard.push(await onDiscord.isRefused(line))
  expect(heard[1]).toContain('who may change that chat’s alerts')
  says = true
  fails = new SendError('no rights', { final: true })
  heard.push(await onDiscord.isRefused(line))
  expect(heard[2]).toContain('Give me View Channel and Send Messages, and try again')
  fails = undefined
  await onDiscord.says(line)
  const [first = ''] = sent.map((view) => shown(view).join(' '))
  expect(first).toContain('Someone with Manage Server or Manage Webhooks turned on alerts here')
  expect([...heard, first].join(' ')).not.toMatch(/administ/iu)
})

function stays(view: LocalisedView): void {
  const buttons = (view.buttons ?? []).flat().flatMap((each) => ('line' in each ? [each] : []))
  const lines = [...buttons.filter(({ label }) => label !== 'My alerts'), ...opens(view)]
  expect(lines.length).toBeGreaterThan(0)
  for (const { line } of lines) expect(line).toContain(` in:${channel}`)
}
