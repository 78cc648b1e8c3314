import { describe, expect, test } from 'vitest'
import type { ConnectionState } from '../../src/chat/platform.ts'
import { Readiness } from '../../src/web/readiness.ts'

function platform(name: 'telegram' | 'discord', state: ConnectionState) {
  return { name, state: () => state }
}

const askDatabase = async () => undefined

describe('ready is who is connected everywhere', () => {
  const states: [ConnectionState, ConnectionState, boolean][] = [
    ['connected', 'connected', true],
    ['standby', 'connected', true],
    ['standby', 'standby', true],
    ['starting', 'connected', false],
    ['connected', 'reconnecting', false],
    ['connected', 'stopped', false],
  ]
  test.each(states)('Telegram %s, Discord %s: %s', async (telegram, discord, isReady) => {
    const platforms = [platform('telegram', telegram), platform('discord', discord)]
    expect(await new Readiness({ platforms, askDatabase }).read()).toEqual({
      isReady,
      parts: { database: 'ok', telegram, discord },
    })
  })

  test('one platform alone is enough where the other is not configured', async () => {
    const platforms = [platform('discord', 'connected')]
    const { isReady, parts } = await new Readiness({ platforms, askDatabase }).read()
    expect([isReady, Object.keys(parts)]).toEqual([true, ['database', 'discord']])
  })
})

describe('the database', () => {
  const platforms = [platform('telegram', 'connected')]

  test('has to answer, and its error is not told', async () => {
    let isDown = true
    const readiness = new Readiness({
      platforms,
      askDatabase: async () => {
        if (isDown) throw new Error('password authentication failed for user "gavel"')
      },
    })
    expect(await readiness.read()).toEqual({
      isReady: false,
      parts: { database: 'no answer', telegram: 'connected' },
    })
    isDown = false
    expect((await readiness.read()).isReady).toBe(true)
  })

  test('that hangs is waited for no longer than is said, and asked by nobody else meanwhile', async () => {
    let asked = 0
    const answer = Promise.withResolvers<void>()
    const hangs = () => {
      asked += 1
      return answer.promise
    }
    const readiness = new Readiness({ platforms, askDatabase: hangs, patience: 20 })
    const reads = await Promise.all([readiness.read(), readiness.read(), readiness.read()])
    expect(reads.map(({ isReady }) => isReady)).toEqual([false, false, false])
    expect((await readiness.read()).isReady).toBe(false)
    expect(asked).toBe(1)
    answer.resolve()
    await expect.poll(async () => (await readiness.read()).isReady).toBe(true)
  })
})

test('who stops is not ready any more, whatever still works', async () => {
  const readiness = new Readiness({ platforms: [platform('telegram', 'connected')], askDatabase })
  expect((await readiness.read()).isReady).toBe(true)
  readiness.stop()
  expect((await readiness.read()).isReady).toBe(false)
})
