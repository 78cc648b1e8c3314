import type { Update } from 'grammy/types'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isSecret } from '../../../src/core/secret.ts'
import type { Task } from '../../../src/core/task.ts'
import { createLogger } from '../../../src/log.ts'
import { UpdateQueue } from '../../../src/telegram/updates.ts'
import { LogBook } from '../core/log-book.ts'
import { MemorySlowUpdates } from '../core/memory-slow-updates.ts'

let log: LogBook
let slow: MemorySlowUpdates
/** The updates whose handling has begun, and how each ends. */
let begun: { id: number; end: () => void; fail: () => void }[]
let queue: UpdateQueue
beforeEach(() => {
  vi.useFakeTimers()
  log = new LogBook()
  slow = new MemorySlowUpdates()
  begun = []
  queue = another()
})
afterEach(() => {
  vi.useRealTimers()
})

function another(): UpdateQueue {
  return new UpdateQueue({
    handle: ({ update_id: id }) =>
      new Promise((resolve, reject) => {
        begun.push({ id, end: resolve, fail: () => reject(new Error('the process stops')) })
      }),
    refuse: async () => undefined,
    slow,
    log: createLogger('debug', [], log),
    takeOverEveryMs: 5,
  })
}

function update(id: number, chat = id): Update {
  return {
    update_id: id,
    message: { message_id: id, date: 1, chat: { id: chat, type: 'private', first_name: 'Ada' } },
  } as Update
}

