import type { ChatFullInfo, ChatMember, MenuButton, User, UserFromGetMe } from 'grammy/types'
import { type Method, presentPlace, writablePlace } from '../api.ts'
import { asText, badRequest, isFields, type Params } from '../params.ts'
import { checkLink } from '../text/urls.ts'
import type { Place, Role } from '../world.ts'

const chatActions: ReadonlySet<string> = new Set([
  'typing',
  'upload_photo',
  'record_video',
  'upload_video',
  'record_voice',
  'upload_voice',
  'upload_document',
  'choose_sticker',
  'find_location',
  'record_video_note',
  'upload_video_note',
])

const common = {
  accent_color_id: 3,
  max_reaction_count: 11,
  accepted_gift_types: {
    unlimited_gifts: false,
    limited_gifts: false,
    unique_gifts: false,
    premium_subscription: false,
    gifts_from_channels: false,
  },
}

export const getChat: Method = (api, params): ChatFullInfo => fullInfo(presentPlace(api, params))

function fullInfo({ chat }: Place): ChatFullInfo {
  switch (chat.type) {
    case 'private':
      return { ...chat, ...common }
    case 'group':
      return { ...chat, ...common, permissions: { can_send_messages: true } }
    case 'supergroup':
      return { ...chat, ...common, permissions: { can_send_messages: true } }
    case 'channel':
      return { ...chat, ...common }
  }
}

export const getChatMember: Method = (api, params): ChatMember => {
  const place = presentPlace(api, params)
  const id = params.integer('user_id')
  if (id === undefined) throw badRequest('invalid user_id specified')
  const user = api.world.users.get(id)
  if (!user) throw badRequest('user not found')
  return memberOf(user, place, place.roles.get(id) ?? 'left')
}

export const getChatAdministrators: Method = (api, params): ChatMember[] => {
  const place = presentPlace(api, params)
  if (place.chat.type === 'private')
    throw badRequest('there are no administrators in the private chat')
  return [...place.roles].flatMap(([id, role]) => {
    const user = api.world.users.get(id)
    const manages = role === 'creator' || role === 'administrator'
    return user && manages ? [memberOf(user, place, role)] : []
  })
}

export const getChatMemberCount: Method = (api, params): number =>
  [...presentPlace(api, params).roles.values()].filter(
    (role) => role !== 'left' && role !== 'kicked',
  ).length

/** A member as getChatMember and my_chat_member show one. */
export function memberOf(user: User, { chat, standings }: Place, role: Role): ChatMember {
  const { anonymous = false, silent = false } = standings.get(user.id) ?? {}
  switch (role) {
    case 'creator':
      return { status: role, user, is_anonymous: anonymous }
    case 'administrator':
      return {
        status: role,
        user,
        ...administratorRights,
        is_anonymous: anonymous,
        // The Bot API tells the one of channels alone, the other of groups.
        ...(chat.type === 'channel'
          ? { can_post_messages: !silent, can_edit_messages: !silent }
          : { can_pin_messages: true, can_manage_topics: true }),
      }
    case 'member':
    case 'left':
      return { status: role, user }
    case 'kicked':
      return { status: role, user, until_date: 0 }
  }
}

const administratorRights = {
  can_be_edited: false,
  can_manage_chat: true,
  can_delete_messages: true,
  can_manage_video_chats: true,
  can_restrict_members: true,
  can_promote_members: false,
  can_change_info: true,
  can_invite_users: true,
  can_post_stories: true,
  can_edit_stories: true,
  can_delete_stories: true,
  can_send_welcome_messages: true,
}

export const sendChatAction: Method = (api, params) => {
  const place = writablePlace(api, params)
  if (!chatActions.has(params.text('action'))) throw badRequest('wrong parameter action in request')
  api.world.events.emit('typing', place)
  return true
}

export const leaveChat: Method = (api, params) => {
  const place = presentPlace(api, params)
  if (place.chat.type === 'private')
    throw badRequest("chat member status can't be changed in private chats")
  place.roles.set(api.world.bot.id, 'left')
  api.world.events.emit('place', place)
  return true
}

export const getMe: Method = (api): UserFromGetMe => ({
  ...api.world.bot,
  is_bot: true,
  can_join_groups: true,
  can_read_all_group_messages: false,
  supports_inline_queries: true,
  can_connect_to_business: false,
  has_main_web_app: false,
  has_topics_enabled: false,
  allows_users_to_create_topics: false,
  can_manage_bots: false,
  supports_join_request_queries: false,
})

export const setMyCommands: Method = (api, params) => {
  api.commands.set(params)
  api.world.events.emit('commands')
  return true
}

export const getMyCommands: Method = (api, params) => api.commands.get(params)

export const deleteMyCommands: Method = (api, params) => {
  api.commands.delete(params)
  api.world.events.emit('commands')
  return true
}

/** A text of the bot's profile by language, and its bound in characters. */
function profileText(
  api: Parameters<Method>[0],
  params: Params,
  name: string,
  limit: number,
): true {
  const text = params.text(name)
  if ([...text].length > limit) throw badRequest(`${name.replaceAll('_', ' ')} is too long`)
  api.world.profile.set(`${name} ${params.text('language_code')}`, text)
  return true
}

const readProfile = (api: Parameters<Method>[0], params: Params, name: string) => ({
  [name]:
    api.world.profile.get(`${name} ${params.text('language_code')}`) ??
    api.world.profile.get(`${name} `) ??
    '',
})

export const setMyDescription: Method = (api, params) =>
  profileText(api, params, 'description', 512)
export const getMyDescription: Method = (api, params) => readProfile(api, params, 'description')
export const setMyShortDescription: Method = (api, params) =>
  profileText(api, params, 'short_description', 120)
export const getMyShortDescription: Method = (api, params) =>
  readProfile(api, params, 'short_description')

export const setChatMenuButton: Method = (api, params) => {
  const chat = params.text('chat_id')
  if (chat !== '' && api.world.find(chat)?.chat.type !== 'private')
    throw badRequest('chat not found')
  api.world.menuButtons.set(chat, readMenuButton(params.object('menu_button')))
  return true
}

export const getChatMenuButton: Method = (api, params): MenuButton =>
  api.world.menuButtons.get(params.text('chat_id')) ??
  api.world.menuButtons.get('') ?? { type: 'commands' }

function readMenuButton(value: unknown): MenuButton {
  if (value === undefined) return { type: 'default' }
  if (!isFields(value)) throw badRequest("can't parse menu button: MenuButton must be an Object")
  const type = asText(value.type)
  if (type === 'commands' || type === 'default') return { type }
  if (type !== 'web_app')
    throw badRequest("can't parse menu button: MenuButton has unsupported type")
  const url = isFields(value.web_app) ? checkLink(asText(value.web_app.url)) : undefined
  if (!url?.ok || !url.url.startsWith('https://'))
    throw badRequest('menu button Web App URL is invalid')
  return { type, text: asText(value.text), web_app: { url: url.url } }
}
