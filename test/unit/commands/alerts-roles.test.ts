import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SendError } from '../../../src/core/adapter.ts'
import { t } from '../../../src/core/view.ts'
import { discord } from '../../../src/discord/platform.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { controls, shown } from '../views/shown.ts'
import { type CommandHarness, type Messenger, startCommands } from './bot.ts'
import { ada, Talk } from './talk.ts'

const role = '1300000000000000303'
let mention: Messenger['mention']
let harness: CommandHarness
beforeAll(async () => {
  harness = await startCommands({
    messenger: {
      manages: async () => true,
      send: async () => ({ message: '1' }),
      title: async () => 'Otters',
      mention: async (...asked) => mention?.(...asked) ?? expect.fail('nobody was to be asked'),
    },
  })
})
beforeEach(async () => {
  mention = async (chat, person, named) =>
    chat === inServer.chat && person === ada.user && named === role
      ? { role, name: '@Launches' }
      : { refusal: t('discord-role-unknown') }
  await server().says('alerts remove all sure')
})
afterAll(() => harness.stop())

const inServer = { ...ada, platform: discord, chat: '77', isPrivate: false, ephemeral: false }
const server = () => new Talk(harness, inServer)

test('a role is named with an alert, shown with it, and taken back by a press', async () => {
  const added = await server().says(`alerts add live role:${role}`)
  expect(shown(added).join()).toContain('Each alert pings @Launches.')
  expect(await server().followed()).toEqual(['Any auction goes live · pings @Launches'])
  const entry = await server().says('alerts show 1')
  expect(controls(entry).flat().join()).toContain('Stop pinging')
  const stopped = await server().presses(entry, 'Stop pinging')
  expect(shown(stopped).join()).toContain('don’t ping a role')
  expect(await server().followed()).toEqual(['Any auction goes live'])
  await server().says(`alerts change 1 role:<@&${role}>`)
  expect(await server().followed()).toEqual(['Any auction goes live · pings @Launches'])
})

test('a role that may not be named changes nothing', async () => {
  expect(await server().isRefused('alerts add live role:1')).toContain('no such role')
  expect(await server().isRefused('alerts add live role:otters')).toContain('isn’t a role')
  mention = async () => {
    throw new SendError('no answer', { final: false })
  }
  await server().isRefused(`alerts add live role:${role}`)
  expect(await server().followed()).toEqual([])
})

test('a role is not lost in questions about the rest', async () => {
  for (const line of ['alerts add', 'alerts add price'])
    expect(await server().isRefused(`${line} role:${role}`)).toContain('along with role:')
})

test('private chats have no roles', async () => {
  const alone = new Talk(harness, { ...ada, platform: discord, isPrivate: true })
  expect(await alone.isRefused(`alerts add live role:${role}`)).toContain('in servers on Discord')
})

test('Telegram has no roles, and no help on them', async () => {
  const harnessed = await startCommands()
  const talk = new Talk(harnessed, { ...ada, platform: telegram, isPrivate: true })
  expect(await talk.isRefused(`alerts add live role:${role}`)).toContain('in servers on Discord')
  expect(shown(await talk.says('help alerts')).join('\n')).not.toContain('role:')
  await harnessed.stop()
})
