import { afterEach, beforeEach, expect, test } from 'vitest'
import { sharedLimiters } from '../../../src/cluster/limiters.ts'
import type { Context } from '../../../src/core/command.ts'
import { FloodControl } from '../../../src/core/rate-limit.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { TestDatabase } from '../../database.ts'
import { SilentProxy } from '../../silent-proxy.ts'

const limits = { person: 30, chat: 60 }

let database: TestDatabase
let closers: (() => Promise<void>)[]
beforeEach(async () => {
  database = await TestDatabase.make()
  closers = []
})
afterEach(async () => {
  for (const close of closers) await close()
  await database.remove()
})

function replica(url = database.address): FloodControl {
  const { limiters, close } = sharedLimiters(url)
  closers.push(close)
  return new FloodControl(limits, limiters)
}

const context = (person: string, place = person): Context => ({
  platform: telegram,
  user: person,
  chat: place,
  ephemeral: false,
  isPrivate: false,
})

/** How many of so many are heard, spread over replicas. */
async function heard(
  replicas: readonly FloodControl[],
  turns: readonly Context[],
): Promise<number> {
  const floods = await Promise.all(
    turns.map((each, number) => replicas[number % replicas.length]?.count(each)),
  )
  return floods.filter((flood) => flood === undefined).length
}

const times = (count: number, each: Context) => Array.from({ length: count }, () => each)

test('a person’s commands are counted over all replicas', async () => {
  const replicas = [replica(), replica()]
  expect(await heard(replicas, times(45, context('ada')))).toBe(30)
  const flood = await replicas[1]?.count(context('ada', 'club'))
  expect(flood).toMatchObject({ isRepeated: true })
  expect(flood?.seconds).toBeLessThanOrEqual(10)
  expect(await heard(replicas, times(10, context('ben')))).toBe(10)
})

test('so are a chat’s, whoever sends them', async () => {
  const replicas = [replica(), replica()]
  const people = Array.from({ length: 80 }, (_, person) => context(`person ${person}`, 'club'))
  expect(await heard(replicas, people)).toBe(60)
})

test('of all replicas one says so, once', async () => {
  const replicas = [replica(), replica()]
  await heard(replicas, times(30, context('ada')))
  const floods = []
  for (const each of [...replicas, ...replicas]) floods.push(await each.count(context('ada')))
  expect(floods.map((flood) => flood?.isRepeated)).toEqual([false, true, true, true])
})

test('while the database is away each replica counts by itself, and then together again', async () => {
  const replicas = [replica(), replica()]
  expect(await heard(replicas, times(4, context('ada')))).toBe(4)
  const letIn = await database.outage()
  expect(await heard(replicas, times(100, context('ben')))).toBe(60)
  await letIn()
  expect(await heard(replicas, times(45, context('cleo')))).toBe(30)
})

test('a database that says nothing holds nobody up for long', async () => {
  const way = await SilentProxy.to(new URL(database.address))
  try {
    const alone = replica(way.url)
    expect(await heard([alone], times(3, context('ada')))).toBe(3)
    way.mute()
    const from = performance.now()
    expect(
      await heard([alone], [context('ada'), context('ben'), context('cleo'), context('dora')]),
    ).toBe(4)
    // Far less than the ten seconds after which a person gives up; PostgreSQL's own patience is minutes.
    expect(performance.now() - from).toBeLessThan(5_000)
  } finally {
    await way.close()
  }
})
