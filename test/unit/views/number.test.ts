import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amount, changePercent, price, progressPercent } from '../../../src/views/number.ts'

describe('a price', () => {
  test.each([
    ['0', '0'],
    ['0.000', '0'],
    ['4321.5', '4,321.50'],
    ['1', '1.00'],
    ['1.005', '1.01'],
    ['999999999.99', '999,999,999.99'],
    ['1234567890', '1.23B'],
    ['0.5', '0.5'],
    ['0.1234', '0.1234'],
    ['0.12345678', '0.1235'],
    ['0.01', '0.01'],
    ['0.001234', '0.001234'],
    ['0.0001234', '0.0001234'],
    ['0.00001234', '0.0₄1234'],
    ['0.0000001234', '0.0₆1234'],
    ['0.0000001', '0.0₆1'],
    ['0.00000012', '0.0₆12'],
    ['0.00000010203', '0.0₆102'],
    ['0.000000123499', '0.0₆1234'],
    [`0.${'0'.repeat(12)}5`, '0.0₁₂5'],
    [`0.${'0'.repeat(107)}5`, '0.0₁₀₇5'],
    [`0.00000${'123456789'.repeat(7)}`, '0.0₅1234'],
    [`1.${'9'.repeat(60)}`, '2.00'],
    ['9'.repeat(60), '>999T'],
  ])('%s is %s', (decimal, shown) => {
    expect(price(decimal)).toBe(shown)
  })
})

describe('an amount', () => {
  test.each([
    ['0', '0'],
    ['0.0', '0'],
    ['0.01', '0.01'],
    ['0.009999', '<0.01'],
    [`0.${'0'.repeat(59)}1`, '<0.01'],
    ['0.1', '0.1'],
    ['0.1234', '0.123'],
    ['1', '1'],
    ['12.345', '12.3'],
    ['999', '999'],
    ['999.4', '999'],
    ['1000', '1K'],
    ['1234', '1.23K'],
    ['999999', '1M'],
    ['1234567', '1.23M'],
    ['1234567890', '1.23B'],
    ['1234567890123', '1.23T'],
    ['999499999999999', '999T'],
    ['999500000000000', '>999T'],
    ['999999999999999', '>999T'],
    ['1000000000000000', '>999T'],
    ['9'.repeat(60), '>999T'],
    // A float would make 1.24 of it, as its digits past the sixteenth are lost.
    ['1.2349999999999999999999999999999999999999999999999999999999', '1.23'],
    [`123456.${'7'.repeat(54)}`, '123K'],
  ])('%s is %s', (decimal, shown) => {
    expect(amount(decimal)).toBe(shown)
  })
})

describe('a change', () => {
  test.each([
    ['0', '0 %'],
    ['-0', '0 %'],
    ['-0.00', '0 %'],
    ['0.154', '▲ 15.4 %'],
    ['-0.03', '▼ 3 %'],
    ['0.0001', '▲ <0.1 %'],
    ['-0.0001', '▼ <0.1 %'],
    ['0.001', '▲ 0.1 %'],
    ['1', '▲ 100 %'],
    ['-1', '▼ 100 %'],
    ['2.5', '▲ 250 %'],
    ['12.34', '▲ 1.23K %'],
    ['1234567', '▲ 123M %'],
    ['9994999999999', '▲ 999T %'],
    ['9995000000000', '▲ >999T %'],
    [`-${'9'.repeat(60)}.5`, '▼ >999T %'],
    [`0.154${'0'.repeat(55)}1`, '▲ 15.4 %'],
  ])('of %s is %s', (ratio, shown) => {
    expect(changePercent(ratio)).toBe(shown)
  })
})

describe('progress', () => {
  test.each([
    ['0', '0 %'],
    ['0.0', '0 %'],
    ['0.0000001', '<1 %'],
    ['0.0099', '<1 %'],
    ['0.01', '1 %'],
    ['0.42', '42 %'],
    ['0.4299', '42 %'],
    ['0.29', '29 %'],
    ['0.57', '57 %'],
    ['0.999', '99 %'],
    [`0.${'9'.repeat(60)}`, '99 %'],
    ['1', '100 %'],
  ])('of %s is %s', (ratio, shown) => {
    expect(progressPercent(ratio)).toBe(shown)
  })
})

test('every number that the interface can give is shown in few characters and never as not a number', () => {
  const digits = (most: number) =>
    fc.string({ unit: fc.constantFrom(...'0019'), minLength: 1, maxLength: most })
  fc.assert(
    fc.property(digits(40), digits(100), fc.boolean(), (integer, fraction, whole) => {
      const decimal = whole ? integer : `${integer}.${fraction}`
      for (const shown of [price(decimal), amount(decimal), changePercent(`-${decimal}`)]) {
        expect(shown).not.toMatch(/NaN|∞|Infinity|e[+-]?\d|undefined/u)
        expect(shown.length).toBeLessThanOrEqual(16)
        expect(/[1-9₁-₉]/u.test(shown) || /^(?:▼ )?(?:0|<0\.01|<0\.1)(?: %)?$/u.test(shown)).toBe(
          true,
        )
      }
    }),
    { numRuns: 500 },
  )
})

test('what is no decimal text is refused rather than shown wrongly', () => {
  for (const text of ['', 'abc', '1e5', '0x1', ' 1']) expect(() => amount(text)).toThrow()
})
