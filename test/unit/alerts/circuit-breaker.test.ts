import { beforeEach, expect, test } from 'vitest'
import { CircuitBreaker } from '../../../src/alerts/notifier.ts'
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

test('two faults in a row hold up nothing, and a message between them counts them anew', () => {
  fail(2)
  breaker.answered()
  fail(2)
  expect([breaker.isDown, breaker.wait('connected'), said()]).toEqual([false, 0, []])
})

test('after three it waits, ever longer up to half a minute, and says once that it began and ended', () => {
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

test('those that were under way together fail of the same: they make it wait no longer', () => {
  fail(16)
  expect(breaker.wait('connected')).toBe(1000)
})

test('without what brings updates it waits for that, and goes on the moment that is back', () => {
  expect(breaker.wait('reconnecting')).toBe(600_000)
  clock += 60_000
  expect(breaker.wait('reconnecting')).toBe(540_000)
  expect(breaker.wait('connected')).toBe(0)
  expect(said()).toEqual([began, ended])
})

test('what may be there already is not what finds out whether the platform is back', () => {
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

test('without what brings updates a message that fails is the only one for as long again', () => {
  breaker.wait('reconnecting')
  clock += 600_000
  expect(breaker.wait('reconnecting')).toBe(0)
  fail(1)
  expect(breaker.wait('reconnecting')).toBe(600_000)
})

test('once it takes messages again, or updates are back, it is tried without delay', () => {
  fail(3)
  clock += 1000
  fail(1)
  breaker.answered()
  fail(3)
  expect(breaker.wait('connected')).toBe(1000)
  expect(breaker.wait('reconnecting')).toBe(600_000)
  expect([breaker.wait('connected'), breaker.isDown]).toEqual([0, true])
})
