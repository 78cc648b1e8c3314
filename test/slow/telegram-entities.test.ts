import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderTelegram } from '../../src/telegram/render.ts'
import { parts } from '../any-view.ts'
import { hostileNames } from '../hostile.ts'
import { memoryCallbacks } from '../unit/core/memory-callbacks.ts'
import { textView } from '../unit/core/rendering.ts'
import { meantText, ownKinds, readTelegram } from '../unit/telegram/read.ts'

// What TDLib looks at, in pieces of which it makes links, mentions, tags, commands and numbers of cards.
const pieces = [
  ...'@#$/.:+-_ ?&()[]<>"\'*~|`,;!aZ9\u0301\u030a\u0333\u033f\u00b7\u200c\u200d\u2060\n😀é月ش',
  ...[
    'durov',
    'gif',
    'evil.com',
    'evil',
    'com',
    'xn--p1ai',
    'рф',
    '://',
    'http',
    'https',
    'ftp',
    'tg',
    'ton',
  ],
  ...[
    'tonsite',
    'mailto:',
    'a@b.co',
    '$ETH',
    '1INCH',
    'USD',
    '/start',
    '@bot',
    '127.0.0.1',
    '256.1',
    '10.',
  ],
  ...[
    '4111 1111 1111 1111',
    '4111',
    '1111',
    '41111111',
    '378282246310005',
    '+49 170 1234567',
    '12:30',
  ],
  ...[
    '\u202e',
    '\u200f\u200f\u200e',
    '\u200b',
    '\ufe0f',
    '👨‍👩‍👧‍👦',
    '🏳️‍🌈',
    '&amp;',
    '<b>',
    'A\u030a',
    '\ufffc',
  ],
  ...hostileNames.map(([, text]) => text.slice(0, 80)),
]
const text = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 })
  .map((all) => all.join(''))
// Our own words touch strangers' words on both sides. They make nothing to tap with each other.
const own = fc.constantFrom(
  ...[
    ' Type ',
    ' /help',
    '. ',
    ': @',
    ' #',
    ' /',
    ' $',
    ' 12 41111111 ',
    '-1111 ',
    ' https:',
    ' 1.2.',
    '.3.4 ',
    '.com ',
    ' “',
    '”. ',
    ', ',
    '%) ',
    ' (',
  ],
)
const span = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 2, arbitrary: text.map((bold) => ({ bold })) },
  { weight: 1, arbitrary: text.map((code) => ({ code })) },
  { weight: 2, arbitrary: own.map((own) => ({ own })) },
)

test('TDLib reads 50,000 hostile texts as they are meant, and finds nothing to tap but our commands', async () => {
  const lines = memoryCallbacks()
  const spans = fc.array(span, { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(spans, async (spans) => {
      const view = textView(...spans)
      const ours = ['/help', ...parts(view).codes]
      const seen = await readTelegram(await renderTelegram(view, lines), lines, ours)
      for (const kind of seen.kinds) expect(ownKinds).toContain(kind)
      expect(seen.text.trim()).toBe(meantText(spans))
    }),
    { numRuns: 50_000, seed: 15 },
  )
})
