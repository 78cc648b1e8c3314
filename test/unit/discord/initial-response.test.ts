import { REST } from '@discordjs/rest'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sendResponse } from '../../../src/discord/answer.ts'

const alreadyAcknowledged = { code: 40_060, message: 'Interaction has already been acknowledged.' }
const unknownInteraction = { code: 10_062, message: 'Unknown interaction' }

let calls: number
let refusal: object | undefined
let rest: REST
beforeEach(() => {
  calls = 0
  rest = new REST({
    api: 'http://discord.invalid/api',
    makeRequest: async () => {
      calls += 1
      const headers = { 'content-type': 'application/json' }
      return refusal
        ? new Response(JSON.stringify(refusal), { status: 400, headers })
        : new Response(null, { status: 204 })
    },
  })
})
afterEach(() => {
  rest.clearHashSweeper()
  rest.clearHandlerSweeper()
})

/** Sends a response of which the first call says so much: whether Discord took it, or nothing. */
function send(taken: boolean | undefined) {
  const interaction = { id: '1', token: 'otter' }
  return sendResponse({ rest, respond: async () => taken }, interaction, { type: 5 }, false)
}

test('a response that Discord took is sent once', async () => {
  await send(true)
  expect(calls).toBe(0)
})

test('a response whose answer got lost is sent again, and had arrived if Discord has it already', async () => {
  refusal = alreadyAcknowledged
  await send(undefined)
  expect(calls).toBe(1)
})

test.each([
  [
    'that Discord did not take was another replica’s if Discord has one already',
    false,
    alreadyAcknowledged,
  ],
  ['that is refused for another reason has not arrived', undefined, unknownInteraction],
])('a response %s', async (_, taken, answer) => {
  refusal = answer
  await expect(send(taken)).rejects.toThrow(answer.message)
})
