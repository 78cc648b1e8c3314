import { RESTJSONErrorCodes as Code, DiscordAPIError, HTTPError, RateLimitError } from 'discord.js'
import { type Loss, type PhotoRefusal, SendError } from '../core/adapter.ts'
import { defaultRetryAfter, parseRetryAfter } from '../core/task.ts'
import type { LocalisedView } from '../core/view.ts'
import { NoAnswer } from './transport.ts'

/** Discord's codes that mean the chat is lost: https://docs.discord.com/developers/topics/opcodes-and-status-codes */
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

/** Codes of refusals that are temporary, although their status is that of final ones. */
const temporary: readonly (string | number)[] = [
  Code.OpeningDirectMessagesTooFast,
  Code.SendMessagesHasBeenTemporarilyDisabled,
  Code.FeatureTemporarilyDisabledServerSide,
  Code.MaximumActiveThreads,
]

/** Codes of refusals of what is in the message, whatever the channel. */
const aboutContent: readonly (string | number)[] = [
  Code.InvalidFormBodyOrContentType,
  Code.CannotSendAnEmptyMessage,
  Code.RequestEntityTooLarge,
  Code.RequestBodyContainsInvalidJSON,
  Code.MessageBlockedByHarmfulLinksFilter,
]

/** Codes of failures that are nobody's fault. */
const expected: readonly (string | number)[] = [
  Code.UnknownMessage,
  Code.UnknownInteraction,
  // By another replica.
  Code.InteractionHasAlreadyBeenAcknowledged,
  // Its 15 minutes are over.
  Code.InvalidWebhookToken,
  Code.MissingAccess,
  Code.MissingPermissions,
  Code.CannotSendMessagesToThisUser,
]

/** Whether an answer came too late or twice, or somebody took the bot's right to write: nobody has to look into that. */
export function isExpected(error: unknown): boolean {
  const refusal = error instanceof SendError ? error.cause : error
  return refusal instanceof DiscordAPIError && expected.includes(refusal.code)
}

/** Whether Discord itself answered, if with a refusal, and is not broken. */
function isRefusal(error: unknown): boolean {
  if (error instanceof SendError) return isRefusal(error.cause)
  return (error instanceof DiscordAPIError && error.status < 500) || error instanceof RateLimitError
}

/** Whether Discord's answer says something of how it is. */
export function isAnswered(error: unknown): boolean {
  return !isExpected(error) && (error instanceof HTTPError || isRefusal(error))
}

/** Converts the error of a failed call. */
export function sendError(cause: unknown): SendError {
  if (cause instanceof SendError) return cause
  if (cause instanceof RateLimitError) {
    const wait = parseRetryAfter(Math.max(cause.retryAfter, cause.sublimitTimeout) / 1_000)
    const retryAfter = Math.ceil(wait ?? defaultRetryAfter)
    const message = 'Discord accepts no more messages there for now.'
    return new SendError(message, { final: false, retryAfter, isRefusal: true, cause })
  }
  if (cause instanceof DiscordAPIError) return refused(cause)
  if (cause instanceof HTTPError) {
    const message = `Discord answered with status ${cause.status}`
    return new SendError(message, { final: false, cause })
  }
  const message = 'Discord could not be reached with a message.'
  const uncertain = cause instanceof NoAnswer && cause.uncertain
  return new SendError(message, { final: false, uncertain, cause })
}

function refused(cause: DiscordAPIError): SendError {
  const message = `Discord refused a message: ${cause.message}`
  const final = isFinalRefusal(cause)
  const loss = losses.get(cause.code)
  const isUnknown = final && loss === undefined && !aboutContent.includes(cause.code)
  return new SendError(message, { final, loss, isRefusal: isRefusal(cause), isUnknown, cause })
}

/** Whether a refusal is final: blocked, kicked, gone, not allowed or invalid. A refused token is not: the operator can fix it. */
function isFinalRefusal({ status, code }: DiscordAPIError): boolean {
  if (temporary.includes(code)) return false
  // Without a code of Discord's, the answer is that of a proxy.
  if (status === 403 || status === 404) return Number(code) > 0
  return status === 400 || status === 413
}

/** As `sendError`, for an edit: a message in an archived thread can't be edited, but new ones can be sent. */
export function editError(cause: unknown): SendError {
  const { message, final, retryAfter, loss, uncertain } = sendError(cause)
  const chatLoss = loss === 'topic-closed' ? undefined : loss
  return new SendError(message, { final, retryAfter, loss: chatLoss, uncertain, cause })
}

/** Whether the chat may not allow pictures: Discord says only that something is not allowed. */
export function pictureRefusal(error: unknown): PhotoRefusal {
  return error instanceof SendError && error.loss === 'forbidden' ? 'chat' : undefined
}

/** Whether Discord refused what a message contains, rather than to send it. */
function isInvalid(error: unknown): boolean {
  const refusal = error instanceof SendError ? error.cause : error
  return refusal instanceof DiscordAPIError && refusal.code === Code.InvalidFormBodyOrContentType
}

/**
 * Shows a view; once more without the address of its picture if Discord refuses the message, as that may be all it
 * refuses: it holds some addresses that browsers open for malformed. @throws what `show` throws
 */
export async function showDespiteImage<T>(
  view: LocalisedView,
  show: (view: LocalisedView) => Promise<T>,
): Promise<T> {
  try {
    return await show(view)
  } catch (error) {
    if (view.image === undefined || !isInvalid(error)) throw error
    const { image: _, ...others } = view
    return show(others)
  }
}

/** Whether a retry can't succeed: any refusal except 429. */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof DiscordAPIError)) return false
  return error.status >= 400 && error.status < 500 && error.status !== 429
}
