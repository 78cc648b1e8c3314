import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { harmless } from '../../../src/core/text.ts'
import type { Item, View } from '../../../src/core/view.ts'
import { renderTelegram } from '../../../src/telegram/render.ts'
import { parts } from '../../any-view.ts'
import { hostileText } from '../../hostile.ts'
import { memoryCallbacks } from '../core/memory-callbacks.ts'
import { testRendering, textView } from '../core/rendering.ts'
import { keptLink, ownEntities, readTelegram } from './read.ts'

async function read(view: View) {
  const lines = memoryCallbacks()
  return readTelegram(await renderTelegram(view, lines), lines)
}

describe('markup', () => {
  test('a whole view', async () => {
    const view: View = {
      title: ['Moon ', { bold: 'Otter' }],
      tone: 'warn',
      image: 'https://images.example/otter.png',
      blocks: [
        { kind: 'text', spans: ['a < b & c'] },
        {
          kind: 'fields',
          fields: [
            ['Price', [{ bold: '$1' }, ' up']],
            ['Age', ['1 d']],
          ],
        },
        { kind: 'progress', ratio: 0.42, label: '42 % sold' },
        { kind: 'text', spans: [] },
        {
          kind: 'text',
          spans: [
            { code: '<0x1>' },
            { link: 'site', url: 'https://otter.example/?a=1&b="2"' },
            { time: 1_700_000_000, as: 'relative' },
            { time: 1_700_000_000, as: 'date' },
          ],
          quiet: true,
        },
      ],
      buttons: [
        [
          { label: 'Refresh', line: 'asset 0x1' },
          { label: 'Auction', line: 'auction 0x2', opens: true },
          { label: 'Explorer', url: 'https://basescan.org/' },
        ],
      ],
    }
    expect(await renderTelegram(view, memoryCallbacks())).toEqual({
      text:
        '⚠️ <b>Moon Otter</b>\n\na &lt; b &amp; c\n\nPrice: <b>$\u20601</b> up\nAge: 1 d\n\n' +
        '▰▰▰▰▱▱▱▱▱▱ <b>42 % sold</b>\n\n<i><code>&lt;0x1&gt;</code>' +
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

  test('a list has a number for each item, five in a row, that opens it', async () => {
    const items: Item[] = Array.from({ length: 7 }, (_, index) => ({
      spans: [`Otter ${index}`],
      open: { label: 'x', line: `asset ${index}` },
    }))
    const seen = await read({ title: [], blocks: [{ kind: 'list', first: 11, items }] })
    expect(seen.text.split('\n')[0]).toBe('11. Otter 0')
    expect(seen.labels).toEqual([
      ['11', '12', '13', '14', '15'],
      ['16', '17'],
    ])
    expect(seen.lines[6]).toBe('+asset 6')
  })
})

testRendering({
  read: async (view) => {
    const seen = await read(view)
    expect(seen.length).toBeLessThanOrEqual(4096)
    return { ...seen, kinds: seen.entities.map(({ type }) => type) }
  },
  ownKinds: ownEntities,
  linesOf: (view) => parts(view).lines,
  keptLinks: (url) => [keptLink(url)],
  listControls: {
    labels: [
      ['11', '12', '13', '14', '15'],
      ['16', '17', '18', '19', '20'],
      ['All', 'Incoming', 'Live', 'Graduated'],
      ['◀ Previous', 'Next ▶'],
    ],
  },
  fitting: ['x'.repeat(4000)],
  full: 4020,
  manyItems: 90,
})

test('strangers’ text is all there, in its order, where it fits', async () => {
  const text = fc.oneof(
    hostileText,
    hostileText.map((bold) => ({ bold })),
    hostileText.map((code) => ({ code })),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 6 }), async (spans) => {
      const words = spans.map((span) => {
        if (typeof span === 'string') return harmless(span)
        return harmless('bold' in span ? span.bold : span.code)
      })
      // Telegram itself leaves three combining marks out.
      const expected = words
        .join('')
        .replaceAll(/[\u030a\u0333\u033f]/gu, '')
        .trim()
      fc.pre(expected.length < 2000)
      expect((await read(textView(...spans))).text.trim()).toBe(expected || '…')
    }),
    { numRuns: 300 },
  )
})

describe('buttons', () => {
  test('in longer rows than Telegram takes are put into more rows', async () => {
    const row = Array.from({ length: 20 }, (_, index) => ({
      label: `${index}`,
      line: `asset ${index}`,
    }))
    const seen = await read({ ...textView('x'), buttons: [row, [], row.slice(0, 2)] })
    expect(seen.labels.map(({ length }) => length)).toEqual([8, 8, 4, 2])
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
    expect(seen.labels).toEqual([['·', '·', '·', `${'x'.repeat(39)}…`]])
  })

  test('with a line too long for Telegram have it stored', async () => {
    const line = `search "${'月'.repeat(80)}" chain:8453`
    expect((await read({ ...textView('x'), buttons: [[{ label: 'x', line }]] })).lines).toEqual([
      `=${line}`,
    ])
  })
})
