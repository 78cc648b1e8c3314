import fc from 'fast-check'
import type { User } from 'grammy/types'
import { describe, expect, test } from 'vitest'
import { toWire } from '../../../sandbox/telegram/entities.ts'
import { Refusal } from '../../../sandbox/telegram/params.ts'
import { asStored, checkLink, findEntities, parseHtml } from '../../../sandbox/telegram/tdlib.ts'

const ada: User = { id: 7, is_bot: false, first_name: 'Ada' }

/** A message as the Bot API would give it back. */
function stored(html: string) {
  const { text, entities } = asStored(parseHtml(html))
  return { text, entities: toWire(entities, new Map([[ada.id, ada]])) }
}

const shown = (html: string): string[] => {
  const { text, entities } = stored(html)
  return [text, ...entities.map((e) => `${e.type} ${text.slice(e.offset, e.offset + e.length)}`)]
}

test.each([
  ['<b>a</b> <strong>b</strong>', ['a b', 'bold a', 'bold b']],
  ['<i>a</i> <u>b</u> <s>c</s>', ['a b c', 'italic a', 'underline b', 'strikethrough c']],
  ['<tg-spoiler>a</tg-spoiler>', ['a', 'spoiler a']],
  ['<code>a</code> <pre>b</pre>', ['a b', 'code a', 'pre b']],
  ['<blockquote>a</blockquote>', ['a', 'blockquote a']],
  ['<blockquote expandable>a</blockquote>', ['a', 'expandable_blockquote a']],
  ['<b>x <code>y</code> z</b>', ['x y z', 'bold x ', 'code y', 'bold  z']],
  ['&lt;b&gt; &amp &#65;&#x1F600; &quot;&nbsp;', ['<b> & A😀 "&nbsp;']],
  ['a\r\n\u202eb\u0007c\u030a', ['a\nb c']],
])('reads %j', (html, expected) => {
  expect(shown(html)).toEqual(expected)
})

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

test.each([
  ['a <x>', 'can\'t parse entities: Unsupported start tag "x" at byte offset 2'],
  ['<b>a', 'can\'t parse entities: Can\'t find end tag corresponding to start tag "b"'],
  ['<tg-time unix="1" format="rT">x</tg-time>', "can't parse entities: Invalid date format used"],
  ['\ud83d', 'strings must be encoded in UTF-8'],
  [`<a href="https://a.com/${'x'.repeat(32_768)}">x</a>`, 'text is too long'],
])('refuses %.40j', (html, why) => {
  expect(() => parseHtml(html)).toThrow(new Refusal(400, `Bad Request: ${why}`))
})

describe('what Telegram finds', () => {
  test.each([
    ['see example.com.', ['see example.com.', 'url example.com']],
    ['mail a@b.com', ['mail a@b.com', 'email a@b.com']],
    [
      '@everyone #otter $USD /help',
      [
        '@everyone #otter $USD /help',
        'mention @everyone',
        'hashtag #otter',
        'cashtag $USD',
        'bot_command /help',
      ],
    ],
    ['<b>@abcde</b>', ['@abcde', 'mention @abcde', 'bold @abcde']],
    ['<b>a @abcde</b>', ['a @abcde', 'bold a ', 'mention @abcde', 'bold @abcde']],
    ['<blockquote>@abcde</blockquote>', ['@abcde', 'blockquote @abcde', 'mention @abcde']],
    ['at 12:30', ['at 12:30']],
  ])('in %j', (html, expected) => {
    expect(shown(html)).toEqual(expected)
  })

  test.each([
    '<code>t.me/x @abcde</code>',
    '<a href="https://e.com">@abcde</a>',
    '@ab<code>cde</code>',
    '@ab<blockquote>cde</blockquote>',
  ])('but not across %j', (html) => {
    expect(stored(html).entities.map(({ type }) => type)).not.toContain('mention')
  })

  test('a card number is for people, and bots don’t hear of it', () => {
    const number = '4111 1111 1111 1111'
    expect(findEntities(number).map(({ type }) => type._)).toEqual(['textEntityTypeBankCardNumber'])
    expect(stored(number).entities).toEqual([])
  })
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

test.each([
  ['notaurl', { ok: false, why: 'Wrong HTTP URL' }],
  ['javascript:alert(1)', { ok: false, why: 'Wrong port number specified in the URL' }],
  ['ssh://a.com', { ok: false, why: 'Unsupported URL protocol' }],
  ['', { ok: false, why: 'URL host is empty' }],
  ['https://a.com:99999', { ok: false, why: 'Wrong port number specified in the URL' }],
  ['EXAMPLE.com', { ok: true, url: 'http://example.com/' }],
  ['https://e.com/a b?c=\u00e9#d', { ok: true, url: 'https://e.com/a%20b?c=\u00e9#d' }],
  ['tg://user?id=7', { ok: true, url: 'tg://user?id=7' }],
])('the link %j', (url, expected) => {
  expect(checkLink(url)).toEqual(expected)
})

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
