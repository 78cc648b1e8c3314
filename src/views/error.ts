import type { Button, View } from '../core/view.ts'
import { ApiError, type ApiErrorKind, UserError } from '../errors.ts'

const texts: Record<ApiErrorKind, [title: string, text: string]> = {
  unauthorised: [
    'This bot is not set up right',
    'The data source refuses its key. The operator can run the doctor to see why.',
  ],
  forbidden: [
    'This bot is not set up right',
    'The data source refuses the request. The operator can run the doctor to see why.',
  ],
  'not-found': ['Not found', 'The data source knows nothing under that address on this chain.'],
  invalid: [
    'That was not accepted',
    'The data source refused the request. If nothing is wrong with what you typed, the operator can run the doctor to see why.',
  ],
  'rate-limited': ['Too busy', 'Too many requests right now. Try again in a moment.'],
  unavailable: ['No answer', 'The data source does not answer right now. Try again in a moment.'],
  malformed: [
    'No usable answer',
    'The data source sent something that can’t be read. Try again in a moment.',
  ],
}

const retryableKinds: readonly ApiErrorKind[] = ['rate-limited', 'unavailable', 'malformed']

/**
 * Explains an error to a person. Offers to run `line` again if that may help; `reference` identifies the log
 * entry.
 */
export function errorView(error: unknown, line: string, reference: string): View {
  if (error instanceof UserError) {
    return { title: [], tone: 'warn', blocks: [{ kind: 'text', spans: [...error.spans] }] }
  }
  if (error instanceof ApiError) {
    const [title, text] = texts[error.kind]
    const isRetryable = retryableKinds.includes(error.kind)
    return {
      title: [title],
      tone: 'bad',
      blocks: [{ kind: 'text', spans: [text] }],
      ...(isRetryable && { buttons: tryAgain(line) }),
    }
  }
  return {
    title: ['Something went wrong'],
    tone: 'bad',
    blocks: [
      {
        kind: 'text',
        spans: [
          'That is a fault of the bot, not yours. If it happens again, tell the operator this reference: ',
          { code: reference },
        ],
      },
    ],
    buttons: tryAgain(line),
  }
}

function tryAgain(line: string): Button[][] {
  return line === '' ? [] : [[{ label: 'Try again', line: line }]]
}
