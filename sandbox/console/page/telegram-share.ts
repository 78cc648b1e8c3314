import type { KeyboardButtonRequestChat } from 'grammy/types'
import type { ConsolePlace, ConsoleState } from '../../telegram/shown.ts'

/** What a bot's button asks a person to choose from, and what is said where that is nothing. */
export interface Shareable {
  title: string
  empty: string
  places: ConsolePlace[]
}

/** The channels or groups of theirs that the person may share. */
export function shareable(
  asked: KeyboardButtonRequestChat,
  own: readonly ConsolePlace[],
  people: ConsoleState['people'],
): Shareable {
  const what = asked.chat_is_channel ? 'channel' : 'group'
  const fits = ({ kind, canWrite, manages }: ConsolePlace) =>
    kind !== 'private' &&
    (kind === 'channel') === asked.chat_is_channel &&
    (asked.user_administrator_rights ? manages : canWrite)
  const other = people.find(({ places }) => places.some(fits))
  const able = other ? ` ${other.name} does: go on as ${other.name}, above the chat.` : ''
  return {
    title: `Choose a ${what}`,
    empty: `You manage no ${what} here, so there is none to choose.${able}`,
    places: own.filter(fits),
  }
}
