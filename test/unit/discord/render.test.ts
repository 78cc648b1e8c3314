import { ComponentType, MessageFlags } from 'discord-api-types/v10'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostileNames as sandboxNames } from '../../../sandbox/api/invent.ts'
import type { Item, Span, View } from '../../../src/core/view.ts'
import { renderDiscord } from '../../../src/discord/render.ts'
import { assetView } from '../../../src/views/asset.ts'
import { listView } from '../../../src/views/list.ts'
import { anyView, parts } from '../../any-view.ts'
import { hostileNames, longHostileText } from '../../hostile.ts'
import { memoryCallbacks } from '../core/memory-callbacks.ts'
import { hostileCard, hostileList } from '../views/hostile-cards.ts'
import { flat } from './markdown-reader.ts'
import { readDiscord, type SeenMessage } from './read.ts'

const shortened = 'Shortened: there is more than fits here.'

async function read(view: View) {
  const lines = memoryCallbacks()
  return readDiscord(await renderDiscord(view, lines), lines)
}

const textView = (...spans: Span[]): View => ({ title: [], blocks: [{ kind: 'text', spans }] })

/** The lines of a view with items that run the same one told once, as a select allows no other. */
function linesOf(view: View): string[] {
  const items = view.blocks.flatMap((block) => (block.kind === 'list' ? block.items : []))
  const { lines } = parts(view)
  return [...new Set(lines.slice(0, items.length)), ...lines.slice(items.length)]
}

function kinds({ shown }: SeenMessage): string[] {
  return shown.flatMap(flat).map((piece) => (piece.kind === 'live' ? piece.what : piece.kind))
}

const own = ['text', 'heading', 'subtext', 'bold', 'code', 'link', 'time']

describe('a message', () => {
  test('a whole view', async () => {
    const view: View = {
      title: ['Moon Otter'],
      tone: 'good',
      image: 'https://images.example/otter.png',
      blocks: [
        { kind: 'text', spans: ['Base · Live'] },
        {
          kind: 'fields',
          fields: [
            ['Price', [{ bold: '$1' }, ' up']],
            ['Age:', ['1 d']],
          ],
        },
        { kind: 'progress', ratio: 0.42, label: '42 % sold' },
        { kind: 'text', spans: [] },
        { kind: 'text', spans: [{ code: '0x1' }, ' ', { time: 1, as: 'relative' }], quiet: true },
      ],
      buttons: [
        [
          { label: 'Refresh', line: 'asset 0x1' },
          { label: 'Auction', line: 'auction 0x2', opens: true },
          { label: 'Explorer', url: 'https://basescan.org/' },
        ],
      ],
    }
    expect(await renderDiscord(view, memoryCallbacks())).toEqual({
      flags: MessageFlags.IsComponentsV2,
      allowed_mentions: { parse: [] },
      attachments: [],
      components: [
        {
          type: ComponentType.Container,
          accent_color: 0x16a34a,
          components: [
            {
              type: ComponentType.Section,
              components: [
                { type: ComponentType.TextDisplay, content: '### Moon Otter\nBase · Live' },
              ],
              accessory: {
                type: ComponentType.Thumbnail,
                media: { url: 'https://images.example/otter.png' },
              },
            },
            {
              type: ComponentType.TextDisplay,
              content:
                '**Price:** **$1** up\n**Age:** 1 d\n\n▰▰▰▰▱▱▱▱▱▱ **42 % sold**\n\n-# `0x1` <t:1:R>',
            },
            {
              type: ComponentType.ActionRow,
              components: [
                {
                  type: ComponentType.Button,
                  style: 2,
                  label: 'Refresh',
                  custom_id: '0=asset 0x1',
                },
                {
                  type: ComponentType.Button,
                  style: 2,
                  label: 'Auction',
                  custom_id: '1+auction 0x2',
                },
                {
                  type: ComponentType.Button,
                  style: 5,
                  label: 'Explorer',
                  url: 'https://basescan.org/',
                },
              ],
            },
          ],
        },
      ],
    })
  })

  test('what opens a form stands first, but for what goes on without it', async () => {
    const form = { label: 'Answer', line: 'launching form k3f9a2bc.1' }
    const labels = async (look: 'main' | 'danger') => {
      const button = { label: 'Use it', line: 'launching accept k3f9a2bc.1', look }
      return (await read({ title: ['x'], blocks: [], buttons: [[button]], form })).labels
    }
    expect(await labels('main')).toEqual([['Use it', 'Answer']])
    expect(await labels('danger')).toEqual([['Answer', 'Use it']])
  })

  test('pings nobody, whoever is named', async () => {
    const { allowed_mentions } = await renderDiscord(textView('@everyone <@1>'), memoryCallbacks())
    expect(allowed_mentions).toEqual({ parse: [] })
  })

  test('a list has one menu with all its items', async () => {
    const items: Item[] = Array.from({ length: 3 }, (_, index) => ({
      spans: [`Otter ${index}`],
      open: { label: `Otter *${index}*`, line: `asset ${index}` },
    }))
    const seen = await read({ title: [], blocks: [{ kind: 'list', first: 11, items }] })
    expect(seen.text).toBe('11. Otter 0\n12. Otter 1\n13. Otter 2')
    expect(kinds(seen)).toEqual(['text'])
    expect(seen.choices).toEqual(['Otter *0*', 'Otter *1*', 'Otter *2*'])
    expect(seen.lines).toEqual(['+asset 0', '+asset 1', '+asset 2'])
  })

  test('a view of which nothing is to be seen is still a message', async () => {
    expect((await read({ title: [], blocks: [] })).text).toBe('…')
    expect((await read(textView(' \u200b\n'))).text).toBe('…')
    expect((await read({ title: ['\n'], blocks: [] })).text).toBe('…')
  })
})

