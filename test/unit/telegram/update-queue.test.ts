import type { Update } from 'grammy/types'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { UpdateQueue } from '../../../src/telegram/updates.ts'

/** The updates whose handling has begun, and how each ends. */
let begun: { id: number; end: () => void; fail: () => void }[]
let queue: UpdateQueue
beforeEach(() => {
  vi.useFakeTimers()
  begun = []
  queue = new UpdateQueue({
    handle: ({ update_id: id }) =>
      new Promise((resolve, reject) => {
        begun.push({ id, end: resolve, fail: () => reject(new Error('the process stops')) })
      }),
    refuse: async () => undefined,
  })
})
afterEach(() => {
  vi.useRealTimers()
})

function update(id: number, chat = id): Update {
  return {
    update_id: id,
    message: { message_id: id, date: 1, chat: { id: chat, type: 'private', first_name: 'Ada' } },
  } as Update
}

const ids = () => begun.map(({ id }) => id)
const tick = (ms = 0) => vi.advanceTimersByTimeAsync(ms)

/** Whether an update may be confirmed by now, or has to be brought again. */
function watch(taken: Promise<void>): { state: 'open' | 'confirmed' | 'again' } {
  const watched: { state: 'open' | 'confirmed' | 'again' } = { state: 'open' }
  taken.then(
    () => {
      watched.state = 'confirmed'
    },
    () => {
      watched.state = 'again'
    },
  )
  return watched
}

describe('an update', () => {
  test('may be confirmed once it is handled', async () => {
    const taken = watch(queue.take(update(1)))
    await tick(9_900)
    expect(taken.state).toBe('open')
    begun[0]?.end()
    await tick()
    expect(taken.state).toBe('confirmed')
  })

  test('that takes ten seconds may be confirmed, and goes on', async () => {
    const taken = watch(queue.take(update(1)))
    await tick(10_000)
    expect(taken.state).toBe('confirmed')
    void queue.take(update(2))
    await tick()
    expect(ids()).toEqual([1, 2])
    begun[0]?.end()
    begun[1]?.end()
    await tick()
  })

  test('that waits for one before it in its chat is confirmed after ten seconds, too, and handled in its turn', async () => {
    const taken = [update(1, 7), update(2, 7)].map((each) => watch(queue.take(each)))
    await tick(10_000)
    expect([ids(), taken.map(({ state }) => state)]).toEqual([[1], ['confirmed', 'confirmed']])
    begun[0]?.end()
    await tick()
    expect(ids()).toEqual([1, 2])
  })

  test('that Telegram brings twice is handled once', async () => {
    const first = watch(queue.take(update(1)))
    const second = watch(queue.take(update(1)))
    await tick()
    begun[0]?.end()
    await tick()
    expect([first.state, second.state]).toEqual(['confirmed', 'confirmed'])
    const third = watch(queue.take(update(1)))
    await tick()
    expect([ids(), third.state]).toEqual([[1], 'confirmed'])
  })

  test('is handled after those before it in its chat, and beside those of others', async () => {
    for (const each of [update(1, 7), update(2, 7), update(3, 8)]) void queue.take(each)
    await tick()
    expect(ids()).toEqual([1, 3])
    begun[0]?.end()
    await tick()
    expect(ids()).toEqual([1, 3, 2])
  })

  test('whose handling a stop breaks off is brought again', async () => {
    const taken = watch(queue.take(update(1)))
    await tick()
    begun[0]?.fail()
    await tick()
    expect(taken.state).toBe('again')
    void queue.take(update(1))
    await tick()
    expect(ids()).toEqual([1, 1])
  })
})

test('at a stop, what ends in time is confirmed, the rest is brought again, and nothing more is taken', async () => {
  const [quick, long] = [watch(queue.take(update(1))), watch(queue.take(update(2)))]
  await tick()
  const stopping = queue.stop(1_000)
  const late = watch(queue.take(update(3)))
  await tick(500)
  begun[0]?.end()
  await tick(500)
  await stopping
  await tick()
  expect([quick.state, long.state, late.state]).toEqual(['confirmed', 'again', 'again'])
  expect(ids()).toEqual([1, 2])
})
