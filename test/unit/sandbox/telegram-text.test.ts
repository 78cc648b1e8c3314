import fc from 'fast-check'
import { expect, test } from 'vitest'
import { detectEntities, formatText } from '../../../sandbox/telegram/entities.ts'
import { parseHtml } from '../../../sandbox/telegram/html.ts'
import { Refusal } from '../../../sandbox/telegram/params.ts'

// Cases that were held against TDLib's parser.
const parse = (html: string) => formatText(parseHtml(html))

const shown = (html: string): string[] => {
  const { text, entities } = parse(html)
  return [text, ...entities.map((e) => `${e.type} ${text.slice(e.offset, e.offset + e.length)}`)]
}

test.each([
  ['<b>a</b> <strong>b</strong>', ['a b', 'bold a', 'bold b']],
  ['<i>a</i><em>b</em>', ['ab', 'italic ab']],
  ['<u>a</u> <ins>b</ins>', ['a b', 'underline a', 'underline b']],
  [
    '<s>a</s> <strike>b</strike> <del>c</del>',
    ['a b c', 'strikethrough a', 'strikethrough b', 'strikethrough c'],
  ],
  [
    '<tg-spoiler>a</tg-spoiler> <span class="tg-spoiler">b</span>',
    ['a b', 'spoiler a', 'spoiler b'],
  ],
  ['<code>a</code>', ['a', 'code a']],
  ['<pre>a</pre>', ['a', 'pre a']],
  ['<blockquote>a</blockquote>', ['a', 'blockquote a']],
  ['<blockquote expandable>a</blockquote>', ['a', 'expandable_blockquote a']],
  ['<B>a</b >', ['a', 'bold a']],
  ['<b>a</>', ['a', 'bold a']],
  ['  <b> x </b>  ', ['x', 'bold x']],
  ['<b>  </b>y', ['y']],
  ['<b>x <code>y</code> z</b>', ['x y z', 'bold x ', 'code y', 'bold z']],
  ['<code>t.me/x @abcde</code>', ['t.me/x @abcde', 'code t.me/x @abcde']],
  ['<a href="https://e.com">@abcde</a>', ['@abcde', 'text_link @abcde']],
  ['<b>@abcde</b>', ['@abcde', 'mention @abcde', 'bold @abcde']],
  ['&lt;b&gt; &amp &#65;&#x1F600; &quot;&nbsp;', ['<b> & A😀 "&nbsp;']],
  ['a\r\n\u202eb\u0007c', ['a\nb c']],
])('reads %j', (html, expected) => {
  expect(shown(html)).toEqual(expected)
})

test('keeps what belongs to an entity', () => {
  expect(parse('<pre><code class="language-ts">1</code></pre>').entities).toEqual([
    { type: 'pre', offset: 0, length: 1, language: 'ts' },
  ])
  expect(parse('<a href="example.com">x</a>').entities).toEqual([
    { type: 'text_link', offset: 0, length: 1, url: 'http://example.com/' },
  ])
  expect(parse('<a href="tg://user?id=7">x</a>').entities).toEqual([
    { type: 'text_mention', offset: 0, length: 1, userId: 7 },
  ])
  expect(parse('😀<tg-time unix="1647531900" format="wDT">x</tg-time>').entities).toEqual([
    { type: 'date_time', offset: 2, length: 1, unixTime: 1_647_531_900, dateTimeFormat: 'wDT' },
  ])
  expect(parse('<tg-emoji emoji-id="5368324170671202286">👍</tg-emoji>').entities).toEqual([
    { type: 'custom_emoji', offset: 0, length: 2, customEmojiId: '5368324170671202286' },
  ])
})

test.each([
  'notaurl',
  'javascript:alert(1)',
  'https://nodot',
  'http://',
  'ssh://a.com',
  'https://a.com:99999',
])('a link to %j is plain text', (url) => {
  expect(parse(`<a href="${url}">x</a>`)).toEqual({ text: 'x', entities: [] })
})

