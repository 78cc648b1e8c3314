import type { Chat, User } from 'grammy/types'

/** The people of the sandbox: Ada is an administrator everywhere, Ben a plain member. */
export const ada: User = {
  id: 100_001,
  is_bot: false,
  first_name: 'Ada',
  last_name: 'Adler',
  username: 'ada_adler',
  language_code: 'en',
}
export const ben: User = {
  id: 100_002,
  is_bot: false,
  first_name: 'Ben',
  last_name: 'Bauer',
  username: 'ben_bauer',
  language_code: 'en',
}

/** The places beside the private chats (a private chat has its person's id). */
export const club: Chat.GroupChat = { id: -200_001, type: 'group', title: 'Otter Club' }
export const lodge: Chat.SupergroupChat = {
  id: -1_000_000_200_002,
  type: 'supergroup',
  title: 'Otter Lodge',
  is_forum: true,
}
export const news: Chat.ChannelChat = {
  id: -1_000_000_200_003,
  type: 'channel',
  title: 'Otter News',
  username: 'otter_news',
}

/** The lodge's topics by thread id; messages without a thread are in "General". */
export const topics: ReadonlyMap<number, string> = new Map([
  [2, 'Launches'],
  [3, 'Small talk'],
])

/** Who is the sender of what anonymous administrators say. */
export const anonymousBot: User = {
  id: 1_087_968_824,
  is_bot: true,
  first_name: 'Group',
  username: 'GroupAnonymousBot',
}

/** The bot behind a token; its id is the number before the colon. */
export function botOf(token: string): User & { username: string } {
  const id = Number(/^\d+(?=:)/u.exec(token)?.[0] ?? 7_000_001)
  return { id, is_bot: true, first_name: 'Gavel', username: 'gavel_bot' }
}
