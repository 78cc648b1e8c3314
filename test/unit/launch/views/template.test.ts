import { expect, test } from 'vitest'
import { sandboxTemplates } from '../../../../sandbox/templates-setting.ts'
import { questionView } from '../../../../src/launch/views/question.ts'
import { templates as templatesSetting } from '../../../../src/setting-forms.ts'
import { shown } from '../../views/shown.ts'
import { ConversationHarness } from '../conversing.ts'
import { questionOf, scopeOf } from '../questions/reading.ts'

const templates = templatesSetting.parse(sandboxTemplates)

function asked(of: typeof templates): string[] {
  const scope = { ...scopeOf(), answers: { chain: 8453 } }
  const view = questionView({
    at: 'k3f9a2bc.12',
    question: questionOf('template'),
    scope: { ...scope, settings: { ...scope.settings, templates: of } },
    names: {},
    ...{ number: 1, of: 9, answered: 0, back: false },
  })
  return shown(view)
}

test('the first question says what each template does: price, what is raised, time, fees, and what if it fails', () => {
  expect(asked(templates)).toEqual([
    'Question 1 of 9: Template',
    'How should it be sold?',
    'Standard: A price curve that opens as soon as you sign.',
    'Starting price: market cap between 12.20 and 19.10 WETH',
    expect.stringMatching(
      /^Price later: ▁+▂+▃▅█ rises as people buy, up to .* market cap 6,147\.90 WETH$/u,
    ),
    'To be raised: no minimum: it trades from the start, however little people buy',
    'Trading: starts at launch, no end',
    'Trading fee: 1% of each trade',
    'Trading fees go: 95% to you and 5% to the protocol',
    'Money raised: stays in the pool as liquidity for ever; this token doesn’t graduate',
    'Dutch auction: Starts 15 minutes after it is built: sign before that.',
    'Starting price: market cap between 90.10 and 141.00 WETH',
    expect.stringMatching(/^Price later: █[█▇▆▅▄▃▂]+▁+ falls while nobody buys, down to /u),
    expect.stringMatching(
      /^To be raised: at least 2 WETH: with less it doesn’t graduate.* 40 WETH$/u,
    ),
    expect.stringMatching(/^Trading: starts 15 minutes after you confirm, for .* at most$/u),
    'Trading fee: 1% of each trade',
    expect.stringMatching(/^Trading fees go: not to you/u),
    expect.stringMatching(/^Money raised: at graduation/u),
    expect.stringMatching(/^Example: Standard/u),
    '0 of 9 answered [0]',
  ])
})

test('many templates are listed as the operator explains them', () => {
  const [first, second] = templates
  if (!first || !second) throw new Error('no templates')
  const many = [1, 2, 3, 4].map((number) => ({ ...first, id: `t${number}`, label: `T${number}` }))
  const lines = asked([...many, second])
  expect(lines).toContain('T4: A price curve that opens as soon as you sign.')
  expect(lines.join('\n')).not.toContain('Starting price')
})

test('a template without a choice is explained at the first question, too, and its curve at the review', async () => {
  const harness = await ConversationHarness.start({ templates: templates.slice(0, 1) })
  const person = await harness.person()
  const first = await person.sends('launch')
  expect(first[0]).toContain('Name')
  expect(first).toContain('Starting price: market cap between 12.20 and 19.10 WETH')
  await person.answersAll('0x52908400098527886E0F7030069857D2E4169EE7')
  expect(shown(person.view).join('\n')).toMatch(/Price later: ▁.*█ rises as people buy/u)
})
