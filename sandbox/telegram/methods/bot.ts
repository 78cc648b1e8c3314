import type { MenuButton, UserFromGetMe } from 'grammy/types'
import type { Method } from '../api.ts'
import { asText, isFields, type Params } from '../params.ts'
import { badRequest } from '../refusal.ts'
import { checkLink } from '../text/links.ts'

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
