import { beforeEach, describe, expect, test } from 'vitest'
import { CircuitBreaker, Refusals } from '../../../src/alerts/sending.ts'
import { createLogger } from '../../../src/log.ts'
import { LogBook } from '../core/log-book.ts'

let log: LogBook
let clock: number
let breaker: CircuitBreaker
beforeEach(() => {
  log = new LogBook()
  clock = 5000
  breaker = new CircuitBreaker({
    platform: 'telegram',
    log: createLogger('debug', [], log),
    now: () => clock,
  })
})

const said = () => log.lines.map(({ level, msg }) => `${level}: ${msg}`)
function fail(times: number): void {
  for (let time = 0; time < times; time += 1) breaker.failed('no answer')
}
const began = 'warn: alerts wait: the platform can’t be reached'
const ended = 'info: alerts go out again'

test('two faults in a row pause nothing, and a success resets the count', () => {
  fail(2)
  breaker.answered()
  fail(2)
  expect([breaker.isDown, breaker.wait('connected'), said()]).toEqual([false, 0, []])
})

test('after three it pauses, longer and longer up to half a minute, and logs once the beginning and the end', () => {
  fail(3)
  const waits: number[] = []
  for (let tries = 0; tries < 7; tries += 1) {
    waits.push(breaker.wait('connected'))
    clock += breaker.wait('connected')
    expect(breaker.wait('connected')).toBe(0)
    fail(1)
  }
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  expect(said()).toEqual([began])
  breaker.answered()
  breaker.answered()
  expect([breaker.isDown, breaker.wait('connected'), said()]).toEqual([false, 0, [began, ended]])
})

test('sends that were in progress together and fail together make one pause', () => {
  fail(16)
  expect(breaker.wait('connected')).toBe(1000)
})

test('without the update connection it pauses, and continues as soon as that is back', () => {
  expect(breaker.wait('reconnecting')).toBe(600_000)
  clock += 60_000
  expect(breaker.wait('reconnecting')).toBe(540_000)
  expect(breaker.wait('connected')).toBe(0)
  expect(said()).toEqual([began, ended])
})

test('an uncertain delivery is not used to probe whether the platform is back', () => {
  expect(breaker.mayRetryUncertain).toBe(true)
  fail(3)
  clock += 599_000
  expect(breaker.mayRetryUncertain).toBe(false)
  fail(1)
  clock += 599_000
  expect(breaker.mayRetryUncertain).toBe(false)
  clock += 1000
  expect(breaker.mayRetryUncertain).toBe(true)
  fail(1)
  expect(breaker.mayRetryUncertain).toBe(false)
  breaker.wait('reconnecting')
  expect(breaker.mayRetryUncertain).toBe(false)
  breaker.wait('connected')
  expect(breaker.mayRetryUncertain).toBe(true)
  breaker.answered()
  expect(breaker.mayRetryUncertain).toBe(true)
})

test('without the update connection a failed probe makes another pause as long', () => {
  breaker.wait('reconnecting')
  clock += 600_000
  expect(breaker.wait('reconnecting')).toBe(0)
  fail(1)
  expect(breaker.wait('reconnecting')).toBe(600_000)
})

test('after a success, or once the update connection is back, there is no pause', () => {
  fail(3)
  clock += 1000
  fail(1)
  breaker.answered()
  fail(3)
  expect(breaker.wait('connected')).toBe(1000)
  expect(breaker.wait('reconnecting')).toBe(600_000)
  expect([breaker.wait('connected'), breaker.isDown]).toEqual([0, true])
})

describe('messages that a platform refuses for reasons that are not known', () => {
  const times = (refusals: Refusals, chat: number, count: number) =>
    Array.from({ length: count }, () => refusals.count(chat))

  test('have their chat paused after five in a row, and not after one that it accepts', () => {
    const refusals = new Refusals()
    expect(times(refusals, 1, 4)).not.toContain(true)
    refusals.accepted(1)
    expect(times(refusals, 1, 5)).toEqual([false, false, false, false, true])
  })

  test('of more than three chats are taken for faults of the messages, until a chat accepts one', () => {
    const refusals = new Refusals()
    for (const chat of [1, 2, 3, 4]) times(refusals, chat, 1)
    expect([1, 2, 3, 4, 5].flatMap((chat) => times(refusals, chat, 10))).not.toContain(true)
    refusals.accepted(6)
    expect(times(refusals, 5, 5)).toContain(true)
  })
})
