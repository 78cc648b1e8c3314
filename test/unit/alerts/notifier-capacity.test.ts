import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { club as discordClub, news as discordNews } from '../../../sandbox/discord/cast.ts'
import { club, news } from '../../../sandbox/telegram/cast.ts'
import type { Adapter } from '../../../src/core/adapter.ts'
import { type Chat, startChat } from '../discord/discord-chat.ts'
import { eventually, Telling } from './telling.ts'

let telling: Telling
let discord: Chat
beforeEach(async () => {
  telling = await Telling.start()
  discord = await startChat()
})
afterEach(async () => {
  await telling.stop()
  await discord.stop()
})

const places = {
  telegram: [club.id, news.id].map(String),
  discord: [discordClub.id, discordNews.id],
}

/** So often it is full before each message, whatever the platform itself would say. */
const timesFull = 3

/** A platform that is often full, and what was asked of it, in order. */
function crowded(platform: Adapter) {
  const asked: string[] = []
  let full = 0
  const room = () => {
    if (full < timesFull) {
      full += 1
      asked.push('full')
      return 1
    }
    const ms = platform.capacity()
    if (ms === 0) full = 0
    asked.push(ms === 0 ? 'room' : 'full')
    return ms
  }
  const crowdedPlatform: Pick<
    Adapter,
    'name' | 'send' | 'edit' | 'capacity' | 'gap' | 'startSpacing' | 'state'
  > = {
    name: platform.name,
    startSpacing: platform.startSpacing,
    capacity: room,
    gap: (to) => platform.gap(to),
    state: () => platform.state(),
    send: (...message) => {
      asked.push('message')
      return platform.send(...message)
    },
    edit: (...message) => {
      asked.push('message')
      return platform.edit(...message)
    },
  }
  return { asked, platform: crowdedPlatform }
}

/** Each message waited while there was no room, and then had a place of its own. */
function expectPlaces(asked: readonly string[], messages: number): void {
  const changes = asked.filter((what, index) => what !== asked[index - 1])
  expect(changes).toEqual(Array(messages).fill(['full', 'room', 'message']).flat())
}

describe.each(['telegram', 'discord'] as const)('on %s', (name) => {
  const platform = () => (name === 'telegram' ? telling.platform : discord.platform)
  const chats = places[name]

  async function followed(bot: Awaited<ReturnType<Telling['bot']>>): Promise<void> {
    const rule = { kind: 'live', setting: {}, scope: {} } as const
    for (const id of chats) await bot.follows.follow({ platform: name, kind: 'chat', id }, rule)
  }

  test('an alert waits until there is room, and takes a place each', async () => {
    const { asked, platform: full } = crowded(platform())
    const bot = await telling.bot({ platform: full })
    await followed(bot)
    await bot.tell('Otter')
    bot.delivery.start()
    await eventually(async () => expect(await bot.states()).toEqual({ sent: ['sent', 'sent'] }))
    expectPlaces(asked, chats.length)
  })

  test('an edit waits until there is room, and takes a place each', async () => {
    const first = await telling.bot({ platform: platform() })
    await followed(first)
    await first.seen('Otter', 'live')
    first.delivery.start()
    await first.tell('Otter')
    const kept = first.store.selectFrom('live_messages').select('message')
    await eventually(async () => expect(await kept.execute()).toHaveLength(chats.length))
    await first.delivery.stop()
    await first.seen('Otter', 'ended')
    const { asked, platform: full } = crowded(platform())
    const second = await telling.bot({ platform: full })
    second.delivery.start()
    second.liveMessageUpdater.start()
    telling.pass(130_000)
    const over = second.store
      .selectFrom('live_messages')
      .select('message')
      .where('over_at', 'is not', null)
      .where('due_at', '>', 0)
    await eventually(async () => expect(await over.execute()).toHaveLength(chats.length))
    expectPlaces(asked, chats.length)
  })
})
