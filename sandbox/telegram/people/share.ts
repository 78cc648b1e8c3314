import type { ChatAdministratorRights, KeyboardButtonRequestChat } from 'grammy/types'
import type { Api } from '../api.ts'
import type { Place } from '../world.ts'
import { PeopleError } from './error.ts'
import { setBotRole } from './presence.ts'

/**
 * What a client does before it hands a chat over: it lets nobody choose one that was not asked for, and puts the bot
 * in where the bot is to be a member or an administrator.
 */
export function prepareShare(api: Api, userId: number, request: number, chat: Place): void {
  const asked = requestIn(api, userId, request)
  const isChannel = chat.chat.type === 'channel'
  if (chat.chat.type === 'private' || isChannel !== asked.chat_is_channel)
    throw new PeopleError('the bot asks for another kind of chat')
  const { user_administrator_rights: wanted, bot_administrator_rights: forBot } = asked
  if (wanted && !hasRights(chat, userId, wanted))
    throw new PeopleError('you lack the rights that the bot asks for there')
  if (forBot && api.world.botRole(chat) !== 'administrator')
    setBotRole(api, chat, 'administrator', userId)
  const role = api.world.botRole(chat)
  if (asked.bot_is_member && (role === 'left' || role === 'kicked'))
    setBotRole(api, chat, 'member', userId)
}

/** The button under the person's message box; only those of the latest keyboard are there. */
function requestIn({ world }: Api, userId: number, request: number): KeyboardButtonRequestChat {
  const stored = [...(world.places.get(userId)?.messages.values() ?? [])]
  const latest = stored.findLast(({ keyboard }) => keyboard && keyboard.kind !== 'force')?.keyboard
  const buttons = latest?.kind === 'keyboard' ? latest.rows.flat() : []
  const asked = buttons.find(({ requestChat }) => requestChat?.request_id === request)?.requestChat
  if (!asked) throw new PeopleError('there is no such button below the message box')
  return asked
}

function hasRights(place: Place, userId: number, wanted: ChatAdministratorRights): boolean {
  const role = place.roles.get(userId)
  if (role === 'creator') return true
  if (role !== 'administrator') return false
  return !(wanted.can_post_messages && place.standings.get(userId)?.silent)
}
