import { expect, test } from 'vitest'
import { SingleNode } from '../../../src/cluster/leader-election.ts'

test('a process that does everything alone begins each duty once, and ends it', async () => {
  const roles = new SingleNode()
  const did: string[] = []
  roles.run('watch', () => {
    did.push('began')
    return { stop: async () => void did.push('ended') }
  })
  await roles.start()
  expect([did, roles.leading().get('watch')]).toEqual([['began'], true])
  await roles.stop()
  expect([did, roles.leading().get('watch')]).toEqual([['began', 'ended'], false])
})

test('its start fails with what a duty could not begin with, also where that has stopped everything', async () => {
  const roles = new SingleNode()
  const fault = new Error('another process polls')
  const slow = Promise.withResolvers<void>()
  roles.run('watch', () => ({ ready: slow.promise, stop: async () => slow.resolve() }))
  roles.run('polling', () => {
    const begun = Promise.reject(fault)
    begun.catch(() => roles.stop())
    return { ready: begun, stop: async () => undefined }
  })
  await expect(roles.start()).rejects.toBe(fault)
  expect(roles.leading().get('watch')).toBe(false)
})
