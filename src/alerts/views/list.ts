import type { Units } from '../../api/units.ts'
import { shortAddress } from '../../chain/address.ts'
import { type Chain, chainById } from '../../chain/chains.ts'
import type { Loss } from '../../core/adapter.ts'
import { formatLine, type Platform } from '../../core/command.ts'
import { chunks } from '../../core/text.ts'
import type { Block, Button, Item, Span, View } from '../../core/view.ts'
import { turnButtons } from '../../views/list.ts'
import { filterText, type Scope } from '../kinds/kind.ts'
import { kinds } from '../kinds/list.ts'
import type { Rule } from '../rule.ts'
import { type ChatSubscriptions, type Subscription, untilUnmuted } from '../subscriptions.ts'

/** The inputs of `ruleText`. `names` maps lower-case addresses to names of assets. */
export interface RuleTextParts {
  names: ReadonlyMap<string, string>
  units: Units
  /** If there is only one, texts don't mention it. */
  chains: readonly Chain[]
}

/**
 * A rule as a sentence without its full stop.
 * @example
 * ruleText(rule, textParts) // '25 and 50 % sold of any auction on Base'
 */
export function ruleText({ kind, setting, scope }: Rule, textParts: RuleTextParts): string {
  const isOne = scope.asset !== undefined
  return kinds[kind].ruleText(setting, {
    name: isOne ? assetName(scope, textParts) : undefined,
    on: isOne ? assetChain(scope, textParts) : '',
    filter: isOne ? '' : filterText(scope),
    units: textParts.units,
  })
}

function assetName({ asset = '' }: Scope, { names }: RuleTextParts): string {
  return names.get(asset.toLowerCase()) ?? shortAddress(asset)
}

function assetChain({ chain }: Scope, { chains }: RuleTextParts): string {
  return chain === undefined || chains.length < 2 ? '' : ` on ${chainById(chain).name}`
}

/** Example: `1 alert`, `2 alerts` */
export function counted(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`
}

/** Options of a line by name; undefined ones are left out. */
type LineOptions = Readonly<Record<string, string | number | undefined>>

/** Writes lines of `/alerts` or `/follow` about one chat: each keeps the option that names that chat. */
export interface LineWriter {
  (words: string, named?: LineOptions): string
  /** The line as a person types it; on Discord the words need the name of their option. */
  typed(words: string, options?: string | LineOptions): string
}

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
    const what = words !== '' && platform.namedOptions ? `what:${words}` : words
    const chat = targetChat === undefined ? '' : `in:${targetChat}`
    const rest = typeof options === 'string' ? options : optionsTyped(options, platform)
    return [`/${command}`, what, rest, chat].filter(Boolean).join(' ')
  }
  return Object.assign(write, { typed })
}

/** On Discord a value needs no quotes: it extends to the next option. */
function optionsTyped(options: LineOptions, platform: Platform): string {
  if (!platform.namedOptions) return formatLine('', undefined, options).trim()
  return Object.entries(options)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`]))
    .join(' ')
}

/** Whose alerts are shown: the person's own, those of this chat or topic, or those of another chat. */
export type Owner =
  | { kind: 'own' }
  | { kind: 'chat' }
  | { kind: 'topic' }
  | { kind: 'other-chat'; name: string }

/** Example: `this chat` */
function chatText({ kind }: Owner): string {
  if (kind === 'other-chat') return 'that chat'
  return kind === 'topic' ? 'this topic' : 'this chat'
}

/** Example: `You follow`, `This topic follows` */
export function followsText(owner: Owner): string {
  if (owner.kind === 'own') return 'You follow'
  if (owner.kind === 'other-chat') return `${owner.name} follows`
  return owner.kind === 'topic' ? 'This topic follows' : 'This chat follows'
}

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

const maxInRow = 2

/** A chat's subscriptions, whether it receives notifications, and what can be done about either. */
export function alertsView(parts: AlertsViewParts): View {
  const { state, textParts, line, page, platform, owner } = parts
  const first = (page - 1) * rulesPerPage
  const shown = state.subscriptions.slice(first, first + rulesPerPage)
  const items = shown.map((each) => item(each, textParts, line))
  const warns = state.paused !== undefined || state.resumed !== undefined
  const shared = owner.kind === 'chat' || owner.kind === 'topic'
  return {
    // A warning has its own sign.
    title: [warns ? '' : '🔔 ', ...title(owner)],
    ...(warns && { tone: 'warn' as const }),
    blocks: [
      ...stateBlocks(parts),
      items.length > 0
        ? { kind: 'list', first: first + 1, items }
        : text(state.subscriptions.length > 0 ? ['There are no more.'] : emptyText(parts)),
      ...(shared ? [quiet(`Only ${platform.words.managers.all} can change this.`)] : []),
    ],
    buttons: buttons(parts),
  }
}

