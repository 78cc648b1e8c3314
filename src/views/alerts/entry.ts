import type { Follow } from '../../alerts/follow/follow.ts'
import type { Rule } from '../../alerts/rule.ts'
import { chunks } from '../../chat/chunks.ts'
import type { Block, Button, Span, View } from '../../chat/view.ts'
import type { AlertsLine } from './line.ts'
import { type RuleWords, ruleText } from './rule-text.ts'
import { counted } from './words.ts'

/** One rule, with what can be done about it. */
export function entryView(
  { id, rule }: Follow,
  position: number,
  words: RuleWords,
  line: AlertsLine,
): View {
  return {
    title: ['🔔 What is told'],
    blocks: [
      sentence(ruleText(rule, words)),
      ...zoneNote([rule], line.typed(`change ${position}`, ownZone)),
    ],
    buttons: [
      [
        ...(isFixed(rule) ? [] : [{ label: 'Change', run: line(`change #${id}`) }]),
        { label: 'Remove', run: line(`remove #${id}`), look: 'danger' },
      ],
      [back(line)],
    ],
  }
}

/** What happens to one asset once leaves nothing to set. */
function isFixed({ kind, scope }: Rule): boolean {
  return scope.asset !== undefined && ['live', 'incoming', 'graduated'].includes(kind)
}

/** What is followed from now on, and what was already. */
export function addedView(
  {
    added,
    there,
    refused,
    notes,
    zoned,
  }: {
    added: readonly Rule[]
    there: readonly Rule[]
    refused: string | undefined
    /** What else is to be known of them. */
    notes: readonly Span[][]
    /** The number in the list of a summary among them, for its time zone. */
    zoned: number | undefined
  },
  words: RuleWords,
  line: AlertsLine,
): View {
  return {
    title: [addedTitle(added.length > 0, refused !== undefined)],
    tone: refused === undefined ? 'good' : 'warn',
    blocks: [
      ...added.map((rule) => sentence(ruleText(rule, words))),
      ...there.map((rule) => sentence(`${ruleText(rule, words)}: was followed already`)),
      ...(refused === undefined ? [] : [sentence(refused)]),
      ...notes.map(note),
      ...(zoned === undefined ? [] : zoneNote(added, line.typed(`change ${zoned}`, ownZone))),
    ],
    buttons: [[{ label: 'Add more', run: line('add') }, back(line)]],
  }
}

/** A warning has its own sign. */
function addedTitle(some: boolean, warns: boolean): string {
  if (!some) return 'Nothing new'
  return warns ? 'Followed from now on' : '🔔 Followed from now on'
}

/** A rule took another's place. */
export function changedView(
  rule: Rule,
  position: number,
  notes: readonly Span[][],
  words: RuleWords,
  line: AlertsLine,
): View {
  return {
    title: ['🔔 Changed'],
    tone: 'good',
    blocks: [
      sentence(ruleText(rule, words)),
      ...notes.map(note),
      ...zoneNote([rule], line.typed(`change ${position}`, ownZone)),
    ],
    buttons: [[back(line)]],
  }
}

/** What is no longer followed. */
export function removedView(removed: readonly Follow[], words: RuleWords, line: AlertsLine): View {
  return {
    title: [removed.length > 0 ? '🔕 No longer followed' : 'Nothing was followed'],
    blocks: removed.slice(0, 10).map(({ rule }) => sentence(ruleText(rule, words))),
    buttons: [[back(line)]],
  }
}

/** Asks before everything goes. */
export function removeAllView(count: number, line: AlertsLine): View {
  return {
    title: [`Remove ${counted(count, 'alert')}?`],
    tone: 'warn',
    blocks: [sentence('Nothing more is told then. It can’t be undone')],
    buttons: [
      [
        { label: 'Remove all', run: line('remove all sure'), look: 'danger' },
        { label: 'Keep them', run: line('') },
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

/** For how long? */
export function muteView(line: AlertsLine): View {
  const all: Button[] = mutes.map(([label, word]) => ({ label, run: line(`mute ${word}`) }))
  return {
    title: ['🔕 Mute for how long?'],
    blocks: [sentence('What happens meanwhile is not told later')],
    buttons: [...chunks(all, 2), [back(line)]],
  }
}

/** A channel or group is chosen with the platform's own picker. */
export function pickView(): View {
  return {
    title: ['Set up a channel'],
    blocks: [
      sentence(
        'First add me to the channel or group as an administrator who may post. Once you have chosen it, everything about it is set here, in our private chat',
      ),
    ],
    picker: { channel: 'Choose a channel', group: 'Choose a group', line: 'alerts in:' },
    buttons: [[{ label: '◀ All alerts', run: 'alerts' }]],
  }
}

/** Leads back to the list. */
export function back(line: AlertsLine): Button {
  return { label: '◀ All alerts', run: line('') }
}

const ownZone = 'zone:Berlin'

/** Nothing tells where people are: whose day it is has to be said. */
function zoneNote(rules: readonly Rule[], example: string): Block[] {
  const isGuessed = rules.some((rule) => rule.kind === 'digest' && rule.setting.zone === 'UTC')
  if (!isGuessed) return []
  return [
    {
      kind: 'text',
      quiet: true,
      spans: ['The hour is one of UTC. For your own: ', { code: example }],
    },
  ]
}

/** Behind a line to copy, which fills whole rows, a full stop would stand alone. */
function note(spans: Span[]): Block {
  const last = spans.at(-1)
  const isLine = typeof last === 'object' && 'code' in last
  return { kind: 'text', spans: isLine ? spans : [...spans, '.'] }
}

function sentence(words: string): Block {
  return { kind: 'text', spans: [`${words.replace(/\.$/u, '')}.`] }
}
