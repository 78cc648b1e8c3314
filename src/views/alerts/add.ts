import { type Kind, kinds } from '../../alerts/rule.ts'
import { chunks } from '../../chat/chunks.ts'
import type { Block, Button, Span, View } from '../../chat/view.ts'
import { back } from './entry.ts'
import type { AlertsLine } from './line.ts'

/** What each kind tells, and what its button says. */
const kindWords: Readonly<Record<Kind, { label: string; about: string }>> = {
  live: { label: '🟢 Live', about: 'an auction goes live' },
  incoming: { label: '🕒 Incoming', about: 'an auction is announced' },
  progress: { label: '📈 Progress', about: 'so much of an auction is sold' },
  ending: { label: '⏳ Ending', about: 'an auction is about to end' },
  graduated: { label: '🎓 Graduated', about: 'an auction graduates' },
  price: { label: '💲 Price', about: 'the price of one asset moves, or crosses a value' },
  mcap: { label: '🏦 Market cap', about: 'the same of its market cap' },
  digest: { label: '🗓 Daily summary', about: 'once a day, what happened' },
}

/** Each kind, and when it tells. */
export const kindFields: readonly (readonly [Kind, string])[] = kinds.map((kind) => [
  kind,
  kindWords[kind].about,
])

/** How a kind is called on a button. */
export function kindLabel(kind: Kind): string {
  return kindWords[kind].label
}

/** What can be followed. */
export function kindsView(line: AlertsLine): View {
  const choices: Button[] = kinds.map((kind) => ({
    label: kindLabel(kind),
    run: line(`choose ${kind}`),
  }))
  return {
    title: ['What should be told?'],
    blocks: [
      { kind: 'fields', fields: kindFields.map(([kind, about]) => [kind, [about]]) },
      typed(line.typed('add live graduated', 'category:builder-coin')),
    ],
    buttons: [...chunks(choices, 2), [back(line)]],
  }
}

/** A rule that can be had by one press. */
export interface Preset {
  label: string
  /** The rule in words. */
  text: string
  run: string
}

interface PresetsParts {
  presets: readonly Preset[]
  /** How another setting is typed. */
  example: string
  /** The line of the view from which it was chosen. */
  from: string
  /** The asset that it is about. */
  name?: string | undefined
  /** Its price or market cap as it is, where values are chosen. */
  now?: string | undefined
}

/** The usual settings of a kind, each with the rule that it makes. */
export function presetsView(kind: Kind, { presets, example, from, name, now }: PresetsParts): View {
  const choices: Button[] = presets.map(({ label, run }) => ({ label, run }))
  return {
    title: [kindLabel(kind), ...(name === undefined ? [] : [': ', name])],
    blocks: [
      ...(now === undefined
        ? []
        : [{ kind: 'text', spans: ['Now ', { bold: now }] } satisfies Block]),
      { kind: 'fields', fields: presets.map(({ label, text }) => [label, [text]]) },
      typed(example),
    ],
    buttons: [...chunks(choices, 2), [{ label: '◀ Back', run: from }]],
  }
}

/** A kind that is about one asset, which is not known yet; `assets` are some that one may mean. */
export function whichAssetView(kind: Kind, assets: readonly Button[], line: AlertsLine): View {
  return {
    title: [kindLabel(kind)],
    blocks: [
      {
        kind: 'text',
        spans: [
          'Such an alert is about one asset: choose it here, or open its card and press Follow there.',
        ],
      },
      typed(line.typed(`add ${kind}`, 'asset:OTTER move:10')),
    ],
    buttons: [
      // Names with their symbols are too long for half a row.
      ...assets.map((asset) => [asset]),
      [{ label: 'All live auctions', run: 'assets live', opens: true }],
      [{ label: '◀ Back', run: line('add') }],
    ],
  }
}

/** An asset among several that are called the same. */
export interface AssetChoice {
  spans: Span[]
  label: string
  run: string
}

/** Which of several assets is meant; each leads on with the same line about that one. */
export function whichOfView(term: string, choices: readonly AssetChoice[]): View {
  return {
    title: ['Which ', term, '?'],
    blocks: [
      {
        kind: 'list',
        first: 1,
        items: choices.map(({ spans, label, run }) => ({ spans, open: { label, run } })),
      },
    ],
  }
}

function typed(example: string): Block {
  return { kind: 'text', quiet: true, spans: ['Or type, for example: ', { code: example }] }
}
