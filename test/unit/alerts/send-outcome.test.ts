import { expect, test } from 'vitest'
import type { Claim } from '../../../src/alerts/outbox.ts'
import { sendOutcome } from '../../../src/alerts/sending.ts'
import { SendError } from '../../../src/core/adapter.ts'

const now = 1_700_000_000
const claim = (changes: Partial<Claim> = {}): Claim => ({
  chat: { row: 1, platform: 'telegram', kind: 'chat', id: '1' },
  events: [1],
  attempts: 1,
  uncertain: false,
  number: 1,
  ...changes,
})
const outcomeOf = (error: unknown, changes: Partial<Claim> = {}, isDown = false) =>
  sendOutcome(error, claim(changes), { now, isDown })
const failed = (detail: Partial<ConstructorParameters<typeof SendError>[1]> = {}) =>
  new SendError('no', { final: false, ...detail })
const resulting = (result: object, cooldown = 0) => ({ kind: 'result', result, cooldown })
const later = (seconds: number) => resulting({ kind: 'retry', runAt: now + seconds, reason: 'no' })

test.each([
  [
    'a chat that can’t be written to is paused',
    failed({ final: true, loss: 'blocked' }),
    { kind: 'unreachable', loss: 'blocked' },
  ],
  [
    'a chat that migrated has its new id',
    failed({ movedTo: '-100' }),
    { kind: 'migrated', chat: '-100' },
  ],
  [
    'a final refusal is given up',
    failed({ final: true }),
    resulting({ kind: 'given-up', reason: 'no' }),
  ],
  [
    'a Retry-After delays the whole chat',
    failed({ retryAfter: 6.2 }),
    resulting({ kind: 'retry', runAt: now + 7, reason: 'no' }, 7),
  ],
  [
    'a Retry-After of unknown length is the longest pause',
    failed({ retryAfter: Number.NaN }),
    resulting({ kind: 'retry', runAt: now + 600, reason: 'no' }, 600),
  ],
  ['a failure is retried soon', failed(), later(2)],
  ['any other error is retried soon', new Error('no'), later(2)],
  ['a thrown value that is no error is retried soon', 'no', later(2)],
  [
    'a send without an answer is uncertain, and retried after a while',
    failed({ uncertain: true }),
    resulting({ kind: 'retry', runAt: now + 30, reason: 'no', uncertain: true }),
  ],
  [
    'the reason has the cause',
    failed({ cause: new Error('reset') }),
    resulting({ kind: 'retry', runAt: now + 2, reason: 'no (reset)' }),
  ],
])('%s', (_, error, expected) => {
  expect(outcomeOf(error)).toEqual(expected)
})

test('a delivery that is uncertain twice is not sent a third time', () => {
  const uncertain = resulting({ kind: 'uncertain', reason: 'no' })
  expect(outcomeOf(failed({ uncertain: true }), { uncertain: true, attempts: 2 })).toEqual(
    uncertain,
  )
  expect(outcomeOf(failed(), { uncertain: true, attempts: 2 })).toEqual(later(4))
})

test('attempts are further and further apart, and end', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((attempts) =>
    outcomeOf(failed(), { attempts }),
  )
  expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600].map(later))
  expect(outcomeOf(failed(), { attempts: 12 })).toEqual(
    resulting({ kind: 'given-up', reason: 'no' }),
  )
})

test('while the platform is down nothing is given up, and attempts are not far apart', () => {
  for (const attempts of [5, 12, 1000])
    expect(outcomeOf(failed(), { attempts }, true)).toEqual(later(30))
})
