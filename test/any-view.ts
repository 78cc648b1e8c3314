import fc from 'fast-check'
import { httpsUrl } from '../src/core/https-url.ts'
import type { Block, Button, Item, LocalisedView, Span } from '../src/core/view.ts'
import { hostileText } from './hostile.ts'

const hosts = ['evil.example', 'a-b.evil.example', 'xn--bcher-kva.example:8443']

/** A link as views let it through, with anything behind its host. */
const anyUrl: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...hosts), fc.constantFrom('/', '/?q=', '/#'), hostileText)
  .map(([host, sign, text]) => httpsUrl(`https://${host}${sign}${text}`)?.href)
  .filter((url) => url !== undefined)

const anyTime = fc.integer({ min: 1_000_000_000, max: 4_102_444_799 })

/** Spans of which strangers wrote every text. */
export function anySpans(text = hostileText, maxLength = 5): fc.Arbitrary<Span<string>[]> {
  const span: fc.Arbitrary<Span<string>> = fc.oneof(
    { weight: 4, arbitrary: text },
    { weight: 2, arbitrary: text.map((bold) => ({ bold })) },
    { weight: 1, arbitrary: text.map((code) => ({ code })) },
    { weight: 1, arbitrary: fc.record({ link: text, url: anyUrl }) },
    {
      weight: 1,
      arbitrary: fc.record({ time: anyTime, as: fc.constantFrom('relative', 'date') }),
    },
  )
  return fc.array(span, { maxLength })
}

const anyLine = hostileText.map((text) => `asset ${text}`.trimEnd().slice(0, 900))

function anyBlock(text: fc.Arbitrary<string>): fc.Arbitrary<Block<string>> {
  const spans = anySpans(text)
  const item: fc.Arbitrary<Item<string>> = fc.record({
    spans,
    open: fc.record({ label: text, line: anyLine }),
  })
  return fc.oneof(
    fc.record({ kind: fc.constant('text' as const), spans, small: fc.boolean() }),
    fc.record({ kind: fc.constant('lines' as const), lines: fc.array(spans, { maxLength: 4 }) }),
    fc.record({ kind: fc.constant('copy' as const), text }),
    fc.record({
      kind: fc.constant('fields' as const),
      fields: fc.array(fc.tuple(text, spans), { maxLength: 4 }),
    }),
    fc.record({
      kind: fc.constant('progress' as const),
      ratio: fc.double({ min: 0, max: 1, noNaN: true }),
      label: text,
    }),
    fc.record({
      kind: fc.constant('list' as const),
      first: fc.integer({ min: 1, max: 991 }),
      items: fc.array(item, { maxLength: 6 }),
    }),
  )
}

const anyButton: fc.Arbitrary<Button<string>> = fc.oneof(
  fc.record({ label: hostileText, line: anyLine }),
  fc.record({ label: hostileText, line: anyLine, asNew: fc.boolean() }),
  fc.record({ label: hostileText, url: anyUrl }),
)

/** Any view with few enough controls for each platform; `text` is what strangers wrote. */
export function anyView(text = hostileText): fc.Arbitrary<LocalisedView> {
  return fc.record(
    {
      title: anySpans(text, 3),
      tone: fc.constantFrom('neutral', 'good', 'warn', 'bad'),
      image: anyUrl,
      blocks: fc.array(anyBlock(text), { maxLength: 5 }),
      buttons: fc.array(fc.array(anyButton, { maxLength: 9 }), { maxLength: 2 }),
    },
    { requiredKeys: ['title', 'blocks'] },
  )
}

/** All lines that a view's controls run, all links in it, and what it shows as code. */
export function parts(view: LocalisedView): { lines: string[]; links: string[]; codes: string[] } {
  const buttons = (view.buttons ?? []).flat()
  const spans = [
    ...view.title,
    ...view.blocks.flatMap((block): Span[] => {
      if (block.kind === 'text') return block.spans
      if (block.kind === 'lines') return block.lines.flat()
      if (block.kind === 'fields') return block.fields.flatMap(([, value]) => value)
      return block.kind === 'list' ? block.items.flatMap((item) => item.spans) : []
    }),
  ]
  const items = view.blocks.flatMap((block) => (block.kind === 'list' ? block.items : []))
  return {
    lines: [
      ...items.map(({ open }) => `+${open.line}`),
      ...buttons.flatMap((button) =>
        'line' in button ? [`${button.asNew ? '+' : '='}${button.line}`] : [],
      ),
    ].map((line) => line.toWellFormed()),
    links: [
      ...spans.flatMap((span) => (typeof span === 'object' && 'link' in span ? [span.url] : [])),
      ...buttons.flatMap((button) => ('url' in button ? [button.url] : [])),
    ],
    codes: spans.flatMap((span) => (typeof span === 'object' && 'code' in span ? [span.code] : [])),
  }
}
