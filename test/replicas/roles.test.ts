import { expect, test } from 'vitest'
import { SoleRoles } from '../../src/cluster/leader-election.ts'

test('a process that does everything alone begins each duty once, and ends it', async () => {
  const roles = new SoleRoles()
  const did: string[] = []
  roles.share('watch', () => {
    did.push('began')
    return { stop: async () => void did.push('ended') }
  })
  await roles.start()
  expect([did, roles.held().get('watch')]).toEqual([['began'], true])
  await roles.stop()
  expect([did, roles.held().get('watch')]).toEqual([['began', 'ended'], false])
})

test('its start fails with what a duty could not begin with, also where that has stopped everything', async () => {
  const roles = new SoleRoles()
  const fault = new Error('another process polls')
  const slow = Promise.withResolvers<void>()
  roles.share('watch', () => ({ begun: slow.promise, stop: async () => slow.resolve() }))
  roles.share('polling', () => {
    const begun = Promise.reject(fault)
    begun.catch(() => roles.stop())
    return { begun, stop: async () => undefined }
  })
  await expect(roles.start()).rejects.toBe(fault)
  expect(roles.held().get('watch')).toBe(false)
})
