import { expect, test } from 'vitest'
import { Slots, TooManyWaitError } from '../../../src/core/slots.ts'

/** Work that is begun by the slots and ended by the test. */
function works(slots: Slots, count: number) {
  const begun: number[] = []
  const ends = Array.from({ length: count }, () => Promise.withResolvers<string>())
  const results = ends.map(({ promise }, index) =>
    slots.run(() => {
      begun.push(index)
      return promise
    }),
  )
  return { begun, ends, results }
}

test('only so much runs at once, and the rest in order as soon as a slot is free', async () => {
  const slots = new Slots(2, 2)
  const { begun, ends, results } = works(slots, 4)
  expect(begun).toEqual([0, 1])
  ends[1]?.resolve('otter')
  expect(await results[1]).toBe('otter')
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of ends) resolve('heron')
  expect(await Promise.all(results)).toEqual(['heron', 'otter', 'heron', 'heron'])
  expect(begun).toEqual([0, 1, 2, 3])
  expect(slots.isIdle).toBe(true)
})

test('what is beyond those that may wait is refused and never begun', async () => {
  const slots = new Slots(1, 1)
  const { begun, ends, results } = works(slots, 3)
  await expect(results[2]).rejects.toThrow(TooManyWaitError)
  for (const { resolve } of ends) resolve('otter')
  await Promise.all(results.slice(0, 2))
  expect(begun).toEqual([0, 1])
})

test('work that fails gives its slot to the next', async () => {
  const slots = new Slots(1, 1)
  const { ends, results } = works(slots, 2)
  ends[0]?.reject(new Error('damaged'))
  await expect(results[0]).rejects.toThrow('damaged')
  expect(slots.isIdle).toBe(false)
  ends[1]?.resolve('otter')
  expect(await results[1]).toBe('otter')
  expect(slots.isIdle).toBe(true)
})

test('what comes between the end of one and the begin of the next does not overtake', async () => {
  const slots = new Slots(1, 5)
  const order: string[] = []
  const first = slots.run(() => Promise.resolve())
  const second = slots.run(async () => void order.push('second'))
  const third = first.then(() => slots.run(async () => void order.push('third')))
  await Promise.all([second, third])
  expect(order).toEqual(['second', 'third'])
})
