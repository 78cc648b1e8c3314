import { TelegramServer } from '../../../sandbox/telegram/server.ts'

export const token = '123456:test-token'

/** What an administrator may, as a button that asks for a chat names it. */
export const noRights = {
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
export const mayPost = { ...noRights, can_post_messages: true }

export interface ApiAnswer {
  status: number
  ok: boolean
  result: unknown
  description: string
  parameters: { retry_after?: number; migrate_to_chat_id?: number }
}

export const startTelegram = (options: { floodLimits?: boolean; now?: () => number } = {}) =>
  TelegramServer.start({ token, floodLimits: false, ...options })

/** Calls a method with a JSON body, as a bot would. */
export async function call(
  server: TelegramServer,
  method: string,
  body: Record<string, unknown> = {},
  signal?: AbortSignal,
): Promise<ApiAnswer> {
  const response = await fetch(`${server.root}/bot${token}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  })
  return readAnswer(response)
}

async function readAnswer(response: Response): Promise<ApiAnswer> {
  const { ok, result, description = '', parameters = {} } = JSON.parse(await response.text())
  return { status: response.status, ok, result, description, parameters }
}

/** The id of the message that a call gave. */
export const idOf = ({ result }: { result: unknown }) =>
  typeof result === 'object' && result && 'message_id' in result ? Number(result.message_id) : 0
