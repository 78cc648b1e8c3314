import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { club as discordClub, news as discordNews } from '../../../sandbox/discord/cast.ts'
import { club, news } from '../../../sandbox/telegram/cast.ts'
import type { Adapter } from '../../../src/core/adapter.ts'
import { type Chat, startChat } from '../discord/discord-chat.ts'
import { eventually, NotifierHarness } from './notifier-harness.ts'

let harness: NotifierHarness
let discord: Chat
beforeEach(async () => {
  harness = await NotifierHarness.start()
  discord = await startChat()
})
afterEach(async () => {
  await harness.stop()
  await discord.stop()
})

const places = {
  telegram: [club.id, news.id].map(String),
  discord: [discordClub.id, discordNews.id],
}

/** So often it is full before each message, whatever the platform itself would say. */
const timesFull = 3

/** A platform that is often at its limit, and the calls to it, in order. */
function oftenFull(platform: Adapter) {
  const calls: string[] = []
  let full = 0
  const msUntilSlot = () => {
    if (full < timesFull) {
      full += 1
      calls.push('full')
      return 1
    }
    const ms = platform.msUntilSlot()
    if (ms === 0) full = 0
    calls.push(ms === 0 ? 'free' : 'full')
    return ms
  }
  const limited: Pick<
    Adapter,
    'name' | 'localeOf' | 'send' | 'edit' | 'msUntilSlot' | 'gap' | 'startSpacing' | 'health'
  > = {
    name: platform.name,
    startSpacing: platform.startSpacing,
    msUntilSlot,
    gap: (to) => platform.gap(to),
    localeOf: (to) => platform.localeOf(to),
    health: platform.health,
    send: (...message) => {
      calls.push('message')
      return platform.send(...message)
    },
    edit: (...message) => {
      calls.push('message')
      return platform.edit(...message)
    },
  }
  return { calls, platform: limited }
}

/** Each message waited for capacity of its own. */
function expectWaits(calls: readonly string[], messages: number): void {
  const changes = calls.filter((what, index) => what !== calls[index - 1])
  expect(changes).toEqual(Array(messages).fill(['full', 'free', 'message']).flat())
}

describe.each(['telegram', 'discord'] as const)('on %s', (name) => {
  const platform = () => (name === 'telegram' ? harness.platform : discord.platform)
  const chats = places[name]

  async function followed(bot: Awaited<ReturnType<NotifierHarness['bot']>>): Promise<void> {
    const rule = { kind: 'live', setting: {}, scope: {} } as const
    for (const id of chats)
      await bot.subscriptions.subscribe({ platform: name, kind: 'chat', id }, rule)
  }

  test('an alert waits for capacity within the limits, and uses some', async () => {
    const { calls, platform: full } = oftenFull(platform())
    const bot = await harness.bot({ platform: full })
    await followed(bot)
    await bot.goLive('Otter')
    bot.notifier.start()
    await eventually(async () => expect(await bot.states()).toEqual({ sent: ['sent', 'sent'] }))
    expectWaits(calls, chats.length)
  })

  test('an edit waits for capacity within the limits, and uses some', async () => {
    const first = await harness.bot({ platform: platform() })
    await followed(first)
    await first.seen('Otter', 'live')
    first.notifier.start()
    await first.goLive('Otter')
    const kept = first.store.selectFrom('live_messages').select('message')
    await eventually(async () => expect(await kept.execute()).toHaveLength(chats.length))
    await first.notifier.stop()
    await first.seen('Otter', 'ended')
    const { calls, platform: full } = oftenFull(platform())
    const second = await harness.bot({ platform: full })
    second.notifier.start()
    second.liveMessageUpdater.start()
    harness.advance(130_000)
    const over = second.store
      .selectFrom('live_messages')
      .select('message')
      .where('over_at_s', 'is not', null)
      .where('due_at_s', '>', 0)
    await eventually(async () => expect(await over.execute()).toHaveLength(chats.length))
    expectWaits(calls, chats.length)
  })
})
