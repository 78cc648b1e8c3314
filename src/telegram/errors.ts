import { GrammyError, HttpError } from 'grammy'
import { type Loss, type PhotoRefusal, SendError } from '../core/adapter.ts'
import { defaultRetryAfter, parseRetryAfter } from '../core/task.ts'

/**
 * Error texts by their meaning; there are no codes. Of Telegram's servers they are in capitals
 * (https://core.telegram.org/method/messages.sendMessage); those in words are of the Bot API's own server
 * (`Client::check_chat_access`, `Client::fail_query_with_error`) and of the library below it
 * (`DialogManager::can_send_message_to_dialog`, `MessagesManager::process_send_message_fail_error`), which makes a 400 of most
 * of their 403s: https://github.com/tdlib/telegram-bot-api, https://github.com/tdlib/td.
 */
const lossTexts: readonly [Loss, RegExp][] = [
  [
    'blocked',
    /bot was blocked|user is deactivated|USER_IS_BLOCKED|USER_DEACTIVATED|USER_DELETED|YOU_BLOCKED_USER|can't initiate conversation/iu,
  ],
  [
    'removed',
    /bot was kicked|bot is not a member|CHANNEL_PRIVATE|USER_BANNED_IN_CHANNEL|CHAT_FORBIDDEN|can't access the chat/iu,
  ],
  [
    'gone',
    /chat not found|chat was deactivated|chat was deleted|PEER_ID_INVALID|CHAT_ID_INVALID|CHANNEL_INVALID|CHANNEL_PUBLIC_GROUP_NA|can't send messages to (?:bots|the (?:bot|user))/iu,
  ],
  [
    'topic-closed',
    /TOPIC_CLOSED|TOPIC_DELETED|TOPIC_ID_INVALID|thread not found|topic (?:not found|closed)/iu,
  ],
  [
    'forbidden',
    // Also from a group that only members may write in, or people who take messages for a payment or by their contacts alone.
    /rights|no write access|CHAT_WRITE_FORBIDDEN|CHAT_RESTRICTED|CHAT_ADMIN_REQUIRED|CHAT_SEND_\w+_FORBIDDEN|CHAT_GUEST_SEND_FORBIDDEN|ALLOW_PAYMENT_REQUIRED|PRIVACY_PREMIUM_REQUIRED|USER_PRIVACY_RESTRICTED|member list is inaccessible/iu,
  ],
]

/**
 * Refusals of whatever the bot sends, to whomever: Telegram froze it, or took it for a spammer. They end some day, and no chat
 * is to blame.
 */
const botTexts = /FROZEN_\w+|PEER_FLOOD|USER_RESTRICTED/u

/** Refusals of what is in the message, whatever the chat. */
const contentTexts =
  /can't parse|is (?:empty|too long)|must be non-empty|wrong (?:HTTP URL|file|type|parameter)|HTTP URL|\bURL\b|file|reply markup|button|strings must be|^Bad Request: (?:MESSAGE|MEDIA|CAPTION|BUTTON|REPLY_MARKUP|ENTIT|PHOTO|IMAGE|DOCUMENT|WEBPAGE|URL|WC_)\w*/iu

/** Error codes of connections over which nothing was sent. */
const notSent =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+)$/u

/** Error codes of connections that ended before the answer; where it only takes too long, the call most likely was done. */
const cutOff = /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/u

/** Whether a call got no answer of Telegram's because of a fault on the way: no connection, its end, a proxy's page. */
export function isBroken(error: unknown): boolean {
  if (!(error instanceof HttpError)) return false
  const code = codeOf(error.error)
  return notSent.test(code) || cutOff.test(code) || error.error instanceof SyntaxError
}

/** Whether Telegram refuses the bot's token: it was revoked, or was never one. */
export function isTokenRefused(error: unknown): boolean {
  return error instanceof GrammyError && error.error_code === 401
}

/** Whether another poll, or a webhook, ended a poll, or another call of setWebhook ours. */
export function isConflict(error: unknown): error is GrammyError {
  return error instanceof GrammyError && error.error_code === 409
}

/** Whether a 409 says that a webhook is set, which excludes polling. */
export function isWebhookConflict(error: unknown): boolean {
  return isConflict(error) && /webhook/iu.test(error.description)
}

/** Whether a message shows already what an edit would make of it. */
export function isNotModified(error: unknown): boolean {
  return error instanceof GrammyError && error.description.includes('message is not modified')
}

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
  const isFinalCode = error_code === 400 || error_code === 403
  const refused = isFinalCode && moved === undefined && !botTexts.test(description)
  const loss = refused ? lossOf(error_code, description) : undefined
  return new SendError(`Telegram refused a message: ${description}`, {
    final: refused,
    retryAfter:
      error_code === 429 ? (parseRetryAfter(retry_after) ?? defaultRetryAfter) : undefined,
    loss,
    isRefusal: error_code < 500,
    isUnknown: refused && loss === undefined && !contentTexts.test(description),
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
