import { createHash } from 'node:crypto'
import type { ChatAdministratorRights, ChatShared, ReplyKeyboardMarkup } from 'grammy/types'
import type { LineKeeper } from '../chat/control.ts'
import { harmless, shortenUnits } from '../chat/text.ts'
import type { View } from '../chat/view.ts'

type Picker = NonNullable<View['picker']>

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
 * A keyboard that lets a person choose a channel or group which they manage, with the bot in it or added to it by
 * that. What Telegram hands back is a number alone, so the line is kept under one. Undefined where it can't be kept.
 */
export async function pickerKeyboard(
  { channel, group, line }: Picker,
  lines: LineKeeper,
): Promise<ReplyKeyboardMarkup | undefined> {
  const number = numberOf(line)
  if ((await lines.keep(line, idOf(number))) === undefined) return undefined
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

/** The line that a chosen chat answers; undefined where it is kept no more. */
export async function pickedLine(
  { request_id, chat_id }: ChatShared,
  lines: LineKeeper,
): Promise<string | undefined> {
  const line = await lines.find(idOf(request_id - (request_id % 2)))
  return line === undefined ? undefined : `${line} ${chat_id}`
}

/** An even number that fits into a request's 32 bits, the same for the same line. */
function numberOf(line: string): number {
  return (createHash('sha256').update(line).digest().readUInt32BE(0) >>> 2) * 2
}

function idOf(number: number): string {
  return `picker:${number}`
}

function labelOf(label: string): string {
  return shortenUnits(harmless(label).trim() || '·', 40)
}
