import { describe, expect, test } from 'vitest'
import type { ConnectionState } from '../../../src/core/adapter.ts'
import { Readiness, type ReadinessParts, type Ready } from '../../../src/web/server.ts'

function platform(name: 'telegram' | 'discord', state: ConnectionState) {
  return { name, state: () => state }
}

const askDatabase = async () => undefined

/** One whose bot has started. */
function started(parts: ReadinessParts): Readiness {
  const readiness = new Readiness(parts)
  readiness.start()
  return readiness
}

describe('ready is who is connected everywhere', () => {
  const states: [ConnectionState, ConnectionState, Ready['status']][] = [
    ['connected', 'connected', 'ready'],
    ['standby', 'connected', 'ready'],
    ['standby', 'standby', 'ready'],
    ['starting', 'connected', 'not ready'],
    ['connected', 'reconnecting', 'not ready'],
    ['connected', 'stopped', 'not ready'],
  ]
  test.each(states)('Telegram %s, Discord %s: %s', async (telegram, discord, status) => {
    const platforms = [platform('telegram', telegram), platform('discord', discord)]
    expect(await started({ platforms, askDatabase }).read()).toEqual({
      status,
      parts: { database: 'ok', telegram, discord },
    })
  })

  test('one platform alone is enough where the other is not configured', async () => {
    const platforms = [platform('discord', 'connected')]
    expect(await started({ platforms, askDatabase }).read()).toEqual({
      status: 'ready',
      parts: { database: 'ok', discord: 'connected' },
    })
  })
})

describe('the database', () => {
  const platforms = [platform('telegram', 'connected')]

  test('has to answer, and its error is not told', async () => {
    let isDown = true
    const readiness = started({
      platforms,
      askDatabase: async () => {
        if (isDown) throw new Error('password authentication failed for user "gavel"')
      },
    })
    expect(await readiness.read()).toEqual({
      status: 'not ready',
      parts: { database: 'no answer', telegram: 'connected' },
    })
    isDown = false
    expect((await readiness.read()).status).toBe('ready')
  })

  test('that hangs is waited for no longer than is said, and asked by nobody else meanwhile', async () => {
    let asked = 0
    const answer = Promise.withResolvers<void>()
    const hangs = () => {
      asked += 1
      return answer.promise
    }
    const readiness = started({ platforms, askDatabase: hangs, patience: 20 })
    const reads = await Promise.all([readiness.read(), readiness.read(), readiness.read()])
    expect(reads.map(({ status }) => status)).toEqual(Array(3).fill('not ready'))
    expect((await readiness.read()).status).toBe('not ready')
    expect(asked).toBe(1)
    answer.resolve()
    await expect.poll(async () => (await readiness.read()).status).toBe('ready')
  })
})

test('who starts or stops is not ready, whatever works', async () => {
  const readiness = new Readiness({ platforms: [platform('telegram', 'standby')], askDatabase })
  expect((await readiness.read()).status).toBe('starting')
  readiness.start()
  expect((await readiness.read()).status).toBe('ready')
  readiness.stop()
  expect((await readiness.read()).status).toBe('stopping')
  // A start that the stop overtook.
  readiness.start()
  expect((await readiness.read()).status).toBe('stopping')
})
