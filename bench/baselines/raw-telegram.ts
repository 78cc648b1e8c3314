import { Pool } from 'undici'
import { z } from 'zod'
import { sayReady, telegramSettings } from './answer.ts'

// A minimal bot: two methods of the Bot API over a connection pool.
const update = z.object({
  update_id: z.number(),
  message: z.object({ chat: z.object({ id: z.number() }) }),
})
const updates = z.object({ result: z.array(update) })

const { token, apiRoot, answer } = telegramSettings()
const pool = new Pool(apiRoot, { connections: 256 })

async function call(method: string, body: unknown): Promise<string> {
  const response = await pool.request({
    path: `/bot${token}/${method}`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.body.text()
}

process.on('SIGTERM', () => process.exit(0))
sayReady()
for (let offset = 0; ; ) {
  const { result } = updates.parse(JSON.parse(await call('getUpdates', { offset, timeout: 30 })))
  for (const { update_id, message } of result) {
    offset = update_id + 1
    void call('sendMessage', { ...answer, chat_id: message.chat.id })
  }
}
