import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LeaderElector } from '../../../src/cluster/leader-election.ts'
import { PostgresPubSub } from '../../../src/cluster/pubsub.ts'
import type { Task } from '../../../src/core/task.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'
import { LogBook } from '../../unit/core/log-book.ts'

let database: TestDatabase
let opened: { stop(): Promise<void> }[]
beforeEach(async () => {
  database = await TestDatabase.make()
  opened = []
})
afterEach(async () => {
  for (const each of opened) await each.stop()
  await database.remove()
})

function eventually(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 20_000, interval: 20 })
}

/** A replica whose leases last for longer than any test, and which names the work that it has begun. */
async function replica(renewEvery: number, duties: Record<string, Task>) {
  const store = await database.open()
  const log = createLogger('debug', [], new LogBook())
  const notices = new PostgresPubSub({ url: database.address, store, log })
  const timing = { lease: 24 * 3_600_000, renewEvery }
  const onFault = () => undefined
  const roles = new LeaderElector({ store, log, pubsub: notices, onFault, ...timing })
  const begun: string[] = []
  for (const [name, task] of Object.entries(duties)) {
    roles.run(name, () => {
      begun.push(name)
      return task
    })
  }
  notices.start()
  opened.push({ stop: () => roles.stop() }, notices)
  return { roles, notices, begun }
}

const quick: Task = { stop: () => Promise.resolve() }

test('who stands by takes a role as soon as it is given up, not when it looks next', async () => {
  const hour = 3_600_000
  const one = await replica(hour, { gateway: quick })
  await one.roles.start()
  const other = await replica(hour, { gateway: quick })
  const told = new Set<string>()
  other.notices.subscribe('telegram', (what) => {
    for (const each of what) told.add(each)
  })
  await other.roles.start()
  await eventually(() => {
    one.notices.publish('telegram', 'hello')
    expect(told.size).toBe(1)
  })
  await one.roles.stop()
  // It tells of the role, though it ends at once.
  await one.notices.stop()
  await eventually(() => expect(other.begun).toEqual(['gateway']))
})
