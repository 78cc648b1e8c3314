import type { Kind, Rule } from '../../alerts/rule.ts'
import { chunks } from '../../chat/chunks.ts'
import type { Block, Button, View } from '../../chat/view.ts'
import { kindLabel } from './add.ts'
import type { AlertsLine } from './line.ts'
import { type RuleWords, ruleText } from './rule-text.ts'

interface AssetFollowsParts {
  /** The asset as people call it. */
  name: string
  asset: string
  chain: number
  /** The rules about this asset alone. */
  rules: readonly Rule[]
  /** The kinds that can still happen to it. */
  offered: readonly Kind[]
  own: boolean
  words: RuleWords
  /** Lines of the command behind this view, and of the list of all alerts. */
  line: AlertsLine
  alerts: AlertsLine
}

/** What a chat follows of one asset, with a switch for each kind. */
export function assetFollowsView(parts: AssetFollowsParts): View {
  const { name, asset, chain, rules, offered, own, words, line, alerts } = parts
  const followed = new Set(rules.map(({ kind }) => kind))
  const set = (named: { on?: string; off?: string }) => line(asset, { chain, ...named })
  const shown = [...new Set([...offered, ...followed])].filter((kind) => kind !== 'digest')
  const switches: Button[] = shown.map((kind) =>
    followed.has(kind)
      ? { label: `✓ ${switchLabel(kind)}`, run: set({ off: kind }) }
      : { label: switchLabel(kind), run: set({ on: kind }) },
  )
  const all: Button =
    rules.length > 0
      ? { label: 'Unfollow', run: set({ off: 'all' }), look: 'danger' }
      : { label: 'Follow', run: set({ on: 'all' }), look: 'main' }
  const other = { asset, chain }
  return {
    title: [rules.length > 0 ? '🔔 ' : '🔕 ', name],
    blocks: [
      text(state(own, rules.length > 0)),
      ...rules.map((rule) => text(`• ${ruleText(rule, words)}`)),
      { ...text('Alerts about any auction may tell of it too: see All alerts.'), quiet: true },
    ],
    buttons: [
      [all],
      ...chunks(switches, 2),
      [{ label: 'Price at a value …', run: alerts('choose price', other) }],
      [{ label: 'Market cap at a value …', run: alerts('choose mcap', other) }],
      [{ label: 'All alerts', run: alerts('') }],
    ],
  }
}

function state(own: boolean, some: boolean): string {
  const who = own ? 'You follow' : 'This chat follows'
  return some ? `${who} of this asset:` : `${who} nothing of this asset yet.`
}

function switchLabel(kind: Kind): string {
  return kind === 'price' ? '💲 Price moves 10 %' : kindLabel(kind)
}

function text(words: string): Block & { kind: 'text' } {
  return { kind: 'text', spans: [words] }
}
