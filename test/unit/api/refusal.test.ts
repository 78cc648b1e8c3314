import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusalWords } from '../../../src/api/refusal.ts'
import { hostileText } from '../../hostile.ts'

const issue = {
  code: 'invalid_type',
  path: ['vesting_recipients', 0, 'amount'],
  message: 'Required',
}

describe('the words of a refusal', () => {
  test.each<[shape: string, body: unknown, words: string | undefined]>([
    ['NestJS', { message: 'Bad shares', error: 'Bad Request', statusCode: 400 }, 'Bad shares'],
    ['NestJS with several', { message: ['one', 'two'], statusCode: 400 }, 'one; two'],
    [
      'zod',
      { message: 'Validation failed', errors: [issue] },
      'vesting_recipients.0.amount: Required',
    ],
    ['zod’s issues', { error: { issues: [issue] } }, 'vesting_recipients.0.amount: Required'],
    [
      'zod’s own message',
      { message: JSON.stringify([issue]) },
      'vesting_recipients.0.amount: Required',
    ],
    [
      'an error',
      { success: false, error: 'Encoded payload has expired' },
      'Encoded payload has expired',
    ],
    ['nothing', {}, undefined],
    ['a number', 5, undefined],
  ])('are read of %s', (_, body, words) => {
    expect(refusalWords(JSON.stringify(body))).toBe(words)
  })

  test('are a plain text itself, but no page', () => {
    expect(refusalWords('Not allowed\n')).toBe('Not allowed')
    expect(refusalWords('<html>Blocked</html>')).toBeUndefined()
  })

  test('are at most three issues', () => {
    const errors = Array.from({ length: 9 }, (_, index) => ({ path: [index], message: 'no' }))
    expect(refusalWords(JSON.stringify({ errors }))).toBe('0: no; 1: no; 2: no')
  })

  test('are not looked for below many levels', () => {
    const nested = (levels: number) => `${'{"message":'.repeat(levels)}"no"${'}'.repeat(levels)}`
    expect(refusalWords(nested(3))).toBe('no')
    expect(refusalWords(nested(10_000))).toBeUndefined()
  })

  test('are one short line without invisible characters, whatever the body is', () => {
    const body = fc.oneof(
      hostileText,
      fc.json(),
      hostileText.map((message) =>
        JSON.stringify({ message, errors: [{ path: [message], message }] }),
      ),
    )
    fc.assert(
      fc.property(body, (text) => {
        const words = refusalWords(text) ?? ''
        expect(words.length).toBeLessThanOrEqual(301)
        expect(words).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202e]/u)
      }),
    )
  })
})
