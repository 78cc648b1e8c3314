import fc from 'fast-check'
import type { User } from 'grammy/types'
import { expect, test } from 'vitest'
import { toWire } from '../../../sandbox/telegram/entities.ts'
import { Refusal } from '../../../sandbox/telegram/params.ts'
import { asStored, findEntities, parseHtml } from '../../../sandbox/telegram/tdlib.ts'

const ada: User = { id: 7, is_bot: false, first_name: 'Ada' }

// TDLib reads the texts; these are the steps around it.

/** A message as the Bot API would give it back. */
function stored(html: string) {
  const { text, entities } = asStored(parseHtml(html))
  return { text, entities: toWire(entities, new Map([[ada.id, ada]])) }
}

const shown = (html: string): string[] => {
  const { text, entities } = stored(html)
  return [text, ...entities.map((e) => `${e.type} ${text.slice(e.offset, e.offset + e.length)}`)]
}

test('keeps what belongs to an entity', () => {
  expect(stored('<pre><code class="language-ts">1</code></pre>').entities).toEqual([
    { type: 'pre', offset: 0, length: 1, language: 'ts' },
  ])
  expect(stored('<a href="example.com">x</a>').entities).toEqual([
    { type: 'text_link', offset: 0, length: 1, url: 'http://example.com/' },
  ])
  expect(stored('<a href="tg://user?id=7">x</a><a href="tg://user?id=8">y</a>').entities).toEqual([
    { type: 'text_mention', offset: 0, length: 1, user: ada },
  ])
  expect(stored('<tg-emoji emoji-id="5368324170671202286">👍</tg-emoji>').entities).toEqual([
    { type: 'custom_emoji', offset: 0, length: 2, custom_emoji_id: '5368324170671202286' },
  ])
})

test.each(['', 'r', 't', 'T', 'd', 'D', 'wD', 'wdt', 'wDT'])('a time as %j', (format) => {
  expect(stored(`😀<tg-time unix="1647531900" format="${format}">x</tg-time>`).entities).toEqual([
    { type: 'date_time', offset: 2, length: 1, unix_time: 1_647_531_900, date_time_format: format },
  ])
})

test('what TDLib refuses is a 400 in its words', () => {
  const why = 'can\'t parse entities: Unsupported start tag "x" at byte offset 2'
  expect(() => parseHtml('a <x>')).toThrow(new Refusal(400, `Bad Request: ${why}`))
})

test.each([
  ['<b>a @abcde</b>', ['a @abcde', 'bold a ', 'mention @abcde', 'bold @abcde']],
  ['<blockquote>@abcde</blockquote>', ['@abcde', 'blockquote @abcde', 'mention @abcde']],
  ['@ab<code>cde</code>', ['@abcde', 'code cde']],
  ['<a href="https://e.com">@abcde</a>', ['@abcde', 'text_link @abcde']],
  ['at 12:30', ['at 12:30']],
])('what it finds in %j stands beside what the markup says', (html, expected) => {
  expect(shown(html)).toEqual(expected)
})

test('a card number is for people, and bots don’t hear of it', () => {
  const number = '4111 1111 1111 1111'
  expect(findEntities(number).map(({ type }) => type._)).toEqual(['textEntityTypeBankCardNumber'])
  expect(stored(number).entities).toEqual([])
})

test.each([
  ['  x  ', ['x']],
  ['  <b> x </b>  ', [' x', 'bold  x']],
  ['<b>  </b>y', ['  y', 'bold   ']],
  [' \n<b> </b> ', ['']],
  ['\u200b\u00a0\u2800', ['']],
  ['', ['']],
])('leaves out the blanks around %j', (html, expected) => {
  expect(shown(html)).toEqual(expected)
})

test.each(['**a** __b__ ~~c~~ ||d||', '`a` ```\nb```', '[a](b.c)x', '\ue000*\ue000_'])(
  'sees no Markdown in %j',
  (text) => {
    expect(stored(text).text).toBe(text)
    expect(stored(text).entities.filter(({ type }) => type !== 'url')).toEqual([])
  },
)

const snippet = fc.constantFrom(
  ...['<b>', '</b>', '<i>', '</i>', '<code>', '</code>', '<pre>', '</pre>', '<a href="t.me/x">'],
  ...['</a>', '<blockquote expandable>', '</blockquote>', '&lt;', '&', '<', '>', ' ', '\n', '"'],
  ...['@name', '#tag', '$USD', '/cmd', 'a.com', 'x@y.org', 'http://', '😀', '\u202e', '\u2060'],
  ...['**', '__', '`', '```', '[', '](t.me)', '||', '~~', '\ue000', '4111 1111 1111 1111', '.'],
)

const anyHtml = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.array(snippet, { maxLength: 30 }).map((parts) => parts.join('')),
)

test('never fails on any text but by a 400, and no two entities cross', () => {
  fc.assert(
    fc.property(anyHtml, (html) => {
      let message: ReturnType<typeof stored>
      try {
        message = stored(html)
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal)
        return
      }
      const { text, entities } = message
      for (const a of entities) {
        const aEnd = a.offset + a.length
        expect(a.offset >= 0 && a.length > 0 && aEnd <= text.length).toBe(true)
        for (const b of entities) {
          const bEnd = b.offset + b.length
          expect(a.offset < b.offset && b.offset < aEnd && aEnd < bEnd).toBe(false)
          const inside = a !== b && b.offset >= a.offset && bEnd <= aEnd
          if (a.type === 'code' || a.type === 'pre') expect(inside).toBe(false)
        }
      }
    }),
    { numRuns: 1_000 },
  )
})

test('escaped text is stored as it was', () => {
  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  fc.assert(
    fc.property(fc.array(snippet, { maxLength: 30 }), (parts) => {
      const text = parts.join('').replaceAll('\u202e', '')
      expect(parseHtml(escaped(text))).toEqual({ text, entities: [] })
      expect(stored(escaped(text)).text).toBe(text.replace(/^[ \n]+|[ \n]+$/gu, ''))
    }),
  )
})
