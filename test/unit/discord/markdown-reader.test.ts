import { expect, test } from 'vitest'
import { flat, readMarkdown } from './markdown-reader.ts'

// The reader judges the renderer, so it must itself see what Discord would.
test.each([
  ['**a**', 'bold'],
  ['*a*', 'italic'],
  ['_a_', 'italic'],
  ['__a__', 'underline'],
  ['~~a~~', 'strike'],
  ['||a||', 'spoiler'],
  ['`a`', 'code'],
  ['```a```', 'code block'],
  ['# a', 'heading'],
  ['x\n### a', 'heading'],
  ['-# a', 'subtext'],
  ['> a', 'quote'],
  ['- a', 'list'],
  ['* a', 'list'],
  ['12. a', 'list'],
  ['[a](https://evil.example)', 'link'],
  ['[a](<https://evil.example>)', 'link'],
  ['https://evil.example', 'link'],
  ['<https://evil.example>', 'link'],
  ['@everyone', 'mention'],
  ['@here', 'mention'],
  ['<@1>', 'mention'],
  ['<@&1>', 'mention'],
  ['<#1>', 'mention'],
  ['</asset:1>', 'mention'],
  ['<t:1:R>', 'time'],
  [':skull:', 'emoji'],
  ['<a:blob:1>', 'emoji'],
])('%j has a meaning: %s', (markdown, kind) => {
  const kinds = flat(readMarkdown(markdown)).map((piece) =>
    piece.kind === 'live' ? piece.what : piece.kind,
  )
  expect(kinds).toContain(kind)
})

test.each([
  [String.raw`\*a\*`, '*a*'],
  [String.raw`\@everyone \<\@1\>`, '@everyone <@1>'],
  [String.raw`https\://x`, 'https://x'],
  [String.raw`1\. a`, '1. a'],
  [String.raw`\# a`, '# a'],
])('%s has none', (markdown, text) => {
  expect(readMarkdown(markdown)).toEqual([{ kind: 'text', text }])
})

test('a link ends at the first bracket that closes it', () => {
  const shown = readMarkdown('[a](<https://a.example/)[b](https://evil.example)>)')
  const urls = flat(shown).flatMap((piece) => (piece.kind === 'link' ? [piece.url] : []))
  expect(urls).toEqual(['https://a.example/', 'https://evil.example'])
})
