import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostileNames as sandboxNames } from '../../../sandbox/api/invent.ts'
import { localise } from '../../../src/core/catalogue.ts'
import type { LocalisedView, Span } from '../../../src/core/view.ts'
import { assetView } from '../../../src/views/asset.ts'
import { listView } from '../../../src/views/list.ts'
import { anyView, parts } from '../../any-view.ts'
import { hostileNames, longHostileText } from '../../hostile.ts'
import { hostileCard, hostileList } from '../views/hostile-cards.ts'

/** A message as people see it. */
interface Rendered {
  text: string
  /** Kinds of markup, mentions and links that the platform finds in it. */
  kinds: readonly string[]
  /** Labels of the buttons, row by row. */
  labels: readonly (readonly string[])[]
  /** Labels of the items to choose from. */
  choices?: readonly string[]
  /** What each control does: `=` in place or `+` as a new message, and the line. */
  lines: readonly string[]
  links: readonly string[]
}

interface Renderer {
  /** Renders a view and reads it as the platform would; rejects if the platform refuses it or it is too long. */
  read(view: LocalisedView): Promise<Rendered>
  /** The kinds that the renderer itself makes; any other was found in a stranger's words. */
  ownKinds: readonly string[]
  /** The links in the folded lines of a card, if the platform folds. */
  foldedLinks: readonly string[]
  /** The lines of a view's controls, in their order. */
  linesOf(view: LocalisedView): string[]
  /** What becomes of a link in a view. */
  keptLinks(url: string): string[]
  /** The controls of page two of ten assets. */
  listControls: Pick<Rendered, 'labels' | 'choices'>
  /** Texts that fit, but only just. */
  fitting: readonly string[]
  /** So many characters fit, but nothing behind them. */
  full: number
  /** Texts that are too long for this platform alone. */
  tooLong?: readonly [string, LocalisedView][]
  /** So many items are too many. */
  manyItems: number
}

const shortened = 'Shortened: there is more than fits here.'

export const textView = (...spans: Span<string>[]): LocalisedView => ({
  title: [],
  blocks: [{ kind: 'text', spans }],
})

/** Defines the tests of what every platform's renderer has to do with strangers' text and with too much of it. */
export function testRendering(renderer: Renderer): void {
  const { read, linesOf } = renderer
  const expectOwn = ({ kinds }: Rendered) => {
    for (const kind of kinds) expect(renderer.ownKinds).toContain(kind)
  }

  test('a view without visible content is still a message', async () => {
    expect((await read({ title: [], blocks: [] })).text).toBe('…')
    expect((await read(textView(' \u200b\n'))).text).toBe('…')
    expect((await read({ title: ['\n'], blocks: [] })).text).toBe('…')
  })

  describe('strangers’ text', () => {
    test('becomes no markup, mention or link anywhere, and every control stays', async () => {
      await fc.assert(
        fc.asyncProperty(anyView(), async (view) => {
          const seen = await read(view)
          expectOwn(seen)
          const kept = parts(view).links.flatMap(renderer.keptLinks)
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
          expectOwn(seen)
          expect(seen.lines).toEqual(linesOf(view))
        }),
        { numRuns: 60 },
      )
    })

    test.each([...hostileNames, ...sandboxNames.map(({ name }) => [name, name] as const)])(
      'on a card: %s',
      async (_, name) => {
        const seen = await read(localise(assetView(hostileCard(name)), 'en'))
        expectOwn(seen)
        expect(seen.text).not.toContain(shortened)
        expect(seen.links).toEqual([
          'https://links.example/',
          ...renderer.foldedLinks,
          'https://basescan.org/token/0x4200000000000000000000000000000000000aaa',
          'https://basescan.org/address/0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
        ])
      },
    )

    test.each([0, 10, 20, 30])(
      'in a list of ten assets fits with all its controls (%i)',
      async (from) => {
        const names = hostileNames.map(([, name]) => name)
        const seen = await read(
          localise(listView(hostileList([...names.slice(from), ...names])), 'en'),
        )
        expectOwn(seen)
        expect(seen.text).not.toContain(shortened)
        expect(seen.text).toContain('\n20. ')
        expect(seen).toMatchObject(renderer.listControls)
      },
    )
  })

  describe('a view that is too long says so', () => {
    test.each([
      ['one text', textView('otter '.repeat(2000))],
      ['one text of long characters', textView('👨‍👩‍👧‍👦'.repeat(1000))],
      ['a text behind others', textView(...Array<string>(50).fill('otter '.repeat(30)))],
      [
        'one field',
        { title: [], blocks: [{ kind: 'fields', fields: [['x:', ['y'.repeat(5000)]]] }] },
      ],
      ['a block that just fits', textView('x'.repeat(renderer.full))],
      ['a bar', { title: [], blocks: [{ kind: 'progress', ratio: 1, label: 'z'.repeat(5000) }] }],
      ...(renderer.tooLong ?? []),
    ] satisfies [string, LocalisedView][])(
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

    test('a title, of which only the end is cut', async () => {
      const title = ['otter '.repeat(200)]
      const { text } = await read({ title, blocks: textView('words').blocks })
      expect(text).toContain('words')
      expect(text.endsWith(shortened)).toBe(true)
    })

    test('a list loses whole items from its end and keeps all their controls', async () => {
      const items = Array.from({ length: renderer.manyItems }, (_, index) => ({
        spans: [`Otter ${index} ${'o'.repeat(80)}.`],
        open: { label: 'x', line: `asset ${index}` },
      }))
      const seen = await read({ title: ['All'], blocks: [{ kind: 'list', first: 1, items }] })
      const lines = seen.text.split('\n').filter((line) => /^\d+\. /u.test(line))
      expect(lines.length).toBeGreaterThan(30)
      expect(lines.length).toBeLessThan(items.length)
      for (const line of lines) expect(line.endsWith('o.')).toBe(true)
      expect(seen.text.endsWith(shortened)).toBe(true)
      expect(seen.lines).toHaveLength(items.length)
    })

    test.each(renderer.fitting)('one that just fits does not: %.1s…', async (text) => {
      expect((await read(textView(text))).text).toBe(text)
    })
  })
}
