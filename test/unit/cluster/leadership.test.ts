import { describe, expect, test } from 'vitest'
import { OnlyProcess, shareOf } from '../../../src/cluster/leadership.ts'
import { createLogger } from '../../../src/log.ts'
import { LogBook } from '../core/log-book.ts'

describe('the share of a platform’s limit', () => {
  const share = (isLeader: boolean, processes: number, answers: number) =>
    shareOf({ isLeader: () => isLeader, processes: () => processes }, answers)

  test('is all of it for one process alone', () => {
    expect(share(true, 1, 0.5)).toBe(1)
    expect(share(false, 1, 0.5)).toBe(1)
  })

  test.each([
    [2, 0.5],
    [3, 0.5],
    [10, 0.1],
  ])(
    'of %d processes adds up to the limit, and the leader’s is the largest',
    (processes, answers) => {
      const other = share(false, processes, answers)
      expect(other).toBeCloseTo(answers / processes)
      expect(share(true, processes, answers) + (processes - 1) * other).toBeCloseTo(1)
    },
  )
})

describe('a process that is alone on its database', () => {
  const task = (told: string[], name: string) => () => {
    told.push(`${name} begins`)
    const stop = async () => {
      told.push(`${name} ends`)
    }
    return { stop }
  }

  test('leads from its start until it stops', async () => {
    const told: string[] = []
    const leadership = new OnlyProcess(createLogger('silent', []))
    leadership.run('watch', task(told, 'watch'))
    expect(leadership.isLeader()).toBe(false)
    await leadership.start()
    expect([leadership.isLeader(), leadership.processes()]).toEqual([true, 1])
    await leadership.stop()
    expect(leadership.isLeader()).toBe(false)
    expect(told).toEqual(['watch begins', 'watch ends'])
    await leadership.start()
    expect(told).toHaveLength(2)
  })

  test('has no two tasks of one name', () => {
    const leadership = new OnlyProcess(createLogger('silent', []))
    leadership.run('watch', task([], 'watch'))
    expect(() => leadership.run('watch', task([], 'watch'))).toThrow('two tasks named watch')
  })

  test('begins all tasks though one can’t begin, of which the start tells, and stops them', async () => {
    const told: string[] = []
    const leadership = new OnlyProcess(createLogger('silent', []))
    leadership.run('before', task(told, 'before'))
    leadership.run('broken', () => {
      throw new Error('no')
    })
    leadership.run('after', task(told, 'after'))
    await expect(leadership.start()).rejects.toThrow('no')
    await leadership.stop()
    expect(told).toEqual(['before begins', 'after begins', 'before ends', 'after ends'])
  })

  test('stops all tasks though one fails to stop, which is logged', async () => {
    const told: string[] = []
    const book = new LogBook()
    const leadership = new OnlyProcess(createLogger('debug', [], book))
    leadership.run('stuck', () => ({ stop: () => Promise.reject(new Error('no')) }))
    leadership.run('watch', task(told, 'watch'))
    await leadership.start()
    await leadership.stop()
    expect(told).toEqual(['watch begins', 'watch ends'])
    expect(book.of('error')).toEqual([expect.stringContaining('a task failed to stop')])
  })
})
