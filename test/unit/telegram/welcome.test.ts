import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada, ben, club, lodge, news } from '../../../sandbox/telegram/cast.ts'
import type { ChatChange } from '../../../src/core/adapter.ts'
import { viewOf } from '../core/scripted-bot.ts'
import { type Chat, startChat } from './telegram-chat.ts'

let chat: Chat
let changes: ChatChange[]
beforeEach(async () => {
  changes = []
  const onChatChange = async (change: ChatChange) => void changes.push(change)
  chat = await startChat({}, { onChatChange })
  chat.bot.greeting = viewOf('Hello')
})
afterEach(() => chat.stop())

const entered = () => chat.bot.entered.map(({ chat: id, user }) => [id, user])

test.each([
  ['a group', club.id, 'member'],
  ['a group as an administrator', lodge.id, 'administrator'],
  ['a channel in which it may post', news.id, 'administrator'],
] as const)('the bot says who it is in %s that lets it in', async (_, id, role) => {
  chat.server.people.kick(id)
  chat.server.people.invite(id, role)
  await chat.sees(id, 'Hello')
  expect(entered()).toEqual([[String(id), String(ada.id)]])
  expect(changes).toEqual([
    { kind: 'lost', chats: [String(id)], loss: 'removed' },
    { kind: 'back', chats: [String(id)] },
  ])
  expect(chat.server.people.messages(id).filter(({ text }) => text === 'Hello')).toHaveLength(1)
})

test('a promotion is no entry', async () => {
  chat.server.people.invite(club.id, 'administrator')
  await expect.poll(() => changes).toHaveLength(1)
  await chat.settled(ben.id)
  expect(entered()).toEqual([])
})

test('it says nothing in a channel in which it may not post', async () => {
  chat.server.people.kick(news.id)
  chat.server.people.invite(news.id, 'member')
  await expect.poll(() => changes.at(-1)).toMatchObject({ kind: 'lost', loss: 'forbidden' })
  await chat.settled(ben.id)
  expect(entered()).toEqual([])
})

test('a group that lets only administrators write is no error', async () => {
  chat.server.people.kick(club.id)
  chat.server.circumstances.botMay(club.id, 'nothing')
  chat.server.people.invite(club.id)
  await expect.poll(() => chat.log.of('info').join()).toContain('let the bot greet it')
  expect(chat.log.of('error')).toEqual([])
})

test('with nothing to say, it is silent', async () => {
  chat.bot.greeting = undefined
  chat.server.people.kick(club.id)
  chat.server.people.invite(club.id)
  await expect.poll(entered).toHaveLength(1)
  await chat.settled(ben.id)
  expect(chat.botTexts(club.id)).toEqual([])
})

test('a person who unblocks it may hear why nothing came', async () => {
  chat.server.people.text(ben.id, ben.id, '/ask moon')
  await chat.sees(ben.id, 'ask moon')
  chat.server.people.block(ben.id)
  chat.server.people.unblock(ben.id)
  await chat.sees(ben.id, 'Hello')
  expect(changes.map(({ kind }) => kind)).toEqual(['lost', 'back'])
})

test('both service messages of a migration say it', async () => {
  const id = chat.server.people.migrate(club.id)
  const change = { kind: 'migrated', chat: String(club.id), to: String(id) }
  await expect.poll(() => changes).toEqual([change, change])
})
