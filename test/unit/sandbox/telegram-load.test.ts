import { afterEach, describe, expect, test } from 'vitest'
import { ada, club } from '../../../sandbox/telegram/cast.ts'
import type { Fault } from '../../../sandbox/telegram/faults.ts'
import { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { call, token } from './telegram-call.ts'

let server: TelegramServer
afterEach(() => server.stop())

const start = async (floodLimits: boolean | { factor: number } = false) => {
  server = await TelegramServer.start({ token, floodLimits, now: () => 1_700_000_000_000 })
}
const send = (chat_id: number, signal?: AbortSignal) =>
  call(server, 'sendMessage', { chat_id, text: 'x' }, signal)

describe('a crowd', () => {
  test('of ten thousand has started the bot, and what each got is counted', async () => {
    await start()
    const crowd = server.circumstances.crowd(10_000)
    const { tally } = server.api
    for (const id of [crowd[0], crowd[9_999], crowd[9_999]]) await send(id ?? 0)
    expect(new Set(crowd).size).toBe(10_000)
    expect(tally.messages).toBe(3)
    expect([...tally.chats.values()]).toEqual([1, 2])
    expect(tally.in(crowd[1] ?? 0)).toBe(0)
    const { first = 0, last = 0 } = tally.span ?? {}
    expect(first).toBeLessThanOrEqual(last)
    tally.reset()
    expect([tally.messages, tally.chats.size, tally.span]).toEqual([0, 0, undefined])
  })

  test('is counted also where messages are forgotten', async () => {
    await start()
    const [person = 0, other = 0] = server.circumstances.crowd(2)
    await send(person)
    for (let index = 0; index < 10_001; index += 1) server.people.text(other, other, `${index}`)
    expect(server.people.messages(person)).toEqual([])
    expect(server.api.tally.in(person)).toBe(1)
  })

  test('counts edits and refusals beside messages', async () => {
    await start({ factor: 0.4 })
    const { result } = await send(club.id)
    const message_id =
      typeof result === 'object' && result && 'message_id' in result ? result.message_id : 0
    await call(server, 'editMessageText', { chat_id: club.id, message_id, text: 'y' })
    expect((await send(club.id)).status).toBe(429)
    const { messages, edits, refused } = server.api.tally
    expect({ messages, edits, refused }).toEqual({ messages: 1, edits: 1, refused: 1 })
  })
})

test.each([
  [true, 30],
  [{ factor: 2 }, 60],
  [false, 70],
])('flood limits set to %j let %i messages through at once', async (floodLimits, most) => {
  await start(floodLimits)
  const statuses: number[] = []
  for (const id of server.circumstances.crowd(70)) statuses.push((await send(id)).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(most)
})

describe('a fault', () => {
  test.each<[Fault, number, number]>([
    ['stumble', 500, 1],
    ['fail', 500, 0],
  ])('"%s" is answered with %i after %i messages', async (fault, status, messages) => {
    await start()
    server.fault = (method) => (method === 'sendMessage' ? fault : undefined)
    expect((await send(club.id)).status).toBe(status)
    expect(server.api.tally.messages).toBe(messages)
    expect((await call(server, 'getMe')).status).toBe(200)
  })

  test('"mute" does what is asked and never says so', async () => {
    await start()
    server.fault = () => 'mute'
    const ending = new AbortController()
    const sending = send(club.id, ending.signal).catch(String)
    await server.people.waitFor(club.id, ({ text }) => text === 'x')
    ending.abort()
    expect(await sending).toContain('Abort')
  })

  test('"cut" does nothing and breaks the line', async () => {
    await start()
    server.fault = () => 'cut'
    await expect(send(club.id)).rejects.toThrow('fetch failed')
    expect(server.api.tally.messages).toBe(0)
  })
})

test('what is down lets nobody in, and is back at the same address with all that it knew', async () => {
  await start()
  const { root } = server
  server.people.text(ada.id, ada.id, '/start')
  await server.down()
  await server.down()
  await expect(send(ada.id)).rejects.toThrow('fetch failed')
  await server.up()
  expect(server.root).toBe(root)
  expect((await send(ada.id)).status).toBe(200)
  const { result } = await call(server, 'getUpdates', { timeout: 0 })
  expect(result).toHaveLength(1)
  await server.down()
})
