import { expect, test } from 'vitest'
import { remembered } from '../../src/chat/remember.ts'

test('makes once for an object and anew for its equal', () => {
  let made = 0
  const make = remembered((key: { name: string }) => `${key.name} ${++made}`)
  const otter = { name: 'otter' }
  expect([make(otter), make(otter), make({ name: 'otter' })]).toEqual([
    'otter 1',
    'otter 1',
    'otter 2',
  ])
})

test('tries again what was rejected', async () => {
  let tries = 0
  const make = remembered(async (_: object) => {
    if (++tries === 1) throw new Error('not yet')
    return tries
  })
  const key = {}
  await expect(make(key)).rejects.toThrow('not yet')
  expect(await make(key)).toBe(2)
})
