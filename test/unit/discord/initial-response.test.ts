import { REST } from 'discord.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sendResponse } from '../../../src/discord/reply.ts'
import { NoAnswer } from '../../../src/discord/transport.ts'

const alreadyAcknowledged = { code: 40_060, message: 'Interaction has already been acknowledged.' }
const unknownInteraction = { code: 10_062, message: 'Unknown interaction' }

let calls: number
/** What each call is answered with: nothing, a refusal, or that it was taken. */
let answers: ('lost' | 'taken' | object)[]
let rest: REST
beforeEach(() => {
  calls = 0
  rest = new REST({
    api: 'http://discord.invalid/api',
    makeRequest: async () => {
      const answer = answers[calls] ?? 'taken'
      calls += 1
      if (answer === 'lost') throw new NoAnswer(undefined, true)
      const headers = { 'content-type': 'application/json' }
      return answer === 'taken'
        ? new Response(null, { status: 204 })
        : new Response(JSON.stringify(answer), { status: 400, headers })
    },
  })
})
afterEach(() => {
  rest.clearHashSweeper()
  rest.clearHandlerSweeper()
})

const send = () => sendResponse({ rest }, { id: '1', token: 'otter' }, { type: 5 })

test('a response that Discord took is sent once', async () => {
  answers = ['taken']
  await send()
  expect(calls).toBe(1)
})

test.each<[string, 'taken' | object]>([
  ['and had arrived if Discord has it already', alreadyAcknowledged],
  ['and had not arrived if Discord takes it', 'taken'],
])('a response whose answer got lost is sent again, %s', async (_, second) => {
  answers = ['lost', second]
  await send()
  expect(calls).toBe(2)
})

test('a response that is refused for another reason has not arrived', async () => {
  answers = ['lost', unknownInteraction]
  await expect(send()).rejects.toThrow(unknownInteraction.message)
})