test.each([
  ['a <x>', 'Unsupported start tag "x" at byte offset 2'],
  ['é<p>', 'Unsupported start tag "p" at byte offset 2'],
  ['1 < 2', 'Unsupported start tag "" at byte offset 2'],
  ['a<b', 'Unclosed start tag at byte offset 1'],
  ['<b>a', 'Can\'t find end tag corresponding to start tag "b"'],
  ['a</b>', 'Unexpected end tag at byte offset 1'],
  ['<b></b', 'Unclosed end tag at byte offset 3'],
  ['<b>x</i>', 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'],
  ['<span>x</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
  [
    '<b a>x</b>',
    'Expected equal sign in declaration of an attribute of the tag "b" at byte offset 0',
  ],
  ['<a href=x@y>1</a>', 'Unexpected end of name token at byte offset 8'],
  ['<a href="x>1</a>', 'Unclosed start tag at byte offset 0'],
  ['<b =1>', 'Empty attribute name in the tag "b" at byte offset 0'],
  ['<tg-time unix="1" format="rT">x</tg-time>', 'Invalid date-time format specified'],
  ['<tg-time unix="soon">x</tg-time>', 'Invalid Unix time specified'],
  ['<tg-emoji emoji-id="x">x</tg-emoji>', 'Invalid custom emoji identifier specified'],
  [
    '&#xd83d;',
    'Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units',
  ],
])('refuses %j', (html, why) => {
  expect(() => parseHtml(html)).toThrow(`Bad Request: can't parse entities: ${why}`)
})

const snippet = fc.constantFrom(
  ...['<b>', '</b>', '<i>', '</i>', '<code>', '</code>', '<pre>', '</pre>', '<a href="t.me/x">'],
  ...['</a>', '<blockquote expandable>', '</blockquote>', '&lt;', '&', '<', '>', ' ', '\n', '"'],
  ...[
    '@name',
    '#tag',
    '$USD',
    '/cmd',
    'a.com',
    'x@y.org',
    'http://',
    '😀',
    '\u202e',
    '\u2060',
    '.',
  ],
)

test('never fails on any text but by a 400, and keeps every entity inside the text', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.array(snippet, { maxLength: 30 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(texts, (html) => {
      try {
        const { text, entities } = parse(html)
        for (const { offset, length } of entities)
          if (offset < 0 || length < 1 || offset + length > text.length) return false
        return true
      } catch (error) {
        return error instanceof Refusal && error.code === 400
      }
    }),
    { numRuns: 2_000 },
  )
})

test('escaped text is shown as it was, without any markup', () => {
  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  fc.assert(
    fc.property(fc.array(snippet, { maxLength: 30 }), (parts) => {
      const text = parts.join('')
      expect(parseHtml(escaped(text))).toEqual({ text, entities: [] })
    }),
  )
})

test('no two entities cross, and code holds nothing', () => {
  fc.assert(
    fc.property(fc.array(snippet, { maxLength: 40 }), (parts) => {
      let parsed: ReturnType<typeof parse>
      try {
        parsed = parse(parts.join(''))
      } catch {
        return
      }
      const { entities } = parsed
      for (const a of entities)
        for (const b of entities) {
          const [aEnd, bEnd] = [a.offset + a.length, b.offset + b.length]
          expect(a.offset < b.offset && b.offset < aEnd && aEnd < bEnd).toBe(false)
          const inside = a !== b && b.offset >= a.offset && bEnd <= aEnd
          if (a.type === 'code' || a.type === 'pre') expect(inside).toBe(false)
        }
    }),
    { numRuns: 1_000 },
  )
})

const found = (text: string): string[] =>
  detectEntities(text).map(
    ({ type, offset, length }) => `${type} ${text.slice(offset, offset + length)}`,
  )

test.each([
  ['https://telegram.org', ['url https://telegram.org']],
  ['see example.com.', ['url example.com']],
  ['(http://a.com/b(c))d', ['url http://a.com/b(c)']],
  ['foo.bar/?x=1, and more', ['url foo.bar/?x=1']],
  ['t.me/name', ['url t.me/name']],
  ['сайт.рф', ['url сайт.рф']],
  ['word.NEXT', ['url word.NEXT']],
  ['1.2.3.4', ['url 1.2.3.4']],
  ['moon.xyz:80/a', ['url moon.xyz:80/a']],
  ['ftp://files.example.net', ['url ftp://files.example.net']],
  ['https://any.thing12', ['url https://any.thing12']],
  ['user:pass@host.com/path', ['url user:pass@host.com/path']],
  ['tg://resolve?domain=x', ['url tg://resolve?domain=x']],
  ['https://t.me/@name', ['url https://t.me/@name']],
  ['a.com b.com', ['url a.com', 'url b.com']],
  ['mail me: first+tag@mail.example.org!', ['email first+tag@mail.example.org']],
  ['mailto:a@b.com', ['email a@b.com']],
])('finds the links in %j', (text, expected) => {
  expect(found(text)).toEqual(expected)
})

test.each([
  'Word.Next',
  'a..com',
  'v1.0.0',
  '0.000123',
  'http://localhost',
  'http://x_y.com',
  'javascript://x.com',
  'name.unknowntld',
  '-.-',
  '@a.com',
  'example\u2060.com',
  'example.\u2060com',
  '...',
])('sees no link in %j', (text) => {
  expect(found(text).filter((entity) => /^(?:url|email)/u.test(entity))).toEqual([])
})

test('a word joiner ends a link and zero-width joiners do not', () => {
  expect(found('exa\u2060mple.com')).toEqual(['url mple.com'])
  expect(found('exa\u200dmple.com')).toEqual(['url exa\u200dmple.com'])
})

test.each([
  ['@everyone look', ['mention @everyone']],
  ['(@name_1)', ['mention @name_1']],
  ['@gif cats', ['mention @gif']],
  ['@abc', []],
  ['@abc\u2060def', []],
  ['mail@nobody', []],
  [`@${'a'.repeat(33)}`, []],
  ['@nameé', []],
])('finds the mentions in %j', (text, expected) => {
  expect(found(text)).toEqual(expected)
})

test.each([
  ['#otter #2026 #a1', ['hashtag #otter', 'hashtag #a1']],
  ['#a#b', []],
  ['x#a', []],
  ['$OTTER $otter $A', ['cashtag $OTTER', 'cashtag $A']],
  ['$ABCDEFGHI', []],
  ['$USD1', []],
  ['$$USD', []],
  ['$1INCH', ['cashtag $1INCH']],
])('finds the tags in %j', (text, expected) => {
  expect(found(text)).toEqual(expected)
})

test.each([
  ['/start', ['bot_command /start']],
  ['/start@gavel_bot now', ['bot_command /start@gavel_bot']],
  ['try /help, or /a_1', ['bot_command /help', 'bot_command /a_1']],
  ['x/start', []],
  ['//start', []],
  ['/start/', []],
  ['/é', []],
])('finds the commands in %j', (text, expected) => {
  expect(found(text)).toEqual(expected)
})

test('finds at most one entity at a position, the first', () => {
  expect(found('https://a.com/#tag @name /cmd')).toEqual([
    'url https://a.com/#tag',
    'mention @name',
    'bot_command /cmd',
  ])
})
