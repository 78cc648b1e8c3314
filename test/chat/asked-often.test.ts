import { afterEach, describe, expect, test, vi } from 'vitest'
import { text } from '../../src/chat/params.ts'
import { plainView } from '../../src/chat/view.ts'
import { UserError } from '../../src/errors.ts'
import { command, down, failing, find, makeBot, type Pond, said, turn } from './pond.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('floods', () => {
  test('who sends too much is told once, then is a repetition, and costs nothing', async () => {
    const { bot: slow, pond, lines } = makeBot([find], 3)
    const answers = []
    for (let count = 0; count < 6; count += 1) answers.push(await slow.answer('find Ada', turn))
    expect(answers.map(({ outcome }) => outcome)).toEqual([
      ...Array<string>(3).fill('answered'),
      ...Array<string>(3).fill('refused'),
    ])
    expect(answers.map(({ repeated }) => repeated ?? false)).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
    ])
    expect(answers[3] && plainView(answers[3].view)).toMatch(
      /^That is a lot at once\. Wait \d+ s, then send it again\.$/u,
    )
    expect(pond.asked).toHaveLength(3)
    expect(lines).toEqual([])
  })

  test('others are not slowed down, nor is a person of the same id on the other platform', async () => {
    const { bot: slow } = makeBot([find], 1)
    const people = [
      turn,
      { platform: 'telegram', person: 'ada' },
      { platform: 'discord', person: 'ben' },
    ] as const
    for (const person of people) {
      expect((await slow.answer('find Ada', person)).outcome).toBe('answered')
    }
    expect((await slow.answer('find Ada', turn)).outcome).toBe('refused')
  })

  test('after a while the person is heard again', async () => {
    vi.useFakeTimers()
    const { bot: slow } = makeBot([find], 1)
    await slow.answer('find Ada', turn)
    expect((await slow.answer('find Ada', turn)).outcome).toBe('refused')
    vi.advanceTimersByTime(10_001)
    expect((await slow.answer('find Ada', turn)).outcome).toBe('answered')
  })
})

describe('completion', () => {
  test('gives the choices of the parameter', async () => {
    const { bot, pond } = makeBot()
    const choices = await bot.complete('find', 'name', 'a')
    expect(choices.map(({ value }) => value)).toEqual(['Ada', 'Ben'])
    expect(pond.asked).toEqual(['a'])
  })

  test.each([
    ['find', 'colour'],
    ['find', 'nothing'],
    ['find', 'constructor'],
    ['nothing', 'name'],
    ['broken', 'word'],
    ['down', 'word'],
  ])('%s %s gives an empty list', async (name, option) => {
    expect(await makeBot().bot.complete(name, option, 'a')).toEqual([])
  })

  test('that comes too late gives an empty list, and its failure later harms nothing', async () => {
    vi.useFakeTimers()
    let fail = (_: Error) => {}
    const late = new Promise<never>((_, reject) => {
      fail = reject
    })
    const slow = command({
      name: 'slow',
      about: 'x',
      params: { word: { ...text<Pond>('A word', 'x'), complete: () => late } },
      run: async () => said('x'),
    })
    const completing = makeBot([slow]).bot.complete('slow', 'word', 'a')
    await vi.advanceTimersByTimeAsync(2_999)
    expect(await completing).toEqual([])
    fail(new Error('too late'))
    await vi.advanceTimersByTimeAsync(1)
  })
})

describe('inline', () => {
  test('gives what the first command that can has to offer', async () => {
    expect((await makeBot().bot.inline('d')).map(({ title }) => title)).toEqual(['Ada'])
    const plain = command({ name: 'plain', about: 'x', params: {}, run: async () => said('x') })
    expect(await makeBot([plain]).bot.inline('d')).toEqual([])
  })

  test('a failure is a result that can be read, and its button asks the same again', async () => {
    const [hit, ...more] = await makeBot([down]).bot.inline('moon otter')
    expect(more).toEqual([])
    expect(hit?.title).toBe('No answer')
    expect(hit?.about).toContain('does not answer right now')
    expect(hit?.view.buttons).toEqual([[{ label: 'Try again', run: 'down "moon otter"' }]])
  })

  test('a refusal is a result that can be read', async () => {
    const [hit] = await makeBot([failing('search', new UserError('Type more.'))]).bot.inline('m')
    expect([hit?.title, hit?.about]).toEqual(['No answer', 'Type more.'])
  })
})