function title(owner: Owner): Span[] {
  if (owner.kind === 'own') return ['What you follow']
  if (owner.kind === 'other-chat') return ['What ', owner.name, ' follows']
  return [`What ${chatText(owner)} follows`]
}

function emptyText({ owner, line }: AlertsViewParts): Span[] {
  const who = owner.kind === 'own' ? 'You follow nothing yet.' : 'Nothing is followed yet.'
  return [`${who} Press Add to see what there is, or type `, { code: line.typed('add live') }, '.']
}

function item({ id, rule }: Subscription, textParts: RuleTextParts, line: LineWriter): Item {
  const label = ruleText(rule, textParts)
  return { spans: [label], open: { label, line: line(`show #${id}`) } }
}

function stateBlocks({ state, now, owner, platform }: AlertsViewParts): Block[] {
  const { paused, resumed, mutedUntil } = state
  return [
    ...(resumed ? [resumedBlock(resumed, owner)] : []),
    ...(paused
      ? [
          text([
            `⏸️ ${pauseReason(paused, owner)} Alerts go on once ${resumer(owner, platform)} `,
            { code: '/alerts' },
            ' here.',
          ]),
        ]
      : []),
    ...(mutedUntil > now ? [muted(mutedUntil, owner)] : []),
  ]
}

/** Says why sending was paused until now. */
export function resumedBlock(loss: Loss, owner: Owner): Block {
  return text([`${pauseReason(loss, owner)} That is over: alerts go on from now.`])
}

function resumer({ kind }: Owner, platform: Platform): string {
  return kind === 'own' ? 'you send' : `${platform.words.managers.one} sends`
}

function muted(until: number, { kind }: Owner): Block {
  const end: Span[] =
    until >= untilUnmuted
      ? [' until somebody unmutes it']
      : [' until ', { time: until, as: 'date' }]
  return text([
    kind === 'topic' ? '🔕 This topic is muted' : '🔕 Muted',
    ...end,
    '. What happens meanwhile is not told later.',
  ])
}

function pauseReason(loss: Loss, owner: Owner): string {
  const chat = chatText(owner)
  switch (loss) {
    case 'blocked':
      return 'Nothing was sent: you had blocked me.'
    case 'removed':
      return `Nothing was sent: I was removed from ${owner.kind === 'topic' ? 'this chat' : chat}.`
    case 'gone':
      return `Nothing was sent: ${chat} could not be found.`
    case 'topic-closed':
      return `Nothing was sent: ${owner.kind === 'topic' ? chat : 'the topic'} was closed.`
    case 'forbidden':
      return `Nothing was sent: I was not allowed to write in ${chat}.`
  }
}

function buttons({ state, line, page, now, owner, canPickChat }: AlertsViewParts): Button[][] {
  const isMuted = state.mutedUntil > now
  const some = state.subscriptions.length > 0
  const actions: Button[] = [
    { label: 'Add', line: line('add'), look: 'main' },
    ...(isMuted ? [{ label: 'Unmute', line: line('unmute') }] : []),
    ...(some && !isMuted ? [{ label: 'Mute', line: line('mute') }] : []),
    ...(some
      ? [{ label: 'Remove all', line: line('remove all'), look: 'danger' } satisfies Button]
      : []),
    ...(canPickChat ? [{ label: 'Set up a channel', line: 'alerts channel' }] : []),
    ...(owner.kind === 'other-chat' ? [{ label: 'My own', line: 'alerts' }] : []),
  ]
  const paging = turnButtons({
    page,
    hasNext: state.subscriptions.length > page * rulesPerPage,
    lineOf: (other) => line('', other === undefined ? {} : { page: other }),
  })
  return [...(paging.length > 0 ? [paging] : []), ...chunks(actions, maxInRow)]
}

function text(spans: Span[]): Block {
  return { kind: 'text', spans }
}

function quiet(words: string): Block {
  return { kind: 'text', quiet: true, spans: [words] }
}
