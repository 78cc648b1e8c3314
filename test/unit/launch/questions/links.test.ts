import { expect, test } from 'vitest'
import { UserError } from '../../../../src/errors.ts'
import { read } from './reading.ts'

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

test.each([
  ['http', 'http://moonotter.example', 'must begin with https://, not with http:'],
  ['javascript', 'javascript:alert(1)', 'not with javascript:'],
  ['a file', 'file:///etc/passwd', 'not with file:'],
  ['no scheme', 'moonotter.example', 'beginning with https://'],
  ['a handle', '@moonotter', 'beginning with https://'],
  ['a user name', 'https://ada@moonotter.example', 'user name or a password'],
  ['a password', 'https://ada:secret@moonotter.example', 'user name or a password'],
  ['an address of the net', 'https://127.0.0.1/x', 'public site by its name'],
  ['an odd address of the net', 'https://0x7f.1', 'public site by its name'],
  ['an IPv6 address', 'https://[::1]/', 'public site by its name'],
  ['localhost', 'https://localhost/x', 'public site by its name'],
  ['a name under localhost', 'https://a.localhost', 'public site by its name'],
  ['a name of a home', 'https://router.local', 'public site by its name'],
  ['a name of a cloud', 'https://metadata.google.internal', 'public site by its name'],
  ['one that is too long', `https://a.example/${'x'.repeat(600)}`, 'at most 512 characters'],
  ['nothing', ' \n ', 'at least one link'],
])('%s is refused', (_, text, words) => {
  expect(() => read('links', text)).toThrow(words)
})

test('the same link twice is refused, however it is written', () => {
  expect(() => read('links', 'https://a.example\nBlog HTTPS://A.example:443/')).toThrow(
    'Entry 2: this link is there twice. Give it once.',
  )
})

test('more than ten are refused', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => `https://a.example/${index}`).join('\n')
  expect(read('links', many(10))).toHaveLength(10)
  expect(() => read('links', many(11))).toThrow('At most 10 links; these are 11.')
})

test('a label is held to what a name is held to', () => {
  expect(() => read('links', 'Cl\u202eaim https://a.example')).toThrow(UserError)
  expect(() => read('links', `${'x'.repeat(33)} https://a.example`)).toThrow(
    'at most 32 characters',
  )
})
