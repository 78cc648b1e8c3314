import type { Units } from '../../api/units.ts'
import { shortAddress } from '../../chain/address.ts'
import { type Chain, chainById } from '../../chain/chains.ts'
import type { Loss } from '../../core/adapter.ts'
import { formatLine, type Platform } from '../../core/command.ts'
import {
  type Block,
  type Button,
  type Item,
  small,
  type Text,
  t,
  text,
  type View,
} from '../../core/view.ts'
import { turnButtons } from '../../views/list.ts'
import { chainName } from '../../views/token.ts'
import { filtersOf, type Scope, withFilters } from '../kinds/kind.ts'
import { kinds } from '../kinds/list.ts'
import type { Rule } from '../rule.ts'
import { type ChatSubscriptions, type Subscription, untilUnmuted } from '../subscriptions.ts'

/** The inputs of `ruleText`. `names` maps lower-case addresses to names of assets. */
export interface RuleTextParts {
  names: ReadonlyMap<string, Text>
  units: Units
  /** If there is only one, texts don't mention it. */
  chains: readonly Chain[]
}

/**
 * A rule in words, without a full stop.
 * @example
 * plainText(ruleText(rule, textParts)) // 'Any auction reaches 25% and 50% sold · Base'
 */
export function ruleText({ kind, setting, scope }: Rule, textParts: RuleTextParts): Text {
  const { units } = textParts
  if (scope.asset === undefined) {
    return withFilters(
      kinds[kind].ruleText(setting, { name: undefined, units }),
      filtersOf(scope, units),
    )
  }
  const name = assetName(scope.asset, textParts)
  return withFilters(kinds[kind].ruleText(setting, { name, units }), assetChain(scope, textParts))
}

function assetName(asset: string, { names }: RuleTextParts): Text {
  return names.get(asset.toLowerCase()) ?? shortAddress(asset)
}

function assetChain({ chain }: Scope, { chains }: RuleTextParts): Text[] {
  return chain === undefined || chains.length < 2 ? [] : [chainName(chainById(chain))]
}

/** Options of a line by name; undefined ones are left out. */
type LineOptions = Readonly<Record<string, string | number | undefined>>

/** Writes lines of `/alerts` or `/follow` about one chat: each keeps the option that names that chat. */
export interface LineWriter {
  (words: string, named?: LineOptions): string
  /** The line as a person types it: `/alerts add live`, or `/alerts do:add live` where options have names. */
  typed(words: string, options?: string | LineOptions): string
}

/** The option that takes the rest of a line of `/alerts` where options have names. */
export const lineOption = 'do'

interface LineParts {
  platform: Platform
  /** The id of the other chat that is being set up. */
  targetChat?: string | undefined
}

export function lineWriter({ platform, targetChat }: LineParts, command = 'alerts'): LineWriter {
  const write = (words: string, named = {}) =>
    // Not passed as a value, as it would be quoted: these words are the bot's own.
    formatLine([command, words].filter(Boolean).join(' '), undefined, { ...named, in: targetChat })
  const typed = (words: string, options: string | LineOptions = '') => {
    const rest = typeof options === 'string' ? options : formatLine('', undefined, options).trim()
    const chat = targetChat === undefined ? '' : `in:${targetChat}`
    const line = [words, rest, chat].filter(Boolean).join(' ')
    const isNamed = platform.namedOptions && line !== ''
    return [`/${command}`, isNamed ? `${lineOption}:${line}` : line].filter(Boolean).join(' ')
  }
  return Object.assign(write, { typed })
}

/** The owner of the alerts that are shown: the person, this chat or topic, or another chat. */
export type Owner = 'own' | 'chat' | 'topic' | 'other-chat'

/** A chat's subscriptions and state, as `/alerts` lists them. */
export interface AlertList extends ChatSubscriptions {
  /** Why sending was paused until now. Showing the list resumed it; undefined if nothing was paused. */
  resumed: Loss | undefined
}

export interface AlertsViewParts {
  state: AlertList
  textParts: RuleTextParts
  line: LineWriter
  platform: Platform
  owner: Owner
  /** Unix seconds. */
  now: number
  /** From 1. */
  page: number
  /** Whether another chat can be chosen from here. */
  canPickChat: boolean
}

export const rulesPerPage = 10

const titles: Readonly<Record<Owner, Text>> = {
  own: t('alerts-list-own'),
  chat: t('alerts-list-chat'),
  topic: t('alerts-list-topic'),
  'other-chat': t('alerts-list-other-chat'),
}

