import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Command, commandsOver, type InlineHit } from '../../src/chat/command.ts'
import { Dispatch } from '../../src/chat/dispatch.ts'
import { oneOf, optional, text, whole } from '../../src/chat/params.ts'
import { plainView, type View } from '../../src/chat/view.ts'
import { ApiError, UserError } from '../../src/errors.ts'
import { createLogger } from '../../src/log.ts'
import { errorView } from '../../src/views/error.ts'

interface Pond {
  otters: string[]
  asked: string[]
}

const command = commandsOver<Pond>()
const turn = { platform: 'telegram', person: 'ben' } as const

function said(words: string): View {
  return { title: [words], blocks: [] }
}

const find = command({
  name: 'find',
  about: 'Find an otter',
  params: {
    name: {
      ...text<Pond>('Name of the otter', 'Ada', 20),
      complete: async (typed, pond) => {
        pond.asked.push(typed)
        return pond.otters.map((otter) => ({ value: otter, label: otter }))
      },
    },
    colour: optional(
      oneOf<'brown' | 'grey', Pond>('Only of this colour', [
        { value: 'brown', label: 'Brown' },
        { value: 'grey', label: 'Grey' },
      ]),
    ),
    limit: optional(whole<Pond>('How many', 1, 50)),
  },
  run: async ({ name, colour = 'any', limit = 10 }, pond) => {
    pond.asked.push(name)
    return said(`${name} ${colour} ${limit}`)
  },
  inline: async (term, pond): Promise<InlineHit[]> =>
    pond.otters
      .filter((otter) => otter.includes(term))
      .map((otter) => ({ id: otter, title: otter, about: '', view: said(otter) })),
})

function failing(name: string, error: unknown): Command<Pond> {
  const fail = async () => {
    throw error
  }
  return command({
    name,
    about: 'Fails',
    params: { word: optional({ ...text<Pond>('A word', 'x'), complete: fail }) },
    run: fail,
    inline: fail,
  })
}

const key = 'sk-live-0123456789'
const broken = failing(
  'broken',
  new Error(`socket hang up for key ${key}`, { cause: new Error('ECONNRESET') }),
)
const down = failing('down', new ApiError('unavailable', 'GET /assets/ 503 upstream-7'))

let pond: Pond
let log: string[]
beforeEach(() => {
  pond = { otters: ['Ada', 'Ben'], asked: [] }
  log = []
})
afterEach(() => {
  vi.useRealTimers()
})

function bot(commands: readonly Command<Pond>[] = [find, broken, down], perTenSeconds?: number) {
  const write = (line: string) => log.push(line)
  return new Dispatch({
    commands,
    services: pond,
    explain: errorView,
    log: createLogger('debug', [key], { write }),
    ...(perTenSeconds !== undefined && { perTenSeconds }),
  })
}

async function answer(line: string): Promise<string> {
  const { view } = await bot().answer(line, turn)
  return plainView(view)
}

describe('a command line', () => {
  test.each([
    ['find Ada', 'Ada any 10'],
    ['FIND ada lovelace', 'ada lovelace any 10'],
    ['find Ada colour:GREY limit:50', 'Ada grey 50'],
    ['find limit:1 Ada', 'Ada any 1'],
    ['find name:Ada', 'Ada any 10'],
    ['find "limit:1"', 'limit:1 any 10'],
  ])('%s', async (line, words) => {
    expect(await bot().answer(line, turn)).toEqual({ view: said(words), outcome: 'answered' })
  })

  const refusals: [line: string, words: string][] = [
    ['fnd Ada', 'There is no command /fnd. Did you mean /find? /help lists them all.'],
    ['finder Ada', 'There is no command /finder. Did you mean /find? /help lists them all.'],
    ['quite-unknown', 'There is no command /quite-unknown. /help lists them all.'],
    ['__proto__', 'There is no command /__proto__. /help lists them all.'],
    ['find', '/find needs a name of the otter. For example: /find Ada'],
    ['find ""', '/find needs a name of the otter. For example: /find Ada'],
    ['find "  "', 'Type something to look for, such as Ada.'],
    [`find ${'x'.repeat(21)}`, 'That is too long: 21 characters, at most 20.'],
    ['find Ada name:Ben', 'name: is there twice, as "Ada" and by name. Give it once.'],
    ['find Ada colour:red', '"red" is not one of them: brown, grey.'],
    ['find Ada limit:0', '"0" does not fit: give a whole number from 1 to 50.'],
    ['find Ada limit:51', '"51" does not fit: give a whole number from 1 to 50.'],
    ['find Ada limit:-1', '"-1" does not fit: give a whole number from 1 to 50.'],
    ['find Ada limit:1.5', '"1.5" does not fit: give a whole number from 1 to 50.'],
    ['find Ada limit:1e1', '"1e1" does not fit: give a whole number from 1 to 50.'],
    ['find Ada limit:many', '"many" does not fit: give a whole number from 1 to 50.'],
    [
      'find Ada color:grey',
      '/find has no option color: Did you mean colour:? It takes name: colour: limit:. To use the text as it stands, put it in double quotes.',
    ],
    [
      'find Ada constructor:1',
      '/find has no option constructor: It takes name: colour: limit:. To use the text as it stands, put it in double quotes.',
    ],
    ['find Ada limit:', 'limit: needs a value, as in limit:something.'],
  ]
  test.each(refusals)('%s is refused with what to type instead', async (line, words) => {
    const { view, outcome, repeated } = await bot().answer(line, turn)
    expect([plainView(view), outcome, repeated]).toEqual([words, 'refused', undefined])
    expect(pond.asked).toEqual([])
    expect(log).toEqual([])
  })

  test('a command without parameters passes over the words behind it', async () => {
    const bare = command({ name: 'start', about: 'x', params: {}, run: async () => said('hello') })
    expect((await bot([bare]).answer('start inline', turn)).outcome).toBe('answered')
  })
})

