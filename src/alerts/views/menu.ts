import { figuresOf } from '../../api/figures.ts'
import type { Asset } from '../../api/schema.ts'
import { chainById } from '../../chain/chains.ts'
import type { Platform } from '../../core/command.ts'
import { chunks } from '../../core/text.ts'
import { type Block, type Button, plainSpans, type Span, type View } from '../../core/view.ts'
import { filled, worthFields } from '../../views/facts.ts'
import { tokenLabel } from '../../views/token.ts'
import { type Kind, kindIds, kinds } from '../kinds/list.ts'
import type { Rule } from '../rule.ts'
import type { Subscription } from '../subscriptions.ts'
import {
  counted,
  followsText,
  type LineWriter,
  type Owner,
  type RuleTextParts,
  ruleText,
} from './list.ts'

/** One rule with the buttons that change or remove it. */
export function entryView(
  { id, rule }: Subscription,
  position: number,
  textParts: RuleTextParts,
  line: LineWriter,
): View {
  return {
    title: ['🔔 What is told'],
    blocks: [sentence(ruleText(rule, textParts)), ...hintBlocks(rule, position, line)],
    buttons: [
      [
        ...(isFixed(rule) ? [] : [{ label: 'Change', line: line(`change #${id}`) }]),
        { label: 'Remove', line: line(`remove #${id}`), look: 'danger' },
      ],
      [backButton(line)],
    ],
  }
}

/** Whether the rule has nothing to change: events that happen once to one asset have no setting. */
function isFixed({ kind, scope }: Rule): boolean {
  return scope.asset !== undefined && kinds[kind].options.length === 0
}

/** The result of adding rules. */
export function addedView(
  {
    added,
    existing,
    refused,
    notes,
    hinted,
  }: {
    added: readonly Rule[]
    existing: readonly Rule[]
    refused: string | undefined
    /** Further remarks about the rules. */
    notes: readonly Span[][]
    /** The new rule that has a hint, and its number in the list; undefined if there is none. */
    hinted: { rule: Rule; position: number } | undefined
  },
  textParts: RuleTextParts,
  line: LineWriter,
): View {
  return {
    title: [addedTitle(added.length > 0, refused !== undefined)],
    tone: refused === undefined ? 'good' : 'warn',
    blocks: [
      ...added.map((rule) => sentence(ruleText(rule, textParts))),
      ...existing.map((rule) => sentence(`${ruleText(rule, textParts)}: was followed already`)),
      ...(refused === undefined ? [] : [sentence(refused)]),
      ...notes.map(note),
      ...(hinted === undefined ? [] : hintBlocks(hinted.rule, hinted.position, line)),
    ],
    buttons: [[{ label: 'Add more', line: line('add') }, backButton(line)]],
  }
}

/** Without the bell if there is a warning, which has its own sign. */
function addedTitle(some: boolean, warns: boolean): string {
  if (!some) return 'Nothing new'
  return warns ? 'Followed from now on' : '🔔 Followed from now on'
}

/** The result of changing a rule. */
export function changedView(
  rule: Rule,
  position: number,
  notes: readonly Span[][],
  textParts: RuleTextParts,
  line: LineWriter,
): View {
  return {
    title: ['🔔 Changed'],
    tone: 'good',
    blocks: [
      sentence(ruleText(rule, textParts)),
      ...notes.map(note),
      ...hintBlocks(rule, position, line),
    ],
    buttons: [[backButton(line)]],
  }
}

/** The result of removing rules. */
export function removedView(
  removed: readonly Subscription[],
  textParts: RuleTextParts,
  line: LineWriter,
): View {
  return {
    title: [removed.length > 0 ? '🔕 No longer followed' : 'Nothing was followed'],
    blocks: removed.slice(0, 10).map(({ rule }) => sentence(ruleText(rule, textParts))),
    buttons: [[backButton(line)]],
  }
}

/** Asks for confirmation before all subscriptions are removed. */
export function removeAllView(count: number, line: LineWriter): View {
  return {
    title: [`Remove ${counted(count, 'alert')}?`],
    tone: 'warn',
    blocks: [sentence('Nothing more is told then. It can’t be undone')],
    buttons: [
      [
        { label: 'Remove all', line: line('remove all sure'), look: 'danger' },
        { label: 'Keep them', line: line('') },
      ],
    ],
  }
}

const mutes = [
  ['1 h', '1h'],
  ['8 h', '8h'],
  ['24 h', '24h'],
  ['Until unmuted', 'on'],
] as const

/** Asks for the duration of a mute. */
export function muteView(line: LineWriter): View {
  const all: Button[] = mutes.map(([label, word]) => ({ label, line: line(`mute ${word}`) }))
  return {
    title: ['🔕 Mute for how long?'],
    blocks: [sentence('What happens meanwhile is not told later')],
    buttons: [...chunks(all, 2), [backButton(line)]],
  }
}

