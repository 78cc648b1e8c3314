import type { BotCommand, MenuButton } from 'grammy/types'
import type { Api } from './api.ts'
import { asText, badRequest, isFields, type Params } from './params.ts'
import type { CommandScope } from './profile.ts'

/** The methods about what people see of the bot (`BotInfoManager` and `BotCommand` of Telegram's library). */
export const profileMethods = {
  getMyCommands,
  setMyCommands,
  getMyDescription: ({ world }: Api, params: Params) => ({
    description: world.profile.descriptions.get(languageOf(params)) ?? '',
  }),
  setMyDescription: ({ world }: Api, params: Params) =>
    setText(world, 'descriptions', params, 'description', 512),
  getMyShortDescription: ({ world }: Api, params: Params) => ({
    short_description: world.profile.shortDescriptions.get(languageOf(params)) ?? '',
  }),
  setMyShortDescription: ({ world }: Api, params: Params) =>
    setText(world, 'shortDescriptions', params, 'short_description', 120),
  getChatMenuButton,
  setChatMenuButton,
}

const maxCommands = 100

function getMyCommands({ world: { profile } }: Api, params: Params): BotCommand[] {
  return profile.commands.get(profile.key(scopeOf(params), languageOf(params))) ?? []
}

function setMyCommands({ world }: Api, params: Params): true {
  const list = params.object('commands')
  if (!Array.isArray(list)) throw badRequest('expected an Array of BotCommand')
  if (list.length > maxCommands) throw badRequest('BOT_COMMANDS_TOO_MUCH')
  const commands = list.map(readCommand)
  const key = world.profile.key(scopeOf(params), languageOf(params))
  // No commands are as good as no list.
  if (commands.length === 0) world.profile.commands.delete(key)
  else world.profile.commands.set(key, commands)
  world.events.emit('profile')
  return true
}

function readCommand(item: unknown): BotCommand {
  if (!isFields(item)) throw badRequest("can't parse BotCommand: expected an Object")
  for (const field of ['command', 'description'])
    if (!(field in item)) throw badRequest(`can't parse BotCommand: Can't find field "${field}"`)
  const command = asText(item.command).trim().replace(/^\//u, '')
  const description = asText(item.description).trim()
  if (command === '') throw badRequest('command must be non-empty')
  if ([...command].length > 32) throw badRequest('command length must not exceed 32')
  if (description === '') throw badRequest('command description must be non-empty')
  if ([...description].length > 256)
    throw badRequest('command description length must not exceed 256')
  if (!/^[a-z0-9_]+$/u.test(command)) throw badRequest('BOT_COMMAND_INVALID')
  return { command, description }
}

const scopes: readonly CommandScope[] = [
  'default',
  'all_private_chats',
  'all_group_chats',
  'all_chat_administrators',
]

function scopeOf(params: Params): CommandScope {
  const value = params.object('scope')
  if (value === undefined) return 'default'
  const cannot = "can't parse BotCommandScope:"
  if (!isFields(value)) throw badRequest(`${cannot} BotCommandScope must be an Object`)
  const scope = scopes.find((each) => each === value.type)
  // Those of single chats are not known here.
  if (!scope) throw badRequest(`${cannot} Unsupported type specified`)
  return scope
}

/** A language of two letters; '' for all without a text of their own. */
function languageOf(params: Params): string {
  const language = params.text('language_code')
  if (language !== '' && !/^[a-z]{2}$/u.test(language))
    throw badRequest('invalid language code specified')
  return language
}

/** Telegram documents the length, but not its error. */
function setText(
  world: Api['world'],
  texts: 'descriptions' | 'shortDescriptions',
  params: Params,
  name: string,
  max: number,
): true {
  const text = params.text(name)
  if ([...text].length > max) throw badRequest(`${name.replaceAll('_', ' ')} is too long`)
  const language = languageOf(params)
  if (text === '') world.profile[texts].delete(language)
  else world.profile[texts].set(language, text)
  world.events.emit('profile')
  return true
}

function getChatMenuButton({ world }: Api, params: Params): Pick<MenuButton, 'type'> {
  refuseChat(params)
  return { type: world.profile.menuButton }
}

function setChatMenuButton({ world }: Api, params: Params): true {
  refuseChat(params)
  const value = params.object('menu_button') ?? { type: 'default' }
  const cannot = "can't parse menu button:"
  if (!isFields(value)) throw badRequest(`${cannot} MenuButton must be an Object`)
  if (!('type' in value)) throw badRequest(`${cannot} Can't find field "type"`)
  if (value.type !== 'default' && value.type !== 'commands')
    throw badRequest(`${cannot} MenuButton has unsupported type`)
  world.profile.menuButton = value.type
  return true
}

function refuseChat(params: Params): void {
  if (params.has('chat_id')) throw badRequest('the sandbox knows one menu button, for everybody')
}
