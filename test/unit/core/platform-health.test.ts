import { beforeEach, describe, expect, test } from 'vitest'
import { type ChatAddress, type Loss, NotSentError, SendError } from '../../../src/core/adapter.ts'
import { PlatformHealth } from '../../../src/core/platform-health.ts'
import { createLogger } from '../../../src/log.ts'
import { LogBook } from './log-book.ts'

class Answered extends Error {}

let log: LogBook
let clock: number
let health: PlatformHealth
beforeEach(() => {
  log = new LogBook()
  clock = 5000
  health = new PlatformHealth({
    platform: 'telegram',
    log: createLogger('debug', [], log),
    isAnswered: (cause) => cause instanceof Answered,
    now: () => clock,
  })
  health.setConnection('standby')
  health.setConnection('connected')
})

const said = () => log.lines.map(({ level, msg }) => `${level}: ${msg}`)
const silent = () => new SendError('no answer', { final: false, uncertain: true })
const broken = () => new SendError('broken', { final: false, cause: new Answered('502') })
function fail(times: number, error = silent()): void {
  for (let time = 0; time < times; time += 1) health.failed(error)
}
const began = 'warn: alerts wait: the platform can’t be reached'
const ended = 'info: alerts go out again'

describe('messages without an answer', () => {
  test('two in a row pause nothing, and a success resets the count', () => {
    fail(2)
    health.accepted()
    fail(2)
    expect([health.isDown, health.wait(), said()]).toEqual([false, 0, []])
  })

  test('after three it pauses, longer and longer up to half a minute, and logs once the beginning and the end', () => {
    fail(3)
    expect(health.downSince).toBe(5000)
    const waits: number[] = []
    for (let tries = 0; tries < 7; tries += 1) {
      waits.push(health.wait())
      clock += health.wait()
      expect(health.wait()).toBe(0)
      fail(1)
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
    expect(said()).toEqual([began])
    expect(health.downSince).toBe(5000)
    health.accepted()
    health.accepted()
    expect([health.isDown, health.downSince, health.wait()]).toEqual([false, undefined, 0])
    expect(said()).toEqual([began, ended])
  })

  test('that were under way together and fail together make one pause', () => {
    fail(16)
    expect(health.wait()).toBe(1000)
  })

  const loss: Loss = 'blocked'
  test.each([
    ['final', { final: true }],
    ['final for a reason that is not known', { final: true, isUnknown: true }],
    ['about a chat', { final: true, loss }],
    ['about a chat that has moved', { final: false, movedTo: '-1001' }],
    ['about how many there are', { final: false, retryAfter: 5 }],
  ])('are told from a refusal that is %s, after which the platform works', (_, detail) => {
    fail(3)
    health.failed(new SendError('refused', { ...detail, cause: new Answered('400') }))
    expect([health.isDown, health.wait()]).toEqual([false, 0])
  })

  test('are not told of by a message that was not tried, which counts as neither', () => {
    fail(2)
    health.failed(new NotSentError(5))
    expect(health.isDown).toBe(false)
    fail(1)
    const wait = health.wait()
    health.failed(new NotSentError(5))
    expect([health.isDown, health.wait()]).toEqual([true, wait])
  })

  test('a fault that is no SendError counts', () => {
    for (let each = 0; each < 3; each += 1) health.failed(new Error('no'))
    expect(health.isDown).toBe(true)
  })
})

describe('the connection for updates', () => {
  test('pauses messages while it is down, and they continue as soon as it is back', () => {
    health.setConnection('reconnecting')
    expect([health.state, health.wait()]).toEqual(['reconnecting', 600_000])
    clock += 60_000
    expect(health.wait()).toBe(540_000)
    health.setConnection('connected')
    expect(health.wait()).toBe(0)
    expect(said()).toEqual([began, ended])
  })

  test('that is down makes another pause as long after a failed probe', () => {
    health.setConnection('reconnecting')
    clock += 600_000
    expect(health.wait()).toBe(0)
    fail(1)
    expect(health.wait()).toBe(600_000)
  })

  test('that is back ends the pause of messages without an answer, and they are tried one by one', () => {
    fail(3)
    health.setConnection('reconnecting')
    expect(health.wait()).toBe(600_000)
    health.setConnection('connected')
    expect([health.wait(), health.isDown]).toEqual([0, true])
  })

  test('is in the log once as it goes and once as it is back', () => {
    for (const error of [new Error('down'), new Error('down'), undefined, undefined])
      health.checked(error)
    expect(said()).toEqual([
      'warn: telegram does not answer; trying again',
      'info: telegram is back',
    ])
  })
})

test('an uncertain message is not used to probe whether the platform is back', () => {
  expect(health.mayRetryUncertain).toBe(true)
  fail(3)
  clock += 599_000
  expect(health.mayRetryUncertain).toBe(false)
  fail(1)
  clock += 599_000
  expect(health.mayRetryUncertain).toBe(false)
  clock += 1000
  expect(health.mayRetryUncertain).toBe(true)
  fail(1)
  expect(health.mayRetryUncertain).toBe(false)
  health.setConnection('reconnecting')
  expect(health.mayRetryUncertain).toBe(false)
  health.setConnection('connected')
  expect(health.mayRetryUncertain).toBe(true)
  health.accepted()
  expect(health.mayRetryUncertain).toBe(true)
})

describe('a platform that refuses messages', () => {
  test('three in a row takes none, until it takes one', () => {
    fail(2, broken())
    expect(health.state).toBe('connected')
    fail(5, broken())
    expect(health.state).toBe('refusing')
    health.accepted()
    expect(health.state).toBe('connected')
    fail(2, broken())
    expect(health.state).toBe('connected')
    expect(said().filter((line) => line.includes('messages'))).toEqual([
      'error: telegram accepts none of the bot’s messages',
      'info: telegram accepts the bot’s messages again',
    ])
  })

  test('is refusing only while it is connected', () => {
    fail(3, broken())
    const states = (['connected', 'standby', 'reconnecting', 'stopped'] as const).map((state) => {
      health.setConnection(state)
      return health.state
    })
    expect(states).toEqual(['refusing', 'refusing', 'reconnecting', 'stopped'])
  })

  test('is not known to be so two minutes after the last refusal', () => {
    fail(3, broken())
    clock += 100_000
    fail(1, broken())
    clock += 119_999
    expect(health.state).toBe('refusing')
    clock += 1
    expect(health.state).toBe('connected')
  })

  const loss: Loss = 'blocked'
  test.each([
    ['a chat', { final: true, loss }],
    ['a chat that has moved', { final: false, movedTo: '-1001' }],
    ['what a message contains', { final: true }],
    ['how many there are', { final: false, retryAfter: 5 }],
  ])('about %s is not refusing', (_, detail) => {
    fail(10, new SendError('refused', { ...detail, cause: new Answered('400') }))
    expect(health.state).toBe('connected')
  })

  test('for good and for a reason that is not known is', () => {
    fail(3, new SendError('refused', { final: true, isUnknown: true, cause: new Answered('400') }))
    expect(health.state).toBe('refusing')
  })

  test('is not one that gives no answer', () => {
    fail(10)
    expect(health.state).toBe('connected')
  })
})

describe('messages that are refused for reasons that are not known', () => {
  const to = (id: number): ChatAddress => ({ kind: 'chat', id: String(id) })
  async function refuses(chat: number, count: number): Promise<boolean[]> {
    const blames: boolean[] = []
    for (let each = 0; each < count; each += 1) {
      const error = new SendError('odd', { final: true, isUnknown: true, cause: new Answered() })
      await expect(health.watch(to(chat), Promise.reject(error))).rejects.toBe(error)
      blames.push(health.isChatToBlame(to(chat)))
    }
    return blames
  }
  const accepts = (chat: number) => health.watch(to(chat), Promise.resolve('sent'))

  test('are blamed on their chat after five in a row, and not after one that it accepts', async () => {
    expect(await refuses(1, 4)).not.toContain(true)
    expect(await accepts(1)).toBe('sent')
    expect(await refuses(1, 5)).toEqual([false, false, false, false, true])
  })

  test('of more than three chats are taken for faults of the messages, until a chat accepts one', async () => {
    for (const chat of [1, 2, 3, 4]) await refuses(chat, 1)
    for (const chat of [1, 2, 3, 4, 5]) expect(await refuses(chat, 10)).not.toContain(true)
    await accepts(6)
    expect(await refuses(5, 5)).toContain(true)
  })
})
