import type { Context } from 'grammy'
import type { Chat, ChatMember } from 'grammy/types'
import type { ChatChange, Loss } from '../core/adapter.ts'

/** What became of the chat of a `my_chat_member`, which says what the bot is there from now on. */
export function membershipChange({ myChatMember }: Context): ChatChange | undefined {
  if (!myChatMember) return undefined
  const { chat, new_chat_member: member } = myChatMember
  const chats = [String(chat.id)]
  const loss = lossOf(member, chat)
  return loss === undefined ? { kind: 'back', chats } : { kind: 'lost', chats, loss }
}

/** Whether a `my_chat_member` says that the bot was let into a chat in which it may write, or unblocked. */
export function isEntry({ myChatMember }: Context): boolean {
  if (!myChatMember) return false
  const { chat, old_chat_member: before, new_chat_member: member } = myChatMember
  const wasOut =
    before.status === 'left' ||
    before.status === 'kicked' ||
    (before.status === 'restricted' && !before.is_member)
  return wasOut && lossOf(member, chat) === undefined
}

/**
 * The migration that a service message tells of: one comes in the group that was, with the id of the supergroup, and one in
 * the supergroup. Undefined for another message.
 */
export function migration({ msg }: Context): ChatChange | undefined {
  if (!msg) return undefined
  const { chat, migrate_to_chat_id: to, migrate_from_chat_id: from } = msg
  if (to !== undefined) return { kind: 'migrated', chat: String(chat.id), to: String(to) }
  if (from !== undefined) return { kind: 'migrated', chat: String(from), to: String(chat.id) }
  return undefined
}

/** Why the bot can't write in a chat as this member; undefined if it can. */
function lossOf(member: ChatMember, { type }: Chat): Loss | undefined {
  if (member.status === 'kicked') return type === 'private' ? 'blocked' : 'removed'
  if (member.status === 'left') return 'removed'
  if (type === 'channel') {
    const mayPost = member.status === 'administrator' && member.can_post_messages === true
    return mayPost ? undefined : 'forbidden'
  }
  if (member.status !== 'restricted') return undefined
  if (!member.is_member) return 'removed'
  return member.can_send_messages ? undefined : 'forbidden'
}
