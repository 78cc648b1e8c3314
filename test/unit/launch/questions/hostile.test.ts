import fc from 'fast-check'
import { expect, test } from 'vitest'
import { harmless } from '../../../../src/core/text.ts'
import { UserError } from '../../../../src/errors.ts'
import { answersSchema } from '../../../../src/launch/draft.ts'
import { questions } from '../../../../src/launch/questions/list.ts'
import { hostileText, longHostileText } from '../../../hostile.ts'
import { account, other, read, scopeOf } from './reading.ts'

const cid = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'
const anyText = fc.oneof(
  hostileText,
  longHostileText,
  fc
    .tuple(
      fc.constantFrom(
        account,
        `${other} 5%`,
        `${other} 3`,
        'https://a.example/',
        'wallet',
        cid,
        'both',
      ),
      fc.constantFrom(' ', '\n', ', ', ''),
      hostileText,
    )
    .map((parts) => parts.join('')),
)

test.each(questions)(
  '$id: any text is refused in words, or is an answer that comes back the same',
  (question) => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('launch', 'metadata'), (text, goal) => {
        const scope = scopeOf({}, { goal })
        let answers: ReturnType<typeof question.parse>
        try {
          answers = question.parse(text, scope)
        } catch (error) {
          expect(error).toBeInstanceOf(UserError)
          return
        }
        expect(answersSchema.parse(JSON.parse(JSON.stringify(answers)))).toEqual(answers)
        const answered = { ...scope, answers }
        const typed = question.text(answered)
        expect(typed).toBeDefined()
        expect(question.parse(typed ?? '', answered)).toEqual(answers)
      }),
      { numRuns: 500 },
    )
  },
)

test('a name that was taken shows as it was taken', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let name: unknown
      try {
        name = read('name', text)
      } catch {
        return
      }
      expect(harmless(String(name))).toBe(name)
    }),
    { numRuns: 2_000 },
  )
})
