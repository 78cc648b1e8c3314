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
  const heard: { news: string[]; telegram: string[] } = { news: [], telegram: [] }
  pubsub.subscribe('news', (what) => heard.news.push(...what))
  pubsub.subscribe('telegram', (what) => heard.telegram.push(...what))
  pubsub.start()
  return { pubsub, heard, store }
}

type Replica = Awaited<ReturnType<typeof replica>>

/** Says it until all others heard it: what is told while nobody listens yet is lost. */
async function untilHeard(from: Replica, others: readonly Replica[], what: string) {
  await soon(() => {
    from.pubsub.publish('telegram', what)
    return others.every(({ heard }) => heard.telegram.includes(what))
  }).toBe(true)
}

test('what one tells the others hear, each topic by itself, and who tells it does not', async () => {
  const [one, other, third] = [await replica(), await replica(), await replica()]
  await untilHeard(one, [other, third], 'hello')
  await untilHeard(other, [one, third], 'hello too')
  one.pubsub.publish('news')
  one.pubsub.publish('telegram', '-100')
  one.pubsub.publish('telegram', '-200')
  for (const { heard } of [other, third]) {
    await soon(() => heard.news).toEqual([''])
    // What was said until all heard it may come once more.
    const chats = () => heard.telegram.filter((what) => what.startsWith('-'))
    await soon(chats).toEqual(['-100', '-200'])
  }
  await untilHeard(other, [one, third], 'the end')
  expect(one.heard.news).toEqual([])
  expect(one.heard.telegram).not.toContain('-100')
})

test('they hear again after the database was away', async () => {
  const [one, other] = [await replica(), await replica()]
  await untilHeard(one, [other], 'before')
  const letIn = await database.outage()
  one.pubsub.publish('telegram', 'lost')
  const failures = () => log.of('debug').filter((line) => line.includes('listening to other'))
  // Each tries several times.
  await soon(() => failures().length).toBeGreaterThan(5)
  await letIn()
  await untilHeard(one, [other], 'after')
  await untilHeard(other, [one], 'both ways')
  expect(other.heard.telegram).not.toContain('lost')
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
    await untilHeard(one, [other], 'before')
    way.forget()
    await untilHeard(one, [other], 'after')
  } finally {
    await way.close()
  }
})

test('a flood is cut short, and does not keep the next from being heard', async () => {
  const [one, other] = [await replica(), await replica()]
  await untilHeard(one, [other], 'before')
  for (let each = 0; each < 20_000; each += 1)
    one.pubsub.publish('telegram', `-100${each}`.padEnd(60, '0'))
  await untilHeard(one, [other], 'after')
  const { length } = other.heard.telegram.filter((what) => what.startsWith('-100'))
  expect(length).toBeGreaterThan(50)
  expect(length).toBeLessThanOrEqual(100)
})

test('what another version tells otherwise is let be, and what is known in it is heard', async () => {
  const [one, other] = [await replica(), await replica()]
  await untilHeard(one, [other], 'before')
  const strange = [
    'no JSON',
    '{}',
    '[]',
    '{"from":1,"told":[]}',
    '{"from":"x","told":[["telegram"]]}',
    '{"from":"x","told":[["otters","moon"],["telegram","-300"]],"more":true}',
  ]
  for (const each of strange) await sql`select pg_notify('gavel', ${each})`.execute(one.store)
  await soon(() => other.heard.telegram).toContain('-300')
  await untilHeard(one, [other], 'after')
  expect(other.heard.telegram.filter((what) => !/before|after/u.test(what))).toEqual(['-300'])
  expect(other.heard.news).toEqual([])
})

test('a stop ends at once, also where the database stopped answering or never did', async () => {
  const [way, mute] = [await SilentProxy.to(url()), await SilentProxy.to(url())]
  mute.mute()
  try {
    const [well, silent, never] = [await replica(), await replica(way.url), await replica(mute.url)]
    await untilHeard(well, [silent], 'before')
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
