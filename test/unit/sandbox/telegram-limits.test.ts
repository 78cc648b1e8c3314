import { afterEach, expect, test } from 'vitest'
import { ada, club } from '../../../sandbox/telegram/cast.ts'
import type { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { call, startTelegram } from './telegram-call.ts'

let server: TelegramServer
let now = 1_700_000_000_000

afterEach(() => server.stop())

async function start(): Promise<void> {
  server = await startTelegram({ floodLimits: true, now: () => now })
  server.people.text(ada.id, ada.id, '/start')
}

const send = (chat_id: number, text = 'x') => call(server, 'sendMessage', { chat_id, text })

async function untilRefused(chat: number): Promise<number> {
  for (let sent = 0; sent < 100; sent++) {
    const { status } = await send(chat, `m${sent}`)
    if (status === 429) return sent
  }
  return 100
}

test('one chat takes a few at once and then one a second', async () => {
  await start()
  expect(await untilRefused(ada.id)).toBe(5)
  expect(await send(ada.id)).toMatchObject({
    status: 429,
    description: 'Too Many Requests: retry after 1',
    parameters: { retry_after: 1 },
  })
  now += 1_000
  expect(await send(ada.id)).toMatchObject({ status: 200 })
  expect(await send(ada.id)).toMatchObject({ status: 429 })
})

test('a group takes 20 a minute', async () => {
  await start()
  let sent = 0
  for (let second = 0; second < 40; second++) {
    if ((await send(club.id)).status === 200) sent++
    now += 1_000
  }
  expect(sent).toBe(33)
  const { parameters } = await send(club.id)
  expect(parameters.retry_after).toBeGreaterThan(0)
})

test('all chats together take 30 a second', async () => {
  await start()
  const people = Array.from({ length: 31 }, (_, index) => 500_000 + index)
  for (const id of people) server.people.text(id, id, '/start')
  const statuses: number[] = []
  for (const id of people) statuses.push((await send(id)).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(30)
  expect(statuses.at(-1)).toBe(429)
})

test('edits count, answers to presses do not', async () => {
  await start()
  const { result } = await call(server, 'sendMessage', {
    chat_id: ada.id,
    text: 'x',
    reply_markup: { inline_keyboard: [[{ text: 'a', callback_data: 'a' }]] },
  })
  const id =
    typeof result === 'object' && result && 'message_id' in result ? Number(result.message_id) : 0
  const edits: number[] = []
  for (let edit = 0; edit < 5; edit++)
    edits.push(
      (await call(server, 'editMessageText', { chat_id: ada.id, message_id: id, text: `${edit}` }))
        .status,
    )
  expect(edits).toEqual([200, 200, 200, 200, 429])
  const pressed = server.people.press(ada.id, ada.id, id, { data: 'a' })
  const { result: updates } = await call(server, 'getUpdates', { offset: -1, timeout: 5 })
  const query = Array.isArray(updates) ? updates[0]?.callback_query : undefined
  expect((await call(server, 'answerCallbackQuery', { callback_query_id: query?.id })).status).toBe(
    200,
  )
  expect(await pressed).toMatchObject({ kind: 'answer' })
})
