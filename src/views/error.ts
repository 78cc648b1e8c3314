import { type Button, type Message, t, type View } from '../core/view.ts'
import { ApiError, type ApiErrorKind, UserError } from '../errors.ts'

const texts: Record<ApiErrorKind, [title: Message, text: Message]> = {
  unauthorised: [t('error-misconfigured'), t('error-unauthorised')],
  forbidden: [t('error-misconfigured'), t('error-forbidden')],
  blocked: [t('error-unavailable'), t('error-blocked')],
  'not-found': [t('error-not-found'), t('error-not-found-text')],
  invalid: [t('error-invalid'), t('error-invalid-text')],
  'rate-limited': [t('error-rate-limited'), t('error-rate-limited-text')],
  unavailable: [t('error-unavailable'), t('error-unavailable-text')],
  malformed: [t('error-malformed'), t('error-malformed-text')],
}

const retryableKinds: readonly ApiErrorKind[] = [
  'blocked',
  'rate-limited',
  'unavailable',
  'malformed',
]

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
    title: [t('error-ours')],
    tone: 'bad',
    blocks: [{ kind: 'text', spans: [t('error-ours-text', { reference: { code: reference } })] }],
    buttons: tryAgain(line),
  }
}

function tryAgain(line: string): Button[][] {
  return line === '' ? [] : [[{ label: t('error-try-again'), line }]]
}
