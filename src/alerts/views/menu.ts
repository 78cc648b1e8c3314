import { figuresOf } from '../../api/figures.ts'
import type { Asset } from '../../api/schema.ts'
import { chainById } from '../../chain/chains.ts'
import { plainText } from '../../core/catalogue.ts'
import type { Platform } from '../../core/command.ts'
import {
  type Block,
  type Button,
  type Span,
  small,
  type Text,
  t,
  text,
  type View,
} from '../../core/view.ts'
import { filled, worthFields } from '../../views/facts.ts'
import { tokenLabel } from '../../views/token.ts'
import { type Kind, kindIds, kinds } from '../kinds/list.ts'
import type { Rule } from '../rule.ts'
import type { Subscription } from '../subscriptions.ts'
import {
  type LineWriter,
  type Owner,
  type RuleTextParts,
  removeAllButton,
  ruleText,
  subscriptionText,
} from './list.ts'

/** One rule with the buttons that change or remove it. */
export function entryView(
  subscription: Subscription,
  position: number,
  textParts: RuleTextParts,
  line: LineWriter,
): View {
  const { id, rule, mention } = subscription
  return {
    title: [t('alerts-one')],
    blocks: [text(subscriptionText(subscription, textParts)), ...hintBlocks(rule, position, line)],
    buttons: [
      [
        ...(isFixed(rule)
          ? []
          : [{ label: t('alerts-button-change'), line: line(`change #${id}`) }]),
        ...(mention
          ? [{ label: t('alerts-button-no-role'), line: line(`change #${id}`, { role: 'none' }) }]
          : []),
        { label: t('alerts-button-remove'), line: line(`remove #${id}`), look: 'danger' },
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
    refused: Text | undefined
    /** Further remarks about the rules. */
    notes: readonly Text[]
    /** The new rule that has a hint, and its number in the list; undefined if there is none. */
    hinted: { rule: Rule; position: number } | undefined
  },
  textParts: RuleTextParts,
  line: LineWriter,
): View {
  return {
    title: addedTitle(added.length, refused !== undefined),
    tone: refused === undefined ? 'good' : 'warn',
    blocks: [
      ...added.map((rule) => text(ruleText(rule, textParts))),
      ...existing.map((rule) => text(t('alerts-existing', { rule: ruleText(rule, textParts) }))),
      ...(refused === undefined ? [] : [text(refused)]),
      ...notes.map((note) => text(note)),
      ...(hinted === undefined ? [] : hintBlocks(hinted.rule, hinted.position, line)),
    ],
    buttons: [[{ label: t('alerts-button-add-more'), line: line('add') }, backButton(line)]],
  }
}

/** Without a sign if there is a warning, which has its own. */
function addedTitle(count: number, warns: boolean): Span[] {
  if (count === 0) return [t('alerts-nothing-new')]
  return [...(warns ? [] : ['✅ ']), t('alerts-added', { count })]
}

/** The result of changing a rule. */
export function changedView(
  rule: Rule,
  position: number,
  notes: readonly Text[],
  textParts: RuleTextParts,
  line: LineWriter,
): View {
  return {
    title: [t('alerts-changed')],
    tone: 'good',
    blocks: [
      text(ruleText(rule, textParts)),
      ...notes.map((note) => text(note)),
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
    title: [t('alerts-removed', { count: removed.length })],
    blocks: removed.slice(0, 10).map(({ rule }) => text(ruleText(rule, textParts))),
    buttons: [[backButton(line)]],
  }
}

/** Asks for confirmation before all subscriptions are removed. */
export function removeAllView(count: number, line: LineWriter): View {
  return {
    title: [t('alerts-remove-all', { count })],
    tone: 'warn',
    blocks: [text(t('alerts-remove-all-about'))],
    buttons: [
      [
        removeAllButton(line('remove all sure')),
        { label: t('alerts-button-keep'), line: line('') },
      ],
    ],
  }
}

/** The durations of a mute that are offered, with the word that is typed for each. */
const mutes: readonly (readonly [Text, string])[] = [
  [t('alerts-hours', { count: 1 }), '1h'],
  [t('alerts-hours', { count: 8 }), '8h'],
  [t('alerts-hours', { count: 24 }), '24h'],
  [t('alerts-mute-on'), 'on'],
]

/** Asks for the duration of a mute. */
export function muteView(line: LineWriter): View {
  const all: Button[] = mutes.map(([label, word]) => ({ label, line: line(`mute ${word}`) }))
  return {
    title: [t('alerts-mute')],
    blocks: [text(t('alerts-mute-about'))],
    buttons: [all, [backButton(line)]],
  }
}

/** Lets the person choose a channel or group with the platform's own picker. */
export function pickView(): View {
  return {
    title: [t('alerts-pick')],
    blocks: [text(t('alerts-pick-about'))],
    picker: {
      channel: t('alerts-button-pick-channel'),
      group: t('alerts-button-pick-group'),
      line: 'alerts in:',
    },
    buttons: [[{ label: t('alerts-button-list'), line: 'alerts' }]],
  }
}

function backButton(line: LineWriter): Button {
  return { label: t('alerts-button-list'), line: line('') }
}

/** Returns the explanation of the rule's setting, and the line that changes the rule in this position of the list. */
function hintBlocks({ kind, setting }: Rule, position: number, line: LineWriter): Block[] {
  const hint = kinds[kind].hint?.(setting)
  if (hint === undefined) return []
  const change = line.typed(`change ${position}`, hint.options)
  return [small(hint.text({ code: change }))]
}

/** Each kind with a description of when it notifies. */
export const kindFields: readonly (readonly [Kind, Text])[] = kindIds.map((kind) => [
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
    title: [t('alerts-choose')],
    blocks: [
      { kind: 'fields', fields: kindFields.map(([kind, about]) => [kinds[kind].label, [about]]) },
      typedExample(line.typed('add live graduated', 'category:builder-coin')),
    ],
    buttons: [choices, [backButton(line)]],
  }
}

/** An answer that is given by one press. */
interface Choice {
  label: Text
  /** The rule that it makes, in words; it is left out if the label says enough. */
  text?: Text | undefined
  /** Choices of one group are in rows of their own. */
  group?: string
  line: string
}

interface QuestionParts {
  choices: readonly Choice[]
  /** Buttons that ask for something else. */
  more?: readonly Button[]
  /** Asks for a value. */
  ask?: ValueQuestion | undefined
  /** An example as a command line, if a value can't be typed alone. */
  example?: string | undefined
  note?: Text
  /** The asset's current figure that the kind compares, if values are to be chosen. */
  current?: Text | undefined
  /** The rule that is changed, or that gets a filter. */
  rule?: Text | undefined
  /** The line that leads back to the previous view. */
  from: string
}

/** Asks for a value in words, and by a form where there are forms. */
export interface ValueQuestion {
  text: Text
  form: View['form']
}

function formOf(ask: ValueQuestion | undefined): Pick<View, 'form'> {
  return ask?.form === undefined ? {} : { form: ask.form }
}

/** The reason why the typed text is no value, which is asked for again. `search` is the line that searches for it instead. */
export function wrongValueView(
  why: readonly Span[],
  ask: ValueQuestion,
  search: { text: string; line: string } | undefined,
): View {
  return {
    title: [],
    tone: 'warn',
    blocks: [text(...why), text(ask.text)],
    ...formOf(ask),
    buttons: search
      ? [
          [
            {
              label: t('alerts-button-search', { text: search.text }),
              line: search.line,
              asNew: true,
            },
          ],
        ]
      : [],
  }
}

/** The rules that choices make, without those whose button says enough. */
function explained(choices: readonly Choice[]): Block[] {
  const fields = choices.flatMap(({ label, text }): [Text, Span[]][] =>
    text === undefined || plainText(text).includes(plainText(label).replace(/^[▲▼] /u, ''))
      ? []
      : [[label, [text]]],
  )
  return filled([{ kind: 'fields', fields }])
}

/** One question of a menu: what is known, what can be pressed, and how a value is typed. */
export function questionView(
  title: readonly Span[],
  { choices, more = [], ask, example, note, current, rule, from }: QuestionParts,
): View {
  const groups = Map.groupBy(choices, ({ group }) => group)
  return {
    title: [...title],
    blocks: [
      ...(current === undefined ? [] : [text(t('alerts-current', { value: { bold: current } }))]),
      ...(rule === undefined ? [] : [text(rule)]),
      ...explained(choices),
      ...(ask === undefined ? [] : [text(ask.text)]),
      ...(example === undefined ? [] : [typedExample(example)]),
      ...(note === undefined ? [] : [small(note)]),
    ],
    ...formOf(ask),
    buttons: [
      ...[...groups.values()].map((group) => group.map(({ label, line }) => ({ label, line }))),
      ...(more.length > 0 ? [[...more]] : []),
      [{ label: t('alerts-button-back'), line: from }],
    ],
  }
}

function typedExample(example: string): Block {
  return small(t('alerts-or-type', { line: { code: example } }))
}

/** Adds the name of the other chat that a view is about to its title; unchanged if there is none. */
export function withChatName(view: View, chatName: Text | undefined): View {
  return chatName === undefined ? view : { ...view, title: [...view.title, ' · ', chatName] }
}

/** The first message in a chat that was set up from somebody's private chat. */
export function begunView({ texts }: Platform): View {
  return { title: [t('alerts-begun')], blocks: [text(texts.alertsBegun)] }
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
  refused: Text | undefined
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
      : { label: ticked(defaultLabel(rule, textParts)), line: toggleLine({ off: `#${id}` }) },
  )
  const removeButtons: Button[] = others.slice(0, maxOthers).map(({ id, rule }) => ({
    label: ticked(ruleLabel(rule, textParts)),
    line: toggleLine({ off: `#${id}` }),
  }))
  const all: Button = isFollowed
    ? { label: t('alerts-button-unfollow'), line: toggleLine({ off: 'all' }), look: 'danger' }
    : { label: t('alerts-button-follow'), line: toggleLine({ on: 'all' }), look: 'main' }
  const about = { asset, chain }
  return {
    // A warning has its own sign.
    title: [...(refused === undefined ? [bell] : []), tokenLabel(parts.asset)],
    ...(refused !== undefined && { tone: 'warn' as const }),
    blocks: [
      ...(refused === undefined ? [] : [text(refused)]),
      text(isFollowed ? someTexts[owner] : t('alerts-token-none')),
      ...filled([
        { kind: 'fields', fields: subscriptions.map(({ rule }) => ruleField(rule, textParts)) },
      ]),
      ...worthBlocks(parts),
      small(t('alerts-token-note')),
    ],
    buttons: [
      [all],
      defaultButtons,
      // One per row: two would be too long for a phone.
      ...removeButtons.map((each) => [each]),
      compared.flatMap((kind): Button[] => {
        const label = kinds[kind].typed?.label
        return label === undefined ? [] : [{ label, line: alerts(`choose ${kind}`, about) }]
      }),
      [{ label: t('alerts-button-all'), line: alerts('') }],
    ],
  }
}

/** The current price and market cap, as the asset's card may be far up the chat. */
function worthBlocks({ asset, chain, textParts: { units } }: AssetFollowsParts): Block[] {
  const fields = worthFields(asset, figuresOf(asset, units), chainById(chain))
  return filled([{ kind: 'fields', fields }])
}

const someTexts: Readonly<Record<Owner, Text>> = {
  own: t('alerts-token-own'),
  chat: t('alerts-token-chat'),
  topic: t('alerts-token-topic'),
  'other-chat': t('alerts-token-other-chat'),
}

function ruleField(rule: Rule, textParts: RuleTextParts): [Text, Span[]] {
  return [kinds[rule.kind].label, [ruleText(rule, textParts)]]
}

function ticked(label: Text): Text {
  return t('alerts-button-ticked', { label })
}

/** A rule in few words for a button, with all that distinguishes it from others about the same asset. */
function ruleLabel({ kind, setting, scope }: Rule, { units, chains }: RuleTextParts): Text {
  const isAnywhere = scope.chain === undefined && chains.length > 1
  const short = kinds[kind].shortText(setting, units)
  return isAnywhere ? t('alerts-short-any-chain', { rule: short }) : short
}

/** In half a row: a default setting is left out if it is long. */
function defaultLabel(rule: Rule, textParts: RuleTextParts): Text {
  const label = ruleLabel(rule, textParts)
  return plainText(label).length <= maxHalfRow ? label : kinds[rule.kind].label
}
