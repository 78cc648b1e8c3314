import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { Update } from 'grammy/types'
import { expect, test } from 'vitest'
import { webhookHandler } from '../../../src/telegram/updates.ts'

const secret = 'a-secret'

/** A call of Telegram's whose body is still on its way. */
function call(): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  request.headers = { 'x-telegram-bot-api-secret-token': secret }
  return request
}

function send(request: IncomingMessage, update: unknown): void {
  request.push(JSON.stringify(update))
  request.push(null)
}

test('calls that come in the same turn are all read before the first is handled, and then in their order', async () => {
  const taken: number[] = []
  const take = async ({ update_id: id }: Update) => void taken.push(id)
  const handle = webhookHandler(secret, { take })
  const requests = [call(), call()]
  const answers = requests.map((request) => handle(request))
  for (const [id, request] of requests.entries()) {
    send(request, { update_id: id })
    // Long enough to read and to handle it, but still the same turn.
    for (let step = 0; step < 20; step += 1) {
      await new Promise<void>((resolve) => process.nextTick(resolve))
    }
    expect(taken).toEqual([])
  }
  expect(await Promise.all(answers)).toEqual([{ status: 200 }, { status: 200 }])
  expect(taken).toEqual([0, 1])
})

test('a call of a later turn is handled in that', async () => {
  const taken: number[] = []
  const take = async ({ update_id: id }: Update) => void taken.push(id)
  const handle = webhookHandler(secret, { take })
  for (const id of [1, 2]) {
    const request = call()
    const answered = handle(request)
    send(request, { update_id: id })
    await turn()
    expect(await answered).toEqual({ status: 200 })
  }
  expect(taken).toEqual([1, 2])
})
