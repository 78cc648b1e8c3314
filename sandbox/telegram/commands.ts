import type { BotCommand, BotCommandScope, User } from 'grammy/types'
import { asInteger, asText, badRequest, isFields, type Params } from './params.ts'
import type { Place } from './world.ts'

const maxCommands = 100
const plainScopes = [
  'default',
  'all_private_chats',
  'all_group_chats',
  'all_chat_administrators',
] as const

/** The lists of commands that a bot set, one for each scope and language. */
export class CommandLists {
  readonly #lists = new Map<string, BotCommand[]>()

  set(params: Params): void {
    this.#lists.set(keyOf(params), readCommands(params.object('commands')))
  }

  get(params: Params): BotCommand[] {
    return this.#lists.get(keyOf(params)) ?? []
  }

  delete(params: Params): void {
    this.#lists.delete(keyOf(params))
  }

  /** What a person sees in the menu of a place: the narrowest scope that has a list, their language first. */
  for(user: User, place: Place): BotCommand[] {
    for (const scope of scopesFor(user, place)) {
      for (const language of [user.language_code ?? '', '']) {
        const list = this.#lists.get(key(scope, language))
        if (list) return list
      }
    }
    return []
  }
}

const key = (scope: BotCommandScope, language: string): string =>
  `${JSON.stringify(scope)} ${language}`

function keyOf(params: Params): string {
  const language = params.text('language_code')
  if (!/^(?:[a-z]{2})?$/u.test(language)) throw badRequest('invalid language code specified')
  return key(readScope(params.object('scope')), language)
}

function readScope(value: unknown): BotCommandScope {
  if (value === undefined) return { type: 'default' }
  if (!isFields(value)) throw badRequest("can't parse BotCommandScope JSON object")
  const type = asText(value.type)
  const plain = plainScopes.find((scope) => scope === type)
  if (plain) return { type: plain }
  const chat = asInteger(value.chat_id) ?? asText(value.chat_id)
  if (chat === '') throw badRequest("can't parse BotCommandScope: chat_id is empty")
  if (type === 'chat' || type === 'chat_administrators') return { type, chat_id: chat }
  const user = asInteger(value.user_id)
  if (type !== 'chat_member' || user === undefined)
    throw badRequest("can't parse BotCommandScope: Unsupported type specified")
  return { type, chat_id: chat, user_id: user }
}

function readCommands(value: unknown): BotCommand[] {
  if (!Array.isArray(value)) throw badRequest('expected an Array of BotCommand')
  if (value.length > maxCommands) throw badRequest('BOT_COMMANDS_TOO_MUCH')
  return value.map((item: unknown) => {
    if (!isFields(item)) throw badRequest('expected an Array of BotCommand')
    const command = asText(item.command).replace(/^\//u, '')
    const description = asText(item.description).trim()
    if (command === '') throw badRequest('command must be non-empty')
    if (!/^[a-z0-9_]{1,32}$/u.test(command)) throw badRequest('BOT_COMMAND_INVALID')
    if (description === '') throw badRequest('command description must be non-empty')
    if ([...description].length > 256) throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID')
    return { command, description }
  })
}

function scopesFor(user: User, place: Place): BotCommandScope[] {
  const chat_id = place.chat.id
  if (place.chat.type === 'private')
    return [{ type: 'chat', chat_id }, { type: 'all_private_chats' }, { type: 'default' }]
  const role = place.roles.get(user.id)
  const manages = role === 'creator' || role === 'administrator'
  return [
    { type: 'chat_member', chat_id, user_id: user.id },
    ...(manages ? [{ type: 'chat_administrators' as const, chat_id }] : []),
    { type: 'chat', chat_id },
    ...(manages ? [{ type: 'all_chat_administrators' as const }] : []),
    { type: 'all_group_chats' },
    { type: 'default' },
  ]
}
