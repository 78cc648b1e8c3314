import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Lane, Lanes, update } from './lanes.ts'

let lanes: Lanes
beforeEach(async () => {
  lanes = await Lanes.open()
})
afterEach(() => lanes.end())

const soon = <Value>(read: () => Value) => expect.poll(read, { timeout: 20_000, interval: 10 })

/** Until a test lets it go. */
function holdFirst() {
  const { promise, resolve } = Promise.withResolvers<void>()
  lanes.hold = (body) => (body === 'ada 1' ? promise : undefined)
  return resolve
}

describe('what is too much in one lane', () => {
  /** One replica after the other is brought so many. */
  async function bring(inboxes: Lane[], from: number, to: number): Promise<void> {
    for (let id = from; id <= to; id += 1) {
      await inboxes[id % inboxes.length]?.inbox.put(update('ada', id))
    }
  }

  test('is dropped wherever it comes in, and told once; other lanes are not concerned', async () => {
    const letGo = holdFirst()
    const both = [await lanes.inbox(), await lanes.inbox()]
    await bring(both, 1, 30)
    await both[0]?.inbox.put(update('ben', 31))
    await soon(() => lanes.handled.toSorted()).toEqual(['ada 1', 'ben 31'])
    // What is brought again is let be.
    await bring(both, 1, 30)
    // The two are told of at the same moment, and one is enough.
    await soon(() => lanes.refused).toEqual([expect.stringMatching(/^ada 2[12]$/u)])
    letGo()
    await soon(() => lanes.handled.length).toBe(21)
    await bring(both, 32, 32)
    await soon(() => lanes.handled.at(-1)).toBe('ada 32')
    expect(lanes.handled).not.toContain('ada 21')
    expect(lanes.refused).toHaveLength(1)
  })

  test('is dropped all the same where it can’t be told', async () => {
    const letGo = holdFirst()
    const refuse = () => Promise.reject(new Error('no way to ada'))
    const { inbox } = await lanes.inbox({ maxWaiting: 1, refuse })
    await inbox.put(update('ada', 1))
    await inbox.put(update('ada', 2))
    await soon(() => lanes.log.of('warn').join()).toContain('no way to ada')
    letGo()
    await inbox.put(update('ben', 3))
    await soon(() => lanes.handled.toSorted()).toEqual(['ada 1', 'ben 3'])
  })
})
