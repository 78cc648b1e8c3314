import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  amount,
  changePercent,
  figureFormatter,
  inDollars,
  price,
  progressPercent,
} from '../../../src/core/number.ts'

const written = figureFormatter('en')

test.each([
  [
    'a price',
    price,
    {
      0: '0',
      '0.000': '0',
      '4321.5': '4,321.50',
      '1.005': '1.01',
      '999999999.99': '999,999,999.99',
      1234567890: '1.23B',
      '0.12345678': '0.1235',
      '0.001234': '0.001234',
      '0.0001234': '0.0001234',
      '0.00001234': '0.0₄1234',
      '0.0000001': '0.0₆1',
      '0.00000010203': '0.0₆102',
      '0.000000123499': '0.0₆1234',
      [`0.${'0'.repeat(107)}5`]: '0.0₁₀₇5',
      [`1.${'9'.repeat(60)}`]: '2.00',
      ['9'.repeat(60)]: '>999T',
    },
  ],
  [
    'an amount',
    amount,
    {
      0: '0',
      '0.01': '0.01',
      '0.009999': '<0.01',
      '0.1234': '0.123',
      '12.345': '12.3',
      '999.4': '999',
      1000: '1K',
      999999: '1M',
      1234567890123: '1.23T',
      999499999999999: '999T',
      999500000000000: '>999T',
      ['9'.repeat(60)]: '>999T',
      // A float would make 1.24 of it, as its digits past the sixteenth are lost.
      '1.2349999999999999999999999999999999999999999999999999999999': '1.23',
    },
  ],
  [
    'dollars',
    (decimal: string) => inDollars(amount(decimal)),
    {
      0: '$0',
      '0.009999': '<$0.01',
      '0.01': '$0.01',
      '0.244': '$0.24',
      5: '$5.00',
      '12.345': '$12.35',
      '999.994': '$999.99',
      '999.996': '$1K',
      1000: '$1K',
    },
  ],
  [
    'a price in dollars',
    (decimal: string) => inDollars(price(decimal)),
    { '0.244': '$0.244', '0.01234': '$0.01234', '12.345': '$12.35' },
  ],
  [
    'a change',
    changePercent,
    {
      '-0.00': '0%',
      '0.154': '▲ 15.4%',
      '-0.03': '▼ 3%',
      '0.0001': '▲ <0.1%',
      '-0.0001': '▼ <0.1%',
      1: '▲ 100%',
      '12.34': '▲ 1.23K%',
      9994999999999: '▲ 999T%',
      9995000000000: '▲ >999T%',
      [`-${'9'.repeat(60)}.5`]: '▼ >999T%',
      [`0.154${'0'.repeat(55)}1`]: '▲ 15.4%',
    },
  ],
  [
    'progress',
    progressPercent,
    {
      '0.0': '0%',
      '0.0099': '<1%',
      '0.01': '1%',
      '0.4299': '42%',
      '0.29': '29%',
      '0.57': '57%',
      [`0.${'9'.repeat(60)}`]: '99%',
      1: '100%',
    },
  ],
])('%s', (_, format, shown: Record<string, string>) => {
  const formatted = Object.keys(shown).map((text) => [text, written(format(text))])
  expect(Object.fromEntries(formatted)).toEqual(shown)
})

test('every number that the API can give is shown in few characters, and never as NaN', () => {
  const digits = (most: number) =>
    fc.string({ unit: fc.constantFrom(...'0019'), minLength: 1, maxLength: most })
  fc.assert(
    fc.property(digits(40), digits(100), fc.boolean(), (integer, fraction, whole) => {
      const decimal = whole ? integer : `${integer}.${fraction}`
      const figures = [price(decimal), amount(decimal), changePercent(`-${decimal}`)]
      for (const shown of figures.map(written)) {
        expect(shown).not.toMatch(/NaN|∞|Infinity|e[+-]?\d|undefined/u)
        expect(shown.length).toBeLessThanOrEqual(16)
        expect(/[1-9₁-₉]/u.test(shown) || /^(?:▼ )?(?:0|<0\.01|<0\.1)%?$/u.test(shown)).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
})

test('a text that is no decimal is refused', () => {
  for (const text of ['', 'abc', '1e5', '0x1', ' 1']) expect(() => written(amount(text))).toThrow()
})
