import fc from 'fast-check'

/** Names by people who test what a chat does with them; each must show as harmless text. */
export const hostileNames: readonly [about: string, text: string][] = [
  ['a mention of everyone', '@everyone'],
  ['a mention of a user', '@durov <@123456789012345678> <@&1> <#2>'],
  ['tags', '<b>bold</b><script>alert(1)</script>&lt;i&gt; &#60;'],
  ['markdown', '**bold** __under__ ~~gone~~ ||hidden|| `code` # title > quote - item'],
  ['a masked link', '[Claim](https://evil.example)'],
  ['a link', 'https://evil.example/x?y=1#z'],
  ['a bare domain', 'evil.com t.me/joinchat discord.gg/abc'],
  ['an e-mail address', 'ada@evil.example'],
  ['an internal link', 'tg://user?id=1'],
  ['tags of a chat', '#gem $ETH /start /start@evil_bot'],
  ['an address of the net', '127.0.0.1:8080/x'],
  ['a phone number', '+49 170 1234567'],
  ['a card number', '4111 1111 1111 1111 Coin'],
  ['card numbers', '4111111111111111 4111-1111-1111-1111 378282246310005 6200000000000005'],
  ['links of other kinds', 'ton://x tonsite://a.b tg:resolve?domain=x mailto:a@b.com ftp://a.bc'],
  [
    'a link behind a mark that Telegram leaves out',
    'evil.\u030acom @\u0333durov 4111\u033f111111111111',
  ],
  [
    'links without a scheme',
    'user:pass@evil.com/x xn--e1afmkfd.xn--p1ai сайт.рф 例え.テスト word.NEXT',
  ],
  ['a tag for a chat', '#gem@durov $ETH@durov $1INCH /start@evil_bot'],
  ['a letter with a ring', 'A\u030angstrom \u00c5'],
  ['a number too long for a card', '41111111111111111111111111111111 0000000000000'],
  ['a timestamp', '<t:1700000000:R>'],
  ['an emoji by name', ':skull: <:blob:123>'],
  ['a list', '1. first'],
  ['a right-to-left override', 'Safe \u202egnp.exe\u202c'],
  ['isolates', '\u2066\u2067abc\u2069'],
  ['zero-width characters', 'Ze\u200bro\u200c\u200d\ufeffWidth'],
  ['nothing but zero-width characters', '\u200b\u2060\ufeff'],
  ['300 characters', 'Long '.repeat(60)],
  ['300 characters that need escapes', '*_'.repeat(150)],
  ['300 emoji families', '👨‍👩‍👧‍👦'.repeat(300)],
  ['one endless emoji', `👩${'\u200d👩'.repeat(400)}`],
  ['line breaks', 'Two\nLines\r\n\r\nand\u2028more\u0085.'],
  ['nothing', ''],
  ['white space', ' \t\u3000 '],
  ['a tower of marks', `Z${'\u0301\u0333'.repeat(50)}algo`],
  ['marks on nothing', '\u0301\u0301'],
  ['half a surrogate pair', 'a\ud83db'],
  ['what is blank for Telegram alone', '\ufffc\u{e0000}'],
  ['a name of every object', '__proto__ constructor'],
  ['signs alone', '\\*_~|`<>@#$&[](){}!?.:;,+-=/'],
]

// What, put together, most often becomes markup, a link or a broken message somewhere.
const pieces = [
  ...'@#$/\\*_~|`<>[](){}:.,;!?&"\'+-=% \n\t01',
  '**',
  '```',
  '](',
  '](<https://evil.example>)',
  '://',
  'https:',
  'https://',
  'http://evil.example',
  '//evil.example',
  'evil.example',
  'evil.',
  'com',
  'www.',
  '@everyone',
  '@here',
  '<@1>',
  '<t:1:R>',
  '<#1>',
  ':smile:',
  '/start',
  '#tag',
  '$ETH',
  'ada@',
  'tg://',
  '1. ',
  '- ',
  '# ',
  '-# ',
  '> ',
  '>>> ',
  '&amp;',
  '<b>',
  '</b>',
  '<a href="https://evil.example">',
  '127.0.0.1',
  '4111 1111 1111 1111',
  '41111111',
  '1INCH',
  'ton://',
  '+49 170 ',
  '\u030a',
  '\u0333',
  '\u202e',
  '\u200b',
  '\u200d',
  '\u2060',
  '\ufe0f',
  '\u0301',
  '\ud83d',
  '\udc69',
  '👨‍👩‍👧',
  '🏳️‍🌈',
  '🇩🇪',
  'می\u200cخواهم',
  'क\u094d\u200dष',
  '月',
  '\0',
  '\u2028',
]

/** Any text at all, mostly such as breaks things. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map(joined) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary' })), { maxLength: 8 })
      .map(joined),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom(...hostileNames.map(([, text]) => text)) },
)

/** The same, and long enough to reach the limits of a platform. */
export const longHostileText: fc.Arbitrary<string> = fc
  .tuple(hostileText, fc.integer({ min: 1, max: 600 }))
  .map(([text, times]) => text.repeat(times).slice(0, 9_000))

function joined(parts: readonly string[]): string {
  return parts.join('')
}
