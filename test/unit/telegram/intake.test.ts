import { Bot } from 'grammy'
import type { Update } from 'grammy/types'
import { beforeEach, describe, expect, test } from 'vitest'
import { Intake } from '../../../src/telegram/intake.ts'
import { botInfo } from './pollers.ts'
import { token } from './telegram-chat.ts'

/** The updates whose handling has begun, and how each ends. */
let begun: { id: number; end: () => void; fail: () => void }[]
let intake: Intake
let bot: Bot
beforeEach(() => {
  begun = []
  intake = new Intake()
  bot = new Bot(token, { botInfo })
  bot.use(intake.middleware, ({ update: { update_id: id } }) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    begun.push({ id, end: resolve, fail: () => reject(new Error('the process stops')) })
    return promise
  })
})

const comes = (id: number) => bot.handleUpdate({ update_id: id } satisfies Update)
const ids = () => begun.map(({ id }) => id)
const tick = () => new Promise((resolve) => setImmediate(resolve))

describe('an update', () => {
  test('that Telegram brings again while it is under way, or later, is handled once', async () => {
    const both = [comes(1), comes(1)]
    await tick()
    begun[0]?.end()
    await Promise.all(both)
    await comes(1)
    expect(ids()).toEqual([1])
  })

  test('whose handling a stop breaks off is handled when it is brought again', async () => {
    const taken = comes(1)
    await tick()
    begun[0]?.fail()
    await expect(taken).rejects.toThrow('the process stops')
    void comes(1)
    await tick()
    expect(ids()).toEqual([1, 1])
  })
})

test('a stop waits for what ends in time, and nothing more is taken', async () => {
  const quick = comes(1)
  void comes(2)
  await tick()
  let isOver = false
  const stopping = intake.stop(300).then(() => {
    isOver = true
  })
  await expect(comes(3)).rejects.toThrow('this process is stopping')
  begun[0]?.end()
  await quick
  expect(isOver).toBe(false)
  await stopping
  expect(ids()).toEqual([1, 2])
})

test('a stop is over once all is handled', async () => {
  const quick = comes(1)
  await tick()
  const stopping = intake.stop(60_000)
  begun[0]?.end()
  await quick
  await stopping
})
