import type { Block, Button, Span, View } from '../../core/view.ts'
import { tokenName, tokenSymbol } from '../../views/token.ts'
import type { Draft } from '../draft.ts'

/** A build step and its state. */
export interface Step {
  label: string
  state: 'done' | 'running' | 'to come' | 'failed'
  /** Its result, or why it failed. */
  note?: Span[]
}

const marks = { done: '✅', running: '⏳', 'to come': '▫️', failed: '❌' } as const
const words = { done: 'done', running: 'under way…', 'to come': 'to come', failed: 'failed' }

/** Shows the progress of a build, and the buttons if a step failed. */
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

/** Shows the uploaded metadata of /metadata. */
export function uploadedView({ answers, done }: Pick<Draft, 'answers' | 'done'>): View {
  return {
    title: ['Uploaded: ', ...tokenTitle(answers.name, answers.symbol)],
    tone: 'good',
    blocks: [
      text({ code: done.metadata?.uri ?? '' }),
      text('This is the token URI. Nothing was launched.'),
    ],
  }
}

/** Makes a paragraph. */
export function text(...spans: Span[]): Block {
  return { kind: 'text', spans }
}

/** Makes a paragraph in small print. */
export function quiet(...spans: Span[]): Block {
  return { kind: 'text', quiet: true, spans }
}

/** Formats `Moon Otter $OTTER`; metadata alone have no symbol. */
export function tokenTitle(name: string | undefined, symbol: string | undefined): Span[] {
  const sign = tokenSymbol(symbol)
  // A single span: bold spans side by side would lose the space between them.
  return [[tokenName(name), sign].filter((each) => each !== undefined).join(' ')]
}

/**
 * Makes a button's command line: the action, the draft and rev (`k3f9a2bc.12`), and arguments. Quotes arguments with
 * anything but letters, digits and dashes, so that parsing returns them unchanged.
 * @example
 * launchLine('set', 'k3f9a2bc.12', 'name', 'Moon Otter')
 */
export function launchLine(action: string, at: string, ...words: readonly string[]): string {
  return ['launching', action, at, ...words.map(quoted)].join(' ')
}

function quoted(word: string): string {
  return /^[\w.-]+$/u.test(word) ? word : `"${word.replaceAll(/[\\"]/gu, '\\$&')}"`
}
