import { kinds } from '../../src/alerts/rule.ts'
import type { AlertsLine } from '../../src/alerts/views/rule.ts'
import { Refusal, type Span } from '../../src/core/view.ts'

/** What to send, and what for. */
type Way = readonly [words: string, purpose: string]

const silence: readonly Way[] = [
  ['mute on', 'silence all alerts until you unmute them'],
  ['remove all', 'end them all'],
]
const sound: readonly Way[] = [
  ['unmute', 'end a silence'],
  ['add live', 'follow what goes live'],
]
const adding: readonly Way[] = [['add live graduated', 'follow both, for example']]
const removing: readonly Way[] = [
  ['remove NUMBER', 'remove alert NUMBER of the list'],
  ['remove all', 'remove them all'],
]
const changing: readonly Way[] = [['change NUMBER', 'change alert NUMBER of the list']]

/** Words that people try, and the lines that do what they mean. None of them acts by itself. */
const ways = new Map<string, readonly Way[]>([
  ...['stop', 'off', 'quit', 'pause', 'silence', 'disable'].map((word) => [word, silence] as const),
  ...['on', 'resume', 'start', 'continue', 'enable'].map((word) => [word, sound] as const),
  ...['follow', 'subscribe', 'new', 'create'].map((word) => [word, adding] as const),
  ...['delete', 'unfollow', 'unsubscribe', 'clear'].map((word) => [word, removing] as const),
  ...['edit', 'set', 'update'].map((word) => [word, changing] as const),
  ...kinds.map((kind) => [kind, [[`add ${kind}`, 'follow that']]] as const),
])

/** Says which line does what was meant by a word that is none of the command's own. @throws Refusal where that is known */
export function refuseOtherWord(
  word: string,
  [number = '1']: readonly string[],
  line: AlertsLine,
): void {
  const known = ways.get(word)
  if (known === undefined) return
  const position = /^\d{1,3}$/u.test(number) ? number : '1'
  const said = known.flatMap(([words, purpose], index): Span[] => [
    `${index === 0 ? ' To' : '; to'} ${purpose.replace('NUMBER', position)}, send `,
    { code: line.typed(words.replace('NUMBER', position)) },
  ])
  throw new Refusal([{ code: '/alerts' }, ` does not know "${word}".`, ...said, '.'])
}