/** A chat's subscriptions, whether it receives notifications, and what can be done about either. */
export function alertsView(parts: AlertsViewParts): View {
  const { state, textParts, line, page, platform, owner } = parts
  const first = (page - 1) * rulesPerPage
  const shown = state.subscriptions.slice(first, first + rulesPerPage)
  const items = shown.map((each) => item(each, textParts, line))
  const warns = state.paused !== undefined || state.resumed !== undefined
  const shared = owner === 'chat' || owner === 'topic'
  return {
    // A warning has its own sign.
    title: [...(warns ? [] : ['🔔 ']), titles[owner]],
    ...(warns && { tone: 'warn' as const }),
    blocks: [
      ...stateBlocks(parts),
      items.length > 0
        ? { kind: 'list', first: first + 1, items }
        : text(state.subscriptions.length > 0 ? t('alerts-list-no-more') : emptyText(line)),
      ...(shared ? [small(platform.texts.onlyManagers)] : []),
    ],
    buttons: buttons(parts),
  }
}

function emptyText(line: LineWriter): Text {
  return t('alerts-list-empty', { line: { code: line.typed('add live') } })
}

/** A subscription in words: its rule, and whom its alerts notify. */
export function subscriptionText({ rule, mention }: Subscription, textParts: RuleTextParts): Text {
  const text = ruleText(rule, textParts)
  return mention ? t('alerts-with-role', { rule: text, role: mention.name }) : text
}

function item(subscription: Subscription, textParts: RuleTextParts, line: LineWriter): Item {
  const { id } = subscription
  const label = subscriptionText(subscription, textParts)
  return { spans: [label], open: { label, line: line(`show #${id}`) } }
}

function stateBlocks({ state, now, owner, platform }: AlertsViewParts): Block[] {
  const { paused, resumed, mutedUntil } = state
  return [
    ...(resumed ? [resumedBlock(resumed)] : []),
    ...(paused ? [pausedBlock(paused, owner, platform)] : []),
    ...(mutedUntil > now ? [text(mutedText(mutedUntil))] : []),
  ]
}

/** Says why sending was paused until now. */
export function resumedBlock(loss: Loss): Block {
  return text(t('alerts-resumed', { reason: lossTexts[loss] }))
}

function pausedBlock(loss: Loss, owner: Owner, platform: Platform): Block {
  const command = { code: lineWriter({ platform }).typed('') }
  if (loss === 'operator') {
    return text(
      t('alerts-paused', { reason: lossTexts[loss], resume: t('alerts-resume-operator') }),
    )
  }
  const resume =
    owner === 'own' ? t('alerts-resume-own', { command }) : platform.texts.managerResumes
  return text(t('alerts-paused', { reason: lossTexts[loss], resume }))
}

const lossTexts: Readonly<Record<Loss, Text>> = {
  blocked: t('alerts-lost-blocked'),
  removed: t('alerts-lost-removed'),
  gone: t('alerts-lost-gone'),
  'topic-closed': t('alerts-lost-topic-closed'),
  forbidden: t('alerts-lost-forbidden'),
  refused: t('alerts-lost-refused'),
  operator: t('alerts-lost-operator'),
}

function mutedText(until: number): Text {
  return until >= untilUnmuted
    ? t('alerts-muted')
    : t('alerts-muted-until', { time: { time: until, as: 'date' } })
}

function buttons({ state, line, page, now, owner, canPickChat }: AlertsViewParts): Button[][] {
  const isMuted = state.mutedUntil > now
  const some = state.subscriptions.length > 0
  const actions: Button[] = [
    { label: t('alerts-button-add'), line: line('add'), look: 'main' },
    ...(isMuted ? [{ label: t('alerts-button-unmute'), line: line('unmute') }] : []),
    ...(some && !isMuted ? [{ label: t('alerts-button-mute'), line: line('mute') }] : []),
    ...(some ? [removeAllButton(line('remove all'))] : []),
    ...(canPickChat ? [{ label: t('alerts-button-channel'), line: 'alerts channel' }] : []),
    ...(owner === 'other-chat' ? [{ label: t('alerts-button-own'), line: 'alerts' }] : []),
  ]
  const paging = turnButtons({
    page,
    hasNext: state.subscriptions.length > page * rulesPerPage,
    lineOf: (other) => line('', other === undefined ? {} : { page: other }),
  })
  return [...(paging.length > 0 ? [paging] : []), actions]
}

/** The button that removes every alert, or asks first, by its line. */
export function removeAllButton(line: string): Button {
  return { label: t('alerts-button-remove-all'), line, look: 'danger' }
}
