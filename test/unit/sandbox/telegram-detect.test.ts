import { expect, test } from 'vitest'
import { detectEntities } from '../../../sandbox/telegram/text/detect.ts'

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

test('finds at most one thing at a place, the first', () => {
  expect(found('https://a.com/#tag @name /cmd')).toEqual([
    'url https://a.com/#tag',
    'mention @name',
    'bot_command /cmd',
  ])
})
