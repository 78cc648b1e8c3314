import { TelegramServer } from '../../sandbox/telegram/server.ts'

export const token = '123456:test-token'

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
