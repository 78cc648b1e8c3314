import { GrammyError, HttpError } from 'grammy'
import { type Loss, type PhotoRefusal, SendError } from '../core/adapter.ts'
import { defaultRetryAfter, parseRetryAfter } from '../core/task.ts'

/** Error texts of the Bot API and of Telegram's servers by their meaning; there are no codes. */
const lossTexts: readonly [Loss, RegExp][] = [
  [
    'blocked',
    /bot was blocked|user is deactivated|USER_IS_BLOCKED|USER_DEACTIVATED|can't initiate conversation/iu,
  ],
  ['removed', /bot was kicked|bot is not a member|CHANNEL_PRIVATE|USER_BANNED_IN_CHANNEL/iu],
  [
    'gone',
    /chat not found|chat was deactivated|chat was deleted|PEER_ID_INVALID|CHAT_ID_INVALID|can't send messages to (?:bots|the user)/iu,
  ],
  ['topic-closed', /TOPIC_CLOSED|TOPIC_DELETED|thread not found|topic (?:not found|closed)/iu],
  [
    'forbidden',
    /rights|CHAT_WRITE_FORBIDDEN|CHAT_RESTRICTED|CHAT_ADMIN_REQUIRED|CHAT_SEND_\w+_FORBIDDEN|member list is inaccessible/iu,
  ],
]

/** Error codes of connections over which nothing was sent. */
const notSent =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+)$/u

/** Whether a retry can't succeed: any refusal except 429. */
export function isFinal(error: unknown): boolean {
  return error instanceof GrammyError && error.error_code < 500 && error.error_code !== 429
}

/** Converts the error of a failed call. Final: the chat is lost, or Telegram does not accept the message. */
export function sendError(cause: unknown): SendError {
  if (cause instanceof SendError) return cause
  if (cause instanceof HttpError) {
    const uncertain = !notSent.test(codeOf(cause.error))
    return new SendError('Telegram can’t be reached.', { final: false, uncertain, cause })
  }
  if (!(cause instanceof GrammyError)) {
    return new SendError('A view can’t be made into a message for Telegram.', {
      final: true,
      cause,
    })
  }
  const { error_code, description, parameters } = cause
  const { migrate_to_chat_id: moved, retry_after } = parameters
  const refused = error_code === 400 || error_code === 403
  return new SendError(`Telegram refused a message: ${description}`, {
    final: refused && moved === undefined,
    retryAfter:
      error_code === 429 ? (parseRetryAfter(retry_after) ?? defaultRetryAfter) : undefined,
    loss: refused && moved === undefined ? lossOf(error_code, description) : undefined,
    movedTo: moved === undefined ? undefined : String(moved),
    // It is not known whether the error came before or after the message was sent.
    uncertain: error_code >= 500,
    cause,
  })
}

/** Whether the chat allows no pictures, or Telegram does not accept this one; the message may be sent without it. */
export function photoRefusal(error: unknown): PhotoRefusal {
  if (!(error instanceof GrammyError)) return undefined
  const { description } = error
  if (/IMAGE_PROCESS|PHOTO_INVALID/u.test(description)) return 'picture'
  return /send photos|CHAT_SEND_(?:PHOTOS|MEDIA)_FORBIDDEN/u.test(description) ? 'chat' : undefined
}

/** Why the chat is lost, if it is. A 403 with an unknown text counts as forbidden. */
function lossOf(code: number, description: string): Loss | undefined {
  const loss = lossTexts.find(([, text]) => text.test(description))?.[0]
  return loss ?? (code === 403 ? 'forbidden' : undefined)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
