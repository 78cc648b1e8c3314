import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readLine, type Usable, usables } from '../../../sandbox/console/page/discord-line.ts'
import {
  type Inline,
  parseInline,
  parseMarkdown,
} from '../../../sandbox/console/page/discord-markdown.ts'

const text = (value: string): Inline => ({ kind: 'text', text: value })
const styled = (
  kind: 'bold' | 'italic' | 'underline' | 'strike' | 'spoiler',
  value: string,
): Inline => ({
  kind,
  children: [text(value)],
})
const link = (url: string, label = url): Inline => ({ kind: 'link', url, children: [text(label)] })
const mention = (
  what: 'user' | 'role' | 'channel' | 'command' | 'everyone',
  value: string,
): Inline => ({
  kind: 'mention',
  what,
  value,
})

describe('within a line, Discord reads', () => {
  test.each<[string, Inline[]]>([
    ['**a**', [styled('bold', 'a')]],
    ['*a* _b_', [styled('italic', 'a'), text(' '), styled('italic', 'b')]],
    [
      '__a__ ~~b~~ ||c||',
      [
        styled('underline', 'a'),
        text(' '),
        styled('strike', 'b'),
        text(' '),
        styled('spoiler', 'c'),
      ],
    ],
    ['**a *b***', [{ kind: 'bold', children: [text('a '), styled('italic', 'b')] }]],
    ['`**a**`', [{ kind: 'code', text: '**a**' }]],
    ['``a`b``', [{ kind: 'code', text: 'a`b' }]],
    ['[a](https://b.example)', [link('https://b.example', 'a')]],
    ['<https://b.example/x>', [link('https://b.example/x')]],
    ['see https://b.example/x.', [text('see '), link('https://b.example/x'), text('.')]],
    [
      '<@1> <@&2> <#3> </a b:4>',
      [
        mention('user', '1'),
        text(' '),
        mention('role', '2'),
        text(' '),
        mention('channel', '3'),
        text(' '),
        mention('command', 'a b'),
      ],
    ],
    ['@everyone', [mention('everyone', 'everyone')]],
    ['<t:1700000000:R>', [{ kind: 'time', unix: 1_700_000_000, style: 'R' }]],
    ['<:otter:123>', [{ kind: 'emoji', name: 'otter' }]],
  ])('%s', (source, nodes) => {
    expect(parseInline(source)).toEqual(nodes)
  })

  test.each([
    ['\\*\\*a\\*\\*', '**a**'],
    ['snake_case_name', 'snake_case_name'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['**open', '**open'],
    ['[a](javascript:alert)', '[a](javascript:alert)'],
    ['\\[a\\](b)', '[a](b)'],
    ['\\<@1\\>', '<@1>'],
    ['\\@everyone', '@everyone'],
  ])('%s as plain text', (source, plain) => {
    expect(parseInline(source)).toEqual([text(plain)])
  })

  test('no link whose label pretends to be another address', () => {
    const nodes = parseInline('[https://good.example](https://bad.example)')
    const urls = nodes.flatMap((node) => (node.kind === 'link' ? [node.url] : []))
    expect(urls).not.toEqual(['https://bad.example'])
    expect(nodes[0]).toEqual(text('['))
  })
})

describe('line by line, Discord reads', () => {
  test('headings, subtext, quotes, lists and code blocks', () => {
    const source = '# A\n-# b\n> c\n> d\n- e\n  - f\n2. g\ntext\n```ts\nconst x = 1\n```\nend'
    expect(parseMarkdown(source)).toEqual([
      { kind: 'heading', level: 1, children: [text('A')] },
      { kind: 'subtext', children: [text('b')] },
      { kind: 'quote', blocks: [{ kind: 'paragraph', children: [text('c\nd')] }] },
      {
        kind: 'list',
        ordered: false,
        start: 1,
        items: [
          { depth: 0, children: [text('e')] },
          { depth: 1, children: [text('f')] },
          { depth: 0, children: [text('g')] },
        ],
      },
      { kind: 'paragraph', children: [text('text')] },
      { kind: 'code', text: 'const x = 1' },
      { kind: 'paragraph', children: [text('end')] },
    ])
  })

  test('a hash without a blank, or one in a line, as text', () => {
    expect(parseMarkdown('#A and # B')).toEqual([
      { kind: 'paragraph', children: [text('#A and # B')] },
    ])
  })

  test('any text whatever, without failing and without a link that is not http', () => {
    const urls = (nodes: readonly Inline[]): string[] =>
      nodes.flatMap((node) => [
        ...(node.kind === 'link' ? [node.url] : []),
        ...('children' in node ? urls(node.children) : []),
      ])
    const piece = fc.constantFrom(
      '**',
      '*',
      '_',
      '`',
      '```',
      '||',
      '[',
      '](',
      ')',
      '<',
      '>',
      '\\',
      '\n',
      '- ',
      '# ',
      'https://a.b/',
      'javascript:',
      'x',
      '@everyone',
      '<@1>',
    )
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 40 }),
        (pieces) => {
          parseMarkdown(pieces.join(''))
          for (const url of urls(parseInline(pieces.join(''))))
            expect(url).toMatch(/^(https?|discord):\/\//i)
        },
      ),
    )
  })
})

describe('a typed command line', () => {
  const option = (name: string, required = false) => ({
    type: 3,
    name,
    description: name,
    required,
  })
  const command = (name: string, ...options: object[]) => ({
    name,
    type: 1,
    description: name,
    options,
  })
  const all: Usable[] = usables(
    JSON.parse(
      JSON.stringify([
        command('asset', option('asset', true), option('chain')),
        command('assets', option('status'), option('limit')),
        command('help'),
        command('alerts', {
          type: 1,
          name: 'add',
          description: 'Add',
          options: [option('asset', true)],
        }),
      ]),
    ),
  )

  test.each<[string, string, Record<string, string>]>([
    ['/asset OTTER', 'asset', { asset: 'OTTER' }],
    ['/asset moon otter', 'asset', { asset: 'moon otter' }],
    ['/asset chain:8453 OTTER', 'asset', { asset: 'OTTER', chain: '8453' }],
    ['/asset asset:"moon otter" chain:8453', 'asset', { asset: 'moon otter', chain: '8453' }],
    ['/asset colour:red', 'asset', { asset: 'colour:red' }],
    ['/asset', 'asset', {}],
    ['/assets live 20', 'assets', { status: 'live', limit: '20' }],
    ['/assets limit:20', 'assets', { limit: '20' }],
    ['/help', 'help', {}],
    ['/alerts add OTTER', 'alerts add', { asset: 'OTTER' }],
  ])('%s', (line, name, values) => {
    const read = readLine(line, all)
    expect(read?.command.name).toBe(name)
    expect(read?.values).toEqual(values)
  })

  test('of an unknown command is none', () => {
    expect(readLine('/nothing at all', all)).toBeUndefined()
    expect(readLine('/alerts', all)).toBeUndefined()
  })
})
