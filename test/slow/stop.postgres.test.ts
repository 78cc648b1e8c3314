import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { TestDatabase } from '../database.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'
import { SilentProxy } from '../silent-proxy.ts'

vi.setConfig({ testTimeout: 120_000 })

const clean = { code: 0, signal: null }

let database: TestDatabase
let harness: Harness | undefined
beforeEach(async () => {
  database = await TestDatabase.make()
})
afterEach(async () => {
  await harness?.stop()
  harness = undefined
  await database.remove()
})

describe('a stop while PostgreSQL is silent', () => {
  let way: SilentProxy
  beforeEach(async () => {
    way = await SilentProxy.to(new URL(database.address))
  })
  afterEach(() => way.close())

  test('ends with exit code 0', async () => {
    harness = await startHarness({ env: { DATABASE_URL: way.url } })
    way.mute()
    expect(await harness.bot.stop()).toEqual(clean)
  })
})

describe('a replica that stops while the API is slow', () => {
  /** Two replicas, and the first has begun to answer each of two people. */
  async function answering(delayMs: number) {
    const replicas = { count: 2, database: database.address }
    const begun = await startHarness({ replicas })
    harness = begun
    const { telegram, balancer, apiServer } = begun
    const people = telegram.circumstances.crowd(2)
    apiServer.faults.set({ kind: 'slow', delayMs })
    if (balancer) balancer.choose = () => 0
    for (const person of people) telegram.people.text(person, person, `/search ${person}`)
    const searched = () => apiServer.requests.flatMap(({ query }) => Object.values(query))
    await vi.waitFor(
      () => expect(searched()).toEqual(expect.arrayContaining(people.map(String))),
      patience,
    )
    const answers = () =>
      people.map((person) => {
        const said = telegram.people.messages(person)
        return said.filter(({ sender }) => sender.isBot).length
      })
    const handled = () => expect(telegram.api.queue.length).toBe(0)
    return { first: begun.bots[0], apiServer, answers, handled }
  }
  const patience = { timeout: 60_000, interval: 50 }

  test('finishes the answers that it has begun, and nobody else sends them', async () => {
    const { first, answers, handled } = await answering(2_000)
    expect(await first?.stop()).toEqual(clean)
    expect(answers()).toEqual([1, 1])
    await vi.waitFor(handled, patience)
    expect(answers()).toEqual([1, 1])
  })

  test('leaves answers that take longer than the stop to another replica', async () => {
    const { first, answers, handled, apiServer } = await answering(60_000)
    expect(await first?.stop()).toEqual(clean)
    expect(answers()).toEqual([0, 0])
    apiServer.faults.clear()
    await vi.waitFor(handled, patience)
    expect(answers()).toEqual([1, 1])
  })
})
