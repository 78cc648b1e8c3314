import { createHash } from 'node:crypto'
import type { ChatAdministratorRights, ChatShared, ReplyKeyboardMarkup } from 'grammy/types'
import type { CallbackStore } from '../core/callback-data.ts'
import { harmless, shortenUnits } from '../core/text.ts'
import type { LocalisedView } from '../core/view.ts'

type Picker = NonNullable<LocalisedView['picker']>

const noRights: ChatAdministratorRights = {
  is_anonymous: false,
  can_manage_chat: false,
  can_delete_messages: false,
  can_manage_video_chats: false,
  can_restrict_members: false,
  can_promote_members: false,
  can_change_info: false,
  can_invite_users: false,
  can_post_stories: false,
  can_edit_stories: false,
  can_delete_stories: false,
  can_send_welcome_messages: false,
}
const mayPost = { ...noRights, can_post_messages: true }
const mayManage = { ...noRights, can_manage_chat: true }

/**
 * A keyboard for choosing a channel or group that the person manages; Telegram adds the bot to it. The choice comes back
 * with a number only, so the line is stored under that number. Undefined if it can't be stored.
 */
export async function pickerKeyboard(
  { channel, group, line }: Picker,
  callbacks: CallbackStore,
): Promise<ReplyKeyboardMarkup | undefined> {
  const number = numberOf(line)
  if ((await callbacks.store(line, idOf(number))) === undefined) return undefined
  return {
    keyboard: [
      [
        {
          text: labelOf(channel),
          request_chat: {
            request_id: number,
            chat_is_channel: true,
            user_administrator_rights: mayPost,
            bot_administrator_rights: mayPost,
          },
        },
      ],
      [
        {
          text: labelOf(group),
          request_chat: {
            request_id: number + 1,
            chat_is_channel: false,
            user_administrator_rights: mayManage,
            bot_is_member: true,
          },
        },
      ],
    ],
    one_time_keyboard: true,
    resize_keyboard: true,
  }
}

/** The line to run for a chosen chat; undefined if it is not stored any more. */
export async function pickedLine(
  { request_id, chat_id }: ChatShared,
  callbacks: CallbackStore,
): Promise<string | undefined> {
  const line = await callbacks.find(idOf(request_id - (request_id % 2)))
  return line === undefined ? undefined : `${line} ${chat_id}`
}

/** An even number derived from a line that fits into the 32 bits of a `request_id`; the next odd one is the group's. */
function numberOf(line: string): number {
  return (createHash('sha256').update(line).digest().readUInt32BE(0) >>> 2) * 2
}

function idOf(number: number): string {
  return `picker:${number}`
}

function labelOf(label: string): string {
  return shortenUnits(harmless(label).trim() || '·', 40)
}
