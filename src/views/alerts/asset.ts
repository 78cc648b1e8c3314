import type { Follow } from '../../alerts/follow/follow.ts'
import type { Rule } from '../../alerts/rule.ts'
import { chunks } from '../../chat/chunks.ts'
import type { Block, Button, View } from '../../chat/view.ts'
import { kindLabel } from './add.ts'
import type { AlertsLine } from './line.ts'
import { markText, minutesText, type RuleWords, ruleText } from './rule-text.ts'

/** One usual rule about the asset; `id` where it is followed. */
export interface Switch {
  rule: Rule
  id: number | undefined
}

interface AssetFollowsParts {
  /** The asset as people call it. */
  name: string
  asset: string
  chain: number
  /** What is followed of this asset alone. */
  follows: readonly Follow[]
  /** The usual rules about what can still happen to it. */
  switches: readonly Switch[]
  /** Why not all was followed that was to be. */
  refused: string | undefined
  own: boolean
  words: RuleWords
  /** Lines of the command behind this view, and of the list of all alerts. */
  line: AlertsLine
  alerts: AlertsLine
}

/** More of them are removed from the list of all alerts: a message takes only so many buttons. */
const mostOthers = 8

/** What a chat follows of one asset: a switch for each usual rule, and for each other one its own that ends it. */
export function assetFollowsView(parts: AssetFollowsParts): View {
  const { name, asset, chain, follows, switches, refused, own, words, line, alerts } = parts
  const set = (named: { on?: string; off?: string }) => line(asset, { chain, ...named })
  const isFollowed = follows.length > 0
  const others = follows.filter(({ id }) => !switches.some((each) => each.id === id))
  const usual: Button[] = switches.map(({ rule, id }) =>
    id === undefined
      ? { label: ruleLabel(rule, words), run: set({ on: rule.kind }) }
      : { label: `✓ ${ruleLabel(rule, words)}`, run: set({ off: `#${id}` }) },
  )
  const ending: Button[] = others.slice(0, mostOthers).map(({ id, rule }) => ({
    label: `✓ ${ruleLabel(rule, words)}`,
    run: set({ off: `#${id}` }),
  }))
  const all: Button = isFollowed
    ? { label: 'Unfollow', run: set({ off: 'all' }), look: 'danger' }
    : { label: 'Follow', run: set({ on: 'all' }), look: 'main' }
  const other = { asset, chain }
  return {
    title: [isFollowed ? '🔔 ' : '🔕 ', name],
    ...(refused !== undefined && { tone: 'warn' as const }),
    blocks: [
      ...(refused === undefined ? [] : [text(refused)]),
      text(state(own, isFollowed)),
      ...follows.map(({ rule }) => text(`• ${ruleText(rule, words)}`)),
      { ...text('Alerts about any auction may tell of it too: see All alerts.'), quiet: true },
    ],
    buttons: [
      [all],
      ...chunks([...usual, ...ending], 2),
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

/** A rule in the few words of a button, which names all that sets it apart from others about the same asset. */
function ruleLabel(rule: Rule, words: RuleWords): string {
  const isAnywhere = rule.scope.chain === undefined && words.chains.length > 1
  return kindLabel(rule.kind) + settingLabel(rule, words) + (isAnywhere ? ' on any chain' : '')
}

function settingLabel(rule: Rule, { units }: RuleWords): string {
  const { kind, setting } = rule
  if (kind === 'progress') return ` ${setting.percents.join(', ')} %`
  if (kind === 'ending') return `: ${minutesText(setting.minutes)}`
  if (kind !== 'price' && kind !== 'mcap') return ''
  if ('moves' in setting) return ` moves ${setting.moves} %`
  if ('above' in setting) return ` above ${markText(kind, setting.above, units)}`
  return ` below ${markText(kind, setting.below, units)}`
}

function text(words: string): Block & { kind: 'text' } {
  return { kind: 'text', spans: [words] }
}
