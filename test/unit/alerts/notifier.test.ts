import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club, lodge, news } from '../../../sandbox/telegram/cast.ts'
import type { Event } from '../../../src/alerts/kinds/kind.ts'
import type { Rule } from '../../../src/alerts/rule.ts'
import type { CardPictures } from '../../../src/cards/card-pictures.ts'
import { refuse } from '../../failing-store.ts'
import { digest } from './digest-event.ts'
import { auction, eventually, expectOnce, NotifierHarness } from './notifier-harness.ts'

let harness: NotifierHarness
beforeEach(async () => {
  harness = await NotifierHarness.start()
})
afterEach(() => harness.stop())

type Bot = Awaited<ReturnType<NotifierHarness['bot']>>
function waiting(bot: Bot): Promise<number> {
  return bot.states().then(({ waiting: left = [] }) => left.length)
}

describe('an event', () => {
  test('is sent to every subscribed chat once, and then recorded as sent', async () => {
    const bot = await harness.bot()
    const people = harness.people(30)
    for (const chat of [...people, news.id, club.id]) await bot.subscribe(chat)
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(() => expectOnce(harness, [...people, news.id, club.id], 'Otter'))
    await eventually(async () => expect(await bot.states()).toEqual({ sent: expect.any(Array) }))
  })

  test('has a line in the log for each of the first twenty chats it is sent to, with the delivery’s id', async () => {
    const bot = await harness.bot()
    const people = harness.people(23)
    for (const chat of people) await bot.subscribe(chat)
    bot.notifier.start()
    await bot.goLive('Otter')
    const sent = (level: string) =>
      harness.log.lines.filter((line) => line.level === level && line.msg === 'an alert was sent')
    await eventually(() => expect(sent('info').length + sent('debug').length).toBe(23))
    expect(sent('info')).toHaveLength(20)
    const rows = await bot.store.selectFrom('deliveries').select(['event_id', 'chat_id']).execute()
    const ids = [...sent('info'), ...sent('debug')].flatMap(({ deliveries }) => deliveries)
    expect(ids.sort()).toEqual(rows.map((row) => `${row.event_id}.${row.chat_id}`).sort())
  })

  test('shares a message with others that are due to the chat', async () => {
    const bot = await harness.bot()
    await bot.subscribe(news.id)
    await bot.goLive('Otter', 'Beaver', 'Heron')
    bot.notifier.start()
    await eventually(() => expect(harness.texts(news.id)).toHaveLength(1))
    for (const name of ['Otter', 'Beaver', 'Heron']) expectOnce(harness, [news.id], name)
  })

  test('goes into a further message if there are more than one shows', async () => {
    const bot = await harness.bot()
    const person = harness.person(700_000)
    await bot.subscribe(person)
    const names = Array.from({ length: 25 }, (_, index) => `Otter${index}.`)
    await bot.goLive(...names)
    bot.notifier.start()
    await harness.inTime(() => {
      for (const name of names) expectOnce(harness, [person], name)
    })
    expect(harness.texts(person)).toHaveLength(3)
  })

  test('is sent to the topic that is subscribed', async () => {
    const bot = await harness.bot()
    await bot.subscribe(lodge.id, '2')
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(() => expectOnce(harness, [lodge.id], 'Otter'))
    expect(harness.server.people.messages(lodge.id).at(-1)?.thread).toBe(2)
  })

  test('is dropped, not sent, once it is no longer useful', async () => {
    const bot = await harness.bot()
    await bot.subscribe(news.id)
    await bot.goLive('Otter')
    harness.ahead = 2 * 86_400_000
    bot.notifier.start()
    await eventually(async () => expect(await bot.states()).toEqual({ dropped: ['dropped'] }))
    expect(harness.texts(news.id)).toEqual([])
    expect(harness.log.of('info').join()).toContain('an alert was dropped')
  })
})

