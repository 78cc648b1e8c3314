import { expect, test } from 'vitest'
import { UserError } from '../../../../src/errors.ts'
import { read, scopeOf } from './reading.ts'

test('lengths are counted in characters that people see', () => {
  const family = '👨‍👩‍👧‍👦'
  expect(read('name', family.repeat(10))).toBe(family.repeat(10))
  expect(read('name', 'é'.normalize('NFD').repeat(32))).toBe('é'.normalize('NFD').repeat(32))
  expect(() => read('name', 'x'.repeat(33))).toThrow('At most 32 characters; yours has 33.')
  expect(() => read('description', 'ß'.repeat(501))).toThrow(
    'At most 500 characters; yours has 501',
  )
  expect(read('description', '月'.repeat(500))).toBe('月'.repeat(500))
})

test('few characters of very many bytes are refused', () => {
  expect(() => read('name', `👩${'\u200d👩'.repeat(400)}`)).toThrow('takes up too much space')
  expect(() => read('description', '👨‍👩‍👧‍👦'.repeat(300))).toThrow('takes up too much space')
})

test.each([
  ['a null', 'Moon\0Otter', 'a control character (U+0000)'],
  ['a bell', 'Moon\x07', 'a control character (U+0007)'],
  ['a tab', 'Moon\tOtter', 'a tab (U+0009)'],
  ['a delete', 'Moon\x7fOtter', 'a control character (U+007F)'],
  ['a right-to-left override', 'Safe \u202egnp.exe', 'changes the writing direction (U+202E)'],
  ['an isolate', '\u2066abc\u2069', 'changes the writing direction (U+2066)'],
  ['a right-to-left mark', 'abc\u200fdef', 'changes the writing direction (U+200F)'],
  ['an Arabic letter mark', 'abc\u061c', 'changes the writing direction (U+061C)'],
  ['a zero-width space', 'Ze\u200bro', 'an invisible character in it (U+200B)'],
  ['a joiner with nothing to join', 'a\u200db', 'an invisible character in it (U+200D)'],
  ['a soft hyphen', 'Mo\u00adon', 'an invisible character in it (U+00AD)'],
  ['a tag', 'a\u{e0041}', 'an invisible character in it (U+E0041)'],
  ['a private character', 'a\ue000', 'an invisible character in it (U+E000)'],
  ['a look for what has only one', 'Moon\ufe0fOtter', 'an invisible character in it (U+FE0F)'],
  ['another look', 'Moon\ufe01', 'an invisible character in it (U+FE01)'],
  ['a look told twice', '❤\ufe0f\ufe0f', 'an invisible character in it (U+FE0F)'],
  ['half a surrogate pair', 'a\ud83db', 'an invisible character in it (U+D83D)'],
  ['a letter that draws nothing', '\u3164', 'an invisible character in it (U+3164)'],
  ['a tower of marks', `Z${'\u0301'.repeat(9)}`, 'too many on one letter'],
  ['a mark on nothing', '\u0301a', 'accents without a letter'],
  ['nothing', '', 'characters that people can see'],
  ['white space', ' \u3000\u2800 ', 'characters that people can see'],
])('%s is refused by name', (_, text, words) => {
  expect(() => read('name', text)).toThrow(words)
  expect(() => read('description', text)).toThrow(words)
})

test('a name is one line, a description may have several', () => {
  expect(() => read('name', 'Moon\nOtter')).toThrow('one line')
  expect(() => read('name', 'Moon\u2028Otter')).toThrow('one line')
  expect(read('description', 'One,\r\n two.\n\n\n\nThree.  ')).toBe('One,\ntwo.\n\nThree.')
})

test('space around and doubled space goes, and joiners that scripts and emoji need stay', () => {
  expect(read('name', '  Moon\u00a0\u00a0 Otter ')).toBe('Moon Otter')
  expect(read('name', 'می\u200cخواهم 👩‍🚀')).toBe('می\u200cخواهم 👩‍🚀')
})

test('an emoji may say how it looks', () => {
  for (const text of ['❤️ Otter', '🏳️‍🌈', '1️⃣', '☎\ufe0e', '👁️‍🗨️', '葛\u{e0100}']) {
    expect(read('name', text)).toBe(text)
  }
})

test.each([
  ['Мооn Otter', '“М” (U+041C) is Cyrillic, in a word of Latin letters'],
  ['Moon Оtter', '“О” (U+041E) is Cyrillic, in a word of Latin letters'],
  ['Moοn', '“ο” (U+03BF) is Greek, in a word of Latin letters'],
])('a name with look-alike letters is refused: %s', (text, words) => {
  expect(() => read('name', text)).toThrow(words)
})

test('each word of a name may be in another alphabet', () => {
  for (const text of ['Луна Otter', 'Ω-Chain', 'Moon β', '月otter', 'µTorrent', 'Ünïcode']) {
    expect(read('name', text)).toBe(text)
  }
  expect(read('description', 'Мооn is not Moon')).toBe('Мооn is not Moon')
})

test.each([
  'https://evil.example',
  'ipfs://otter',
  't.me/evil',
  'www.evil.example',
  'Go evil.example/x',
])('a link is no name: %s', (text) => {
  expect(() => read('name', text)).toThrow('That’s a link')
})

test('a name may have dots and strokes', () => {
  for (const text of ['wren.finance', 'A/B', 'U.S./EU', 'Dr. Otter', '24/7']) {
    expect(read('name', text)).toBe(text)
  }
})

