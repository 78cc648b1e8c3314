import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { plainView } from '../../../src/core/catalogue.ts'
import type { Context } from '../../../src/core/command.ts'
import { FloodControl } from '../../../src/core/flood-control.ts'
import { discord } from '../../../src/discord/platform.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { context, find, makeBot, said, silence } from './otter-bot.ts'

// The clock stands still, or a slow test would see the flood end.
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const someone = (person: string, place = person): Context => ({
  platform: telegram,
  user: person,
  chat: place,
  ephemeral: false,
  isPrivate: false,
  locale: 'en',
})
const inClub = (person: string) => someone(person, 'club')

type Bot = ReturnType<typeof makeBot>['bot']

async function outcomes(bot: Bot, turns: readonly Context[]): Promise<string[]> {
  const answers = []
  for (const each of turns) answers.push(await bot.answer(bot.parse('find Ada'), each))
  return answers.map(({ outcome, repeated }) => (repeated ? 'silent' : outcome))
}

const times = (count: number, each: Context) => Array.from({ length: count }, () => each)

describe('a person who sends too much', () => {
  test('is answered once with when the next is accepted, without a call of the API', async () => {
    const { bot, pond, lines } = makeBot([find], { person: 3, chat: 1000 })
    expect(await outcomes(bot, times(3, context))).toEqual(['answered', 'answered', 'answered'])
    const told = await bot.answer(bot.parse('find Ada'), context)
    expect(plainView(told.view)).toBe('That’s a lot at once. Wait 10 s, then send it again.')
    expect(await outcomes(bot, times(2, context))).toEqual(['silent', 'silent'])
    expect(pond.asked).toHaveLength(3)
    expect(lines).toEqual([])
  })

  test('is counted over all chats', async () => {
    const { bot } = makeBot([find], { person: 2, chat: 1000 })
    const turns = [someone('ada'), inClub('ada'), someone('ada', 'lodge')]
    expect(await outcomes(bot, turns)).toEqual(['answered', 'answered', 'refused'])
  })

  test('slows down nobody else, nor a person of the same id on the other platform', async () => {
    const { bot } = makeBot([find], { person: 1, chat: 1 })
    const others: Context[] = [context, someone('ada'), { ...context, platform: discord }]
    expect(await outcomes(bot, others)).toEqual(['answered', 'answered', 'answered'])
    expect(await outcomes(bot, [context])).toEqual(['refused'])
  })

  test('is answered again after a while, and warned again in the next flood', async () => {
    const { bot } = makeBot([find], { person: 1, chat: 1000 })
    const flood = ['answered', 'refused', 'silent']
    expect(await outcomes(bot, times(3, context))).toEqual(flood)
    vi.advanceTimersByTime(10_001)
    expect(await outcomes(bot, times(3, context))).toEqual(flood)
  })

  test('does not use up the limit of the chat', async () => {
    const { bot } = makeBot([find], { person: 1, chat: 3 })
    const turns = [...times(10, inClub('ada')), inClub('ben'), inClub('cleo'), inClub('dan')]
    expect((await outcomes(bot, turns)).slice(-3)).toEqual(['answered', 'answered', 'refused'])
  })
})

describe('a chat that sends too much', () => {
  test('is warned once, whoever writes, without a call of the API; other chats are answered', async () => {
    const { bot, pond } = makeBot([find], { person: 1000, chat: 2 })
    const turns = ['ada', 'ben', 'cleo', 'dan'].map(inClub)
    expect(await outcomes(bot, turns)).toEqual(['answered', 'answered', 'refused', 'silent'])
    expect(pond.asked).toHaveLength(2)
    expect(await outcomes(bot, [someone('cleo')])).toEqual(['answered'])
  })
})

