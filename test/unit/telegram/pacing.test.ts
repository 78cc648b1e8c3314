import { expect, test } from 'vitest'
import { Pacing } from '../../../src/telegram/pacing.ts'
import { defaultMessageLimits } from '../../../src/telegram/platform.ts'

function paced() {
  let elapsed = 0
  const uploads = { waiting: 0 }
  const pacing = new Pacing({
    limits: defaultMessageLimits,
    now: () => elapsed,
    uploads,
  })
  const pass = (ms: number) => {
    elapsed += ms
  }
  return { pacing, pass }
}

/** Sends a message in the background that Telegram refuses with this number of seconds. */
async function refused(pacing: Pacing, chat: number, seconds: number): Promise<void> {
  const answer = {
    ok: false,
    error_code: 429,
    description: 'Too Many Requests',
    parameters: { retry_after: seconds },
  } as const
  const send = () =>
    pacing.transformer(async () => answer, 'sendMessage', { chat_id: chat, text: 'otter' })
  await expect(pacing.run('background', send)).rejects.toMatchObject(answer)
}

test('a chat waits for as long as Telegram says, but a wrong number does not silence it for a day', async () => {
  const { pacing, pass } = paced()
  await refused(pacing, 5, 40)
  expect(pacing.gap({ kind: 'person', id: '5' })).toBe(40)
  pass(60_000)
  await refused(pacing, 6, 86_400)
  expect(pacing.gap({ kind: 'person', id: '6' })).toBe(600)
  expect(pacing.gap({ kind: 'person', id: '5' })).toBe(1.1)
})

test('of the signs of typing of a second no more reach Telegram than it takes', async () => {
  const { pacing, pass } = paced()
  let calls = 0
  const previous = async () => {
    calls += 1
    return { ok: false, error_code: 400, description: 'Bad Request' } as const
  }
  const type = (chat: number) =>
    pacing.transformer(previous, 'sendChatAction', { chat_id: chat, action: 'typing' })
  for (let chat = 1; chat <= 30; chat += 1) await type(chat).catch(() => undefined)
  expect(calls).toBe(20)
  pass(1_000)
  await type(31).catch(() => undefined)
  expect(calls).toBe(21)
})
