import type { User } from 'grammy/types'
import type { Api } from './api.ts'
import type { ConsolePlace, ConsoleState } from './shown.ts'
import type { Place, Role } from './world.ts'

/** What the page needs to know beside the messages: who is there, where, and what they may do. */
export function consoleState(
  api: Api,
  people: readonly number[],
  shared: readonly number[],
): ConsoleState {
  const { world } = api
  const { bot } = world
  return {
    bot: {
      id: bot.id,
      name: bot.first_name,
      username: bot.username,
      description: world.profile.get('description ') ?? '',
    },
    people: people.flatMap((id) => {
      const user = world.users.get(id)
      if (!user) return []
      const places = [id, ...shared].flatMap((chatId) => {
        const place = world.places.get(chatId)
        return place ? [placeOf(api, place, user)] : []
      })
      return [{ id, name: user.first_name, places }]
    }),
  }
}

function placeOf({ world, commands }: Api, place: Place, user: User): ConsolePlace {
  const { chat } = place
  const role = place.roles.get(user.id) ?? 'left'
  const isPrivate = chat.type === 'private'
  return {
    chatId: chat.id,
    kind: chat.type,
    title: isPrivate ? world.bot.first_name : chat.title,
    about: isPrivate ? 'bot' : about(place, role),
    manages: isManager(role),
    canWrite: chat.type !== 'channel' || role !== 'member',
    started: place.started,
    blocked: isPrivate && world.botRole(place) === 'kicked',
    topics: [...place.topics].map(([id, title]) => ({ id, title })),
    hasMessages: place.messages.size > 0,
    commands: commands.for(user, place),
  }
}

const isManager = (role: Role): boolean => role === 'creator' || role === 'administrator'

function about(place: Place, role: Role): string {
  const people = [...place.roles.values()].filter((held) => held !== 'left' && held !== 'kicked')
  const kind = place.chat.type === 'channel' ? 'subscribers' : 'members'
  return `${people.length} ${kind}${isManager(role) ? ', you are the administrator' : ''}`
}
