import type { Loss } from '../../core/adapter.ts'
import type { Platform } from '../../core/command.ts'
import { chunks } from '../../core/text.ts'
import type { Block, Button, Item, Span, View } from '../../core/view.ts'
import { turnButtons } from '../../views/list.ts'
import type { ChatAlerts } from '../alerts.ts'
import { type AlertsLine, type Audience, chatWords, type RuleWords, ruleText } from '../rule.ts'
import { type Subscription, untilUnmuted } from '../subscriptions.ts'

export interface AlertsParts {
  state: ChatAlerts
  words: RuleWords
  line: AlertsLine
  platform: Platform
  audience: Audience
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
export function alertsView(parts: AlertsParts): View {
  const { state, words, line, page, platform, audience } = parts
  const first = (page - 1) * rulesPerPage
  const shown = state.subscriptions.slice(first, first + rulesPerPage)
  const items = shown.map((follow) => item(follow, words, line))
  const warns = state.paused !== undefined || state.resumed !== undefined
  const shared = audience.kind === 'chat' || audience.kind === 'topic'
  return {
    // A warning has its own sign.
    title: [warns ? '' : '🔔 ', ...title(audience)],
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

function title(audience: Audience): Span[] {
  if (audience.kind === 'own') return ['What you follow']
  if (audience.kind === 'other-chat') return ['What ', audience.name, ' follows']
  return [`What ${chatWords(audience)} follows`]
}

function emptyText({ audience, line }: AlertsParts): Span[] {
  const who = audience.kind === 'own' ? 'You follow nothing yet.' : 'Nothing is followed yet.'
  return [`${who} Press Add to see what there is, or type `, { code: line.typed('add live') }, '.']
}

function item({ id, rule }: Subscription, words: RuleWords, line: AlertsLine): Item {
  const label = ruleText(rule, words)
  return { spans: [label], open: { label, line: line(`show #${id}`) } }
}

function stateBlocks({ state, now, audience, platform }: AlertsParts): Block[] {
  const { paused, resumed, mutedUntil } = state
  return [
    ...(resumed ? [resumedBlock(resumed, audience)] : []),
    ...(paused
      ? [
          text([
            `⏸️ ${pauseReason(paused, audience)} Alerts go on once ${resumer(audience, platform)} `,
            { code: '/alerts' },
            ' here.',
          ]),
        ]
      : []),
    ...(mutedUntil > now ? [muted(mutedUntil, audience)] : []),
  ]
}

/** Says why sending was paused until now. */
export function resumedBlock(loss: Loss, audience: Audience): Block {
  return text([`${pauseReason(loss, audience)} That is over: alerts go on from now.`])
}

function resumer({ kind }: Audience, platform: Platform): string {
  return kind === 'own' ? 'you send' : `${platform.words.managers.one} sends`
}

function muted(until: number, { kind }: Audience): Block {
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

function pauseReason(loss: Loss, audience: Audience): string {
  const chat = chatWords(audience)
  switch (loss) {
    case 'blocked':
      return 'Nothing was sent: you had blocked me.'
    case 'removed':
      return `Nothing was sent: I was removed from ${audience.kind === 'topic' ? 'this chat' : chat}.`
    case 'gone':
      return `Nothing was sent: ${chat} could not be found.`
    case 'topic-closed':
      return `Nothing was sent: ${audience.kind === 'topic' ? chat : 'the topic'} was closed.`
    case 'forbidden':
      return `Nothing was sent: I was not allowed to write in ${chat}.`
  }
}

function buttons({ state, line, page, now, audience, canPickChat }: AlertsParts): Button[][] {
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
    ...(audience.kind === 'other-chat' ? [{ label: 'My own', line: 'alerts' }] : []),
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