const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
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
  test('may be confirmed once it is handled, and is stored nowhere', async () => {
    const taken = watch(queue.take(update(1)))
    await tick(4_900)
    expect(taken.state).toBe('open')
    begun[0]?.end()
    await tick()
    expect(taken.state).toBe('confirmed')
    await tick(60_000)
    expect(slow.stored.size).toBe(0)
  })

  test('that Telegram brings twice is handled once', async () => {
    const first = watch(queue.take(update(1)))
    const second = watch(queue.take(update(1)))
    await tick()
    begun[0]?.end()
    await tick()
    expect([first.state, second.state]).toEqual(['confirmed', 'confirmed'])
    expect(watch(queue.take(update(1)))).toBeDefined()
    await tick()
    expect(ids()).toEqual([1])
  })

  test('is handled after those before it in its chat, and beside those of others', async () => {
    for (const each of [update(1, 7), update(2, 7), update(3, 8)]) void queue.take(each)
    await tick()
    expect(ids()).toEqual([1, 3])
    begun[0]?.end()
    await tick()
    expect(ids()).toEqual([1, 3, 2])
  })

  test('that takes five seconds is stored, may be confirmed, and is deleted once it is handled', async () => {
    const taken = watch(queue.take(update(1)))
    await tick(5_000)
    expect(taken.state).toBe('confirmed')
    expect(JSON.parse(slow.stored.get(1)?.body ?? '')).toEqual(update(1))
    begun[0]?.end()
    await tick()
    expect(slow.stored.size).toBe(0)
  })

  test('counts as an attempt once it is handled, not while it waits for those before it', async () => {
    for (const each of [update(1, 7), update(2, 7)]) void queue.take(each)
    await tick(5_000)
    const attempts = () => [...slow.stored.values()].map((stored) => stored.attempts)
    expect([ids(), attempts()]).toEqual([[1], [1, 0]])
    begun[0]?.end()
    await tick()
    expect([ids(), attempts()]).toEqual([[1, 2], [1]])
  })

  test('counts as an attempt also if its turn comes while it is stored', async () => {
    const add = slow.add.bind(slow)
    slow.add = async (each) => {
      if (each.id === 2) await new Promise((resolve) => setTimeout(resolve, 10))
      return add(each)
    }
    for (const each of [update(1, 7), update(2, 7)]) void queue.take(each)
    await tick(5_000)
    begun[0]?.end()
    await tick(9)
    expect(ids()).toEqual([1])
    await tick(1)
    expect([ids(), slow.stored.get(2)?.attempts]).toEqual([[1, 2], 1])
  })

  test('that takes long is deleted once the database is back, if that was away when it was handled', async () => {
    void queue.take(update(1))
    await tick(5_000)
    let isAway = true
    const remove = slow.remove.bind(slow)
    slow.remove = async (id) => {
      if (isAway) throw new Error('the database is away')
      await remove(id)
    }
    begun[0]?.end()
    await tick(300_000)
    expect(slow.stored.size).toBe(1)
    isAway = false
    await tick(60_000)
    expect(slow.stored.size).toBe(0)
  })

  test.each(['text', 'caption'])(
    'with a secret in its %s is stored without it, with what is refused alike',
    async (field) => {
      const message = { ...update(1).message, [field]: `/ask@otter_bot ${phrase}` }
      const taken = watch(queue.take({ ...update(1), message } as Update))
      await tick(5_000)
      expect(taken.state).toBe('confirmed')
      const body = slow.stored.get(1)?.body ?? ''
      expect(body).not.toContain('winner')
      const stored = JSON.parse(body)
      expect(stored).toMatchObject(update(1))
      expect(stored.message[field]).toMatch(/^\/ask@otter_bot abandon /u)
      expect(isSecret(stored.message[field])).toBe(true)
    },
  )

  test('that takes long and can’t be stored stays open until it is handled', async () => {
    slow.add = () => Promise.reject(new Error('the database is away'))
    const taken = watch(queue.take(update(1)))
    await tick(30_000)
    expect(taken.state).toBe('open')
    expect(log.of('warn').join()).toContain('could not be stored')
    begun[0]?.end()
    await tick()
    expect(taken.state).toBe('confirmed')
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

describe('at a stop', () => {
  test('what ends in time is confirmed, the rest is brought again, and nothing more is taken', async () => {
    const [quick, long] = [watch(queue.take(update(1))), watch(queue.take(update(2)))]
    await tick()
    const stopping = queue.stop(1_000)
    expect(watch(queue.take(update(3)))).toBeDefined()
    await tick(500)
    begun[0]?.end()
    await tick(500)
    await stopping
    await tick()
    expect([quick.state, long.state]).toEqual(['confirmed', 'again'])
    expect(ids()).toEqual([1, 2])
  })

  test('what was stored is left to other processes, and deleted by none of ours', async () => {
    void queue.take(update(1))
    await tick(5_000)
    const stopping = queue.stop(1_000)
    await tick(1_000)
    await stopping
    expect(slow.left.map(({ id }) => id)).toEqual([1])
    begun[0]?.fail()
    await tick()
    expect(slow.left).toHaveLength(1)
    expect(log.of('warn').join()).toContain('left to the next process')
  })

  test('a poller that drains stores what is under way, so that all can be confirmed', async () => {
    const taken = watch(queue.take(update(1)))
    await tick()
    const draining = queue.drain(500)
    await tick(500)
    await draining
    expect(taken.state).toBe('confirmed')
    expect([...slow.stored.keys()]).toEqual([1])
  })
})

describe('after a start while updates wait at Telegram, as one may have killed the process before, an update', () => {
  beforeEach(() => queue.noteBacklog({ pending_update_count: 1 }))

  test('is stored before it is handled, and confirmed and deleted once it was handled', async () => {
    const add = slow.add.bind(slow)
    slow.add = async (each) => {
      await new Promise((resolve) => setTimeout(resolve, 10))
      expect(ids()).toEqual([])
      return add(each)
    }
    const taken = watch(queue.take(update(1)))
    await tick(10)
    // By webhook, the chat's next update would otherwise come to another replica.
    expect([taken.state, ids(), slow.stored.get(1)?.attempts]).toEqual(['open', [1], 1])
    begun[0]?.end()
    await tick()
    expect([taken.state, slow.stored.size]).toEqual(['confirmed', 0])
  })

  test('is stored without a secret that is in it', async () => {
    const message = { ...update(1).message, text: phrase }
    void queue.take({ ...update(1), message } as Update)
    await tick()
    expect(ids()).toEqual([1])
    expect(slow.stored.get(1)?.body).not.toContain('winner')
  })

  test('is confirmed before it was handled if that takes long', async () => {
    const taken = watch(queue.take(update(1)))
    await tick(5_000)
    expect([taken.state, slow.stored.size]).toEqual(['confirmed', 1])
  })

  test('is not stored if none waited, or two minutes later', async () => {
    queue.noteBacklog({ pending_update_count: 0 })
    void queue.take(update(1))
    queue.noteBacklog({ pending_update_count: 1 })
    await tick(120_000)
    begun[0]?.end()
    void queue.take(update(2))
    await tick()
    expect([ids(), [...slow.stored.keys()]]).toEqual([[1, 2], []])
  })

  test('is handled in its turn, whichever is stored first', async () => {
    const add = slow.add.bind(slow)
    slow.add = async (each) => {
      await new Promise((resolve) => setTimeout(resolve, 30 - each.id))
      return add(each)
    }
    for (const id of [1, 2, 3]) void queue.take(update(id, 7))
    for (let index = 0; index < 3; index += 1) {
      await tick(30)
      begun[index]?.end()
    }
    expect(ids()).toEqual([1, 2, 3])
  })

  test('that can’t be stored is handled, and may be confirmed then', async () => {
    slow.add = () => Promise.reject(new Error('the database is away'))
    const taken = watch(queue.take(update(1)))
    await tick()
    expect([taken.state, ids()]).toEqual(['open', [1]])
    begun[0]?.end()
    await tick()
    expect(taken.state).toBe('confirmed')
  })

  /** Processes that each die while updates are under way; resolves to those that the last of them has begun. */
  async function deaths(count: number, updates: readonly Update[]): Promise<number[]> {
    for (let death = 0; death <= count; death += 1) {
      begun = []
      queue = another()
      queue.noteBacklog({ pending_update_count: 1 })
      for (const each of updates) void queue.take(each)
      await tick()
    }
    return ids()
  }

  test('that was under way when a process died is handled while no other such is', async () => {
    expect(await deaths(0, [update(1), update(2), update(3)])).toEqual([1, 2, 3])
    expect(await deaths(0, [update(1), update(2), update(3), update(4)])).toEqual([4, 1])
    begun[1]?.end()
    await tick()
    expect(ids()).toEqual([4, 1, 2])
    // Nothing that takes so long kills a process by itself.
    await tick(5_000)
    expect(ids()).toEqual([4, 1, 2, 3])
  })

  test('that was under way when a process died holds up the next such for five seconds from its own turn', async () => {
    const updates = [1, 2, 3, 4].map((id) => update(id))
    await deaths(0, updates)
    expect(await deaths(0, updates)).toEqual([1])
    await tick(5_000)
    expect(ids()).toEqual([1, 2])
    await tick(4_900)
    expect(ids()).toEqual([1, 2])
    await tick(100)
    expect(ids()).toEqual([1, 2, 3])
  })

  test('that three processes died of is given up, and those that were under way with it are handled', async () => {
    expect(await deaths(3, [update(1), update(2), update(3)])).toEqual([2])
    expect(log.of('error')).toEqual([expect.stringContaining('given up')])
    expect(log.of('error').join()).toContain('"update":1')
    begun[0]?.end()
    await tick()
    begun[1]?.end()
    await tick()
    expect([ids(), slow.stored.size]).toEqual([[2, 3], 0])
  })
})

describe('an update that another process has left', () => {
  let task: Task
  beforeEach(() => {
    vi.useRealTimers()
    task = queue.takeOver()
  })
  afterEach(() => task.stop())

  const left = (id: number, attempts = 2, body = JSON.stringify(update(id))) => ({
    id,
    attempts,
    body,
  })

  test('is handled, and then deleted', async () => {
    slow.left = [left(1)]
    await expect.poll(() => ids()).toEqual([1])
    expect(slow.stored.size).toBe(1)
    begun[0]?.end()
    await expect.poll(() => slow.stored.size).toBe(0)
  })

  test.each([
    ['three processes died while they handled it', left(1, 3)],
    ['it can’t be read', left(1, 2, 'garbage')],
  ])('is given up and logged if %s', async (_, stored) => {
    slow.left = [stored]
    await expect.poll(() => log.of('error').join()).toContain('was given up')
    await expect.poll(() => slow.stored.size).toBe(0)
    expect(ids()).toEqual([])
  })

  test('is looked for again after the database was away', async () => {
    const takeOver = slow.takeOver.bind(slow)
    slow.takeOver = () => Promise.reject(new Error('the database is away'))
    await expect.poll(() => log.of('warn')).not.toEqual([])
    slow.left = [left(1)]
    slow.takeOver = takeOver
    await expect.poll(() => ids()).toEqual([1])
  })
})
