import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asStored, parseHtml } from '../../../sandbox/telegram/tdlib.ts'
import { locales, localise } from '../../../src/core/catalogue.ts'
import type { Item, LocalisedView, Span } from '../../../src/core/view.ts'
import { renderTelegram } from '../../../src/telegram/render.ts'
import { assetView } from '../../../src/views/asset.ts'
import { parts } from '../../any-view.ts'
import { hostileText } from '../../hostile.ts'
import { memoryCallbacks } from '../core/memory-callbacks.ts'
import { testRendering, textView } from '../core/rendering.ts'
import { cardParts, fullAsset } from '../views/sample.ts'
import { keptLink, meantText, ownKinds, readTelegram } from './read.ts'

async function read(view: LocalisedView) {
  const lines = memoryCallbacks()
  // A command without arguments may be tapped.
  return readTelegram(await renderTelegram(view, lines), lines, parts(view).codes)
}

describe('markup', () => {
  test('details are folded, and what a picture shows is left out below it alone', async () => {
    const view: LocalisedView = {
      title: ['Otter'],
      picture: { key: 'k', name: 'card.jpg', type: 'image/jpeg', bytes: new Uint8Array(1) },
      blocks: [
        { kind: 'lines', isPictured: true, lines: [['Base'], ['$1 <b>']] },
        { kind: 'progress', isPictured: true, ratio: 0.5, label: 'half' },
        {
          kind: 'fields',
          fields: [
            ['Price:', ['$1'], true],
            ['Raised:', ['$2']],
          ],
        },
        { kind: 'copy', text: '0x1' },
        { kind: 'details', lines: [['Creator <i>'], ['b']], open: { label: 'More', line: 'x' } },
      ],
      buttons: [[{ label: 'Copy', copy: '0x1' }]],
    }
    const { text, caption, reply_markup } = await renderTelegram(view, memoryCallbacks())
    const folded = '<blockquote expandable>Creator &lt;i&gt;\nb</blockquote>'
    expect(text).toBe(
      `<b>Otter</b>\n\nBase\n$1 &lt;b&gt;\n\n▰▰▰▰▰▱▱▱▱▱ <b>half</b>\n\nPrice: $1\nRaised: $2\n\n<code>0x1</code>\n\n${folded}`,
    )
    expect(caption).toBe(`<b>Otter</b>\n\nRaised: $2\n\n<code>0x1</code>\n\n${folded}`)
    expect(reply_markup.inline_keyboard).toEqual([[{ text: 'Copy', copy_text: { text: '0x1' } }]])
  })

  test('a figure and its unit stay on one line: in our words, in bold, on a link, a bar and a button', async () => {
    const figure = '18\u00a0%'
    const view: LocalisedView = {
      title: [{ own: figure }, 'a\u00a0name'],
      blocks: [
        { kind: 'text', spans: [{ bold: figure }, { link: figure, url: 'https://a.example/' }] },
        { kind: 'progress', ratio: 0, label: figure },
      ],
      buttons: [[{ label: figure, line: 'x' }]],
    }
    const { text, reply_markup } = await renderTelegram(view, memoryCallbacks())
    expect(text.match(/18\u00a0%/gu)).toHaveLength(4)
    expect(text).toContain('a name')
    expect(reply_markup.inline_keyboard[0]?.[0]?.text).toBe(figure)
  })

  test('a whole view', async () => {
    const view: LocalisedView = {
      title: ['Moon ', { bold: 'Otter' }],
      tone: 'warn',
      image: 'https://images.example/otter.png',
      blocks: [
        { kind: 'text', spans: ['a < b & c'] },
        {
          kind: 'fields',
          fields: [
            ['Price:', [{ bold: '$1' }, ' up']],
            ['Age：', ['1 d']],
          ],
        },
        { kind: 'progress', ratio: 0.42, label: '42% sold' },
        { kind: 'text', spans: [] },
        {
          kind: 'text',
          spans: [
            { code: '<0x1>' },
            { link: 'site', url: 'https://otter.example/?a=1&b="2"' },
            { time: 1_700_000_000, as: 'relative' },
            { time: 1_700_000_000, as: 'date' },
          ],
          small: true,
        },
      ],
      buttons: [
        [
          { label: 'Refresh', line: 'asset 0x1' },
          { label: 'Auction', line: 'auction 0x2', asNew: true },
          { label: 'Explorer', url: 'https://basescan.org/' },
        ],
      ],
    }
    expect(await renderTelegram(view, memoryCallbacks())).toEqual({
      text:
        '⚠️ <b>Moon Otter</b>\n\na &lt; b &amp; c\n\nPrice: <b>$1</b> up\nAge：\u20601 d\n\n' +
        '▰▰▰▰▱▱▱▱▱▱ <b>42% sold</b>\n\n<i><code>&lt;0x1&gt;</code>' +
        '<a href="https://otter.example/?a=1&amp;b=&quot;2&quot;">site</a>' +
        '<tg-time unix="1700000000" format="r">2023-11-14 22:13 UTC</tg-time>' +
        '<tg-time unix="1700000000" format="Dt">2023-11-14 22:13 UTC</tg-time></i>',
      parse_mode: 'HTML',
      link_preview_options: {
        url: 'https://images.example/otter.png',
        prefer_small_media: true,
        show_above_text: false,
      },
      reply_markup: {
        inline_keyboard: [
          [
            { text: 'Refresh', callback_data: '=asset 0x1' },
            { text: 'Auction', callback_data: '+auction 0x2' },
            { text: 'Explorer', url: 'https://basescan.org/' },
          ],
        ],
      },
    })
  })

  test('a time that Telegram would refuse is plain text', async () => {
    const { text } = await renderTelegram(
      textView({ time: 2 ** 31, as: 'date' }),
      memoryCallbacks(),
    )
    expect(text).toBe('2038-01-19 03:14 UTC')
  })

  test('a list has a number for each item, in rows of nearly equal length, that opens it', async () => {
    const items: Item<string>[] = Array.from({ length: 7 }, (_, index) => ({
      spans: [`Otter ${index}`],
      open: { label: 'x', line: `asset ${index}` },
    }))
    const seen = await read({ title: [], blocks: [{ kind: 'list', first: 11, items }] })
    expect(seen.text.split('\n')[0]).toBe('11. Otter 0')
    expect(seen.labels).toEqual([
      ['11', '12', '13', '14'],
      ['15', '16', '17'],
    ])
    expect(seen.lines[6]).toBe('+asset 6')
  })
})

