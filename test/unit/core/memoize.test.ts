import { expect, test } from 'vitest'
import { memoize } from '../../../src/core/adapter.ts'

test('a value is computed once for each object', () => {
  const made: object[] = []
  const render = memoize((view: object) => {
    made.push(view)
    return { made: made.length }
  })
  const [one, other] = [{}, {}]
  expect(render(one)).toBe(render(one))
  expect(render(other)).toEqual({ made: 2 })
  expect(made).toEqual([one, other])
})

test('concurrent callers share one computation', async () => {
  let count = 0
  const render = memoize(async () => {
    count += 1
    return count
  })
  const view = {}
  expect(await Promise.all([render(view), render(view)])).toEqual([1, 1])
})

test('a failure is not cached, and no rejection is unhandled', async () => {
  let count = 0
  const render = memoize(async () => {
    count += 1
    if (count === 1) throw new Error('no')
    return count
  })
  const view = {}
  await expect(render(view)).rejects.toThrow('no')
  expect(await render(view)).toBe(2)
})