describe('quiet hours', () => {
  const nightOf = (hours: number) => {
    const end = harness.seconds() + hours * 3600
    return ({ id }: { id: string }) =>
      id === String(news.id) && harness.seconds() < end ? end : undefined
  }

  test('gather what happens, also over a restart, and send it as one message at their end', async () => {
    const quietUntil = nightOf(8)
    const bot = await harness.bot({ quietUntil })
    await bot.subscribe(news.id)
    await bot.subscribe(club.id)
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(() => expectOnce(harness, [club.id], 'Otter'))
    harness.advance(3_600_000)
    await bot.goLive('Heron')
    await eventually(() => expectOnce(harness, [club.id], 'Heron'))
    await eventually(async () => expect(await bot.deferred()).toBe(2))
    expect(harness.texts(news.id)).toEqual([])
    await bot.notifier.stop()
    const restarted = await harness.bot({ quietUntil })
    harness.advance(8 * 3_600_000)
    restarted.notifier.start()
    await eventually(() => expect(harness.texts(news.id)).toHaveLength(1))
    for (const name of ['Otter', 'Heron']) expectOnce(harness, [news.id], name)
  })

  test.each([
    ['off', 0],
    ['shorter', 2],
  ])('that are turned %s let what they gathered go at their new end', async (_, hours) => {
    let quietUntil = nightOf(8)
    const bot = await harness.bot({ quietUntil: (chat) => quietUntil(chat) })
    await bot.subscribe(news.id)
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(async () => expect(await bot.deferred()).toBe(1))
    const end = harness.seconds() + hours * 3600
    quietUntil = () => (harness.seconds() < end ? end : undefined)
    await bot.outbox.endQuiet('telegram', String(news.id))
    bot.notifier.wake()
    if (hours > 0) {
      const runAt = async () =>
        (await bot.store.selectFrom('deliveries').select('run_at_s').execute())[0]
      await eventually(async () => expect(await runAt()).toEqual({ run_at_s: end }))
      expect(harness.texts(news.id)).toEqual([])
      harness.advance(hours * 3_600_000 + 1000)
    }
    await eventually(() => expectOnce(harness, [news.id], 'Otter'))
  })

  test('are no delay: the time from an event to its message is reported for the others', async () => {
    const times: [platform: string, seconds: number][] = []
    const onSent = (platform: string, seconds: number) => times.push([platform, seconds])
    const bot = await harness.bot({ quietUntil: nightOf(8), onSent })
    await bot.subscribe(news.id)
    await bot.subscribe(club.id)
    await bot.goLive('Otter')
    harness.advance(90_000)
    bot.notifier.start()
    await eventually(() => expectOnce(harness, [club.id], 'Otter'))
    await eventually(async () => expect(await bot.deferred()).toBe(1))
    // The stand-in has a message before the bot has read its answer.
    await eventually(() => expect(times).toHaveLength(1))
    harness.advance(8 * 3_600_000)
    await eventually(() => expectOnce(harness, [news.id], 'Otter'))
    expect(times).toEqual([['telegram', expect.any(Number)]])
    expect(times[0]?.[1]).toBeGreaterThanOrEqual(90)
    expect(times[0]?.[1]).toBeLessThan(1000)
  })

  test('leave out what is over at their end', async () => {
    const bot = await harness.bot({ quietUntil: nightOf(30) })
    await bot.subscribe(news.id)
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(async () => expect(await bot.deferred()).toBe(1))
    harness.advance(31 * 3_600_000)
    await eventually(async () => expect(await bot.states()).toEqual({ dropped: ['dropped'] }))
    expect(harness.texts(news.id)).toEqual([])
  })

  test('hold back no message that may have arrived: it is sent again as a whole, or not at all', async () => {
    let isNight = false
    const bot = await harness.bot({
      quietUntil: () => (isNight ? harness.seconds() + 8 * 3600 : undefined),
    })
    await bot.subscribe(news.id)
    harness.front.mishap = (method) => (method === 'sendMessage' ? 'reset' : undefined)
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(async () => expect(await bot.deferred()).toBe(1))
    harness.front.mishap = () => undefined
    isNight = true
    harness.advance(60_000)
    await eventually(() => expectOnce(harness, [news.id], 'Otter'))
  })

  test('hold back no daily summary, whose hour is set by hand', async () => {
    const bot = await harness.bot({ quietUntil: nightOf(8) })
    const rule: Rule = { kind: 'digest', setting: { hour: 3, zone: 'UTC' }, scope: {} }
    const to = { platform: 'telegram', kind: 'chat', id: String(news.id) } as const
    await bot.subscriptions.subscribe(to, rule)
    const { id } = (await bot.subscriptions.of(to)).subscriptions[0] ?? expect.unreachable()
    bot.notifier.start()
    await bot.enqueue([digest({ key: 'digest', rule: id, at: harness.seconds() })])
    await eventually(() => expect(harness.texts(news.id).join()).toContain('Daily summary'))
  })
})

