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

const hour = 3_600_000
const quick: Task = { stop: () => Promise.resolve() }

/** A replica that renews its leases, which outlast any test, too seldom to find out by itself. */
async function replica() {
  const store = await database.open()
  const log = createLogger('debug', [], new LogBook())
  const pubsub = new PostgresPubSub({ url: database.address, store, log })
  const onFault = () => undefined
  const timing = { lease: 24 * hour, renewEvery: hour }
  const election = new LeaderElector({ store, log, pubsub, onFault, ...timing })
  let begun = 0
  election.run('gateway', () => {
    begun += 1
    return quick
  })
  pubsub.start()
  const stop = async () => {
    await election.stop()
    await election.leave()
  }
  opened.push({ stop }, pubsub)
  return { election, pubsub, begun: () => begun }
}

test('a replica that stands by takes a role as soon as it is released, not at its next renewal', async () => {
  const [one, other] = [await replica(), await replica()]
  await one.election.start()
  let isHeard = false
  other.pubsub.subscribe('deliveries', () => {
    isHeard = true
  })
  await other.election.start()
  await eventually(() => {
    one.pubsub.publish('deliveries')
    expect(isHeard).toBe(true)
  })
  expect(other.begun()).toBe(0)
  await one.election.stop()
  // The release is published, though the replica ends at once.
  await one.pubsub.stop()
  await eventually(() => expect(other.begun()).toBe(1))
})