describe('in a group where a platform takes few messages', () => {
  const inGroup = { telegram: { person: 2, chat: 4 } }
  const limits = { person: 1000, chat: 1000, inGroup }
  const inPrivate = { ...someone('ada'), isPrivate: true }

  test('a member is answered no more for a minute, and told once to go on in private', async () => {
    const { bot } = makeBot([find], limits)
    const flood = ['answered', 'answered', 'refused', 'silent', 'silent']
    expect(await outcomes(bot, times(5, inClub('ada')))).toEqual(flood)
    const others: Context[] = [inPrivate, someone('ada', 'lodge'), inClub('ben')]
    expect(await outcomes(bot, others)).toEqual(['answered', 'answered', 'answered'])
    vi.advanceTimersByTime(50_000)
    expect(await outcomes(bot, [inClub('ada')])).toEqual(['silent'])
    vi.advanceTimersByTime(10_001)
    expect(await outcomes(bot, times(2, inClub('ada')))).toEqual(['answered', 'answered'])
    const refused = await bot.answer(bot.parse('find Ada'), inClub('ada'))
    expect(plainView(refused.view)).toBe('That’s a lot at once here. Ask me in a DM, or wait 60 s.')
  })

  test('what is too much there does not use up what the member may ask elsewhere', async () => {
    const { bot } = makeBot([find], { ...limits, person: 5 })
    await outcomes(bot, times(50, inClub('ada')))
    expect(await outcomes(bot, times(3, inPrivate))).toEqual(Array(3).fill('answered'))
  })

  test('all members together are answered no more, which is said once', async () => {
    const { bot } = makeBot([find], limits)
    const people = ['ada', 'ben', 'cleo', 'dan', 'eve', 'fay'].map(inClub)
    const answered = Array.from({ length: 4 }, () => 'answered')
    expect(await outcomes(bot, people)).toEqual([...answered, 'refused', 'silent'])
  })

  test('commands in the name of the group count; those in private chats and on other platforms don’t', async () => {
    const { bot } = makeBot([find], limits)
    const asGroup: Context = { ...someone('club', 'club'), asChat: true }
    expect((await outcomes(bot, times(3, asGroup))).at(-1)).toBe('refused')
    const unlimited: Context[] = [
      inPrivate,
      someone('ada'),
      { ...inClub('ada'), platform: discord },
    ]
    for (const each of unlimited) {
      expect(await outcomes(bot, times(9, each))).toEqual(Array(9).fill('answered'))
    }
  })
})

describe('where updates are spread over replicas', () => {
  test.each([
    [1, 30],
    [2, 30],
    [3, 20],
    [4, 15],
    [100, 1],
  ])('each of %d answers %d of 30 commands', async (replicas, answered) => {
    const floods = new FloodControl({ person: 30, chat: 1000 }, () => replicas)
    const counted = []
    for (const each of times(40, context)) counted.push(floods.count(each))
    expect(counted.filter((flood) => flood === undefined)).toHaveLength(answered)
    expect(counted.filter((flood) => flood && !flood.isRepeated)).toHaveLength(1)
  })
})

test('cards that come unasked in a group count as commands of the member, and those that nobody finds do not', async () => {
  const overheard = (text: string) => async () => (text === 'found' ? said('card') : undefined)
  const { bot } = makeBot([find], { person: 3, chat: 1000 }, { ...silence, overheard })
  for (const text of ['nothing', 'found', 'found']) await bot.overheard(text, inClub('ada'))
  expect(await outcomes(bot, times(2, inClub('ada')))).toEqual(['answered', 'refused'])
})

describe('requests while a person types', () => {
  const name = { command: 'find', option: 'name', typed: 'a' }

  test('completions count, and in a flood are empty and call no API', async () => {
    const { bot, pond } = makeBot([find], { person: 2, chat: 1000 })
    expect(await bot.complete(name, context)).toHaveLength(2)
    expect(await bot.complete(name, context)).toHaveLength(2)
    expect(await bot.complete(name, context)).toEqual([])
    expect(pond.asked).toHaveLength(2)
    expect(await outcomes(bot, [context])).toEqual(['silent'])
  })

  test('inline queries count, and in a flood say so and call no API', async () => {
    const { bot, pond, lines } = makeBot([find], { person: 1, chat: 1000 })
    expect((await bot.inline('d', context)).hits).toHaveLength(1)
    const looked = pond.looked
    const notice = 'That’s a lot at once. Wait 10 s, then send it again.'
    expect(await bot.inline('d', context)).toEqual({ hits: [], notice })
    expect(pond.looked).toBe(looked)
    expect(lines).toEqual([])
  })
})
