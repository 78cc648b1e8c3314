import type { InlineAnswer, InlineCache, InlineQuestion, PendingQueries } from './callbacks.ts'
import type { CommandLists } from './commands.ts'
import type { Files } from './content.ts'
import type { FloodLimits } from './limits.ts'
import { badRequest, forbidden, type Params, Refusal } from './params.ts'
import type { Tally } from './tally.ts'
import type { UpdateQueue, Webhook } from './updates.ts'
import type { Place, World } from './world.ts'

/** What the bot answered to a pressed button. */
export interface CallbackAnswer {
  text: string
  alert: boolean
  url: string
}

/** The parts that the methods of the Bot API work on. */
export interface Api {
  readonly world: World
  readonly queue: UpdateQueue
  readonly webhook: Webhook
  /** Absent where flood control is off. */
  readonly limits: FloodLimits | undefined
  readonly tally: Tally
  readonly files: Files
  readonly commands: CommandLists
  readonly callbacks: PendingQueries<undefined, CallbackAnswer>
  readonly inlineQueries: PendingQueries<InlineQuestion, InlineAnswer>
  readonly inlineCache: InlineCache
}

/** One method of the Bot API; what it returns is the answer's `result`, what it throws a Refusal. */
export type Method = (api: Api, params: Params, onHangUp: (callback: () => void) => void) => unknown

/** The chat of a call; throws the 400 for none, an unknown or a migrated one. */
function placeOf(api: Api, params: Params): Place {
  const id = params.text('chat_id')
  if (id === '') throw badRequest('chat_id is empty')
  const place = api.world.find(id)
  if (!place) throw badRequest('chat not found')
  if (place.migratedTo !== undefined)
    throw new Refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
      migrate_to_chat_id: place.migratedTo,
    })
  return place
}

/** The chat of a call that needs the bot in it; throws the 403 where it was blocked, kicked or never came. */
export function presentPlace(api: Api, params: Params): Place {
  const place = placeOf(api, params)
  const { type } = place.chat
  if (place.gone !== undefined) throw forbidden(place.gone)
  const role = api.world.botRole(place)
  if (type === 'private') {
    if (role === 'kicked') throw forbidden('bot was blocked by the user')
    return place
  }
  if (role === 'kicked') throw forbidden(`bot was kicked from the ${type} chat`)
  if (role === 'left') throw forbidden(`bot is not a member of the ${type} chat`)
  return place
}

/** The chat of a call that writes; in private chats the person must have written first. */
export function writablePlace(api: Api, params: Params): Place {
  const place = presentPlace(api, params)
  if (!place.started) throw forbidden("bot can't initiate conversation with a user")
  if (place.chat.type === 'channel' && api.world.botRole(place) !== 'administrator')
    throw badRequest('need administrator rights in the channel chat')
  return place
}

/** Throws the 400 for what a bot without an administrator's rights may not send to a group. */
export function checkRights(
  { world }: Api,
  place: Place,
  thread: number | undefined,
  isPhoto: boolean,
) {
  const { type } = place.chat
  if (type === 'private' || type === 'channel' || world.botRole(place) === 'administrator') return
  if (thread !== undefined && place.closedTopics.has(thread)) throw badRequest('TOPIC_CLOSED')
  if (place.botMay === 'nothing')
    throw badRequest('not enough rights to send text messages to the chat')
  if (place.botMay === 'texts' && isPhoto)
    throw badRequest('not enough rights to send photos to the chat')
}

/** Counts a message or edit against flood control; throws the 429. */
export function countMessage(api: Api, place: Place): void {
  api.limits?.take(place.chat.id, place.chat.type !== 'private')
}