testRendering({
  read: async (view) => {
    const seen = await read(view)
    expect(seen.length).toBeLessThanOrEqual(4096)
    return seen
  },
  ownKinds,
  foldedLinks: [
    'https://basescan.org/address/0x1111111111111111111111111111111111111111',
    'https://basescan.org/address/0x2222222222222222222222222222222222222222',
  ],
  linesOf: (view) => parts(view).lines,
  keptLinks: (url) => [keptLink(url)],
  listControls: {
    labels: [
      ['11', '12', '13', '14', '15'],
      ['16', '17', '18', '19', '20'],
      ['All', 'Incoming'],
      ['Live', 'Graduated'],
      ['◀ Previous', 'Next ▶'],
    ],
  },
  fitting: ['x'.repeat(4000), '😀'.repeat(4000)],
  full: 4020,
  manyItems: 90,
})

test.each(locales)('a card’s buttons stand in rows of two or more (%s)', async (locale) => {
  const { reply_markup } = await renderTelegram(
    localise(assetView(cardParts(fullAsset)), locale),
    memoryCallbacks(),
  )
  const rows = reply_markup.inline_keyboard.map((row) => row.length)
  expect(rows).not.toContain(1)
  expect(rows.reduce((sum, length) => sum + length)).toBe(9)
})

test('strangers’ text is all there, in its order, where it fits', async () => {
  const text = fc.oneof(
    hostileText,
    hostileText.map((bold) => ({ bold })),
    hostileText.map((code) => ({ code })),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 6 }), async (spans) => {
      const meant = meantText(spans)
      fc.pre(meant.length < 2000)
      expect((await read(textView(...spans))).text.trim()).toBe(meant)
    }),
    { numRuns: 300 },
  )
})

test('a caption is as long as Telegram takes it, which counts an emoji once', async () => {
  const picture = { name: 'a.png', type: 'image/png', bytes: new Uint8Array(1), key: 'a' }
  const shown = (text: string) => renderTelegram({ ...textView(text), picture }, memoryCallbacks())
  expect(await shown('😀'.repeat(1024))).toHaveProperty('picture')
  expect(await shown('😀'.repeat(1025))).not.toHaveProperty('picture')
})

test.each([
  ['a card number', '4111 1111 1111 1111 Coin', '4111 1111 1111 \u20601111 Coin'],
  ['a card number of 13 digits', '4222222222222', '422222222222\u20602'],
  ['the id of a chat', '-1000000200003', '-1000000200003'],
  ['a price', '$1.25', '$1.25'],
  ['a cashtag', '$ETH', '$\u2060ETH'],
  ['an address', 'https://evil.com/a', 'https:\u2060//evil.\u2060com/a'],
  ['a time zone', 'Europe/Berlin', 'Europe/Berlin'],
])('%s has joiners only where Telegram would find something', async (_, text, expected) => {
  expect((await renderTelegram(textView(text), memoryCallbacks())).text).toBe(expected)
})