describe('faults', () => {
  test('an unexpected error gives a reference, which the log has beside the cause, and no more', async () => {
    const { view, outcome } = await bot().answer('broken x', turn)
    const shown = JSON.stringify(view)
    expect(outcome).toBe('failed')
    expect(shown).toContain('fault of the bot')
    expect(shown).not.toMatch(/socket|ECONNRESET|sk-live|\.ts|\bat\b/u)
    const [reference = 'none'] = /\b[0-9a-f]{8}\b/u.exec(shown) ?? []
    const line = log.find((each) => each.includes(reference))
    expect(line).toContain('socket hang up')
    expect(line).toContain('ECONNRESET')
    expect(line).not.toContain(key)
    expect(view.buttons).toEqual([[{ label: 'Try again', run: 'broken x' }]])
  })

  test('two faults have two references', async () => {
    const views = await Promise.all([1, 2].map(() => bot().answer('broken', turn)))
    expect(new Set(views.map(({ view }) => JSON.stringify(view))).size).toBe(2)
  })

  test('a failed call of the interface is explained by its kind, and its own words stay in the log', async () => {
    expect(await answer('down')).toBe(
      'No answer\nThe data source does not answer right now. Try again in a moment.',
    )
    expect(log.join()).toContain('upstream-7')
  })

  test('something thrown that is no error is explained too', async () => {
    const { outcome } = await bot([failing('odd', 'just a text')]).answer('odd', turn)
    expect(outcome).toBe('failed')
  })

  test('a fault in showing an answer is logged and explained, with nothing to press where no line is known', () => {
    const { view, outcome } = bot().explain(new TypeError('too many buttons'), '')
    expect(outcome).toBe('failed')
    expect(view.buttons).toEqual([])
    expect(log.join()).toContain('too many buttons')
  })
})

describe('floods', () => {
  test('who sends too much is told once, then is a repetition, and costs nothing', async () => {
    const slow = bot([find], 3)
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
    expect(log).toEqual([])
  })

  test('others are not slowed down, nor is a person of the same id on the other platform', async () => {
    const slow = bot([find], 1)
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
    const slow = bot([find], 1)
    await slow.answer('find Ada', turn)
    expect((await slow.answer('find Ada', turn)).outcome).toBe('refused')
    vi.advanceTimersByTime(10_001)
    expect((await slow.answer('find Ada', turn)).outcome).toBe('answered')
  })
})

describe('completion', () => {
  test('gives the choices of the parameter', async () => {
    const choices = await bot().complete('find', 'name', 'a')
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
    expect(await bot().complete(name, option, 'a')).toEqual([])
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
    const completing = bot([slow]).complete('slow', 'word', 'a')
    await vi.advanceTimersByTimeAsync(2_999)
    expect(await completing).toEqual([])
    fail(new Error('too late'))
    await vi.advanceTimersByTimeAsync(1)
  })
})

describe('inline', () => {
  test('gives what the first command that can has to offer', async () => {
    expect((await bot().inline('d')).map(({ title }) => title)).toEqual(['Ada'])
    expect(await bot([command({ ...spec('plain') })]).inline('d')).toEqual([])
  })

  test('a failure is a result that can be read, and its button asks the same again', async () => {
    const [hit, ...more] = await bot([down]).inline('moon otter')
    expect(more).toEqual([])
    expect(hit?.title).toBe('No answer')
    expect(hit?.about).toContain('does not answer right now')
    expect(hit?.view.buttons).toEqual([[{ label: 'Try again', run: 'down "moon otter"' }]])
  })

  test('a refusal is a result that can be read', async () => {
    const [hit] = await bot([failing('search', new UserError('Type more.'))]).inline('m')
    expect([hit?.title, hit?.about]).toEqual(['No answer', 'Type more.'])
  })
})

function spec(name: string) {
  return { name, about: 'x', params: {}, run: async () => said('x') }
}

test('the menu has what a platform needs to offer the commands', () => {
  expect(bot([find]).menu).toEqual([
    {
      name: 'find',
      about: 'Find an otter',
      options: [
        {
          name: 'name',
          about: 'Name of the otter',
          example: 'Ada',
          required: true,
          completes: true,
        },
        {
          name: 'colour',
          about: 'Only of this colour',
          example: 'brown',
          required: false,
          completes: false,
          choices: [
            { value: 'brown', label: 'Brown' },
            { value: 'grey', label: 'Grey' },
          ],
        },
        {
          name: 'limit',
          about: 'How many',
          example: '1',
          required: false,
          completes: false,
          whole: { min: 1, max: 50 },
        },
      ],
    },
  ])
})
