import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readLine, type Usable, usables } from '../../../sandbox/console/page/command-line.ts'
import { readInline, readMarkdown } from '../../../sandbox/console/page/discord-markdown.ts'
import type { Part } from '../../../sandbox/console/page/model.ts'

const styled = (
  kind: 'bold' | 'italic' | 'underline' | 'strike' | 'spoiler' | 'mention' | 'paragraph',
  text: string,
): Part => ({ kind, inside: [text] })
const link = (url: string, label = url): Part => ({ kind: 'link', url, inside: [label] })
const mention = (text: string): Part => styled('mention', text)
const names = (kind: string, id: string) => (id === '9' ? undefined : `${kind}${id}`)

describe('within a line, Discord reads', () => {
  test.each<[string, Part[]]>([
    ['**a**', [styled('bold', 'a')]],
    ['*a* _b_', [styled('italic', 'a'), ' ', styled('italic', 'b')]],
    [
      '__a__ ~~b~~ ||c||',
      [styled('underline', 'a'), ' ', styled('strike', 'b'), ' ', styled('spoiler', 'c')],
    ],
    ['**a *b***', [{ kind: 'bold', inside: ['a ', styled('italic', 'b')] }]],
    ['`**a**`', [{ kind: 'code', text: '**a**' }]],
    ['``a`b``', [{ kind: 'code', text: 'a`b' }]],
    ['[a](https://b.example)', [link('https://b.example', 'a')]],
    ['<https://b.example/x>', [link('https://b.example/x')]],
    ['see https://b.example/x.', ['see ', link('https://b.example/x'), '.']],
    [
      '<@1> <@&2> <#3> </a b:4>',
      [mention('@user1'), ' ', mention('@role2'), ' ', mention('#channel3'), ' ', mention('/a b')],
    ],
    ['@everyone', [mention('@everyone')]],
    ['<t:1700000000:R>', [{ kind: 'time', unix: 1_700_000_000, shown: 'relative' }]],
    ['<:otter:123>', [':otter:']],
  ])('%s', (source, nodes) => {
    expect(readInline(source, names)).toEqual(nodes)
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
    expect(readInline(source, names)).toEqual([plain])
  })

  test('no link whose label pretends to be another address', () => {
    const nodes = readInline('[https://good.example](https://bad.example)', names)
    const urls = nodes.flatMap((node) =>
      typeof node === 'object' && node.kind === 'link' ? [node.url] : [],
    )
    expect(urls).not.toEqual(['https://bad.example'])
    expect(nodes[0]).toEqual('[')
  })
})

describe('line by line, Discord reads', () => {
  test('headings, subtext, quotes, lists and code blocks', () => {
    const source = '# A\n-# b\n> c\n> d\n- e\n  - f\n2. g\ntext\n```ts\nconst x = 1\n```\nend'
    expect(readMarkdown(source, names)).toEqual([
      { kind: 'heading', level: 1, inside: ['A'] },
      { kind: 'subtext', inside: ['b'] },
      { kind: 'quote', isFolded: false, inside: [styled('paragraph', 'c\nd')] },
      {
        kind: 'list',
        start: undefined,
        items: [
          { depth: 0, inside: ['e'] },
          { depth: 1, inside: ['f'] },
          { depth: 0, inside: ['g'] },
        ],
      },
      { kind: 'paragraph', inside: ['text'] },
      { kind: 'pre', text: 'const x = 1' },
      { kind: 'paragraph', inside: ['end'] },
    ])
  })

  test('a hash without a blank, or one in a line, as text', () => {
    expect(readMarkdown('#A and # B', names)).toEqual([
      { kind: 'paragraph', inside: ['#A and # B'] },
    ])
  })

  test('any text whatever, without failing and without a link that is not http', () => {
    const urls = (parts: readonly Part[]): string[] =>
      parts.flatMap((part) => {
        if (typeof part === 'string') return []
        return [
          ...(part.kind === 'link' ? [part.url] : []),
          ...('inside' in part ? urls(part.inside) : []),
        ]
      })
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
          readMarkdown(pieces.join(''), names)
          for (const url of urls(readInline(pieces.join(''), names)))
            expect(url).toMatch(/^(https?|discord):\/\//i)
        },
      ),
    )
  })
})

describe('a typed command line', () => {
  const option = (name: string, more: object = {}) => ({
    type: 3,
    name,
    description: name,
    ...more,
  })
  const required = { required: true }
  const command = (name: string, ...options: object[]) => ({
    name,
    type: 1,
    description: name,
    options,
  })
  const all: Usable[] = usables(
    JSON.parse(
      JSON.stringify([
        command('asset', option('asset', required), option('chain')),
        command('assets', option('status', { choices: [] }), option('limit', { type: 4 })),
        command('help'),
        command('follow', option('what'), option('quote')),
        command('alerts', {
          type: 1,
          name: 'add',
          description: 'Add',
          options: [option('asset', required)],
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
    ['/follow add ending 30', 'follow', { what: 'add ending 30' }],
    ['/follow add quote:ETH', 'follow', { what: 'add', quote: 'ETH' }],
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