describe('a restart', () => {
  test('sends nothing twice and loses nothing', async () => {
    const first = await harness.bot()
    const people = harness.people(30)
    for (const person of people) await first.subscribe(person)
    first.notifier.start()
    await first.goLive('Otter')
    await eventually(() => expect(people.some((each) => harness.texts(each).length > 0)).toBe(true))
    await first.notifier.stop()
    expect(await waiting(first)).toBeGreaterThan(0)
    const second = await harness.bot()
    second.notifier.start()
    await eventually(() => expectOnce(harness, people, 'Otter'))
  })

  test('during a send waits for its answer', async () => {
    const bot = await harness.bot()
    await bot.subscribe(news.id)
    const held: (() => void)[] = []
    harness.front.mishap = (method) =>
      method === 'sendMessage'
        ? (response) => {
            const text = { chat: { id: news.id, type: 'channel', title: 'x' }, date: 1 }
            const result = { message_id: 99, ...text, text: 'x' }
            held.push(() => response.end(JSON.stringify({ ok: true, result })))
          }
        : undefined
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(() => expect(held).toHaveLength(1))
    const stopped = bot.notifier.stop()
    held[0]?.()
    await stopped
    expect(await bot.states()).toEqual({ sent: ['sent'] })
  })

  test('does not wait for ever: a send without an answer is recorded as uncertain and retried once', async () => {
    const bot = await harness.bot({ drainMs: 50 })
    await bot.subscribe(news.id)
    const unanswered: ServerResponse[] = []
    harness.front.mishap = (method) =>
      method === 'sendMessage' ? (response) => unanswered.push(response) : undefined
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(() => expect(unanswered).toHaveLength(1))
    await bot.notifier.stop()
    await bot.notifier.close()
    for (const each of unanswered) each.destroy()
    harness.front.mishap = () => undefined
    const { outbox } = await harness.bot()
    await harness.inTime(async () => {
      const claim = await outbox.claim('telegram', 10)
      expect(claim).toMatchObject({ uncertain: true, events: [expect.any(Number)] })
    })
  }, 40_000)
})

test('a claim that can’t be deferred while the platform is down is released', async () => {
  const bot = await harness.bot()
  for (const person of harness.people(3)) await bot.subscribe(person)
  harness.front.mishap = (method) => (method === 'sendMessage' ? 'reset' : undefined)
  bot.notifier.start()
  await bot.goLive('Otter')
  await eventually(async () => expect(await bot.deferred()).toBe(3))
  await refuse(bot.store, 'update of reason on deliveries', "new.reason like 'the platform%'")
  harness.advance(40_000)
  const faults = () => harness.log.lines.filter(({ msg }) => msg === 'alerts are held up')
  await eventually(() => expect(faults()).toHaveLength(1))
  await bot.notifier.stop()
  const due = bot.store
    .selectFrom('chats')
    .select('due_at_ms')
    .where('due_at_ms', '<=', harness.now())
  expect(await due.execute()).toHaveLength(3)
})

test('an uncertain delivery is not sent again while the platform is down', async () => {
  const bot = await harness.bot()
  for (const person of harness.people(3)) await bot.subscribe(person)
  let tries = 0
  harness.front.mishap = (method) => {
    if (method !== 'sendMessage') return undefined
    tries += 1
    return 'reset'
  }
  bot.notifier.start()
  await bot.goLive('Otter')
  await eventually(async () => expect(await bot.deferred()).toBe(3))
  const before = tries
  harness.advance(40_000)
  const putOff = bot.store
    .selectFrom('deliveries')
    .select('attempts')
    .where('reason', '=', 'the platform can’t be reached')
  // Only what was sent counts as an attempt: after twelve an alert is given up.
  const triedOnce = Array.from({ length: 3 }, () => ({ attempts: 1 }))
  await eventually(async () => expect(await putOff.execute()).toEqual(triedOnce))
  await bot.notifier.stop()
  expect(tries).toBe(before)
})

