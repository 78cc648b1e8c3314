import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localise } from '../../../../src/core/catalogue.ts'
import { parseLine } from '../../../../src/core/command.ts'
import { renderDiscord } from '../../../../src/discord/render.ts'
import { launchLine } from '../../../../src/launch/line.ts'
import { questions } from '../../../../src/launch/questions/list.ts'
import type { Scope } from '../../../../src/launch/questions/question.ts'
import {
  cropView,
  type QuestionParts,
  questionView,
} from '../../../../src/launch/views/question.ts'
import { renderTelegram } from '../../../../src/telegram/render.ts'
import { longHostileText } from '../../../hostile.ts'
import { memoryCallbacks } from '../../core/memory-callbacks.ts'
import { controls, shown } from '../../views/shown.ts'
import { questionOf, scopeOf } from '../questions/reading.ts'

const at = 'k3f9a2bc.12'

function partsOf(changed: Partial<QuestionParts> & { scope?: Scope } = {}): QuestionParts {
  const question = questionOf('description')
  const progress = { number: 3, of: 10, answered: 2, back: true }
  return { at, question, scope: scopeOf(), names: {}, ...progress, ...changed }
}

test('a question has its number, an example, what is allowed and how far it is', () => {
  expect(shown(questionView(partsOf()))).toEqual([
    'Question 3 of 10: Description',
    'Describe your token. You can’t change this later.',
    'Example: Night patrols on three rivers.',
    'Allowed: Up to 500 characters, on several lines if you like.',
    '2 of 10 answered [0.2]',
  ])
})

test('a list that was typed stays a list, line by line', () => {
  const account = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
  const typed = `${account} 5%\n0x1200000000000000000000000000000000000034 1000000`
  const scope = scopeOf({ vesting: [{ address: account, percentage: '5' }] })
  const view = questionView(partsOf({ question: questionOf('vesting'), scope, typed }))
  const lines = shown(view)
  const from = lines.indexOf(`Now: ${account} 5%`)
  expect(lines.slice(from, from + 3)).toEqual([
    `Now: ${account} 5%`,
    `You typed: ${account} 5%`,
    '0x1200000000000000000000000000000000000034 1000000',
  ])
})

test('what can be left out can be skipped, what was answered can be kept, and all can be cancelled', () => {
  expect(controls(questionView(partsOf()))).toEqual([
    [`Skip launching skip ${at} description`],
    [`◀ Back launching back ${at}`, `Cancel launching cancel ${at}`],
  ])
  const answered = scopeOf({ description: 'A bird.' })
  const view = questionView(partsOf({ scope: answered }))
  expect(shown(view)).toContain('Now: A bird.')
  expect(controls(view)[0]).toEqual([
    `Keep launching keep ${at}`,
    `Remove launching skip ${at} description`,
  ])
  expect(controls(questionView(partsOf({ question: questionOf('name'), back: false })))).toEqual([
    [`Cancel launching cancel ${at}`],
  ])
})

test('choices are buttons that give the answer back as it is, whatever the operator called it', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (id) => {
      const { settings } = scopeOf()
      const templates = [{ id, label: 'One', chain: 1 }, ...settings.templates]
      const scope = scopeOf({ chain: 1 }, { settings: { ...settings, templates } })
      const view = questionView(partsOf({ question: questionOf('template'), scope }))
      const [button] = (view.buttons ?? []).flat()
      const { bare } = parseLine(button && 'line' in button ? button.line : '')
      expect(bare).toBe(`set ${at} template ${id}`)
    }),
  )
})

test('the form is offered where an answer is written, and not where it is pressed only', () => {
  const { form } = localise(questionView(partsOf()), 'en')
  expect(form).toEqual({ label: 'Answer', line: `launching form ${at}` })
  expect(questionView(partsOf({ question: questionOf('categories') })).form).toBeUndefined()
})

test('a picture is shown as it will be, with the button that takes it', () => {
  const picture = { name: 'picture.webp', type: 'image/webp', bytes: new Uint8Array([1]) }
  const view = cropView(partsOf({ question: questionOf('picture') }), picture)
  expect(view.files).toEqual([picture])
  expect(controls(view).slice(0, 2)).toEqual([
    [`Use it launching accept ${at}`],
    [`No logo launching skip ${at} picture`],
  ])
})

test('a word behind a button comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (word) => {
      expect(parseLine(launchLine('set', at, 'template', word)).bare).toBe(
        `set ${at} template ${word}`,
      )
    }),
  )
})

test.each(questions)('$id fits both platforms, whatever was typed', async (question) => {
  await fc.assert(
    fc.asyncProperty(longHostileText, async (typed) => {
      const view = questionView(partsOf({ question, typed, scope: scopeOf({ chain: 8453 }) }))
      const [telegram, discord] = [
        await renderTelegram(localise(view, 'en'), memoryCallbacks()),
        await renderDiscord(localise(view, 'en'), memoryCallbacks()),
      ]
      for (const rendered of [telegram, discord]) {
        expect(JSON.stringify(rendered)).not.toContain('Shortened: there is more')
      }
    }),
    { numRuns: 30 },
  )
})