describe('strangers’ text', () => {
  test('becomes no markup, mention or link, and every control stays, wherever it stands', async () => {
    await fc.assert(
      fc.asyncProperty(anyView(), async (view) => {
        const seen = await read(view)
        for (const kind of kinds(seen)) expect(own).toContain(kind)
        const { links } = parts(view)
        const kept = [...links, ...links.map(escapedLink)]
        for (const link of seen.links) expect(kept).toContain(link)
        expect(seen.lines).toEqual(linesOf(view))
      }),
      { numRuns: 300 },
    )
  })

  test('over the limit is cut, and every control stays', async () => {
    await fc.assert(
      fc.asyncProperty(anyView(longHostileText), async (view) => {
        const seen = await read(view)
        for (const kind of kinds(seen)) expect(own).toContain(kind)
        expect(seen.lines).toEqual(linesOf(view))
      }),
      { numRuns: 60 },
    )
  })

  test.each([...hostileNames, ...sandboxNames.map(({ name }) => [name, name] as const)])(
    'on a card: %s',
    async (_, name) => {
      const seen = await read(assetView(hostileCard(name)))
      for (const kind of kinds(seen)) expect(own).toContain(kind)
      expect(seen.text).not.toContain(shortened)
      expect(seen.links).toEqual([
        'https://basescan.org/address/0x1111111111111111111111111111111111111111',
        'https://basescan.org/address/0x2222222222222222222222222222222222222222',
        'https://links.example/',
        'https://basescan.org/token/0x4200000000000000000000000000000000000aaa',
        'https://basescan.org/address/0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      ])
    },
  )

  test.each([0, 10, 20, 30])(
    'in a list of ten assets fits with all its controls (%i)',
    async (from) => {
      const names = hostileNames.map(([, name]) => name)
      const seen = await read(listView(hostileList([...names.slice(from), ...names])))
      for (const kind of kinds(seen)) expect(own).toContain(kind)
      expect(seen.text).not.toContain(shortened)
      expect(seen.text).toContain('\n20. ')
      expect(seen.choices).toHaveLength(10)
      expect(seen.labels).toEqual([
        ['All', 'Incoming', 'Live', 'Graduated'],
        ['◀ Previous', 'Next ▶'],
      ])
    },
  )
})

describe('a view that is too long says so', () => {
  test.each([
    ['one text', textView('otter '.repeat(2000))],
    ['one text of long characters', textView('👨‍👩‍👧‍👦'.repeat(1000))],
    ['one text that needs escapes', textView('*'.repeat(3000))],
    ['one text of many bytes', textView('月'.repeat(3900))],
    ['a text behind others', textView(...Array<string>(50).fill('otter '.repeat(30)))],
    ['one field', { title: [], blocks: [{ kind: 'fields', fields: [['x', ['y'.repeat(5000)]]] }] }],
    ['a block that just fits', textView('x'.repeat(3930))],
    ['a bar', { title: [], blocks: [{ kind: 'progress', ratio: 1, label: 'z'.repeat(5000) }] }],
  ] satisfies [string, View][])(
    '%s, and nothing follows what was cut',
    async (_, { title, blocks }) => {
      const buttons = [[{ label: 'Refresh', line: 'help' }]]
      const end = textView(`${'more words '.repeat(12)}The end.`).blocks
      const seen = await read({ title, blocks: [...blocks, ...end], buttons })
      expect(seen.text.endsWith(shortened)).toBe(true)
      expect(seen.text).not.toContain('The end')
      expect(seen.lines).toEqual(['=help'])
    },
  )

  test('a title, whose end alone is cut', async () => {
    const { text } = await read({ title: ['otter '.repeat(200)], blocks: textView('words').blocks })
    expect(text).toContain('words')
    expect(text.endsWith(shortened)).toBe(true)
  })

  test('a list loses whole items from its end and keeps all their controls', async () => {
    const items = Array.from({ length: 60 }, (_, index) => ({
      spans: [`Otter ${index} ${'o'.repeat(80)}.`],
      open: { label: 'x', line: `asset ${index}` },
    }))
    const seen = await read({ title: ['All'], blocks: [{ kind: 'list', first: 1, items }] })
    const lines = seen.text.split('\n').filter((line) => /^\d+\. /u.test(line))
    expect(lines.length).toBeGreaterThan(30)
    expect(lines.length).toBeLessThan(60)
    for (const line of lines) expect(line.endsWith('o.')).toBe(true)
    expect(seen.text.endsWith(shortened)).toBe(true)
    expect(seen.lines).toHaveLength(60)
  })

  test('one that just fits does not', async () => {
    expect((await read(textView('x'.repeat(3900)))).text).toBe('x'.repeat(3900))
    expect((await read(textView('月'.repeat(3200)))).text).toBe('月'.repeat(3200))
  })
})

function escapedLink(url: string): string {
  return url.replaceAll(
    /[()[\]\\]/gu,
    (sign) => `%${Buffer.from(sign).toString('hex').toUpperCase()}`,
  )
}
