import { describe, expect, test } from 'vitest'
import { ChainCheck } from '../../../src/api/client.ts'
import type { Asset } from '../../../src/api/schema.ts'
import { ApiError } from '../../../src/errors.ts'
import { silent } from './server.ts'

const hour = 3_600_000

function asset(id: number): Asset {
  return { asset_address: `0x${id.toString(16).padStart(40, '0')}` }
}

function setUp(lists: Record<number, Asset[] | 'fails'>) {
  const clock = { ms: 1000 }
  let asked = 0
  const check = new ChainCheck({
    home: 1,
    log: silent,
    now: () => clock.ms,
    listing: async (chain) => {
      asked += 1
      const list = lists[chain] ?? []
      if (list === 'fails') throw new ApiError('unavailable', 'down')
      return list
    },
  })
  return { check, clock, lists, asked: () => asked }
}

describe('the check of a chain', () => {
  test('asks nothing for the home chain', async () => {
    const { check, asked } = setUp({ 1: [asset(1)] })
    expect(await check.ignored(1)).toBe(false)
    expect(asked()).toBe(0)
  })

  test('is made once for any number of readers', async () => {
    const { check, asked } = setUp({ 1: [asset(1)], 2: [asset(1)] })
    const verdicts = await Promise.all(Array.from({ length: 10 }, () => check.ignored(2)))
    expect(verdicts).toEqual(Array(10).fill(true))
    expect(asked()).toBe(2)
  })

  test('takes a chain without assets for what it says, and looks again soon', async () => {
    const { check, clock, lists } = setUp({ 1: [asset(1)], 2: [] })
    expect(await check.ignored(2)).toBe(false)
    lists[2] = [asset(1)]
    clock.ms += hour / 10
    await check.ignored(2)
    await expect.poll(() => check.ignored(2)).toBe(true)
  })

  test('stands for an hour and is then renewed behind the readers', async () => {
    const { check, clock, lists, asked } = setUp({ 1: [asset(1)], 2: [asset(2)] })
    expect(await check.ignored(2)).toBe(false)
    clock.ms += hour - 1
    lists[2] = [asset(1)]
    expect(await check.ignored(2)).toBe(false)
    expect(asked()).toBe(2)
    clock.ms += 2
    expect(await check.ignored(2)).toBe(false)
    await expect.poll(() => check.ignored(2)).toBe(true)
  })

  test('keeps its verdict while the interface fails, and looks again soon', async () => {
    const { check, clock, lists } = setUp({ 1: [asset(1)], 2: [asset(1)] })
    expect(await check.ignored(2)).toBe(true)
    lists[1] = 'fails'
    clock.ms += hour
    expect(await check.ignored(2)).toBe(true)
    expect(await check.ignored(2)).toBe(true)
    lists[1] = [asset(3)]
    await expect
      .poll(() => {
        clock.ms += hour
        return check.ignored(2)
      })
      .toBe(false)
  })

  test('fails where there is nothing to judge by, rather than vouch for a chain', async () => {
    const { check, lists } = setUp({ 1: 'fails', 2: [asset(1)] })
    await expect(check.ignored(2)).rejects.toMatchObject({ kind: 'unavailable' })
    lists[1] = [asset(2)]
    expect(await check.ignored(2)).toBe(false)
  })
})
