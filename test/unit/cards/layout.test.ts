import { expect, test } from 'vitest'
import { card, drawable } from '../../../src/cards/layout.ts'
import { liveFacts } from './facts-for-tests.ts'

function tree(changes: Partial<typeof liveFacts>): string {
  return JSON.stringify(card(drawable({ ...liveFacts, ...changes }), undefined))
}

test.each([
  ['twelve letters', 'a'.repeat(12), 68],
  ['thirteen letters', 'a'.repeat(13), 54],
  ['six characters of East Asia', '月'.repeat(6), 68],
  ['seven characters of East Asia', '月'.repeat(7), 54],
  ['seven emoji', '🦦'.repeat(7), 54],
  ['31 letters', 'a'.repeat(31), 46],
])('a name of %s has a size that fits', (_, name, size) => {
  expect(tree({ name })).toContain(`"fontSize":${size},"fontWeight":700,"lineHeight":1.15`)
})

test.each(['قمر', 'ירח'])('the symbol %s is read from right to left, at its place', (symbol) => {
  expect(tree({})).not.toContain('"rtl"')
  expect(tree({ symbol })).toContain('"direction":"rtl","textAlign":"left"')
})

test('a status that nobody foresaw leaves room for the name', () => {
  expect([...drawable({ ...liveFacts, status: 'x'.repeat(50) }).status]).toHaveLength(20)
})

test('the line says what time it covers', () => {
  expect(tree({ span: 'over 3 h' })).toContain('over 3 h')
  expect(tree({ span: 'over 3 h', line: [] })).not.toContain('over 3 h')
})
