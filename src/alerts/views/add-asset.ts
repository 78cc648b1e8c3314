import { figures } from '../../api/figures.ts'
import type { Asset } from '../../api/schema.ts'
import { chainById } from '../../chain/chains.ts'
import { chunks } from '../../core/text.ts'
import type { Block, Button, View } from '../../core/view.ts'
import { filled, worthFields } from '../../views/facts.ts'
import { tokenLabel } from '../../views/token.ts'
import { type Kind, kinds } from '../kinds/list.ts'
import type { Rule } from '../rule.ts'
import type { Subscription } from '../subscriptions.ts'
import { type AlertsLine, followerWords, type RuleWords, ruleText, type Whose } from './rule.ts'

/** A default rule about the asset as a toggle; `id` if the chat is subscribed to it. */
export interface Switch {
  rule: Rule
  id: number | undefined
}

interface AssetFollowsParts {
  asset: Asset
  chain: number
  /** The chat's subscriptions about this asset alone. */
  follows: readonly Subscription[]
  /** The default rules about what can still happen to the asset. */
  switches: readonly Switch[]
  /** The kinds about a figure of the asset that can still notify. */
  compared: readonly Kind[]
  /** Why not every rule was added; undefined if all were. */
  refused: string | undefined
  whose: Whose
  words: RuleWords
  /** Write lines of the command behind this view, and of `/alerts`. */
  line: AlertsLine
  alerts: AlertsLine
}

/**
 * Buttons for other subscriptions; beyond these they are removed from the list of all alerts, as messages limit their
 * buttons.
 */
const maxOthers = 8
/** Characters that fit on a button of half a row. */
const maxHalfRow = 20

/** A chat's subscriptions about one asset: a toggle for each default rule, and a button that removes each other one. */
export function assetFollowsView(parts: AssetFollowsParts): View {
  const { follows, switches, refused, compared, whose, words, line, alerts, chain } = parts
  const asset = parts.asset.asset_address
  const toggleLine = (named: { on?: string; off?: string }) => line(asset, { chain, ...named })
  const isFollowed = follows.length > 0
  const bell = isFollowed ? '🔔 ' : '🔕 '
  const others = follows.filter(({ id }) => !switches.some((each) => each.id === id))
  const defaultButtons: Button[] = switches.map(({ rule, id }) =>
    id === undefined
      ? { label: defaultLabel(rule, words), run: toggleLine({ on: rule.kind }) }
      : { label: `✓ ${defaultLabel(rule, words)}`, run: toggleLine({ off: `#${id}` }) },
  )
  const removeButtons: Button[] = others.slice(0, maxOthers).map(({ id, rule }) => ({
    label: `✓ ${ruleLabel(rule, words)}`,
    run: toggleLine({ off: `#${id}` }),
  }))
  const all: Button = isFollowed
    ? { label: 'Unfollow', run: toggleLine({ off: 'all' }), look: 'danger' }
    : { label: 'Follow', run: toggleLine({ on: 'all' }), look: 'main' }
  const about = { asset, chain }
  return {
    // A warning has its own sign.
    title: [refused === undefined ? bell : '', tokenLabel(parts.asset)],
    ...(refused !== undefined && { tone: 'warn' as const }),
    blocks: [
      ...(refused === undefined ? [] : [text(refused)]),
      text(stateText(whose, isFollowed)),
      ...filled([{ kind: 'fields', fields: follows.map(({ rule }) => ruleField(rule, words)) }]),
      ...worthBlocks(parts),
      { ...text('Alerts about any auction may tell of it too: see All alerts.'), quiet: true },
    ],
    buttons: [
      [all],
      ...chunks(defaultButtons, 2),
      // One per row: two would be too long for a phone.
      ...removeButtons.map((each) => [each]),
      ...compared.map((kind): Button[] => [
        {
          label: `${kinds[kind].figure?.title} at a value …`,
          run: alerts(`choose ${kind}`, about),
        },
      ]),
      [{ label: 'All alerts', run: alerts('') }],
    ],
  }
}

/** The current price and market cap, as the asset's card may be far up the chat. */
function worthBlocks({ asset, chain, words: { units } }: AssetFollowsParts): Block[] {
  const fields = worthFields(asset, figures(asset, units), chainById(chain))
  return filled([{ kind: 'fields', fields }])
}

function stateText(whose: Whose, some: boolean): string {
  const who = followerWords(whose)
  return some ? `${who} of this asset:` : `${who} nothing of this asset yet.`
}

function ruleField(rule: Rule, words: RuleWords): [string, [string]] {
  return [kinds[rule.kind].label, [ruleText(rule, words)]]
}

/** A rule in few words for a button, with all that distinguishes it from others about the same asset. */
function ruleLabel({ kind, setting, scope }: Rule, { units, chains }: RuleWords): string {
  const isAnywhere = scope.chain === undefined && chains.length > 1
  const words = kinds[kind].label + kinds[kind].settingText(setting, units)
  return isAnywhere ? `${words} on any chain` : words
}

/** In half a row: a default setting is left out if it is long. */
function defaultLabel(rule: Rule, words: RuleWords): string {
  const label = ruleLabel(rule, words)
  return label.length <= maxHalfRow ? label : kinds[rule.kind].label
}

function text(words: string): Block & { kind: 'text' } {
  return { kind: 'text', spans: [words] }
}