/** Lets the person choose a channel or group with the platform's own picker. */
export function pickView(): View {
  return {
    title: ['Set up a channel'],
    blocks: [
      sentence(
        'First add me to the channel or group as an administrator who may post. Once you have chosen it, everything about it is set here, in our private chat',
      ),
    ],
    picker: { channel: 'Choose a channel', group: 'Choose a group', line: 'alerts in:' },
    buttons: [[{ label: '◀ All alerts', line: 'alerts' }]],
  }
}

function backButton(line: LineWriter): Button {
  return { label: '◀ All alerts', line: line('') }
}

/** Returns the explanation of the rule's setting, and the line that changes the rule in this position of the list. */
function hintBlocks({ kind, setting }: Rule, position: number, line: LineWriter): Block[] {
  const hint = kinds[kind].hint?.(setting)
  if (hint === undefined) return []
  const change = line.typed(`change ${position}`, hint.options)
  return [{ kind: 'text', quiet: true, spans: [hint.text, { code: change }] }]
}

/** Adds a full stop, except after code at the end, which platforms show on rows of its own. */
function note(spans: Span[]): Block {
  const last = spans.at(-1)
  const isLine = typeof last === 'object' && 'code' in last
  return { kind: 'text', spans: isLine ? spans : [...spans, '.'] }
}

function sentence(words: string): Block {
  return { kind: 'text', spans: [`${words.replace(/\.$/u, '')}.`] }
}

/** Each kind with a description of when it notifies. */
export const kindFields: readonly (readonly [Kind, string])[] = kindIds.map((kind) => [
  kind,
  kinds[kind].about,
])

/** The kinds to choose from. */
export function kindsView(line: LineWriter): View {
  const choices: Button[] = kindIds.map((kind) => ({
    label: kinds[kind].label,
    line: line(`choose ${kind}`),
  }))
  return {
    title: ['What should be told?'],
    blocks: [
      { kind: 'fields', fields: kindFields.map(([kind, about]) => [kind, [about]]) },
      typedExample(line.typed('add live graduated', 'category:builder-coin')),
    ],
    buttons: [...chunks(choices, 2), [backButton(line)]],
  }
}

/** A rule that is added by one press. */
interface Preset {
  label: string
  /** The rule as a sentence. */
  text: string
  line: string
}

interface PresetsParts {
  presets: readonly Preset[]
  /** Example options of the command line. */
  example: string
  /** The line that leads back to the previous view. */
  from: string
  /** The name of the asset that it is about. */
  name?: string | undefined
  /** The asset's current price or market cap, if values are to be chosen. */
  current?: string | undefined
}

/** The default settings of a kind, each with the rule that it makes. */
export function presetsView(
  kind: Kind,
  { presets, example, from, name, current }: PresetsParts,
): View {
  const choices: Button[] = presets.map(({ label, line }) => ({ label, line }))
  return {
    title: [kinds[kind].label, ...(name === undefined ? [] : [': ', name])],
    blocks: [
      ...(current === undefined
        ? []
        : [{ kind: 'text', spans: ['Now ', { bold: current }] } satisfies Block]),
      { kind: 'fields', fields: presets.map(({ label, text }) => [label, [text]]) },
      typedExample(example),
    ],
    buttons: [...chunks(choices, 2), [{ label: '◀ Back', line: from }]],
  }
}

/** Asks for the asset of a kind that is about one; `assets` are suggestions. */
export function whichAssetView(kind: Kind, assets: readonly Button[], line: LineWriter): View {
  return {
    title: [kinds[kind].label],
    blocks: [
      {
        kind: 'text',
        spans: [
          'Such an alert is about one asset: choose it here, or open its card and press Follow there.',
        ],
      },
      typedExample(line.typed(`add ${kind}`, 'asset:OTTER move:10')),
    ],
    buttons: [
      // One per row: names with symbols are too long for half a row.
      ...assets.map((asset) => [asset]),
      [{ label: 'All live auctions', line: 'assets live', opens: true }],
      [{ label: '◀ Back', line: line('add') }],
    ],
  }
}

/** One of several assets with the same name or symbol. */
interface AssetChoice {
  spans: Span[]
  label: string
  line: string
}

/** Asks which of several assets is meant; each choice repeats the same line with its address. */
export function whichOfView(term: string, choices: readonly AssetChoice[]): View {
  return {
    title: ['Which ', term, '?'],
    blocks: [
      {
        kind: 'list',
        first: 1,
        items: choices.map(({ spans, label, line }) => ({ spans, open: { label, line } })),
      },
    ],
  }
}

function typedExample(example: string): Block {
  return { kind: 'text', quiet: true, spans: ['Or type, for example: ', { code: example }] }
}

