import { expect, test } from 'vitest'
import { isAnswer, sendOutcome } from '../../../src/alerts/notifier.ts'
import type { Claim } from '../../../src/alerts/outbox.ts'
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
    'a lost chat is lost',
    failed({ final: true, loss: 'blocked' }),
    { kind: 'lost', loss: 'blocked' },
  ],
  ['a chat that moved is followed', failed({ movedTo: '-100' }), { kind: 'moved', chat: '-100' }],
  [
    'what is refused for good is given up',
    failed({ final: true }),
    resulting({ kind: 'given-up', reason: 'no' }),
  ],
  [
    'what has to wait waits, and so does all else there',
    failed({ retryAfter: 6.2 }),
    resulting({ kind: 'retry', runAt: now + 7, reason: 'no' }, 7),
  ],
  [
    'a wait of unknown length is as long as the longest',
    failed({ retryAfter: Number.NaN }),
    resulting({ kind: 'retry', runAt: now + 600, reason: 'no' }, 600),
  ],
  ['what failed is tried soon', failed(), later(2)],
  ['anything else thrown is tried soon', new Error('no'), later(2)],
  ['what is no error at all is tried soon', 'no', later(2)],
  [
    'what may be there is known as such, and waits a while',
    failed({ uncertain: true }),
    resulting({ kind: 'retry', runAt: now + 30, reason: 'no', uncertain: true }),
  ],
  [
    'the reason says what was behind it',
    failed({ cause: new Error('reset') }),
    resulting({ kind: 'retry', runAt: now + 2, reason: 'no (reset)' }),
  ],
])('%s', (_, error, expected) => {
  expect(outcomeOf(error)).toEqual(expected)
})

test('what may be there twice over is not sent a third time', () => {
  const uncertain = resulting({ kind: 'uncertain', reason: 'no' })
  expect(outcomeOf(failed({ uncertain: true }), { uncertain: true, attempts: 2 })).toEqual(
    uncertain,
  )
  expect(outcomeOf(failed(), { uncertain: true, attempts: 2 })).toEqual(later(4))
})

test('tries are ever further apart, and there is an end to them', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((attempts) =>
    outcomeOf(failed(), { attempts }),
  )
  expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600].map(later))
  expect(outcomeOf(failed(), { attempts: 12 })).toEqual(
    resulting({ kind: 'given-up', reason: 'no' }),
  )
})

test('while the platform is down nothing is given up, and tries are not far apart', () => {
  for (const attempts of [5, 12, 1000])
    expect(outcomeOf(failed(), { attempts }, true)).toEqual(later(30))
})

test.each([
  [true, failed({ final: true })],
  [true, failed({ retryAfter: 1 })],
  [true, failed({ loss: 'gone' })],
  [true, failed({ movedTo: '2' })],
  [false, failed()],
  [false, failed({ uncertain: true })],
  [false, new Error('no')],
])('whether the platform itself is well: %s for %s', (isWell, error) => {
  expect(isAnswer(error)).toBe(isWell)
})
