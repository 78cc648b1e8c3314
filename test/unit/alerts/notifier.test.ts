import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club, lodge, news } from '../../../sandbox/telegram/cast.ts'
import type { Event } from '../../../src/alerts/kinds/kind.ts'
import { Messages } from '../../../src/alerts/notifier.ts'
import type { Cards } from '../../../src/cards/cards.ts'
import { createLogger } from '../../../src/log.ts'
import { auction, eventually, expectOnce, Telling } from './telling.ts'

let telling: Telling
beforeEach(async () => {
  telling = await Telling.start()
})
afterEach(() => telling.stop())

type Bot = Awaited<ReturnType<Telling['bot']>>
function waiting(bot: Bot): Promise<number> {
  return bot.states().then(({ waiting: left = [] }) => left.length)
}

describe('what is told', () => {
  test('reaches every chat that follows, once, and is then recorded as sent', async () => {
    const bot = await telling.bot()
    const people = telling.crowd(30)
    for (const chat of [...people, news.id, club.id]) await bot.follow(chat)
    bot.delivery.start()
    await bot.tell('Otter')
    await eventually(() => expectOnce(telling, [...people, news.id, club.id], 'Otter'))
    await eventually(async () => expect(await bot.states()).toEqual({ sent: expect.any(Array) }))
  })

  test('goes as one message where several pieces are due to one chat', async () => {
    const bot = await telling.bot()
    await bot.follow(news.id)
    await bot.tell('Otter', 'Beaver', 'Heron')
    bot.delivery.start()
    await eventually(() => expect(telling.texts(news.id)).toHaveLength(1))
    for (const name of ['Otter', 'Beaver', 'Heron']) expectOnce(telling, [news.id], name)
  })

  test('is told in several messages where it is more than one shows', async () => {
    const bot = await telling.bot()
    const person = telling.person(700_000)
    await bot.follow(person)
    const names = Array.from({ length: 25 }, (_, index) => `Otter${index}.`)
    await bot.tell(...names)
    bot.delivery.start()
    await telling.inTime(() => {
      for (const name of names) expectOnce(telling, [person], name)
    })
    expect(telling.texts(person)).toHaveLength(3)
  })

  test('goes into the topic that follows', async () => {
    const bot = await telling.bot()
    await bot.follow(lodge.id, '2')
    bot.delivery.start()
    await bot.tell('Otter')
    await eventually(() => expectOnce(telling, [lodge.id], 'Otter'))
    expect(telling.server.people.messages(lodge.id).at(-1)?.thread).toBe(2)
  })

  test('is dropped, not told, once it is of no use any more', async () => {
    const bot = await telling.bot()
    await bot.follow(news.id)
    await bot.tell('Otter')
    telling.ahead = 2 * 86_400_000
    bot.delivery.start()
    await eventually(async () => expect(await bot.states()).toEqual({ dropped: ['dropped'] }))
    expect(telling.texts(news.id)).toEqual([])
    expect(telling.log.of('info').join()).toContain('an alert was dropped')
  })
})

describe('a restart', () => {
  test('tells nothing twice and loses nothing', async () => {
    const first = await telling.bot()
    const people = telling.crowd(60)
    for (const person of people) await first.follow(person)
    first.delivery.start()
    await first.tell('Otter')
    await eventually(() => expect(people.some((each) => telling.texts(each).length > 0)).toBe(true))
    await first.delivery.stop()
    expect(await waiting(first)).toBeGreaterThan(0)
    const second = await telling.bot()
    second.delivery.start()
    await eventually(() => expectOnce(telling, people, 'Otter'))
  })

  test('while a send is under way waits for its answer', async () => {
    const bot = await telling.bot()
    await bot.follow(news.id)
    const held: (() => void)[] = []
    telling.front.mishap = (method) =>
      method === 'sendMessage'
        ? (response) => {
            const text = { chat: { id: news.id, type: 'channel', title: 'x' }, date: 1 }
            const result = { message_id: 99, ...text, text: 'x' }
            held.push(() => response.end(JSON.stringify({ ok: true, result })))
          }
        : undefined
    bot.delivery.start()
    await bot.tell('Otter')
    await eventually(() => expect(held).toHaveLength(1))
    const stopped = bot.delivery.stop()
    held[0]?.()
    await stopped
    expect(await bot.states()).toEqual({ sent: ['sent'] })
  })

  test('does not wait for ever: what had no answer is recorded as uncertain and tried once more', async () => {
    const bot = await telling.bot()
    await bot.follow(news.id)
    const unanswered: ServerResponse[] = []
    telling.front.mishap = (method) =>
      method === 'sendMessage' ? (response) => unanswered.push(response) : undefined
    bot.delivery.start()
    await bot.tell('Otter')
    await eventually(() => expect(unanswered).toHaveLength(1))
    await bot.delivery.stop()
    await bot.delivery.close()
    for (const each of unanswered) each.destroy()
    telling.front.mishap = () => undefined
    const { outbox } = await telling.bot()
    await telling.inTime(async () => {
      const [claim] = await outbox.claim('telegram', { maxChats: 1, maxEvents: 10, lease: 60 })
      expect(claim).toMatchObject({ uncertain: true, news: [expect.any(Number)] })
    })
  }, 40_000)
})

