import { expect, test } from 'vitest'
import { requestQueue } from '../../../src/discord/transport.ts'

/** The most that began within a second of any length. */
function most(begun: readonly number[]): number {
  return Math.max(
    ...begun.map((at, index) => begun.slice(index).filter((each) => each < at + 1_000).length),
  )
}

test('background requests use 0.93 of what Discord permits, and in no second more, also if some arrive late', () => {
  const clock = { now: 0 }
  const queue = requestQueue(() => clock.now)
  const begun: number[] = []
  // Timers are late by a part of a millisecond.
  while (clock.now < 20_000) {
    const wait = queue.msUntilSlot()
    if (wait === 0) {
      void queue.acquire('background', '')
      begun.push(clock.now)
    }
    clock.now += wait === 0 ? 0 : wait + 0.6
  }
  expect(begun.length / 20).toBeGreaterThanOrEqual(0.93 * 50)
  expect(most(begun)).toBeLessThanOrEqual(50)
  // Those of 1.03 s within one.
  expect(most(begun.map((at) => at / 1.03))).toBeLessThanOrEqual(50)
})
