import type { ChatAdministratorRights } from 'grammy/types'
import { asFlag, badRequest, isFields } from './params.ts'

/** Reads ChatAdministratorRights; undefined where there are none. Throws a 400 for what is no such object. */
export function readRights(value: unknown): ChatAdministratorRights | undefined {
  if (value === undefined) return undefined
  if (!isFields(value)) throw badRequest("can't parse ChatAdministratorRights: expected an Object")
  return {
    is_anonymous: asFlag(value.is_anonymous),
    can_manage_chat: asFlag(value.can_manage_chat),
    can_delete_messages: asFlag(value.can_delete_messages),
    can_manage_video_chats: asFlag(value.can_manage_video_chats),
    can_restrict_members: asFlag(value.can_restrict_members),
    can_promote_members: asFlag(value.can_promote_members),
    can_change_info: asFlag(value.can_change_info),
    can_invite_users: asFlag(value.can_invite_users),
    can_post_stories: asFlag(value.can_post_stories),
    can_edit_stories: asFlag(value.can_edit_stories),
    can_delete_stories: asFlag(value.can_delete_stories),
    can_post_messages: asFlag(value.can_post_messages),
    can_edit_messages: asFlag(value.can_edit_messages),
    can_pin_messages: asFlag(value.can_pin_messages),
    can_manage_topics: asFlag(value.can_manage_topics),
    can_send_welcome_messages: asFlag(value.can_send_welcome_messages),
  }
}

/** Whether each of these rights is among the others. */
export function areWithin(
  rights: ChatAdministratorRights,
  others: ChatAdministratorRights | undefined,
): boolean {
  const held = new Map(Object.entries(others ?? {}))
  return Object.entries(rights).every(([name, has]) => !has || held.get(name) === true)
}