test('an address is no name', () => {
  expect(() => read('name', '0x52908400098527886E0F7030069857D2E4169EE7')).toThrow(
    'That’s an address',
  )
  expect(() => read('symbol', '0x52908400098527886E0F7030069857D2E4169EE7')).toThrow(
    'That’s an address',
  )
})

test('a symbol is letters and digits, up to 15, without its sign', () => {
  expect(read('symbol', ' $otter ')).toBe('otter')
  expect(read('symbol', 'ABCDEFGHIJ12345')).toBe('ABCDEFGHIJ12345')
  for (const text of ['ABCDEFGHIJ123456', 'two words', 'ÖTTER', 'A-B', 'ΟТТER', '$', '$$A', '🦦']) {
    expect(() => read('symbol', text), text).toThrow(UserError)
  }
})

test.each([
  ['ABCDEFGHIJ123456', '“ABCDEFGHIJ123456” has 16 characters'],
  ['X'.repeat(40), 'has 40 characters'],
  ['two words', '“two words” can’t be a symbol'],
])('what is allowed for a symbol is the same, however it is refused: %s', (text, why) => {
  expect(() => read('symbol', text)).toThrow(`${why}. Allowed: 1–15 letters A–Z`)
})

test('the operator’s pattern for symbols must match the whole symbol', () => {
  const { settings } = scopeOf()
  const symbol = { pattern: /[a-z]{2}|[0-9]{3}/giu, typed: '[a-z]{2}|[0-9]{3}' }
  const scope = scopeOf({}, { settings: { ...settings, symbol } })
  for (let round = 0; round < 3; round += 1) {
    expect(read('symbol', 'ab', scope)).toBe('ab')
    expect(() => read('symbol', 'ab1', scope)).toThrow(
      'Allowed: Whatever matches [a-z]{2}|[0-9]{3}',
    )
    expect(() => read('symbol', 'x123', scope)).toThrow(UserError)
  }
})

test('links are given one a line or with commas, with a label or without', () => {
  const text = [
    'Website: https://moonotter.example/a,b',
    'https://x.com/moonotter, https://t.me/moonotter',
    '• The den - https://www.discord.gg/otter;https://github.com/moon/otter',
    'https://blog.moonotter.example',
  ].join('\n')
  expect(read('links', text)).toEqual([
    { label: 'Website', url: 'https://moonotter.example/a,b' },
    { label: 'X', url: 'https://x.com/moonotter' },
    { label: 'Telegram', url: 'https://t.me/moonotter' },
    { label: 'The den', url: 'https://www.discord.gg/otter' },
    { label: 'GitHub', url: 'https://github.com/moon/otter' },
    { label: 'Website', url: 'https://blog.moonotter.example/' },
  ])
  expect(read('links', 'Chat:https://t.me/otter')).toEqual([
    { label: 'Chat', url: 'https://t.me/otter' },
  ])
})

test('a comma after a link is not a part of it, nor are control characters', () => {
  for (const end of [',', ',\u0000', '\u0001,\u0000']) {
    expect(read('links', `Blog https://a.example/${end}`)).toEqual([
      { label: 'Blog', url: 'https://a.example/' },
    ])
  }
})

test('two links on one line are two links, with a label or without', () => {
  expect(read('links', 'https://a.example https://x.com/a')).toEqual([
    { label: 'Website', url: 'https://a.example/' },
    { label: 'X', url: 'https://x.com/a' },
  ])
  expect(read('links', 'Docs https://a.example The den https://t.me/otter')).toEqual([
    { label: 'Docs', url: 'https://a.example/' },
    { label: 'The den', url: 'https://t.me/otter' },
  ])
})

test.each([
  ['http', 'http://moonotter.example', 'must start with https:, not http:'],
  ['javascript', 'javascript:alert(1)', 'not javascript:'],
  ['a file', 'file:///etc/passwd', 'not file:'],
  ['no scheme', 'moonotter.example', 'starting with https://'],
  ['a handle', '@moonotter', 'starting with https://'],
  ['a user name', 'https://ada@moonotter.example', 'user name or password'],
  ['a password', 'https://ada:secret@moonotter.example', 'user name or password'],
  ['an address of the net', 'https://127.0.0.1/x', 'public site'],
  ['an odd address of the net', 'https://0x7f.1', 'public site'],
  ['an IPv6 address', 'https://[::1]/', 'public site'],
  ['localhost', 'https://localhost/x', 'public site'],
  ['a name under localhost', 'https://a.localhost', 'public site'],
  ['a name of a home', 'https://router.local', 'public site'],
  ['a name of a cloud', 'https://metadata.google.internal', 'public site'],
  ['one that is too long', `https://a.example/${'x'.repeat(600)}`, 'at most 512 characters'],
  ['nothing', ' \n ', 'at least one link'],
])('%s is refused', (_, text, words) => {
  expect(() => read('links', text)).toThrow(words)
})

test('a repeated link is refused, however it is written', () => {
  expect(() => read('links', 'https://a.example\nBlog HTTPS://A.example:443/')).toThrow(
    'Entry 2: This link is listed twice. Send it once.',
  )
})

test('more than ten are refused', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => `https://a.example/${index}`).join('\n')
  expect(read('links', many(10))).toHaveLength(10)
  expect(() => read('links', many(11))).toThrow('At most 10 links; you sent 11.')
})

test('a label has the same rules as a name', () => {
  expect(() => read('links', 'Cl\u202eaim https://a.example')).toThrow(UserError)
  expect(() => read('links', `${'x'.repeat(33)} https://a.example`)).toThrow(
    'at most 32 characters',
  )
})
