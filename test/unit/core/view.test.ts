import { describe, expect, test } from 'vitest'
import { plainText, plainView } from '../../../src/core/catalogue.ts'
import { progressBar } from '../../../src/core/text.ts'

test('spans without markup', () => {
  expect(
    plainText([
      'Graduated ',
      { time: 1_700_000_000, as: 'date' },
      ' to ',
      { link: '0x12…', url: 'https://basescan.org' },
      { bold: ' soon ' },
      { code: 'x' },
    ]),
  ).toBe('Graduated 2023-11-14 22:13 to 0x12… soon x')
})

test('a view as plain text: its title and its texts', () => {
  const text = { kind: 'text', spans: ['Send the command again.'] } as const
  const fields = { kind: 'fields', fields: [['Price', ['$1']]] } as const
  const view = (title: string[]) => ({
    title,
    blocks: [
      { ...fields, fields: [] },
      { ...text, spans: [...text.spans] },
    ],
  })
  expect(plainView(view(['Too old']))).toBe('Too old\nSend the command again.')
  expect(plainView(view([]))).toBe('Send the command again.')
})

describe('progressBar', () => {
  test.each([
    [0, '▱▱▱▱▱▱▱▱▱▱'],
    [0.0001, '▱▱▱▱▱▱▱▱▱▱'],
    [0.0499, '▱▱▱▱▱▱▱▱▱▱'],
    [0.05, '▰▱▱▱▱▱▱▱▱▱'],
    [0.19, '▰▱▱▱▱▱▱▱▱▱'],
    [0.42, '▰▰▰▰▱▱▱▱▱▱'],
    [0.9999, '▰▰▰▰▰▰▰▰▰▱'],
    [1, '▰▰▰▰▰▰▰▰▰▰'],
    [7, '▰▰▰▰▰▰▰▰▰▰'],
    [-1, '▱▱▱▱▱▱▱▱▱▱'],
  ])('%d', (ratio, bar) => {
    expect(progressBar(ratio)).toBe(bar)
  })
})
