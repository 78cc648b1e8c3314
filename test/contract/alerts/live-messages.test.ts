import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hashOf } from '../../../src/alerts/live-messages.ts'
import { countTurns } from '../../turns.ts'
import { auction, chain, NotifierHarness } from '../../unit/alerts/notifier-harness.ts'

type Bot = Awaited<ReturnType<NotifierHarness['bot']>>

let harness: NotifierHarness
let bot: Bot
beforeEach(async () => {
  harness = await NotifierHarness.start()
  bot = await harness.bot()
  await bot.subscribe(harness.person(700_000))
  await bot.subscribe(harness.person(700_001))
})
afterEach(() => harness.stop())

const asset = auction('Otter').asset_address
const view = { title: ['Otter'], blocks: [] }

/** A message in each chat. */
async function remember(): Promise<void> {
  for (const chat_id of [1, 2]) {
    await bot.messages.add({ chat_id, message: '9', chain, asset }, view)
  }
}

/** The chats whose messages may be edited now. */
async function due(): Promise<number[]> {
  const messages = await bot.messages.due('telegram', 10)
  return messages.map(({ chat_id }) => chat_id).sort()
}

test('a message is due two minutes after it was sent or rescheduled', async () => {
  await remember()
  harness.advance(110_000)
  expect(await due()).toEqual([])
  harness.advance(20_000)
  expect(await due()).toEqual([1, 2])
  const [first] = await bot.messages.due('telegram', 1)
  if (!first) throw new Error('nothing is due')
  await bot.messages.schedule(first, 'otherwise', 600)
  harness.advance(130_000)
  expect(await due()).toEqual([1, 2].filter((chat) => chat !== first.chat_id))
  harness.advance(480_000)
  expect(await due()).toEqual([1, 2])
})

test('no message is due in a chat that was just written to, or is paused', async () => {
  await remember()
  harness.advance(130_000)
  const [first, second] = await bot.messages.due('telegram', 10)
  if (!first || !second) throw new Error('nothing is due')
  await bot.messages.coolDown(first, 30)
  expect(await due()).toEqual([second.chat_id])
  harness.advance(40_000)
  expect(await due()).toEqual([1, 2])
  await bot.outbox.pause(first.chat_id, 'blocked')
  harness.advance(40_000)
  expect(await due()).toEqual([second.chat_id])
})

test('the hash of a message changes with its words and its picture', () => {
  const picture = (key: string) => ({
    name: 'card.png',
    type: 'image/png',
    bytes: new Uint8Array(9),
    key,
  })
  const view = { title: ['Otter'], blocks: [] }
  const views = [
    view,
    { ...view, title: ['Heron'] },
    { ...view, picture: picture('one') },
    { ...view, picture: picture('two') },
  ]
  expect(new Set(views.map(hashOf)).size).toBe(views.length)
  expect(hashOf({ ...view, picture: picture('one') })).toBe(
    hashOf({ ...view, picture: picture('one') }),
  )
})

test('messages of a chat that migrated are removed: they have other ids there', async () => {
  await remember()
  await bot.outbox.migrate(1, '700009')
  harness.advance(130_000)
  expect(await due()).toEqual([2])
})

test('messages over 30 days old and those of deleted chats are removed', async () => {
  await remember()
  expect(await bot.messages.prune()).toBe(0)
  await bot.store.deleteFrom('chats').where('id', '=', 1).execute()
  expect(await bot.messages.prune()).toBe(1)
  expect(await bot.messages.prune()).toBe(0)
  harness.advance(31 * 86_400_000)
  expect(await bot.messages.prune()).toBe(1)
})

test('many messages are removed a part at a time', async () => {
  const old = Array.from({ length: 1_000 }, (_, index) => ({
    chat_id: 1,
    message: `${index}`,
    chain,
    asset: '0x1',
    shown: '',
    due_at_s: 0,
    over_at_s: null,
    created_at_s: 0,
  }))
  for (let index = 0; index < old.length; index += 100)
    await bot.store
      .insertInto('live_messages')
      .values(old.slice(index, index + 100))
      .execute()
  const turns = countTurns()
  expect(await bot.messages.prune()).toBe(1_000)
  expect(turns()).toBeGreaterThanOrEqual(5)
})

describe('of the messages of one chat', () => {
  const name = (index: number) => `Otter ${index}.`
  const chat = 1

  /** So many messages, each about an auction of its own that lives, the first of them first. */
  async function rememberMany(count: number): Promise<void> {
    for (let index = 1; index <= count; index += 1) {
      const { asset_address: asset } = auction(name(index))
      await bot.messages.add({ chat_id: chat, message: `${index}`, chain, asset }, view)
      harness.advance(5000)
    }
  }

  async function dueMessages(): Promise<number[]> {
    const messages = await bot.messages.due('telegram', 1000)
    return messages.map(({ message }) => Number(message)).sort((one, other) => one - other)
  }

  test('the newest five are updated, also after old ones were removed', async () => {
    await rememberMany(7)
    harness.advance(130_000)
    expect(await dueMessages()).toEqual([3, 4, 5, 6, 7])
    await bot.messages.prune()
    expect(await dueMessages()).toEqual([3, 4, 5, 6, 7])
  })

  test('an older one is due once its auction is over, and no longer if the auction is live after all', async () => {
    await rememberMany(7)
    await bot.seen(name(1), 'ended')
    await bot.seen(name(2), 'live')
    await bot.messages.scheduleEnded()
    expect(await dueMessages()).toEqual([1])
    const [first] = await bot.messages.due('telegram', 1)
    if (!first) throw new Error('nothing is due')
    await bot.messages.schedule(first)
    await bot.messages.markLive(first)
    harness.advance(130_000)
    expect(await dueMessages()).toEqual([3, 4, 5, 6, 7])
    await bot.messages.scheduleEnded()
    expect(await dueMessages()).toContain(1)
  })

  test('one that is no longer among the newest after its update waits for the end', async () => {
    await rememberMany(5)
    harness.advance(130_000)
    const [first] = await bot.messages.due('telegram', 1)
    if (!first) throw new Error('nothing is due')
    await rememberMany(6)
    await bot.messages.schedule(first)
    harness.advance(130_000)
    expect(await dueMessages()).toEqual([2, 3, 4, 5, 6])
  })

  test('a hundred are stored', async () => {
    await rememberMany(103)
    const rows = await bot.store.selectFrom('live_messages').select('message').execute()
    const messages = rows.map(({ message }) => Number(message)).sort((one, other) => one - other)
    expect(messages).toEqual(Array.from({ length: 100 }, (_, index) => index + 4))
  })
})
