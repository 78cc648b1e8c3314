import { expect, test } from 'vitest'
import { memoize } from '../../../src/core/adapter.ts'

test('what was made for an object is given again, and for another made anew', () => {
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

test('who asks while it is made waits for the same', async () => {
  let count = 0
  const render = memoize(async () => {
    count += 1
    return count
  })
  const view = {}
  expect(await Promise.all([render(view), render(view)])).toEqual([1, 1])
})

test('what failed is tried again, and harms nothing that nobody waits for', async () => {
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
