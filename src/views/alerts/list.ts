import type { Look } from '../../alerts/follow/alerts.ts'
import type { Follow } from '../../alerts/follow/follow.ts'
import { chunks } from '../../chat/chunks.ts'
import type { Loss } from '../../chat/platform.ts'
import type { Block, Button, Item, Span, View } from '../../chat/view.ts'
import type { AlertsLine } from './line.ts'
import { type RuleWords, ruleText } from './rule-text.ts'

/** Whose alerts are shown: the asker's own, those of the chat, or those of another one. */
export type Whose = { kind: 'own' } | { kind: 'chat' } | { kind: 'elsewhere'; name: string }

export interface AlertsParts {
  look: Look
  /** A mute that ends later than this has no end that says anything. */
  forEver: number
  words: RuleWords
  line: AlertsLine
  whose: Whose
  /** Unix seconds. */
  now: number
  /** From 1. */
  page: number
  /** Whether another chat can be chosen from here. */
  picks: boolean
}

/** Rules on one page. */
export const rulesPerPage = 10

const mostInRow = 2

/** What a chat follows, whether it hears of it, and what can be done about either. */
export function alertsView(parts: AlertsParts): View {
  const { look, words, line, page } = parts
  const first = (page - 1) * rulesPerPage
  const shown = look.follows.slice(first, first + rulesPerPage)
  const items = shown.map((follow) => item(follow, words, line))
  return {
    title: title(parts.whose),
    ...((look.paused || look.resumed) && { tone: 'warn' as const }),
    blocks: [
      ...stateBlocks(parts),
      items.length > 0
        ? { kind: 'list', first: first + 1, items }
        : text(look.follows.length > 0 ? ['There are no more.'] : nothing(parts)),
      ...(parts.whose.kind === 'chat' ? [quiet('Only administrators can change this.')] : []),
    ],
    buttons: buttons(parts),
  }
}

function title(whose: Whose): Span[] {
  if (whose.kind === 'own') return ['🔔 What you follow']
  if (whose.kind === 'chat') return ['🔔 What this chat follows']
  return ['🔔 What ', whose.name, ' follows']
}

function nothing({ whose, line }: AlertsParts): Span[] {
  const who = whose.kind === 'own' ? 'You follow nothing yet.' : 'Nothing is followed yet.'
  return [`${who} Press Add to see what there is, or type `, { code: line.typed('add live') }, '.']
}

function item({ id, rule }: Follow, words: RuleWords, line: AlertsLine): Item {
  const label = ruleText(rule, words)
  return { spans: [label], open: { label, run: line(`show #${id}`) } }
}

function stateBlocks({ look, now, forEver, whose }: AlertsParts): Block[] {
  const { paused, resumed, mutedUntil } = look
  return [
    ...(resumed ? [resumedBlock(resumed, whose)] : []),
    ...(paused
      ? [
          text([
            `⏸️ ${why(paused, whose)} Alerts go on once an administrator sends `,
            { code: '/alerts' },
            ' here.',
          ]),
        ]
      : []),
    ...(mutedUntil > now ? [muted(mutedUntil, forEver)] : []),
  ]
}

/** Why nothing was sent, where that is over. */
export function resumedBlock(loss: Loss, whose: Whose): Block {
  return text([`${why(loss, whose)} That is over: alerts go on from now.`])
}

function muted(until: number, forEver: number): Block {
  const end: Span[] =
    until >= forEver ? [' until somebody unmutes it'] : [' until ', { time: until, as: 'date' }]
  return text(['🔕 Muted', ...end, '. What happens meanwhile is not told later.'])
}

/** Why nothing was sent. */
function why(loss: Loss, { kind }: Whose): string {
  const chat = kind === 'elsewhere' ? 'that chat' : 'this chat'
  switch (loss) {
    case 'blocked':
      return 'Nothing was sent: you had blocked me.'
    case 'removed':
      return `Nothing was sent: I was removed from ${chat}.`
    case 'gone':
      return `Nothing was sent: ${chat} could not be found.`
    case 'topic-closed':
      return 'Nothing was sent: the topic was closed.'
    case 'forbidden':
      return `Nothing was sent: I was not allowed to write in ${chat}.`
  }
}

function buttons({ look, line, page, now, whose, picks }: AlertsParts): Button[][] {
  const isMuted = look.mutedUntil > now
  const some = look.follows.length > 0
  const flat: Button[] = [
    { label: 'Add', run: line('add'), look: 'main' },
    ...(isMuted ? [{ label: 'Unmute', run: line('unmute') }] : []),
    ...(some && !isMuted ? [{ label: 'Mute', run: line('mute') }] : []),
    ...(some
      ? [{ label: 'Remove all', run: line('remove all'), look: 'danger' } satisfies Button]
      : []),
    ...(picks ? [{ label: 'Set up a channel', run: 'alerts channel' }] : []),
    ...(whose.kind === 'elsewhere' ? [{ label: 'My own', run: 'alerts' }] : []),
  ]
  const turn: Button[] = [
    ...(page > 1 ? [{ label: '◀ Previous', run: line('', { page: page - 1 }) }] : []),
    ...(look.follows.length > page * rulesPerPage
      ? [{ label: 'Next ▶', run: line('', { page: page + 1 }) }]
      : []),
  ]
  return [...(turn.length > 0 ? [turn] : []), ...chunks(flat, mostInRow)]
}

function text(spans: Span[]): Block {
  return { kind: 'text', spans }
}

function quiet(words: string): Block {
  return { kind: 'text', quiet: true, spans: [words] }
}
