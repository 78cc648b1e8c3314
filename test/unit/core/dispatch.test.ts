import { describe, expect, test } from 'vitest'
import { type Locale, plainText, plainView } from '../../../src/core/catalogue.ts'
import type { Answer } from '../../../src/core/incoming.ts'
import { CommandRunner } from '../../../src/core/runner.ts'
import { t } from '../../../src/core/view.ts'
import { createLogger } from '../../../src/log.ts'
import { errorView } from '../../../src/views/error.ts'
import { AskedBot, handled, pressOf } from './asked.ts'
import { command, context, failing, find, key, makeBot, said, silence } from './otter-bot.ts'

function answerOf(line: string, commands?: Parameters<typeof makeBot>[0]) {
  const { bot } = makeBot(commands)
  return bot.answer(bot.parse(line), context)
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
    const { bot } = makeBot()
    expect(await bot.answer(bot.parse(line), context)).toMatchObject({
      view: said(words),
      outcome: 'answered',
    })
  })

  const refusals: [line: string, words: string][] = [
    ['fnd Ada', 'There is no command /fnd. Did you mean /find? See /help.'],
    ['finder Ada', 'There is no command /finder. Did you mean /find? See /help.'],
    ['quite-unknown', 'There is no command /quite-unknown. See /help.'],
    ['__proto__', 'There is no command /__proto__. See /help.'],
    ['find', '/find needs: Name of the otter. For example: /find Ada'],
    ['find ""', '/find needs: Name of the otter. For example: /find Ada'],
    ['find "  "', 'Type something to look for, such as Ada.'],
    [`find ${'x'.repeat(21)}`, 'That’s too long: 21 characters, at most 20.'],
    ['find Ada name:Ben', 'You gave name: twice: as “Ada” and by name. Use it once.'],
    ['find Ada colour:red', 'colour: “red” is unknown. Use brown or grey.'],
    ['find Ada limit:0', 'limit: “0” is not a whole number from 1 to 50.'],
    ['find Ada limit:51', 'limit: “51” is not a whole number from 1 to 50.'],
    ['find Ada limit:-1', 'limit: “-1” is not a whole number from 1 to 50.'],
    ['find Ada limit:1.5', 'limit: “1.5” is not a whole number from 1 to 50.'],
    ['find Ada limit:1e1', 'limit: “1e1” is not a whole number from 1 to 50.'],
    ['find Ada limit:many', 'limit: “many” is not a whole number from 1 to 50.'],
    [
      'find Ada color:grey',
      '/find has no option “color”. Did you mean colour:? It takes name:, colour: or limit:. To use text as it is, put it in "double quotes".',
    ],
    [
      'find Ada constructor:1',
      '/find has no option “constructor”. It takes name:, colour: or limit:. To use text as it is, put it in "double quotes".',
    ],
    ['find Ada limit:', 'limit: needs a value.'],
  ]
  test.each(refusals)('%s is refused with what to type instead', async (line, words) => {
    const { bot, pond, lines } = makeBot()
    const { view, outcome, repeated } = await bot.answer(bot.parse(line), context)
    expect([plainView(view), outcome, repeated]).toEqual([words, 'refused', undefined])
    expect(pond.asked).toEqual([])
    expect(lines).toEqual([])
  })

  test('a command without parameters ignores the words behind it', async () => {
    const bare = command({ name: 'start', about: 'x', params: {}, run: async () => said('hello') })
    expect((await answerOf('start inline', [bare])).outcome).toBe('answered')
  })
})

describe('faults', () => {
  test('an unexpected error gives a reference, which the log has beside the cause, and no more', async () => {
    const { bot, lines } = makeBot()
    const { view, outcome } = await bot.answer(bot.parse('broken x'), context)
    const shown = JSON.stringify(view)
    expect(outcome).toBe('failed')
    expect(shown).toContain('my fault')
    expect(shown).not.toMatch(/socket|ECONNRESET|sk-live|\.ts|\bat\b/u)
    const [reference = 'none'] = /\b[0-9a-f]{8}\b/u.exec(shown) ?? []
    const line = lines.find((each) => each.includes(reference))
    expect(line).toContain('socket hang up')
    expect(line).toContain('ECONNRESET')
    expect(line).not.toContain(key)
    expect(view.buttons).toEqual([[{ label: 'Try again', line: 'broken x' }]])
  })

  test('two faults have two references', async () => {
    const views = await Promise.all([1, 2].map(() => answerOf('broken')))
    expect(new Set(views.map(({ view }) => JSON.stringify(view))).size).toBe(2)
  })

  test('a failed call of the API is explained by its kind, and its own words stay in the log', async () => {
    const { bot, lines } = makeBot()
    const { view } = await bot.answer(bot.parse('down'), context)
    expect(plainView(view)).toBe(
      'Data provider unreachable\nNo answer right now. Try again in a moment.',
    )
    expect(lines.join()).toContain('upstream-7')
  })

  test('something thrown that is no error is explained too', async () => {
    const { outcome } = await answerOf('odd', [failing('odd', 'just a text')])
    expect(outcome).toBe('failed')
  })

  test('a fault while an answer is shown is logged and explained, with a button that runs its line again', async () => {
    const { bot, lines } = makeBot()
    const shown: Answer[] = []
    const finish = async (answer: Answer) => {
      shown.push(answer)
      if (shown.length === 1) throw new TypeError('too many buttons')
    }
    await handled(bot, context, pressOf('find Ada'), { finish })
    expect(shown[1]?.view.buttons).toEqual([[{ label: 'Try again', line: 'find Ada' }]])
    expect(lines.join()).toContain('too many buttons')
  })
})

test('the menu has what a platform needs to offer the commands', () => {
  expect(makeBot([find]).bot.menu).toEqual([
    {
      name: 'find',
      about: 'Find an otter',
      ephemeral: false,
      options: [
        {
          name: 'name',
          about: 'Name of the otter',
          example: 'Ada',
          required: true,
          chat: false,
          completes: true,
        },
        {
          name: 'colour',
          about: 'Only of this colour',
          example: 'brown',
          required: false,
          chat: false,
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
          chat: false,
          completes: false,
          integer: { min: 1, max: 50 },
        },
      ],
    },
  ])
})

test('a line with a seed phrase is not run', async () => {
  const seed = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
  const { view, outcome } = await answerOf(`find ${seed}`)
  expect(outcome).toBe('refused')
  expect(plainView(view)).toContain('looks like a private key or seed phrase')
})

test('an answer is in the language that its command has just set for the chat', async () => {
  const words = t('command-answered')
  let language: Locale = 'en'
  const speak = command({
    name: 'speak',
    about: 'Changes the language',
    params: {},
    run: async () => {
      language = 'es'
      return { title: [words], blocks: [] }
    },
  })
  const bot = new AskedBot({
    runner: new CommandRunner({
      commands: [speak],
      conversation: silence,
      services: { otters: [], asked: [], looked: 0 },
    }),
    explain: errorView,
    log: createLogger('silent', []),
    floodLimits: { person: 1000, chat: 1000 },
    languageOf: () => language,
  })
  const { view } = await bot.answer(bot.parse('speak'), context)
  expect(plainView(view)).toBe(plainText(words, 'es'))
})
