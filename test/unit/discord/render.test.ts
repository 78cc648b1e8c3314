import { ComponentType, MessageFlags } from 'discord-api-types/v10'
import { describe, expect, test } from 'vitest'
import type { Item, LocalisedView } from '../../../src/core/view.ts'
import { renderDiscord } from '../../../src/discord/render.ts'
import { parts } from '../../any-view.ts'
import { memoryCallbacks } from '../core/memory-callbacks.ts'
import { testRendering, textView } from '../core/rendering.ts'
import { flat } from './markdown-reader.ts'
import { readDiscord, type SeenMessage } from './read.ts'

async function read(view: LocalisedView) {
  const lines = memoryCallbacks()
  return readDiscord(await renderDiscord(view, lines), lines)
}

function kinds({ shown }: SeenMessage): string[] {
  return shown.flatMap(flat).map((piece) => (piece.kind === 'live' ? piece.what : piece.kind))
}

describe('a message', () => {
  test('details are a button, and what a picture shows is left out beside it', async () => {
    const view: LocalisedView = {
      title: ['Otter'],
      blocks: [
        { kind: 'lines', isPictured: true, lines: [['Base'], ['one']] },
        { kind: 'progress', isPictured: true, ratio: 0.5, label: 'half' },
        {
          kind: 'fields',
          fields: [
            ['Price:', ['$1'], true],
            ['Raised:', ['$2']],
          ],
        },
        { kind: 'copy', text: '0x1`' },
        { kind: 'details', lines: [['hidden']], open: { label: 'More', line: 'asset 0x1' } },
      ],
      buttons: [
        [
          { label: 'Copy', copy: '0x1' },
          { label: 'Refresh', line: 'asset 0x2' },
        ],
      ],
    }
    const picture = { key: 'k', name: 'card.jpg', type: 'image/jpeg', bytes: new Uint8Array(1) }
    const texts = async (shown: LocalisedView) => {
      const [{ components }] = (await renderDiscord(shown, memoryCallbacks())).components
      return components
    }
    const [text, buttons] = await texts(view)
    expect(text).toMatchObject({
      content:
        '### Otter\nBase\none\n\n▰▰▰▰▰▱▱▱▱▱ **half**\n\n**Price:** $1\n**Raised:** $2\n\n```\n0x1ˋ\n```',
    })
    expect(buttons).toMatchObject({ components: [{ label: 'Refresh' }, { label: 'More' }] })
    const [beside] = await texts({ ...view, picture })
    expect(beside).toMatchObject({ content: '### Otter\n**Raised:** $2\n\n```\n0x1ˋ\n```' })
  })

  test('a figure and its unit stay on one line: in our words, in bold, on a link, a bar and a button', async () => {
    const figure = '18\u00a0%'
    const { components } = await renderDiscord(
      {
        title: [{ own: figure }, 'a\u00a0name'],
        blocks: [
          { kind: 'text', spans: [{ bold: figure }, { link: figure, url: 'https://a.example/' }] },
          { kind: 'progress', ratio: 0, label: figure },
        ],
        buttons: [[{ label: figure, line: 'x' }]],
      },
      memoryCallbacks(),
    )
    const shown = JSON.stringify(components)
    expect(shown.match(/18\u00a0%/gu)).toHaveLength(5)
    expect(shown).toContain('a name')
  })

  test('a whole view', async () => {
    const view: LocalisedView = {
      title: ['Moon Otter'],
      tone: 'good',
      image: 'https://images.example/otter.png',
      blocks: [
        { kind: 'text', spans: ['Base · Live'] },
        {
          kind: 'fields',
          fields: [
            ['Price:', [{ bold: '$1' }, ' up']],
            ['Age:', ['1 d']],
          ],
        },
        { kind: 'progress', ratio: 0.42, label: '42% sold' },
        { kind: 'text', spans: [] },
        { kind: 'text', spans: [{ code: '0x1' }, ' ', { time: 1, as: 'relative' }], small: true },
      ],
      buttons: [
        [
          { label: 'Refresh', line: 'asset 0x1' },
          { label: 'Auction', line: 'auction 0x2', asNew: true },
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
                '**Price:** **$1** up\n**Age:** 1 d\n\n▰▰▰▰▱▱▱▱▱▱ **42% sold**\n\n-# `0x1` <t:1:R>',
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

  test('the button of a form comes first, except after a main action', async () => {
    const form = { label: 'Answer', line: 'launching form k3f9a2bc.1' }
    const labels = async (look: 'main' | 'danger') => {
      const button = { label: 'Use it', line: 'launching accept k3f9a2bc.1', look }
      return (await read({ title: ['x'], blocks: [], buttons: [[button]], form })).labels
    }
    expect(await labels('main')).toEqual([['Use it', 'Answer']])
    expect(await labels('danger')).toEqual([['Answer', 'Use it']])
  })

  test('pings nobody, whatever it contains', async () => {
    const { allowed_mentions } = await renderDiscord(textView('@everyone <@1>'), memoryCallbacks())
    expect(allowed_mentions).toEqual({ parse: [] })
  })

  test('a list has one menu with all its items', async () => {
    const items: Item<string>[] = Array.from({ length: 3 }, (_, index) => ({
      spans: [`Otter ${index}`],
      open: { label: `Otter *${index}*`, line: `asset ${index}` },
    }))
    const seen = await read({ title: [], blocks: [{ kind: 'list', first: 11, items }] })
    expect(seen.text).toBe('11. Otter 0\n12. Otter 1\n13. Otter 2')
    expect(kinds(seen)).toEqual(['text'])
    expect(seen.choices).toEqual(['Otter *0*', 'Otter *1*', 'Otter *2*'])
    expect(seen.lines).toEqual(['+asset 0', '+asset 1', '+asset 2'])
  })
})

testRendering({
  read: async (view) => {
    const seen = await read(view)
    return { ...seen, kinds: kinds(seen) }
  },
  foldedLinks: [],
  ownKinds: ['text', 'heading', 'subtext', 'bold', 'code', 'link', 'time'],
  linesOf: (view) => {
    const items = view.blocks.flatMap((block) => (block.kind === 'list' ? block.items : []))
    const { lines } = parts(view)
    // A select allows no two items with the same line.
    return [...new Set(lines.slice(0, items.length)), ...lines.slice(items.length)]
  },
  keptLinks: (url) => [url, escapedLink(url)],
  listControls: {
    labels: [
      ['All', 'Incoming', 'Live', 'Graduated'],
      ['◀ Previous', 'Next ▶'],
    ],
    choices: Array.from({ length: 10 }, () => expect.any(String)),
  },
  fitting: ['x'.repeat(3900), '月'.repeat(3200)],
  full: 3930,
  tooLong: [
    ['one text that needs escapes', textView('*'.repeat(3000))],
    ['one text of many bytes', textView('月'.repeat(3900))],
  ],
  manyItems: 60,
})

function escapedLink(url: string): string {
  return url.replaceAll(
    /[()[\]\\]/gu,
    (sign) => `%${Buffer.from(sign).toString('hex').toUpperCase()}`,
  )
}
