import type { BotCommand, Chat } from 'grammy/types'

export type CommandScope =
  | 'default'
  | 'all_private_chats'
  | 'all_group_chats'
  | 'all_chat_administrators'

/** What people see of the bot beside what it writes: its commands by scope and language, its texts by language. */
export class Profile {
  readonly commands = new Map<string, BotCommand[]>()
  readonly descriptions = new Map<string, string>()
  readonly shortDescriptions = new Map<string, string>()
  menuButton: 'default' | 'commands' | 'web_app' = 'default'

  /** The key of a list in `commands`. */
  key(scope: CommandScope, language: string): string {
    return `${scope} ${language}`
  }

  /**
   * The commands that somebody is offered in a chat: of the scopes that fit the most specific one, and in it those of the
   * person's language before those for all (https://core.telegram.org/bots/api#determining-list-of-commands).
   */
  commandsFor(chat: Chat['type'], isManager: boolean, language = ''): BotCommand[] {
    const scopes = scopesOf(chat, isManager)
    const lists = scopes.flatMap((scope) =>
      [language, ''].map((each) => this.commands.get(this.key(scope, each))),
    )
    return lists.find((list) => list !== undefined) ?? []
  }
}

function scopesOf(chat: Chat['type'], isManager: boolean): CommandScope[] {
  if (chat === 'private') return ['all_private_chats', 'default']
  if (chat === 'channel') return ['default']
  const inGroup: CommandScope[] = ['all_group_chats', 'default']
  return isManager ? ['all_chat_administrators', ...inGroup] : inGroup
}
