import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PostgresPubSub } from '../../src/cluster/pubsub.ts'
import { createLogger } from '../../src/log.ts'
import { TestDatabase } from '../database.ts'
import { SilentProxy } from '../silent-proxy.ts'
import { LogBook } from '../unit/core/log-book.ts'

const patience = { timeout: 20_000, interval: 20 }
const soon = <Value>(read: () => Value) => expect.poll(read, patience)

let database: TestDatabase
let log: LogBook
let all: PostgresPubSub[]
beforeEach(async () => {
  database = await TestDatabase.make()
  log = new LogBook()
  all = []
})
afterEach(async () => {
  await Promise.all(all.map((pubsub) => pubsub.stop()))
  await database.remove()
})

/** A replica, and what it heard of each topic. */
async function replica(url = database.address) {
  const store = await database.open()
  const pubsub = new PostgresPubSub({
    url,
    store,
    log: createLogger('debug', [], log),
    probeEvery: 1_000,
  })
  all.push(pubsub)
  const heard = { deliveries: 0, roles: 0 }
  for (const channel of ['deliveries', 'roles'] as const) {
    pubsub.subscribe(channel, () => {
      heard[channel] += 1
    })
  }
  pubsub.start()
  return { pubsub, heard, store }
}

type Replica = Awaited<ReturnType<typeof replica>>

/** Publishes until all others heard it: what is published while nobody listens yet is lost. */
async function untilHeard(from: Replica, others: readonly Replica[]) {
  const before = others.map(({ heard }) => heard.roles)
  await soon(() => {
    from.pubsub.publish('roles')
    return others.every(({ heard }, index) => heard.roles > (before[index] ?? 0))
  }).toBe(true)
}

test('what one publishes the others hear, each channel by itself, and the one itself does not', async () => {
  const [one, other, third] = [await replica(), await replica(), await replica()]
  await untilHeard(one, [other, third])
  expect(one.heard.roles).toBe(0)
  await untilHeard(other, [one, third])
  for (let each = 0; each < 1_000; each += 1) one.pubsub.publish('deliveries')
  for (const { heard } of [other, third]) await soon(() => heard.deliveries).toBe(1)
  await untilHeard(other, [one, third])
  expect([one, other, third].map(({ heard }) => heard.deliveries)).toEqual([0, 1, 1])
})

test('messages arrive again after an outage of the database', async () => {
  const [one, other] = [await replica(), await replica()]
  await untilHeard(one, [other])
  const letIn = await database.outage()
  one.pubsub.publish('deliveries')
  const failures = () => log.of('debug').filter((line) => line.includes('listening to other'))
  // Each tries several times.
  await soon(() => failures().length).toBeGreaterThan(5)
  await letIn()
  await untilHeard(one, [other])
  await untilHeard(other, [one])
  expect(other.heard.deliveries).toBe(0)
  // Once each, however often they tried.
  const said = log.lines.filter(({ level }) => level !== 'debug').map(({ msg }) => msg)
  const [deaf, well] = [
    'other replicas can’t be heard; trying again',
    'other replicas are heard again',
  ]
  expect(said.toSorted()).toEqual([well, well, deaf, deaf])
})

test('a connection that fell silent is given up for another', async () => {
  const way = await SilentProxy.to(url())
  try {
    const [one, other] = [await replica(), await replica(way.url)]
    await untilHeard(one, [other])
    way.forget()
    await untilHeard(one, [other])
  } finally {
    await way.close()
  }
})

test('notices that can’t be read are ignored, and of others the known channels count', async () => {
  const [one, other] = [await replica(), await replica()]
  await untilHeard(one, [other])
  const strange = [
    'no JSON',
    '{}',
    '[]',
    '{"from":1,"channels":[]}',
    '{"from":"x","channels":"deliveries"}',
    '{"from":"x","channels":["telegram","deliveries"],"more":true}',
  ]
  for (const each of strange) await sql`select pg_notify('gavel', ${each})`.execute(one.store)
  await soon(() => other.heard.deliveries).toBe(1)
  await untilHeard(one, [other])
  expect(other.heard.deliveries).toBe(1)
})

test('a stop ends at once, even if the database stopped answering or never did', async () => {
  const [way, mute] = [await SilentProxy.to(url()), await SilentProxy.to(url())]
  mute.mute()
  try {
    const [well, silent, never] = [await replica(), await replica(way.url), await replica(mute.url)]
    await untilHeard(well, [silent])
    await soon(() => mute.connections).toBe(1)
    way.mute()
    const from = performance.now()
    await Promise.all([well, silent, never].map(({ pubsub }) => pubsub.stop()))
    // An answer is waited for longer.
    expect(performance.now() - from).toBeLessThan(4_000)
    expect(log.of('warn')).toEqual([])
  } finally {
    await Promise.all([way.close(), mute.close()])
  }
})

const url = () => new URL(database.address)
