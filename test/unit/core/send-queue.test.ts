import { array, assert, asyncProperty, boolean, integer, record } from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FloodLimits } from '../../../sandbox/telegram/limits.ts'
import { type ChatLimit, type Priority, SendQueue } from '../../../src/core/send-queue.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const now = () => Date.now()
const busy: ChatLimit = { count: 2, ms: 2_000, reserve: 1 }

type Parts = Partial<ConstructorParameters<typeof SendQueue>[0]>

/** A queue of ten messages a second, three of them at once; `begun` are those whose turn has come. */
function queueOf(parts: Parts = {}) {
  const queue = new SendQueue({ perSecond: 10, burst: 3, now, ...parts })
  const begun: string[] = []
  const failed: unknown[] = []
  const ask = (name: string, priority: Priority = 'answer', chat = name) => {
    queue.acquire(priority, chat).then(
      () => begun.push(name),
      (error: unknown) => failed.push(error),
    )
  }
  /** Sends the alerts for which there is room at once; returns how many. */
  const alerts = () => {
    let count = 0
    for (; queue.msUntilSlot() === 0; count += 1) void queue.acquire('background', `alert ${count}`)
    return count
  }
  return {
    queue,
    begun,
    failed,
    ask,
    alerts,
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  }
}

describe('answers', () => {
  test('begin at once while there are few, and then one for each share of a second, in order', async () => {
    const { begun, ask, pass } = queueOf()
    for (const name of ['a', 'b', 'c', 'd', 'e']) ask(name)
    await pass(0)
    expect(begun).toEqual(['a', 'b', 'c'])
    await pass(99)
    expect(begun).toHaveLength(3)
    await pass(1)
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
    await pass(100)
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('begin after edits of what people look at, and before what nobody waits for', async () => {
    const { begun, ask, pass } = queueOf({ burst: 1 })
    ask('first')
    ask('alert', 'background')
    ask('answer')
    ask('edit', 'edit')
    await pass(1_000)
    expect(begun).toEqual(['first', 'edit', 'answer', 'alert'])
  })

  test('that their chats hold by the thousand are not looked through for each message', async () => {
    let looks = 0
    const chatLimits = () => {
      looks += 1
      return [busy]
    }
    const { queue, begun, ask, pass } = queueOf({ chatLimits })
    const held = Array.from({ length: 1_000 }, (_, index) => `held ${index}`)
    for (const chat of held) queue.pauseChat('background', chat, 3_000)
    for (const chat of held) ask(chat)
    ask('free')
    await pass(0)
    expect(begun).toEqual(['free'])
    expect(looks).toBeLessThan(20 * held.length)
    await pass(3_100)
    expect(begun.slice(1)).toEqual(held.slice(0, begun.length - 1))
    expect(begun.length).toBeGreaterThan(3)
  })

  test('take what alerts could have had', async () => {
    const { begun, ask, queue, alerts, pass } = queueOf()
    for (let each = 0; each < 23; each += 1) ask(`answer ${each}`)
    for (let each = 0; each < 20; each += 1) {
      expect(queue.msUntilSlot()).toBeGreaterThan(0)
      await pass(100)
    }
    expect(begun).toHaveLength(23)
    await pass(200)
    expect(alerts()).toBe(1)
  })

  test('begin at once while alerts take all that they get', async () => {
    const { begun, ask, alerts, pass } = queueOf()
    for (let each = 0; each < 10; each += 1) {
      alerts()
      ask(`answer ${each}`)
      await pass(0)
      expect(begun).toHaveLength(each + 1)
      await pass(200)
    }
  })

  test('go before alerts also where timers are late', async () => {
    const clock = { now: 0 }
    const { begun, ask, queue, pass } = queueOf({ burst: 1, now: () => clock.now })
    ask('first')
    ask('second')
    clock.now += 150
    expect(queue.msUntilSlot()).toBeGreaterThan(0)
    await pass(0)
    expect(begun).toEqual(['first', 'second'])
  })

  test('of thousands all begin', async () => {
    const { begun, ask, pass } = queueOf()
    for (let each = 0; each < 5_000; each += 1)
      ask(`${each % 1_000} ${each}`, 'answer', `${each % 1_000}`)
    await pass(500_000)
    expect(begun).toHaveLength(5_000)
  })
})

describe('a chat at its own limit', () => {
  const chatLimits = (chat: string) => (chat === 'club' ? [busy] : [])

  test('waits, in order, and holds up no other chat and no alert', async () => {
    const { begun, ask, alerts, pass } = queueOf({ chatLimits })
    for (const name of ['1', '2', '3', '4', '5']) ask(name, 'answer', 'club')
    ask('ada')
    await pass(0)
    expect(begun).toEqual(['1', '2', 'ada'])
    await pass(1_000)
    expect(alerts()).toBe(2)
    await pass(1_000)
    expect(begun).toEqual(['1', '2', 'ada', '3', '4'])
    await pass(2_000)
    expect(begun.at(-1)).toBe('5')
  })

  test('says how long it will be so', async () => {
    const { queue, ask, pass } = queueOf({ chatLimits })
    expect(queue.hold('answer', 'club')).toBe(0)
    ask('1', 'answer', 'club')
    await pass(500)
    ask('2', 'answer', 'club')
    await pass(0)
    expect(queue.hold('answer', 'club')).toBe(1_500)
    expect(queue.hold('answer', 'ada')).toBe(0)
  })

  test('keeps a place for what can’t be left out', () => {
    const { queue } = queueOf({ chatLimits })
    expect(queue.tryAcquire('club', true)).toBe(true)
    expect(queue.tryAcquire('club', true)).toBe(false)
    expect(queue.tryAcquire('club')).toBe(true)
  })

  test('is not overtaken by an alert that has room', async () => {
    const { queue, begun, ask, pass } = queueOf({ chatLimits, burst: 6 })
    ask('1', 'answer', 'club')
    ask('2', 'answer', 'club')
    expect(queue.msUntilSlot()).toBe(0)
    ask('alert', 'background', 'club')
    await pass(1_999)
    expect(begun).toEqual(['1', '2'])
    await pass(1)
    expect(begun).toEqual(['1', '2', 'alert'])
  })
})

describe('a refusal of the platform', () => {
  test('holds everything for as long as it says, and a shorter one does not end a longer one', async () => {
    const { queue, begun, ask, pass } = queueOf()
    queue.pause(5_000)
    queue.pause(100)
    ask('answer')
    expect(queue.msUntilSlot()).toBe(5_000)
    await pass(4_999)
    expect(begun).toEqual([])
    await pass(1)
    expect(begun).toEqual(['answer'])
    expect(queue.msUntilSlot()).toBe(0)
  })

  test.each([Number.NaN, -1, Number.POSITIVE_INFINITY])(
    'holds nothing for good, nor for what is no number (%f)',
    async (ms) => {
      const { queue, pass } = queueOf()
      queue.pause(ms)
      await pass(86_400_000)
      expect(queue.msUntilSlot()).toBe(0)
    },
  )

  test('of a chat or two holds these, and of alerts to a third all alerts, for a minute at most', async () => {
    const { queue, begun, ask, pass } = queueOf()
    for (const chat of ['club', 'club', 'lodge']) queue.pauseChat('background', chat, 600_000)
    for (const chat of ['club', 'lodge', 'ada']) ask(chat)
    await pass(0)
    expect(begun).toEqual(['ada'])
    expect(queue.msUntilSlot()).toBe(0)
    queue.pauseChat('background', 'news', 600_000)
    expect(queue.msUntilSlot()).toBe(60_000)
    ask('ben', 'background')
    ask('cleo')
    await pass(59_999)
    expect(begun).toEqual(['ada', 'cleo'])
    await pass(1)
    expect(begun).toEqual(['ada', 'cleo', 'ben'])
    await pass(540_000)
    expect(begun).toEqual(['ada', 'cleo', 'ben', 'club', 'lodge'])
  })

  test('of answers in three chats holds all others for a second only: somebody may have made these slow', async () => {
    const { queue, begun, ask, pass } = queueOf()
    for (const chat of ['club', 'lodge', 'news']) queue.pauseChat('answer', chat, 600_000)
    ask('ada')
    expect(queue.msUntilSlot()).toBe(1_000)
    await pass(999)
    expect(begun).toEqual([])
    await pass(1)
    expect(begun).toEqual(['ada'])
    expect(queue.msUntilSlot()).toBe(0)
  })

  test('for ever, of some chats, leaves others theirs: their pauses grow until one is accepted', async () => {
    const { queue, begun, ask, pass } = queueOf()
    const refused = Array.from({ length: 10 }, (_, index) => `refused ${index}`)
    const sendTo = async (chat: string) => {
      for (;;) {
        await queue.acquire('answer', chat)
        queue.pauseChat('answer', chat, 1_000)
      }
    }
    for (const chat of refused) void sendTo(chat).catch(() => undefined)
    await pass(10_000)
    for (let second = 0; second < 20; second += 1) {
      for (let each = 0; each < 7; each += 1) ask(`answer ${second}.${each}`)
      await pass(1_000)
    }
    expect(begun.length).toBeGreaterThan(130)
    await pass(600_000)
    expect(queue.hold('answer', 'refused 0')).toBeLessThanOrEqual(60_000)
    queue.close()
  })

  test('after a message that was accepted is a first one', async () => {
    const { queue, pass } = queueOf()
    queue.pauseChat('answer', 'club', 3_000)
    queue.pauseChat('answer', 'club', 3_000)
    expect(queue.hold('answer', 'club')).toBe(3_000)
    await pass(3_000)
    queue.pauseChat('answer', 'club', 3_000)
    expect(queue.hold('answer', 'club')).toBe(6_000)
    queue.accepted('club')
    await pass(6_000)
    queue.pauseChat('answer', 'club', 3_000)
    expect(queue.hold('answer', 'club')).toBe(3_000)
  })

  test('of answers says nothing of alerts, nor the other way round', () => {
    const { queue } = queueOf()
    for (const chat of ['club', 'lodge']) queue.pauseChat('background', chat, 30_000)
    for (const chat of ['ada', 'ben']) queue.pauseChat('answer', chat, 30_000)
    expect(queue.msUntilSlot()).toBe(0)
    expect(queue.hold('answer', 'cleo')).toBeLessThanOrEqual(0)
  })

  test.each(['background', 'answer'] as const)(
    'of %s messages to one chat after the other holds nothing else',
    async (priority) => {
      const { queue, pass } = queueOf()
      for (const chat of ['1', '2', '3', '4', '5']) {
        await pass(2_000)
        queue.pauseChat(priority, chat, 30_000)
      }
      expect(queue.msUntilSlot()).toBe(0)
    },
  )
})

test('a wait ends with its signal, and all with the queue', async () => {
  const { queue, begun, failed, ask, pass } = queueOf({ burst: 1 })
  ask('first')
  const giveUp = new AbortController()
  const waiting = queue.acquire('answer', 'ada', giveUp.signal)
  giveUp.abort()
  await expect(waiting).rejects.toThrow()
  ask('second')
  await pass(100)
  ask('third')
  queue.close()
  ask('fourth')
  await pass(1_000)
  expect(begun).toEqual(['first', 'second'])
  expect(failed).toHaveLength(2)
})

test('a chat whose limit is all in reserve has room for one message, and not for a second', async () => {
  const chatLimits = () => [{ count: 1, ms: 2_000, reserve: 1 }]
  const { queue, pass } = queueOf({ chatLimits })
  expect(queue.tryAcquire('ada', true)).toBe(true)
  await pass(1_000)
  expect(queue.tryAcquire('ada', true)).toBe(false)
  await pass(1_000)
  expect(queue.tryAcquire('ada', true)).toBe(true)
})

test('a closed queue lets nothing out, and is not asked again at once', async () => {
  const { queue } = queueOf()
  expect(queue.tryAcquire('ada')).toBe(true)
  queue.close()
  expect(queue.tryAcquire('ben')).toBe(false)
  expect(queue.msUntilSlot()).toBe(1_000)
})

test('a process sends its share of the limit, as it is at the moment', async () => {
  let share = 0.25
  const { begun, ask, pass } = queueOf({ perSecond: 20, burst: 8, share: () => share })
  for (let each = 0; each < 100; each += 1) ask(`${each}`)
  await pass(4_000)
  expect(begun).toHaveLength(2 + 20)
  share = 1
  await pass(1_000)
  expect(begun.length).toBeGreaterThanOrEqual(2 + 20 + 16)
  share = 0
  await pass(2_000)
  const before = begun.length
  await pass(10_000)
  expect(begun).toHaveLength(before)
  share = 0.5
  await pass(60_000)
  expect(begun).toHaveLength(100)
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
async function arrivals(given: readonly { pause: number; asked: boolean; late: number }[]) {
  const queue = new SendQueue({ perSecond: 29.7, burst: 8, now })
  const sent: { at: number; late: number }[] = []
  const from = now()
  for (const { pause, asked, late } of given) {
    await vi.advanceTimersByTimeAsync(pause)
    if (asked) void queue.acquire('answer', '').then(() => sent.push({ at: now(), late }))
    while (queue.msUntilSlot() === 0) {
      void queue.acquire('background', '')
      sent.push({ at: now(), late })
    }
  }
  let last = 0
  const times = sent.map(({ at, late }) => {
    last = Math.max(last, at + late)
    return last
  })
  return { times, duration: now() - from }
}

test('answers and alerts keep within what Telegram lets through, however late the network brings them, and use nearly all of it', async () => {
  await assert(
    asyncProperty(steps, async (given) => {
      let at = 0
      const { times, duration } = await arrivals(given)
      const limits = new FloodLimits(() => at)
      for (const [index, time] of times.entries()) {
        at = time
        limits.take(index, false)
      }
      expect(times.length).toBeGreaterThanOrEqual(Math.floor(0.95 * 30 * (duration / 1000)))
    }),
    { numRuns: 25 },
  )
})
