import { array, assert, boolean, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FloodLimits } from '../../../sandbox/telegram/limits.ts'
import { TokenBucket } from '../../../src/core/rate-limit.ts'

function clocked(perSecond = 10, burst = 3) {
  const clock = { now: 0 }
  const allowance = new TokenBucket({ perSecond, burst, now: () => clock.now })
  /** How many go at once now. */
  const goes = () => {
    let count = 0
    while (allowance.tryAcquire() === 0) count += 1
    return count
  }
  return { clock, allowance, goes }
}

describe('a token bucket', () => {
  test('lets a burst through at once, and then one per interval', () => {
    const { clock, allowance, goes } = clocked()
    expect(goes()).toBe(3)
    expect(allowance.tryAcquire()).toBe(100)
    clock.now += 60
    expect(allowance.tryAcquire()).toBe(40)
    clock.now += 40
    expect(goes()).toBe(1)
    clock.now += 60_000
    expect(goes()).toBe(3)
  })

  test('counts answers to people at once, and lets everything else wait for them', () => {
    const { clock, allowance, goes } = clocked()
    allowance.spend(5)
    expect(allowance.tryAcquire()).toBe(300)
    clock.now += 299
    expect(goes()).toBe(0)
    clock.now += 1
    expect(goes()).toBe(1)
  })

  test('lets answers to people borrow a second at most', () => {
    const { clock, allowance, goes } = clocked()
    allowance.spend(1_000)
    clock.now += 1_100
    expect(goes()).toBe(1)
  })

  test('is empty while the platform says so, and a shorter wait does not end a longer one', () => {
    const { clock, allowance, goes } = clocked()
    allowance.pause(5_000)
    allowance.pause(100)
    expect(allowance.tryAcquire()).toBe(5_000)
    clock.now += 4_999.5
    expect(allowance.tryAcquire()).toBe(1)
    clock.now += 0.5
    expect(goes()).toBe(3)
  })

  test.each([Number.NaN, -1, Number.POSITIVE_INFINITY])(
    'is never blocked for good, nor by what is no number (%f)',
    (ms) => {
      const { clock, allowance } = clocked()
      allowance.pause(ms)
      clock.now += 86_400_000
      expect(allowance.tryAcquire()).toBe(0)
    },
  )
})

const steps = array(
  record({
    pause: integer({ min: 1, max: 120 }),
    asked: boolean(),
    late: integer({ min: 0, max: 300 }),
  }),
  { minLength: 400, maxLength: 400 },
)

/** What goes out at a time, and what comes in at Telegram that much later, in the order in which it went. */
function arrivals(given: readonly { pause: number; asked: boolean; late: number }[]) {
  const clock = { now: 0 }
  const allowance = new TokenBucket({ perSecond: 29.7, burst: 8, now: () => clock.now })
  const sent: { at: number; alert: boolean }[] = []
  let last = 0
  const send = (alert: boolean, late: number) => {
    last = Math.max(last, clock.now + late)
    sent.push({ at: last, alert })
  }
  for (const { pause, asked, late } of given) {
    clock.now += pause
    if (asked && clock.now % 3 === 0) {
      allowance.spend()
      send(false, late)
    }
    while (allowance.tryAcquire() === 0) send(true, late)
  }
  return { sent, duration: clock.now }
}

test('alerts keep within what Telegram lets through, however late the network brings them', () => {
  assert(
    property(steps, (given) => {
      let at = 0
      const limits = new FloodLimits(() => at)
      for (const [index, message] of arrivals(given).sent.entries()) {
        at = message.at
        limits.take(index, false)
      }
    }),
    { numRuns: 50 },
  )
})

test('and use nearly all of it, together with answers', () => {
  assert(
    property(steps, (given) => {
      const { sent, duration } = arrivals(given)
      expect(sent.length).toBeGreaterThanOrEqual(Math.floor(0.95 * 30 * (duration / 1000)))
    }),
    { numRuns: 50 },
  )
})
