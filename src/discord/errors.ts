import { RESTJSONErrorCodes as Code, DiscordAPIError, RateLimitError } from 'discord.js'
import { type Loss, SendError } from '../core/adapter.ts'
import type { PhotoRefusal } from '../core/photo-fallback.ts'
import { defaultRetryAfter, parseRetryAfter } from '../core/retry.ts'
import { NoAnswer } from './transport.ts'

/** What Discord's codes say of the place: https://docs.discord.com/developers/topics/opcodes-and-status-codes */
const losses: ReadonlyMap<string | number, Loss> = new Map([
  [Code.CannotSendMessagesToThisUser, 'blocked'],
  [Code.CannotSendMessagesToThisUserDueToHavingNoMutualGuilds, 'blocked'],
  [Code.MissingAccess, 'removed'],
  [Code.UnknownGuild, 'removed'],
  [Code.UnknownChannel, 'gone'],
  [Code.UnknownUser, 'gone'],
  [Code.InvalidRecipients, 'gone'],
  [Code.MissingPermissions, 'forbidden'],
  [Code.CannotSendMessagesInNonTextChannel, 'forbidden'],
  [Code.CannotSendAMessageInAForumChannel, 'forbidden'],
  [Code.ChannelVerificationLevelTooHighForYouToGainAccess, 'forbidden'],
  [Code.CannotExecuteActionOnThisChannelType, 'forbidden'],
  [Code.InvalidActionOnArchivedThread, 'topic-closed'],
  [Code.ThreadLocked, 'topic-closed'],
])

/** Refusals with the status of those for good that pass by themselves. */
const passing: readonly (string | number)[] = [
  Code.OpeningDirectMessagesTooFast,
  Code.SendMessagesHasBeenTemporarilyDisabled,
  Code.FeatureTemporarilyDisabledServerSide,
  Code.MaximumActiveThreads,
]

/** Why a message could not be sent or edited, or a person not be asked after. */
export function sendError(cause: unknown): SendError {
  if (cause instanceof SendError) return cause
  if (cause instanceof RateLimitError) {
    const wait = parseRetryAfter(Math.max(cause.retryAfter, cause.sublimitTimeout) / 1_000)
    const retryAfter = Math.ceil(wait ?? defaultRetryAfter)
    const message = 'Discord takes no more messages there for now.'
    return new SendError(message, { final: false, retryAfter, cause })
  }
  if (cause instanceof DiscordAPIError) return refused(cause)
  const message = 'Discord could not be reached with a message.'
  const uncertain = cause instanceof NoAnswer && cause.uncertain
  return new SendError(message, { final: false, uncertain, cause })
}

function refused(cause: DiscordAPIError): SendError {
  const message = `Discord refused a message: ${cause.message}`
  return new SendError(message, { final: isNeverTaken(cause), loss: losses.get(cause.code), cause })
}

/** Blocked, kicked, gone, not allowed, or never to be taken; not a token that the operator has to mend. */
function isNeverTaken({ status, code }: DiscordAPIError): boolean {
  if (passing.includes(code)) return false
  // Without a code of Discord's it is something on the way that forbids or finds nothing.
  if (status === 403 || status === 404) return Number(code) > 0
  return status === 400 || status === 413
}

/**
 * As `sendError`, of a message that was to be edited: what is archived takes new messages all the same, so that of the
 * place it says nothing.
 */
export function editError(cause: unknown): SendError {
  const { message, final, retryAfter, loss, uncertain } = sendError(cause)
  const told = loss === 'topic-closed' ? undefined : loss
  return new SendError(message, { final, retryAfter, loss: told, uncertain, cause })
}

/** Discord says of a file that may not be attached no more than that something is not allowed. */
export function pictureRefusal(error: unknown): PhotoRefusal {
  return error instanceof SendError && error.loss === 'forbidden' ? 'place' : undefined
}

/** What trying again can't mend: any refusal but that of too many requests. */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof DiscordAPIError)) return false
  return error.status >= 400 && error.status < 500 && error.status !== 429
}
