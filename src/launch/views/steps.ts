import type { Block, Button, Span, View } from '../../core/view.ts'
import { tokenName, tokenSymbol } from '../../views/token.ts'
import type { Draft } from '../draft.ts'

/** One step of building, and how far it is. */
export interface Step {
  label: string
  state: 'done' | 'running' | 'to come' | 'failed'
  /** What it gave, or why it failed. */
  note?: Span[]
}

const marks = { done: '✅', running: '⏳', 'to come': '▫️', failed: '❌' } as const
const words = { done: 'done', running: 'under way…', 'to come': 'to come', failed: 'failed' }

/** What is being built, with its steps ticked off as they finish, and what can be done where one failed. */
export function stepsView(parts: {
  name: string
  symbol: string
  steps: readonly Step[]
  trouble?: readonly Block[]
  buttons?: Button[][]
}): View {
  const failed = parts.steps.some(({ state }) => state === 'failed')
  return {
    title: [failed ? 'Not built yet: ' : 'Building ', ...tokenTitle(parts.name, parts.symbol)],
    tone: failed ? 'bad' : 'neutral',
    blocks: [
      {
        kind: 'fields',
        fields: parts.steps.map(({ label, state, note }) => [
          `${marks[state]} ${label}`,
          note ?? [words[state]],
        ]),
      },
      ...(parts.trouble ?? []),
    ],
    ...(parts.buttons && { buttons: parts.buttons }),
  }
}

/** The metadata stand where nobody can change them: what /metadata gives. */
export function uploadedView({ answers, done }: Pick<Draft, 'answers' | 'done'>): View {
  return {
    title: ['Uploaded: ', ...tokenTitle(answers.name, answers.symbol)],
    tone: 'good',
    blocks: [
      { kind: 'text', spans: [{ code: done.metadata?.uri ?? '' }] },
      { kind: 'text', spans: ['This is the token URI. Nothing was launched.'] },
    ],
  }
}

/** `Moon Otter $OTTER`, as the person typed them; a launch for the metadata alone has no symbol. */
export function tokenTitle(name: string | undefined, symbol: string | undefined): Span[] {
  const sign = tokenSymbol(symbol)
  // One piece: where pieces are set in bold each by itself, the space between them would go.
  return [[tokenName(name), sign].filter((each) => each !== undefined).join(' ')]
}

/**
 * The command line behind a button of a launch: what it does, at which draft and rev (`k3f9a2bc.12`), and with what.
 * A word with anything but letters, digits and dashes in it is quoted, so that it comes back as it is.
 */
export function launchLine(action: string, at: string, ...words: readonly string[]): string {
  return ['launching', action, at, ...words.map(quoted)].join(' ')
}

function quoted(word: string): string {
  return /^[\w.-]+$/u.test(word) ? word : `"${word.replaceAll(/[\\"]/gu, '\\$&')}"`
}
