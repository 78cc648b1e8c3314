import { PermissionFlagsBits as Permission } from 'discord-api-types/v10'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada, club, news } from '../../../sandbox/discord/cast.ts'
import { viewOf } from '../core/scripted-bot.ts'
import { type Chat, startChat } from './discord-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
  await expect.poll(() => chat.platform.state()).toBe('connected')
  chat.bot.greeting = viewOf('Hello')
})
afterEach(() => chat.stop())

function letIn(): void {
  chat.server.world.removeBot()
  chat.server.world.addBot()
}

const greeted = (channel: string) =>
  chat.server.people
    .messages(channel, ada.id)
    .filter(({ author }) => author.bot)
    .map(({ channel_id }) => channel_id)

test('the bot says who it is once, in the topmost channel of a server that lets it in', async () => {
  letIn()
  await expect.poll(() => greeted(club.id)).toEqual([club.id])
  expect(greeted(news.id)).toEqual([])
  expect(chat.bot.entered.map((context) => context.chat)).toEqual([club.id])
})

test.each([
  ['see', Permission.ViewChannel],
  ['write in', Permission.SendMessages],
])('in the next one if it may not %s that', async (_, permission) => {
  chat.server.world.deny(club.id, permission)
  letIn()
  await expect.poll(() => greeted(news.id)).toEqual([news.id])
  expect(chat.log.of('error')).toEqual([])
})

test('not in the next one if Discord refuses what it says', async () => {
  chat.bot.greeting = viewOf('Hello', [
    { label: 'x', url: `https://otter.example/${'x'.repeat(600)}` },
  ])
  letIn()
  await expect.poll(() => chat.log.of('info').join()).toContain('let the bot greet it')
  chat.bot.greeting = viewOf('Hello again')
  letIn()
  await expect.poll(() => greeted(club.id)).toEqual([club.id])
  expect(greeted(news.id)).toEqual([])
})