test('what had no answer twice is not tried again, also where the bot stops meanwhile', async () => {
  const bot = await telling.bot()
  await bot.follow(news.id)
  const unanswered: ServerResponse[] = []
  let tries = 0
  telling.front.mishap = (method) => {
    if (method !== 'sendMessage') return undefined
    tries += 1
    return tries === 1 ? 'reset' : (response) => unanswered.push(response)
  }
  bot.delivery.start()
  await bot.tell('Otter')
  await eventually(async () => expect(await bot.putOff()).toBe(1))
  telling.pass(60_000)
  await eventually(() => expect(unanswered).toHaveLength(1))
  await bot.delivery.stop()
  await bot.delivery.close()
  expect(await bot.states()).toEqual({ uncertain: ['uncertain'] })
  for (const each of unanswered) each.destroy()
}, 40_000)

describe('a chat that takes nothing any more', () => {
  test('is paused with the reason, and the others have theirs', async () => {
    const bot = await telling.bot()
    for (const chat of [ada.id, ben.id, news.id]) await bot.follow(chat)
    telling.person(ben.id)
    telling.person(ada.id)
    telling.server.people.block(ada.id)
    telling.server.people.kick(news.id)
    bot.delivery.start()
    await bot.tell('Otter')
    await eventually(() => expectOnce(telling, [ben.id], 'Otter'))
    const target = { platform: 'telegram', kind: 'person', id: String(ada.id) } as const
    await eventually(async () => {
      expect((await bot.follows.of(target)).paused).toBe('blocked')
      const channel = { ...target, kind: 'chat', id: String(news.id) } as const
      expect((await bot.follows.of(channel)).paused).toBe('removed')
    })
    const calls = telling.front.calls.length
    await bot.tell('Heron')
    await eventually(() => expectOnce(telling, [ben.id], 'Heron'))
    expect(telling.front.calls.slice(calls).filter((each) => each === 'sendMessage')).toHaveLength(
      1,
    )
  })

  test('is followed where a group became a supergroup', async () => {
    const bot = await telling.bot()
    await bot.follow(club.id)
    const moved = telling.server.people.migrate(club.id)
    bot.delivery.start()
    await bot.tell('Otter')
    await telling.inTime(() => expectOnce(telling, [moved], 'Otter'))
    await bot.tell('Heron')
    await telling.inTime(() => expectOnce(telling, [moved], 'Heron'))
  })
})

describe('what a platform refuses', () => {
  test('with a time to wait is told after that time, and others meanwhile', async () => {
    const bot = await telling.bot()
    const people = telling.crowd(10)
    for (const person of people) await bot.follow(person)
    const calls: number[] = []
    telling.front.mishap = (method) => {
      if (method !== 'sendMessage' || calls.push(telling.elapsed()) > 1) return undefined
      const parameters = { retry_after: 3 }
      return {
        status: 429,
        body: JSON.stringify({
          ok: false,
          error_code: 429,
          description: 'Too Many Requests',
          parameters,
        }),
      }
    }
    bot.delivery.start()
    await bot.tell('Otter')
    await eventually(() => expect(calls.length).toBeGreaterThanOrEqual(people.length))
    await telling.inTime(() => expectOnce(telling, people, 'Otter'))
    expect((calls.at(-1) ?? 0) - (calls[0] ?? 0)).toBeGreaterThanOrEqual(3000)
  })

  test('for good is given up with the reason, and the chat hears of the next thing', async () => {
    const bot = await telling.bot()
    await bot.follow(news.id)
    let refused = 0
    telling.front.mishap = (method) => {
      if (method !== 'sendMessage' || refused > 0) return undefined
      refused += 1
      return {
        status: 400,
        body: '{"ok":false,"error_code":400,"description":"Bad Request: message text is empty"}',
      }
    }
    bot.delivery.start()
    await bot.tell('Otter')
    await eventually(async () => expect(await bot.states()).toEqual({ 'given-up': ['given-up'] }))
    await bot.tell('Heron')
    await eventually(() => expectOnce(telling, [news.id], 'Heron'))
    expect(telling.texts(news.id)).toHaveLength(1)
  })

  test('an answer that never came is asked for once more and no oftener', async () => {
    const bot = await telling.bot()
    await bot.follow(news.id)
    let tries = 0
    telling.front.mishap = (method) => {
      if (method !== 'sendMessage') return undefined
      tries += 1
      return 'reset'
    }
    bot.delivery.start()
    await bot.tell('Otter')
    await eventually(() => expect(tries).toBe(1))
    await eventually(async () => expect(await bot.putOff()).toBe(1))
    expect(await bot.states()).toEqual({ waiting: ['waiting'] })
    telling.pass(60_000)
    await eventually(async () => expect(await bot.states()).toEqual({ uncertain: ['uncertain'] }))
    expect(tries).toBe(2)
  })
})

