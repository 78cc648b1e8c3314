import { afterEach, beforeEach, expect, test } from 'vitest'
import { news as channel } from '../../../sandbox/telegram/cast.ts'
import type { Event } from '../../../src/alerts/event.ts'
import type { Cards } from '../../../src/cards/cards.ts'
import { auction, Telling } from '../../unit/alerts/telling.ts'

let telling: Telling
beforeEach(async () => {
  telling = await Telling.start()
})
afterEach(() => telling.stop())

/** Its auction went live and is about to end, both known at one look. */
function overtaken(): Event[] {
  const live = telling.news('Otter')
  const ends = { minutes: 30, fromMinutes: 1441, endsAt: live.at + 1800 }
  const body = { kind: 'ending', asset: auction('Otter'), ...ends } as const
  return [live, { ...live, key: 'ending Otter', body }]
}

/** A channel that follows both hears of them in one message. */
async function tellBoth(bot: Awaited<ReturnType<Telling['bot']>>): Promise<void> {
  await bot.follow(channel.id)
  await bot.follows.follow(
    { platform: 'telegram', kind: 'chat', id: String(channel.id) },
    { kind: 'ending', setting: { minutes: 60 }, scope: {} },
  )
  bot.delivery.start()
  await bot.happen(overtaken())
  await telling.inTime(() => expect(telling.texts(channel.id)).toHaveLength(1))
}

test('an alert that has overtaken another of its asset has its picture', async () => {
  const drawn: string[] = []
  const cards: Cards = {
    of: () => Promise.resolve(undefined),
    soon: ({ name }) => {
      drawn.push(name)
      return Promise.resolve(undefined)
    },
    close: () => Promise.resolve(),
  }
  const bot = await telling.bot({ cards })
  await tellBoth(bot)
  expect(drawn).toEqual(['Otter'])
})

test('a live auction’s message is kept up to date, also where it has overtaken another alert', async () => {
  const bot = await telling.bot()
  await tellBoth(bot)
  await telling.inTime(async () => {
    const kept = await bot.store.selectFrom('live_messages').select('asset').execute()
    expect(kept).toEqual([{ asset: auction('Otter').asset_address }])
  })
})
