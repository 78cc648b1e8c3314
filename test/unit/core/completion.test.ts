import { afterEach, describe, expect, test, vi } from 'vitest'
import { text } from '../../../src/core/command.ts'
import { UserError } from '../../../src/errors.ts'
import { command, context, down, failing, makeBot, type Pond, said } from './otter-bot.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('completion', () => {
  test('gives the choices of the parameter', async () => {
    const { bot, pond } = makeBot()
    const choices = await bot.complete({ command: 'find', option: 'name', typed: 'a' }, context)
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
  ])('%s %s gives an empty list', async (command, option) => {
    expect(await makeBot().bot.complete({ command, option, typed: 'a' }, context)).toEqual([])
  })

  test('that takes too long gives an empty list, and its later failure is ignored', async () => {
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
    const completing = makeBot([slow]).bot.complete(
      { command: 'slow', option: 'word', typed: 'a' },
      context,
    )
    await vi.advanceTimersByTimeAsync(2_999)
    expect(await completing).toEqual([])
    fail(new Error('too late'))
    await vi.advanceTimersByTimeAsync(1)
  })
})

test('a seed phrase is not searched for while it is typed', async () => {
  const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
  const { bot, pond } = makeBot()
  expect(await bot.complete({ command: 'find', option: 'name', typed: phrase }, context)).toEqual(
    [],
  )
  const { hits, notice } = await bot.inline(phrase, context)
  expect([hits, notice]).toEqual([[], expect.stringContaining('looks like a private key')])
  expect(pond.asked).toEqual([])
})

describe('inline', () => {
  test('gives the hits of the first command with inline hits', async () => {
    const { hits, notice } = await makeBot().bot.inline('d', context)
    expect([hits.map(({ title }) => title), notice]).toEqual([['Ada'], undefined])
    const plain = command({ name: 'plain', about: 'x', params: {}, run: async () => said('x') })
    expect(await makeBot([plain]).bot.inline('d', context)).toEqual({ hits: [] })
  })

  test('a failure gives a notice, and no card to send', async () => {
    const { bot, lines } = makeBot([down])
    expect(await bot.inline('moon otter', context)).toEqual({
      hits: [],
      notice: 'Data provider unreachable',
    })
    expect(lines.join()).toContain('upstream-7')
  })

  test('a refusal gives a notice', async () => {
    const { bot, lines } = makeBot([failing('search', new UserError('Type more.'))])
    expect(await bot.inline('m', context)).toEqual({ hits: [], notice: 'Type more.' })
    expect(lines).toEqual([])
  })
})