test.each([
  ['a second before its end', -1, true],
  ['at its end', 0, false],
  ['a second after its end', 1, false],
])('%s news is told or dropped', async (_, offset, isTold) => {
  const { outbox, views, follow, happen, states } = await telling.bot()
  await follow(telling.person(700_000))
  const news = { ...telling.news('Otter'), usefulUntil: telling.seconds() + 1000 }
  await happen([news])
  const [claim] = await outbox.claim('telegram', { maxChats: 1, maxEvents: 10, lease: 60 })
  if (!claim) throw new Error('nothing was claimed')
  const now = () => (news.usefulUntil + offset) * 1000
  const log = createLogger('debug', [], telling.log)
  const message = await new Messages({ outbox, views, log, now }).of(claim)
  expect(message !== undefined).toBe(isTold)
  expect(Object.keys(await states())).toEqual([isTold ? 'waiting' : 'dropped'])
})

describe.each([
  ['of another version', () => '{"kind":"eclipse","sun":1}'],
  ['cut off', (body: string) => body.slice(0, 100)],
])('news (%s) that this version can’t read', (_, change) => {
  const waits = () =>
    telling.log.lines.filter(({ msg }) => msg === 'an alert waits for a version that can read it')

  test('waits for a version that can read it, with one line in the log, and the others are told', async () => {
    const bot = await telling.bot()
    const people = [telling.person(700_000), news.id]
    for (const person of people) await bot.follow(person)
    await bot.tell('Beaver', 'Otter', 'Heron')
    const { key } = telling.news('Otter')
    const written = bot.store.selectFrom('news').select('body').where('key', '=', key)
    const { body } = await written.executeTakeFirstOrThrow()
    await bot.spoil('Otter', change)
    bot.delivery.start()
    await eventually(() => {
      for (const name of ['Beaver', 'Heron']) expectOnce(telling, people, name)
    })
    await eventually(async () => {
      expect((await bot.states()).sent).toHaveLength(4)
      expect(await bot.putOff()).toBe(2)
    })
    telling.pass(61_000)
    const looks = bot.store.selectFrom('deliveries').select('run_at')
    const later = looks.where('state', '=', 'waiting').where('run_at', '>', telling.seconds())
    await eventually(async () => expect(await later.execute()).toHaveLength(2))
    expect(waits()).toHaveLength(1)
    await bot.delivery.stop()
    await bot.spoil('Otter', () => body)
    const newer = await telling.bot()
    newer.delivery.start()
    telling.pass(61_000)
    await eventually(() => expectOnce(telling, people, 'Otter'))
    const tries = newer.store.selectFrom('deliveries').select('attempts')
    await eventually(async () => expect(await newer.states()).toEqual({ sent: expect.any(Array) }))
    expect((await tries.execute()).map(({ attempts }) => attempts)).toEqual(Array(6).fill(1))
  })

  test('is dropped once it is of no use any more', async () => {
    const bot = await telling.bot()
    await bot.follow(news.id)
    await bot.tell('Otter')
    await bot.spoil('Otter', change)
    bot.delivery.start()
    await eventually(async () => expect(await bot.putOff()).toBe(1))
    telling.pass(2 * 86_400_000)
    await eventually(async () => expect(await bot.states()).toEqual({ dropped: ['dropped'] }))
  })

  test('keeps what may be there already in the message that it went with', async () => {
    const bot = await telling.bot()
    await bot.follow(news.id)
    await bot.tell('Otter', 'Heron')
    const limits = { maxChats: 1, maxEvents: 10, lease: 60 }
    const [claim] = await bot.outbox.claim('telegram', limits)
    if (!claim) throw new Error('nothing was claimed')
    const runAt = telling.seconds()
    const later = { kind: 'later', runAt, reason: 'no answer', uncertain: true } as const
    await bot.outbox.record(claim, claim.news, later, 0)
    await bot.spoil('Otter', change)
    bot.delivery.start()
    await eventually(() => expect(waits()).toHaveLength(1))
    expect(telling.texts(news.id)).toEqual([])
    expect(Object.keys(await bot.states())).toEqual(['waiting'])
  })
})

/** Its auction went live and is about to end, both known at one look. */
function overtaken(): Event[] {
  const live = telling.news('Otter')
  const ends = { minutes: 30, fromMinutes: 1441, endsAt: live.at + 1800 }
  const body = { kind: 'ending', asset: auction('Otter'), ...ends } as const
  return [live, { ...live, key: 'ending Otter', body }]
}

/** A channel that follows both hears of them in one message. */
async function tellBoth(bot: Awaited<ReturnType<Telling['bot']>>): Promise<void> {
  await bot.follow(news.id)
  await bot.follows.follow(
    { platform: 'telegram', kind: 'chat', id: String(news.id) },
    { kind: 'ending', setting: { minutes: 60 }, scope: {} },
  )
  bot.delivery.start()
  await bot.happen(overtaken())
  await telling.inTime(() => expect(telling.texts(news.id)).toHaveLength(1))
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
