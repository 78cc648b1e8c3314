import { afterEach, beforeEach, expect, test } from 'vitest'
import { AdminError } from '../../../src/admin/action.ts'
import { administer } from '../../../src/admin/actions.ts'
import { Outbox } from '../../../src/alerts/outbox.ts'
import type { Store } from '../../../src/db/schema.ts'
import type { StuckJob } from '../../../src/jobs/queue.ts'
import { TestDatabase } from '../../database.ts'
import { claimAll } from '../alerts/claims.ts'
import { furnish, tell } from '../db/installation.ts'

const now = () => Math.floor(Date.now() / 1000)

let database: TestDatabase
let store: Store
let outbox: Outbox
let jobs: StuckJob[]
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
  // What gathers is due.
  outbox = new Outbox(store, () => Date.now() + 10_000)
  await furnish(store)
  jobs = [
    { id: 'watch 7', kind: 'watch', state: 'waiting', failures: 3, runAt: now(), reason: 'down' },
  ]
})
afterEach(() => database.remove())

function says(line: string) {
  const without = async (ids: readonly string[]) => {
    const before = jobs.length
    jobs = jobs.filter((job) => !ids.includes(job.id))
    return before - jobs.length
  }
  const queue = { stuck: async () => jobs, retry: without, drop: without }
  return administer(line, 'ada', { store, now, jobs: async () => queue })
}

async function lines(line: string) {
  return (await says(line)).lines.join('\n')
}

/** What waits for the group is tried, and fails with this. */
async function fail(kind: 'retry' | 'given-up') {
  for (const claim of await claimAll(outbox)) {
    const result =
      kind === 'retry'
        ? { kind, runAt: now() + 3_600, reason: 'Too Many Requests' }
        : { kind, reason: 'no answer' }
    await outbox.record(claim, claim.events, result, 0)
  }
}

async function due(): Promise<number> {
  const claims = await claimAll(outbox)
  for (const claim of claims) await outbox.release(claim)
  return claims.reduce((sum, { events }) => sum + events.length, 0)
}

test('deliveries that failed and jobs are listed with their last error', async () => {
  await fail('retry')
  expect(await lines('stuck')).toMatch(
    /telegram:-1008, deliveries that wait: 1, tries: 1, due .+ \(in [^)]+\), Too Many Requests\n/u,
  )
  expect(await lines('stuck')).toContain('job watch 7, watch, failures: 3, next try')
})

test('a new delivery is not stuck, nor is one in quiet hours', async () => {
  jobs = []
  expect(await lines('stuck')).toBe('Nothing is stuck.')
  for (const claim of await claimAll(outbox)) {
    const retry = {
      kind: 'retry',
      runAt: now() + 60,
      reason: 'quiet hours',
      untried: true,
    } as const
    await outbox.record(claim, claim.events, retry, 0)
  }
  expect(await lines('stuck')).toBe('Nothing is stuck.')
})

test.each(['retry', 'given-up'] as const)(
  'what came to %s is sent again at once when that is asked',
  async (kind) => {
    await fail(kind)
    expect(await due()).toBe(0)
    expect(await lines('stuck retry telegram:-1008')).toBe('Due now: 1 deliveries.')
    expect(await due()).toBe(1)
  },
)

test('what was given up and is of no use any more is not sent again with the rest', async () => {
  await fail('given-up')
  await store
    .updateTable('events')
    .set({ useful_until_s: now() - 1 })
    .execute()
  await tell(store, 'Badger')
  await fail('given-up')
  expect(await lines('stuck retry telegram:-1008')).toBe('Due now: 1 deliveries.')
  expect(await due()).toBe(1)
})

test('what is being sent is left alone', async () => {
  const claims = await claimAll(outbox)
  expect(claims.length).toBe(2)
  await lines('stuck retry all')
  expect(await claimAll(outbox)).toEqual([])
})

test('what is dropped is asked about first, is not sent, and says why', async () => {
  await fail('given-up')
  await tell(store, 'Badger')
  const asked = await says('stuck drop telegram:-1008')
  expect(asked.confirm?.question).toBe('Give up telegram:-1008 for good?')
  expect(await lines(asked.confirm?.line ?? '')).toBe('Dropped: 2 deliveries.')
  const kept = await store
    .selectFrom('deliveries')
    .select(['state', 'reason'])
    .where('chat_id', '=', 2)
    .execute()
  expect(kept).toEqual(
    kept.map(() => ({ state: 'dropped', reason: 'dropped by an administrator' })),
  )
})

test('a job is found by its id, and all at once', async () => {
  await expect(says('stuck retry job nothing')).rejects.toThrow('No job nothing is stuck.')
  expect(await lines('stuck retry job watch 7')).toBe('It runs within half a minute.')
  expect(jobs).toEqual([])
  await fail('retry')
  expect(await lines('yes stuck drop all')).toBe('Dropped: 2 deliveries, 0 jobs.')
})

test.each(['stuck wipe', 'stuck retry', 'stuck retry job', 'stuck drop 7', 'stuck drop all now'])(
  '%s is refused',
  async (line) => {
    await expect(says(line)).rejects.toThrow(AdminError)
  },
)