test.each<[about: string, spans: Span<string>[], html: string]>([
  ['ours', [{ own: 'Type /help, or /start.' }], 'Type /help, or /start.'],
  ['as code', [{ own: 'Type ' }, { code: '/help' }, { own: '.' }], 'Type /help.'],
  ['behind a stranger’s word', ['otter', { code: '/help' }], 'otter\u2060/help'],
  ['with arguments', [{ code: '/search otter' }], '<code>/search otter</code>'],
  [
    'and no command',
    [{ code: '/Help' }, { code: '/help/x' }],
    '<code>/Help</code><code>/help/x</code>',
  ],
  ['of strangers', ['/help', { bold: '/help' }], '/\u2060help<b>\u2060/\u2060help</b>'],
  ['in front of a stranger’s word', [{ own: 'see /as' }, 'set'], 'see /as\u2060set'],
  [
    'and names among our signs',
    [{ own: 'No “' }, '月', { own: '” on ' }, 'Base', { own: '.' }],
    'No “月” on Base.',
  ],
  ['and a dot between names', ['evil', { own: '.' }, 'com'], 'evil.\u2060com'],
  [
    'and a colon behind a name, before a space',
    ['Standard', { own: ': a curve' }],
    'Standard: a curve',
  ],
  ['and a colon before a path', ['https', { own: '://x' }], 'https\u2060://x'],
  ['and an end of ours', ['evil', { own: '.com' }], 'evil\u2060.com'],
  ['half of it a stranger’s', [{ own: 'see /' }, 'help'], 'see /\u2060help'],
  ['beside the number of a card', ['4111 1111 ', '1111 1111'], '4111 1111 \u20601111 1111'],
  ['beside one in three parts', ['41111111', ' ', '11111111'], '41111111 \u206011111111'],
  ['beside one of ours', [{ own: '41111111' }, { own: '11111111' }], '41111111\u206011111111'],
])('a command, and what looks like one: %s', async (_, spans, html) => {
  const view = textView(...spans)
  expect((await renderTelegram(view, memoryCallbacks())).text).toBe(html)
})

test('the number of a card in a field’s name makes none of the digits behind it', async () => {
  const fields = [['evil.\u030acom 4111\u033f111111111111', ['4111 1111 1111 1111 Coin']]] as const
  const { kinds } = await read({
    title: [],
    blocks: [{ kind: 'fields', fields: fields.map(([name, value]) => [name, [...value]]) }],
  })
  expect(kinds).not.toContain('BankCardNumber')
})

test('TDLib finds our commands and not those of strangers', async () => {
  const view = textView({ own: 'Type ' }, { code: '/help' }, { own: '. ' }, '/start', ' /launch@x')
  const { text } = await renderTelegram(view, memoryCallbacks())
  const found = asStored(parseHtml(text))
  expect(found.entities.map(({ offset, length }) => found.text.substr(offset, length))).toEqual([
    '/help',
  ])
})

test('something to copy is code, also if it reads like a command', async () => {
  const view = { title: [], blocks: [{ kind: 'copy' as const, text: '/start' }] }
  expect((await renderTelegram(view, memoryCallbacks())).text).toBe('<code>/start</code>')
})

describe('buttons', () => {
  test('stand as many in a row as a phone shows without cutting labels off', async () => {
    const buttons = [Array.from({ length: 5 }, () => ({ label: 'Graduated', line: 'x' }))]
    const { reply_markup } = await renderTelegram({ ...textView('x'), buttons }, memoryCallbacks())
    expect(reply_markup.inline_keyboard.map((row) => row.length)).toEqual([3, 2])
  })

  test('in longer rows than a phone shows are put into more rows', async () => {
    const row = Array.from({ length: 20 }, (_, index) => ({
      label: `${index}`,
      line: `asset ${index}`,
    }))
    const seen = await read({ ...textView('x'), buttons: [row, [], row.slice(0, 2)] })
    expect(seen.labels.map(({ length }) => length)).toEqual([5, 5, 5, 5, 2])
  })

  test('a hundred fit, one more is a fault and none is left out', async () => {
    const row = (length: number) =>
      Array.from({ length }, (_, index) => ({ label: `${index}`, line: `asset ${index}` }))
    expect((await read({ ...textView('x'), buttons: [row(100)] })).lines).toHaveLength(100)
    const tooMany = renderTelegram({ ...textView('x'), buttons: [row(101)] }, memoryCallbacks())
    await expect(tooMany).rejects.toThrow('101 buttons')
  })

  test('always have a label', async () => {
    const labels = ['', ' \n', '\u200b', 'x'.repeat(300)]
    const row = labels.map((label) => ({ label, line: 'help' }))
    const seen = await read({ ...textView('x'), buttons: [row] })
    expect(seen.labels.flat()).toEqual(['·', '·', '·', `${'x'.repeat(39)}…`])
  })

  test('are in more rows if a phone would cut their labels off', async () => {
    const row = ['Upcoming auctions', 'Graduated auctions', 'All auctions of every chain']
    const buttons = [row.map((label) => ({ label, line: 'help' }))]
    const seen = await read({ ...textView('x'), buttons })
    expect(seen.labels).toEqual([row.slice(0, 2), row.slice(2)])
  })

  test('with a line too long for Telegram have it stored', async () => {
    const line = `search "${'月'.repeat(80)}" chain:8453`
    expect((await read({ ...textView('x'), buttons: [[{ label: 'x', line }]] })).lines).toEqual([
      `=${line}`,
    ])
  })
})
