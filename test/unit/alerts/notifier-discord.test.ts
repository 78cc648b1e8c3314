import { PermissionFlagsBits as P } from 'discord-api-types/v10'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ben, club, news } from '../../../sandbox/discord/cast.ts'
import type { Target } from '../../../src/alerts/chats.ts'
import { type Chat, startChat, textOf } from '../discord/discord-chat.ts'
import { eventually, NotifierHarness } from './notifier-harness.ts'

let harness: NotifierHarness
let chat: Chat
let bot: Awaited<ReturnType<NotifierHarness['bot']>>
beforeEach(async () => {
  harness = await NotifierHarness.start()
  chat = await startChat({ elapsed: harness.elapsed })
  bot = await harness.bot({ platform: chat.platform })
  bot.notifier.start()
})
afterEach(async () => {
  await bot.notifier.stop()
  await chat.stop()
  await harness.stop()
})

const inClub: Target = { platform: 'discord', kind: 'chat', id: club.id }
const inNews: Target = { platform: 'discord', kind: 'chat', id: news.id }
const toBen: Target = { platform: 'discord', kind: 'person', id: ben.id }
const follow = (target: Target) =>
  bot.subscriptions.subscribe(target, { kind: 'live', setting: {}, scope: {} })
const sends = () => chat.server.calls.filter(({ route }) => route === '/channels/:id/messages')

/** How often a name was sent to a channel or person. */
function countOf(channel: string, name: string): number {
  const room = chat.server.world.chats.get(channel)
  return [...(room?.messages.values() ?? [])]
    .map(({ message }) => textOf(message))
    .filter((text) => text.includes(name)).length
}

test.each<[string, Target, string, () => void]>([
  [
    'a person who takes no messages',
    toBen,
    'blocked',
    () => chat.server.people.takeDms(ben.id, false),
  ],
  ['a channel that is deleted', inClub, 'gone', () => chat.server.world.removeChannel(club.id)],
  [
    'a channel in which the bot may not write',
    inClub,
    'forbidden',
    () => chat.server.world.deny(club.id, P.SendMessages),
  ],
  [
    'a channel that the bot does not see',
    inClub,
    'removed',
    () => chat.server.world.deny(club.id, P.ViewChannel),
  ],
])(
  '%s is paused with the reason and gets nothing more, and the others get theirs',
  async (_, lost, reason, act) => {
    await follow(lost)
    await follow(inNews)
    act()
    await bot.goLive('Otter')
    await eventually(async () => expect((await bot.subscriptions.of(lost)).paused).toBe(reason))
    await eventually(() => expect(countOf(news.id, 'Otter')).toBe(1))
    const before = sends().length
    await bot.goLive('Heron')
    await harness.inTime(() => expect(countOf(news.id, 'Heron')).toBe(1))
    expect(sends().length - before).toBe(1)
  },
)

test('all channels of a server that removes the bot are paused with the reason', async () => {
  await follow(inClub)
  await follow(inNews)
  chat.server.world.removeBot()
  await bot.goLive('Otter')
  await eventually(async () => {
    for (const each of [inClub, inNews]) {
      expect((await bot.subscriptions.of(each)).paused).toBe('removed')
    }
  })
  expect(await bot.states()).toEqual({ dropped: ['dropped', 'dropped'] })
})

test('a message whose answer was lost is sent again unchanged, and Discord shows it once', async () => {
  await follow(inNews)
  chat.server.faults.set({ kind: 'reset', match: 'POST /channels/:id/messages', times: 1 })
  await bot.goLive('Otter', 'Heron')
  await eventually(() => expect(countOf(news.id, 'Otter')).toBe(1))
  await eventually(async () => expect(await bot.deferred()).toBe(2))
  await bot.goLive('Swan')
  harness.advance(40_000)
  await harness.inTime(async () => {
    expect(await bot.states()).toEqual({ sent: ['sent', 'sent', 'sent'] })
  })
  for (const name of ['Otter', 'Heron', 'Swan'])
    expect([name, countOf(news.id, name)]).toEqual([name, 1])
  expect(chat.server.world.tally.repeated).toBe(1)
})

test('an uncertain message is sent again unchanged, also if part of it is late by then', async () => {
  await follow(inNews)
  chat.server.faults.set({ kind: 'reset', match: 'POST /channels/:id/messages', times: 1 })
  const brief = { ...harness.liveEvent('Otter'), usefulUntil: harness.seconds() + 20 }
  await bot.enqueue([brief, harness.liveEvent('Heron')])
  await eventually(() => expect(countOf(news.id, 'Heron')).toBe(1))
  await eventually(async () => expect(await bot.deferred()).toBe(2))
  harness.advance(40_000)
  await eventually(async () => expect(await bot.states()).toEqual({ sent: ['sent', 'sent'] }))
  expect(['Otter', 'Heron'].map((name) => countOf(news.id, name))).toEqual([1, 1])
  expect(chat.server.world.tally.repeated).toBe(1)
})

test('while Discord answers with faults its alerts wait, and are then sent once', async () => {
  await follow(inClub)
  await follow(inNews)
  await follow(toBen)
  chat.server.faults.set({ kind: 'status', status: 503 })
  await bot.goLive('Otter')
  await eventually(() => expect(chat.log.of('warn').join()).toContain('alerts wait'))
  chat.server.faults.clear()
  await eventually(() => {
    harness.advance(1000)
    for (const place of [club.id, news.id, chat.server.people.dm(ben.id)]) {
      expect(countOf(place, 'Otter')).toBe(1)
    }
  })
})
