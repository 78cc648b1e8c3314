import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { harmless, harmlessInLanguage } from '../../../src/core/text.ts'
import type { Span } from '../../../src/core/view.ts'
import { spansMarkdown } from '../../../src/discord/render.ts'
import { anySpans } from '../../any-view.ts'
import { hostileNames, longHostileText } from '../../hostile.ts'
import { readMarkdown, type Shown } from './markdown-reader.ts'

const roomy = 1_000_000

/** What each span is to look like, by what the view says alone. */
function expected(spans: readonly Span<string>[]): Shown[] {
  const shown: Shown[] = []
  for (const span of spans) {
    const piece = expectedPiece(span)
    const last = shown.at(-1)
    if (piece?.kind === 'text' && last?.kind === 'text') last.text += piece.text
    else if (piece) shown.push(piece)
  }
  return shown
}

function expectedPiece(span: Span<string>): Shown | undefined {
  if (typeof span === 'string') return textPiece(harmless(span))
  if ('bold' in span) return around('bold', textPiece(harmlessInLanguage(span.bold).trim()))
  if ('code' in span) {
    const text = harmless(span.code).replaceAll('`', 'ˋ').trim()
    return text === '' ? undefined : { kind: 'code', text }
  }
  if ('link' in span) {
    const piece = textPiece(
      harmlessInLanguage(span.link.replaceAll('[', '(').replaceAll(']', ')').trim()),
    )
    return piece && { kind: 'link', url: linkTarget(span.url), inner: [piece] }
  }
  if ('own' in span) return textPiece(harmlessInLanguage(span.own))
  return { kind: 'time', unix: span.time, format: span.as === 'relative' ? 'R' : 'f' }
}

function textPiece(text: string): Shown | undefined {
  return text === '' ? undefined : { kind: 'text', text }
}

function around(kind: 'bold', piece: Shown | undefined): Shown | undefined {
  return piece && { kind, inner: [piece] }
}

function linkTarget(url: string): string {
  return url.replaceAll(
    /[()[\]\\]/gu,
    (sign) => `%${Buffer.from(sign).toString('hex').toUpperCase()}`,
  )
}

test('each span becomes its markup, and strangers’ text none', () => {
  fc.assert(
    fc.property(anySpans(undefined, 6), (spans) => {
      const { markdown, cut } = spansMarkdown(spans, roomy)
      expect(readMarkdown(markdown)).toEqual(expected(spans))
      expect(cut).toBe(false)
    }),
    { numRuns: 600 },
  )
})

test.each(hostileNames)('%s', (_, text) => {
  const { markdown } = spansMarkdown([text], roomy)
  expect(readMarkdown(markdown)).toEqual(expected([text]))
})

describe('parts that would only be markup together', () => {
  test.each([
    [['https', '://evil.example']],
    [['https:', '//evil.example']],
    [['https:/', '/evil.example']],
    [[':sk', 'ull:']],
    [['1', '. first']],
    [['1.', ' first']],
    [['<@', '1>']],
    [['@every', 'one']],
    [['[a]', '(https://evil.example)']],
    [[{ link: 'a', url: 'https://otter.example/' }, { code: '](https://evil.example)' }]],
    [[{ code: 'a' }, { code: 'b' }]],
    [[{ bold: 'a' }, { bold: 'b' }]],
    [['*', { bold: 'b' }, '*']],
    [['\\', { bold: 'b' }, '\\']],
    [[{ bold: '1\u202f500' }, { own: '2\u202f500' }, '3\u202f500']],
  ] satisfies [Span<string>[]][])('%j', (spans) => {
    expect(readMarkdown(spansMarkdown(spans, roomy).markdown)).toEqual(expected(spans))
  })
})

describe('the name of a registered command', () => {
  const commands = new Map([
    ['alerts', '13'],
    ['launch', '14'],
  ])
  const shown = (...spans: Span<string>[]) => spansMarkdown(spans, roomy, commands).markdown

  test('in our own words, or by itself as code, is a mention that fills it in', () => {
    expect(shown({ code: '/alerts' }, ' – ', { own: 'alerts' })).toBe('</alerts:13> – alerts')
    expect(shown({ own: 'See /launch, /alerts – /launch' })).toBe(
      'See </launch:14>, </alerts:13> – </launch:14>',
    )
  })

  test('with values behind it, in a path or of no command of ours is none', () => {
    expect(shown({ code: '/alerts do:add live' })).toBe('`/alerts do:add live`')
    expect(shown({ code: '/follow' })).toBe('`/follow`')
    for (const own of ['a/alerts', '/alerts/x', '/alertsx', '/alerts:', '/follow'])
      expect(shown({ own })).not.toContain('<')
  })

  test('in a stranger’s words is text', () => {
    for (const words of ['/alerts', '</alerts:13>', '`/alerts`'])
      expect(readMarkdown(shown(words)).map(({ kind }) => kind)).toEqual(['text'])
  })

  test('is code if the mention has no room', () => {
    expect(spansMarkdown([{ code: '/alerts' }], 10, commands)).toEqual({
      markdown: '`/alerts`',
      cut: false,
    })
  })
})

test('the end of a stranger’s link is not read as more markdown', () => {
  const url = 'https://a.example/)[click](https://evil.example)@everyone'
  const { markdown } = spansMarkdown([{ link: 'a.example', url }], roomy)
  expect(readMarkdown(markdown)).toEqual([
    {
      kind: 'link',
      url: 'https://a.example/%29%5Bclick%5D%28https://evil.example%29@everyone',
      inner: [{ kind: 'text', text: 'a.example' }],
    },
  ])
})

test('a backslash at the end of a stranger’s link does not escape the mark that ends it', () => {
  const { markdown } = spansMarkdown([{ link: 'a', url: 'https://a.example/?q=\\' }], roomy)
  expect(markdown).toBe('[a](<https://a.example/?q=%5C>)')
})

describe('with a small limit', () => {
  test('nothing exceeds the limit, and the rest is still no markup', () => {
    fc.assert(
      fc.property(anySpans(longHostileText), fc.integer({ min: 0, max: 700 }), (spans, room) => {
        const { markdown, cut } = spansMarkdown(spans, room)
        expect(markdown.length).toBeLessThanOrEqual(room)
        const kinds = readMarkdown(markdown).map(({ kind }) => kind)
        for (const kind of kinds) expect(['text', 'bold', 'code', 'link', 'time']).toContain(kind)
        const whole = spansMarkdown(spans, roomy).markdown
        expect(cut).toBe(markdown !== whole)
      }),
      { numRuns: 150 },
    )
  })

  test('a cut is marked', () => {
    expect(spansMarkdown(['Moon Otter'], 6)).toEqual({ markdown: 'Moon…', cut: true })
    expect(spansMarkdown(['*'.repeat(20)], 10)).toEqual({ markdown: '\\*\\*\\*…', cut: true })
    expect(spansMarkdown([{ bold: 'Moon Otter' }], 10)).toEqual({
      markdown: '**Moon…**',
      cut: true,
    })
  })

  test('a span without a shorter form is left out', () => {
    const link = { link: 'x', url: 'https://otter.example/' }
    expect(spansMarkdown(['a ', link, ' b'], 20)).toEqual({ markdown: 'a ', cut: true })
    expect(spansMarkdown([{ time: 1, as: 'date' }], 3)).toEqual({ markdown: '', cut: true })
  })
})