test('a delivery without an answer twice is not retried, also if the bot stops meanwhile', async () => {
  const bot = await harness.bot({ drainMs: 50 })
  await bot.subscribe(news.id)
  const unanswered: ServerResponse[] = []
  let tries = 0
  harness.front.mishap = (method) => {
    if (method !== 'sendMessage') return undefined
    tries += 1
    return tries === 1 ? 'reset' : (response) => unanswered.push(response)
  }
  bot.notifier.start()
  await bot.goLive('Otter')
  await eventually(async () => expect(await bot.deferred()).toBe(1))
  harness.advance(60_000)
  await eventually(() => expect(unanswered).toHaveLength(1))
  await bot.notifier.stop()
  await bot.notifier.close()
  expect(await bot.states()).toEqual({ uncertain: ['uncertain'] })
  for (const each of unanswered) each.destroy()
}, 40_000)

describe('a chat that can’t be written to', () => {
  test('is paused with the reason, and the others get theirs', async () => {
    const bot = await harness.bot()
    for (const chat of [ada.id, ben.id, news.id]) await bot.subscribe(chat)
    harness.person(ben.id)
    harness.person(ada.id)
    harness.server.people.block(ada.id)
    harness.server.people.kick(news.id)
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(() => expectOnce(harness, [ben.id], 'Otter'))
    const target = { platform: 'telegram', kind: 'person', id: String(ada.id) } as const
    await eventually(async () => {
      expect((await bot.subscriptions.of(target)).paused).toBe('blocked')
      const channel = { ...target, kind: 'chat', id: String(news.id) } as const
      expect((await bot.subscriptions.of(channel)).paused).toBe('removed')
    })
    const calls = harness.front.calls.length
    await bot.goLive('Heron')
    await eventually(() => expectOnce(harness, [ben.id], 'Heron'))
    expect(harness.front.calls.slice(calls).filter((each) => each === 'sendMessage')).toHaveLength(
      1,
    )
  })

  test('gets its alerts under its new id after a group became a supergroup', async () => {
    const bot = await harness.bot()
    await bot.subscribe(club.id)
    const moved = harness.server.people.migrate(club.id)
    bot.notifier.start()
    await bot.goLive('Otter')
    await harness.inTime(() => expectOnce(harness, [moved], 'Otter'))
    await bot.goLive('Heron')
    await harness.inTime(() => expectOnce(harness, [moved], 'Heron'))
  })
})

describe('a chat that refuses for a reason that is not known', () => {
  const pausedOf = async (bot: Bot, chat: number) =>
    (await bot.subscriptions.of({ platform: 'telegram', kind: 'chat', id: String(chat) })).paused

  test('is paused after five messages in a row, and the log and a counter say so', async () => {
    const paused: string[] = []
    const bot = await harness.bot({ onPaused: (...each) => paused.push(each.join(' ')) })
    await bot.subscribe(club.id)
    const person = harness.person(ben.id)
    await bot.subscribe(person)
    const { circumstances } = harness.server
    bot.notifier.start()
    const tell = async (name: string) => {
      await bot.goLive(name)
      await harness.inTime(async () => {
        expectOnce(harness, [person], name)
        expect(await waiting(bot)).toBe(0)
      })
    }
    circumstances.refuses(club.id, 'SOMETHING_NEW')
    for (const name of ['One', 'Two', 'Three', 'Four']) await tell(name)
    // A message that is accepted ends the row.
    circumstances.refuses(club.id, undefined)
    await tell('Accepted')
    circumstances.refuses(club.id, 'SOMETHING_NEW')
    for (const name of ['Five', 'Six', 'Seven', 'Eight']) await tell(name)
    expect(await pausedOf(bot, club.id)).toBeUndefined()
    await tell('Nine')
    await eventually(async () => expect(await pausedOf(bot, club.id)).toBe('refused'))
    expect(paused).toEqual(['telegram refused'])
    const lines = harness.log.of('warn').filter((line) => line.includes('are paused'))
    expect(lines).toEqual([expect.stringContaining('SOMETHING_NEW')])
    expect(await pausedOf(bot, person)).toBeUndefined()
  })

  test('is not, while more than three refuse and none accepts: the messages may be the cause', async () => {
    const bot = await harness.bot()
    const people = harness.people(5)
    for (const person of people) {
      await bot.subscribe(person)
      harness.server.circumstances.refuses(person, 'SOMETHING_NEW')
    }
    bot.notifier.start()
    for (let time = 0; time < 7; time += 1) {
      await bot.goLive(`Otter ${time}`)
      await harness.inTime(async () => expect(await waiting(bot)).toBe(0))
    }
    const rows = await bot.store.selectFrom('chats').select('paused').execute()
    expect(rows.map(({ paused }) => paused)).toEqual(people.map(() => null))
  })
})

