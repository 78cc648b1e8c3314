import type { Chat, ChatMember, ChatMemberUpdated, Message } from 'grammy/types'
import type { ChatChange, Loss } from '../core/adapter.ts'

/** The change of the chat of a `my_chat_member`, which says what the bot is there from now on. */
export function membershipChange({ chat, new_chat_member }: ChatMemberUpdated): ChatChange {
  const chats = [String(chat.id)]
  const loss = lossOf(new_chat_member, chat)
  return loss === undefined ? { kind: 'back', chats } : { kind: 'lost', chats, loss }
}

/** Whether a `my_chat_member` says that the bot was let into a chat in which it may write, or unblocked. */
export function isEntry({ chat, old_chat_member, new_chat_member }: ChatMemberUpdated): boolean {
  const wasOut =
    old_chat_member.status === 'left' ||
    old_chat_member.status === 'kicked' ||
    (old_chat_member.status === 'restricted' && !old_chat_member.is_member)
  return wasOut && lossOf(new_chat_member, chat) === undefined
}

/**
 * The migration that a service message tells of: one comes in the group that was, with the id of the supergroup, and one in
 * the supergroup.
 */
export function migration(message: Message): ChatChange {
  const { chat, migrate_to_chat_id: to = chat.id, migrate_from_chat_id: from = chat.id } = message
  return { kind: 'migrated', chat: String(from), to: String(to) }
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
