import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatLine, parseLine } from '../../../src/core/command.ts'
import { UserError } from '../../../src/errors.ts'
import { hostileText } from '../../hostile.ts'

const parts = (line: string) => {
  const { name, bare, named } = parseLine(line)
  return [name, bare, Object.fromEntries(named)]
}

describe('parseLine', () => {
  const lines: [line: string, name: string, bare: string, named?: Record<string, string>][] = [
    ['search', 'search', ''],
    ['  SEARCH  ', 'search', ''],
    ['search moon otter', 'search', 'moon otter'],
    ['search   moon \n otter', 'search', 'moon otter'],
    ['search moon chain:base otter', 'search', 'moon otter', { chain: 'base' }],
    [
      'assets status:live order:market_cap_desc',
      'assets',
      '',
      { status: 'live', order: 'market_cap_desc' },
    ],
    ['assets STATUS:Live', 'assets', '', { status: 'Live' }],
    ['assets status: live limit:  5', 'assets', '', { status: 'live', limit: '5' }],
    ['search term:"moon otter"', 'search', '', { term: 'moon otter' }],
    ['search "chain:base"', 'search', 'chain:base'],
    ['search "a \\"b\\" \\\\ c"', 'search', 'a "b" \\ c'],
    ['search "two\nlines"', 'search', 'two\nlines'],
    ['search ""', 'search', ''],
    ['search https://otter.example/a?b=c:d', 'search', 'https://otter.example/a?b=c:d'],
    ['search ipfs://x chain:1', 'search', 'ipfs://x', { chain: '1' }],
    ['search "moon otter', 'search', '"moon otter'],
    ['search moon" otter', 'search', 'moon" otter'],
    ['search "moon"otter', 'search', '"moon"otter'],
    ['search chain:"base', 'search', '', { chain: '"base' }],
    ['search 10:30', 'search', '10:30'],
    ['search a:b:c', 'search', '', { a: 'b:c' }],
    ['asset constructor:1 __proto__:2', 'asset', '', { constructor: '1', ['__proto__']: '2' }],
    ['', '', ''],
    ['   ', '', ''],
  ]
  test.each(lines)('takes %j apart', (line, name, bare, named = {}) => {
    expect(parts(line)).toEqual([name, bare, named])
  })

  const refused: [line: string, message: RegExp][] = [
    ['assets status:live status:all', /^You gave status: twice\. Use it once\.$/u],
    ['assets status:live STATUS:all', /^You gave status: twice/u],
    ['assets status:', /^status: needs a value\.$/u],
    ['assets status:""', /^status: needs a value/u],
    [`search ${'x'.repeat(1000)}`, /^That’s too long\. A command has at most 1,000 characters\.$/u],
  ]
  test.each(refused)('refuses %j', (line, message) => {
    expect(() => parseLine(line)).toThrow(UserError)
    expect(() => parseLine(line)).toThrow(message)
  })

  test('takes any text, and refuses only with words for the person', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        try {
          const { name, bare } = parseLine(text)
          expect(typeof name + typeof bare).toBe('stringstring')
        } catch (error) {
          expect(error).toBeInstanceOf(UserError)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('formatLine', () => {
  test('leaves out what is not given', () => {
    const named = { status: 'live', order: undefined, category: '', limit: 5 }
    expect(formatLine('assets', undefined, named)).toBe('assets status:live limit:5')
    expect(formatLine('assets', '')).toBe('assets')
  })

  test('quotes only what would be read otherwise', () => {
    expect(formatLine('search', 'moon')).toBe('search moon')
    expect(formatLine('search', 'moon otter')).toBe('search "moon otter"')
    expect(formatLine('search', 'a:b', { term: 'c"d' })).toBe('search "a:b" term:"c\\"d"')
  })

  const value = hostileText.filter((text) => text !== '')
  const key = fc.stringMatching(/^[a-z_]{1,32}$/u)

  test('writes what parseLine reads back to the same parts, whatever the values', () => {
    fc.assert(
      fc.property(fc.option(value), fc.dictionary(key, value, { maxKeys: 4 }), (bare, named) => {
        const line = formatLine('search', bare ?? undefined, named)
        fc.pre(line.length <= 1000)
        expect(parts(line)).toEqual(['search', bare ?? '', { ...named }])
      }),
      { numRuns: 500 },
    )
  })
})
