import { afterEach, beforeEach, expect, test } from 'vitest'
import { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { type Connection, connection, token } from './telegram-chat.ts'

let server: TelegramServer
const open: Connection[] = []
beforeEach(async () => {
  server = await TelegramServer.start({ token, floodLimits: false })
})
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ platform }) => platform.stop()))
  await server.stop()
})

/** Starts the bot, and waits until its profile is what it wants. */
async function started(): Promise<Connection> {
  const bot = connection(server.root)
  open.push(bot)
  const before = server.calls.of('getChatMenuButton').length
  await bot.platform.start()
  await expect.poll(() => server.calls.of('getChatMenuButton').length).toBe(before + 1)
  await expect.poll(() => server.calls.all.at(-1)?.status).toBeGreaterThan(0)
  return bot
}

const changes = () =>
  server.calls.all.map(({ method }) => method).filter((method) => /^set(?:My|Chat)/u.test(method))
const names = (chat: 'private' | 'group' | 'channel', isManager = false) =>
  server.api.world.profile.commandsFor(chat, isManager).map(({ command }) => command)

test('the bot says what it does before somebody writes to it', async () => {
  await started()
  const { descriptions, shortDescriptions } = server.api.world.profile
  expect(descriptions.get('')).toMatch(/auction[\s\S]*never ask/u)
  expect(shortDescriptions.get('')).toMatch(/auction/u)
  // The last of what is set.
  await expect.poll(() => server.api.world.profile.menuButton).toBe('commands')
})

test('each kind of chat is offered the commands that are of use there', async () => {
  await started()
  expect(names('private')).toEqual(['ask', 'start', 'launch', 'alerts'])
  expect(names('group')).toEqual(['ask'])
  expect(names('group', true)).toEqual(['ask', 'alerts'])
})

test('a start after that changes nothing', async () => {
  await started()
  // The button is the last of what is set.
  const all = ['setMyCommands', 'setMyDescription', 'setMyShortDescription', 'setChatMenuButton']
  await expect.poll(() => new Set(changes())).toEqual(new Set(all))
  const before = changes()
  await started()
  expect(changes()).toEqual(before)
})

test('people of another language are offered commands in it, and the texts', async () => {
  await started()
  const { profile } = server.api.world
  for (const language of ['es', 'ru', 'tr', 'zh']) {
    expect(profile.commands.get(profile.key('all_group_chats', language))).toHaveLength(1)
    expect(profile.descriptions.has(language)).toBe(true)
  }
})

test('commands that are not the bot’s are replaced', async () => {
  const { profile } = server.api.world
  for (const scope of ['default', 'all_group_chats'] as const)
    profile.commands.set(profile.key(scope, ''), [{ command: 'old', description: 'Old' }])
  await started()
  expect(names('private')).toContain('ask')
  expect(names('group')).toEqual(['ask'])
})

test('the operator’s own descriptions and button stay', async () => {
  const { profile } = server.api.world
  profile.descriptions.set('', 'The bot of the Otter Club')
  profile.menuButton = 'web_app'
  await started()
  expect(profile.descriptions.get('')).toBe('The bot of the Otter Club')
  expect(profile.shortDescriptions.get('')).toMatch(/auction/u)
  expect(profile.menuButton).toBe('web_app')
})

test('what Telegram refuses is logged, and the rest is set', async () => {
  server.fault = (method) => (method === 'getMyDescription' ? 'fail' : undefined)
  const { log, platform } = await started()
  expect(platform.state()).toBe('connected')
  expect(log.of('warn')).toEqual([expect.stringContaining('profile')])
  const { profile } = server.api.world
  expect(profile.descriptions.get('')).toBeUndefined()
  expect(profile.shortDescriptions.get('')).toMatch(/auction/u)
  expect(names('private')).toContain('ask')
})

test('a stop ends what is under way, without a word', async () => {
  server.fault = (method) => (method === 'getMyDescription' ? 'mute' : undefined)
  const bot = connection(server.root)
  await bot.platform.start()
  await expect.poll(() => server.calls.of('getMyDescription').length).toBe(1)
  await bot.platform.stop()
  expect(bot.log.of('warn')).toEqual([])
})