/** Adds the name of the other chat that a view is about to its title; unchanged if there is none. */
export function withChatName(view: View, chatName: string | undefined): View {
  const title = plainSpans(view.title)
  if (chatName === undefined || title === '' || title.includes(chatName)) return view
  const last = view.title.at(-1)
  const isQuestion = typeof last === 'string' && last.endsWith('?')
  const before = isQuestion ? [...view.title.slice(0, -1), last.slice(0, -1)] : view.title
  return { ...view, title: [...before, ` in ${chatName}`, ...(isQuestion ? ['?'] : [])] }
}

/** The first message in a chat that was set up from somebody's private chat. */
export function begunView(platform: Platform): View {
  const { all, one } = platform.words.managers
  return {
    title: ['🔔 Alerts go here now'],
    blocks: [
      {
        kind: 'text',
        spans: [
          `${capitalised(one)} chose to follow auctions here. ${capitalised(all)} see and change what is told with `,
          { code: '/alerts' },
          '.',
        ],
      },
    ],
  }
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A default rule about the asset as a toggle; `id` if the chat is subscribed to it. */
interface Switch {
  rule: Rule
  id: number | undefined
}

interface AssetFollowsParts {
  asset: Asset
  chain: number
  /** The chat's subscriptions about this asset alone. */
  subscriptions: readonly Subscription[]
  /** The default rules about what can still happen to the asset. */
  switches: readonly Switch[]
  /** The kinds about a figure of the asset that can still notify. */
  compared: readonly Kind[]
  /** Why not every rule was added; undefined if all were. */
  refused: string | undefined
  owner: Owner
  textParts: RuleTextParts
  /** Write lines of the command behind this view, and of `/alerts`. */
  line: LineWriter
  alerts: LineWriter
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
  const { subscriptions, switches, refused, compared, owner, textParts, line, alerts, chain } =
    parts
  const asset = parts.asset.asset_address
  const toggleLine = (named: { on?: string; off?: string }) => line(asset, { chain, ...named })
  const isFollowed = subscriptions.length > 0
  const bell = isFollowed ? '🔔 ' : '🔕 '
  const others = subscriptions.filter(({ id }) => !switches.some((each) => each.id === id))
  const defaultButtons: Button[] = switches.map(({ rule, id }) =>
    id === undefined
      ? { label: defaultLabel(rule, textParts), line: toggleLine({ on: rule.kind }) }
      : { label: `✓ ${defaultLabel(rule, textParts)}`, line: toggleLine({ off: `#${id}` }) },
  )
  const removeButtons: Button[] = others.slice(0, maxOthers).map(({ id, rule }) => ({
    label: `✓ ${ruleLabel(rule, textParts)}`,
    line: toggleLine({ off: `#${id}` }),
  }))
  const all: Button = isFollowed
    ? { label: 'Unfollow', line: toggleLine({ off: 'all' }), look: 'danger' }
    : { label: 'Follow', line: toggleLine({ on: 'all' }), look: 'main' }
  const about = { asset, chain }
  return {
    // A warning has its own sign.
    title: [refused === undefined ? bell : '', tokenLabel(parts.asset)],
    ...(refused !== undefined && { tone: 'warn' as const }),
    blocks: [
      ...(refused === undefined ? [] : [text(refused)]),
      text(stateText(owner, isFollowed)),
      ...filled([
        { kind: 'fields', fields: subscriptions.map(({ rule }) => ruleField(rule, textParts)) },
      ]),
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
          line: alerts(`choose ${kind}`, about),
        },
      ]),
      [{ label: 'All alerts', line: alerts('') }],
    ],
  }
}

/** The current price and market cap, as the asset's card may be far up the chat. */
function worthBlocks({ asset, chain, textParts: { units } }: AssetFollowsParts): Block[] {
  const fields = worthFields(asset, figuresOf(asset, units), chainById(chain))
  return filled([{ kind: 'fields', fields }])
}

function stateText(owner: Owner, some: boolean): string {
  const who = followsText(owner)
  return some ? `${who} of this asset:` : `${who} nothing of this asset yet.`
}

function ruleField(rule: Rule, textParts: RuleTextParts): [string, [string]] {
  return [kinds[rule.kind].label, [ruleText(rule, textParts)]]
}

/** A rule in few words for a button, with all that distinguishes it from others about the same asset. */
function ruleLabel({ kind, setting, scope }: Rule, { units, chains }: RuleTextParts): string {
  const isAnywhere = scope.chain === undefined && chains.length > 1
  const words = kinds[kind].label + kinds[kind].settingText(setting, units)
  return isAnywhere ? `${words} on any chain` : words
}

/** In half a row: a default setting is left out if it is long. */
function defaultLabel(rule: Rule, textParts: RuleTextParts): string {
  const label = ruleLabel(rule, textParts)
  return label.length <= maxHalfRow ? label : kinds[rule.kind].label
}

function text(words: string): Block & { kind: 'text' } {
  return { kind: 'text', spans: [words] }
}