test('while Telegram has frozen the bot, alerts wait, and no chat is paused', async () => {
  const bot = await harness.bot()
  const people = harness.people(5)
  for (const person of people) {
    await bot.subscribe(person)
    harness.server.circumstances.refuses(person, 'FROZEN_METHOD_INVALID')
  }
  bot.notifier.start()
  await bot.goLive('Otter')
  await eventually(() =>
    expect(JSON.stringify(harness.log.of('warn'))).toContain('FROZEN_METHOD_INVALID'),
  )
  for (const person of people) harness.server.circumstances.refuses(person, undefined)
  await harness.inTime(() => expectOnce(harness, people, 'Otter'))
})

describe('a message that a platform refuses', () => {
  test('with a Retry-After is sent after that time, and others meanwhile', async () => {
    const bot = await harness.bot()
    const people = harness.people(10)
    for (const person of people) await bot.subscribe(person)
    const calls: number[] = []
    harness.front.mishap = (method) => {
      if (method !== 'sendMessage' || calls.push(harness.elapsed()) > 1) return undefined
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
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(() => expect(calls.length).toBeGreaterThanOrEqual(people.length))
    await harness.inTime(() => expectOnce(harness, people, 'Otter'))
    expect((calls.at(-1) ?? 0) - (calls[0] ?? 0)).toBeGreaterThanOrEqual(3000)
  })

  test('for good is given up with the reason, and the chat gets the next event', async () => {
    const bot = await harness.bot()
    await bot.subscribe(news.id)
    let refused = 0
    harness.front.mishap = (method) => {
      if (method !== 'sendMessage' || refused > 0) return undefined
      refused += 1
      return {
        status: 400,
        body: '{"ok":false,"error_code":400,"description":"Bad Request: message text is empty"}',
      }
    }
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(async () => expect(await bot.states()).toEqual({ 'given-up': ['given-up'] }))
    await bot.goLive('Heron')
    await eventually(() => expectOnce(harness, [news.id], 'Heron'))
    expect(harness.texts(news.id)).toHaveLength(1)
  })

  test('without an answer is retried once', async () => {
    const bot = await harness.bot()
    await bot.subscribe(news.id)
    let tries = 0
    harness.front.mishap = (method) => {
      if (method !== 'sendMessage') return undefined
      tries += 1
      return 'reset'
    }
    bot.notifier.start()
    await bot.goLive('Otter')
    await eventually(() => expect(tries).toBe(1))
    await eventually(async () => expect(await bot.deferred()).toBe(1))
    expect(await bot.states()).toEqual({ waiting: ['waiting'] })
    harness.advance(60_000)
    await eventually(async () => expect(await bot.states()).toEqual({ uncertain: ['uncertain'] }))
    expect(tries).toBe(2)
  })
})

describe.each([
  ['of another version', () => '{"kind":"eclipse","sun":1}'],
  ['cut off', (body: string) => body.slice(0, 100)],
])('an event (%s) that this version can’t parse', (_, change) => {
  const waits = () =>
    harness.log.lines.filter(({ msg }) => msg === 'an alert waits for a version that can read it')

  test('waits for a version that can, with one line in the log, and the others are sent', async () => {
    const bot = await harness.bot()
    const people = [harness.person(700_000), news.id]
    for (const person of people) await bot.subscribe(person)
    await bot.goLive('Beaver', 'Otter', 'Heron')
    const { key } = harness.liveEvent('Otter')
    const written = bot.store.selectFrom('events').select('body').where('key', '=', key)
    const { body } = await written.executeTakeFirstOrThrow()
    await bot.spoil('Otter', change)
    bot.notifier.start()
    await eventually(() => {
      for (const name of ['Beaver', 'Heron']) expectOnce(harness, people, name)
    })
    await eventually(async () => {
      expect((await bot.states()).sent).toHaveLength(4)
      expect(await bot.deferred()).toBe(2)
    })
    harness.advance(61_000)
    const runAts = bot.store.selectFrom('deliveries').select('run_at_s')
    const later = runAts.where('state', '=', 'waiting').where('run_at_s', '>', harness.seconds())
    await eventually(async () => expect(await later.execute()).toHaveLength(2))
    expect(waits()).toHaveLength(1)
    await bot.notifier.stop()
    await bot.spoil('Otter', () => body)
    const newer = await harness.bot()
    newer.notifier.start()
    harness.advance(61_000)
    await eventually(() => expectOnce(harness, people, 'Otter'))
    const tries = newer.store.selectFrom('deliveries').select('attempts')
    await eventually(async () => expect(await newer.states()).toEqual({ sent: expect.any(Array) }))
    expect((await tries.execute()).map(({ attempts }) => attempts)).toEqual(Array(6).fill(1))
  })

  test('is dropped once it is no longer useful', async () => {
    const bot = await harness.bot()
    await bot.subscribe(news.id)
    await bot.goLive('Otter')
    await bot.spoil('Otter', change)
    bot.notifier.start()
    await eventually(async () => expect(await bot.deferred()).toBe(1))
    harness.advance(2 * 86_400_000)
    await eventually(async () => expect(await bot.states()).toEqual({ dropped: ['dropped'] }))
  })

  test('stays in one message with those that it may have been sent with', async () => {
    const bot = await harness.bot()
    await bot.subscribe(news.id)
    await bot.goLive('Otter', 'Heron')
    const claim = await bot.outbox.claim('telegram', 10)
    if (!claim) throw new Error('nothing was claimed')
    const runAt = harness.seconds()
    const later = { kind: 'retry', runAt, reason: 'no answer', uncertain: true } as const
    await bot.outbox.record(claim, claim.events, later, 0)
    await bot.spoil('Otter', change)
    bot.notifier.start()
    await eventually(() => expect(waits()).toHaveLength(1))
    expect(harness.texts(news.id)).toEqual([])
    expect(Object.keys(await bot.states())).toEqual(['waiting'])
  })
})

/** Its auction went live and is about to end, both observed by one poll. */
function overtaken(): Event[] {
  const live = harness.liveEvent('Otter')
  const ends = { minutes: 30, fromMinutes: 1441, endsAt: live.at + 1800 }
  const body = { kind: 'ending', asset: auction('Otter'), ...ends } as const
  return [live, { ...live, key: 'ending Otter', body }]
}

/** A channel that follows both hears of them in one message. */
async function tellBoth(bot: Awaited<ReturnType<NotifierHarness['bot']>>): Promise<void> {
  await bot.subscribe(news.id)
  await bot.subscriptions.subscribe(
    { platform: 'telegram', kind: 'chat', id: String(news.id) },
    { kind: 'ending', setting: { minutes: 60 }, scope: {} },
  )
  bot.notifier.start()
  await bot.enqueue(overtaken())
  await harness.inTime(() => expect(harness.texts(news.id)).toHaveLength(1))
}

test('an event that supersedes another of its asset has its picture', async () => {
  const drawn: string[] = []
  const pictures: CardPictures = {
    of: () => Promise.resolve(undefined),
    soon: ({ name }) => {
      drawn.push(name)
      return Promise.resolve(undefined)
    },
    close: () => Promise.resolve(),
  }
  const bot = await harness.bot({ pictures })
  await tellBoth(bot)
  expect(drawn).toEqual(['Otter'])
})

test('a live auction’s message is updated, also if it supersedes another event', async () => {
  const bot = await harness.bot()
  await tellBoth(bot)
  await harness.inTime(async () => {
    const kept = await bot.store.selectFrom('live_messages').select('asset').execute()
    expect(kept).toEqual([{ asset: auction('Otter').asset_address }])
  })
})
