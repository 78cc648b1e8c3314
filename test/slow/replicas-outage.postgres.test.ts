import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AlertHarness, eventually } from '../e2e/alert-harness.ts'
import { PostgresCluster } from '../postgres-cluster.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let cluster: PostgresCluster
let alerts: AlertHarness
beforeEach(async () => {
  cluster = await PostgresCluster.start()
  alerts = await AlertHarness.start({
    replicas: { count: 3, database: `${cluster.url}/postgres` },
    telegramFloodLimits: true,
    // As from far away: many messages are under way at once.
    telegramAnswersAfter: 500,
    discordRateLimits: true,
  })
})
afterEach(async () => {
  await alerts?.stop()
  await cluster.stop()
})

test('PostgreSQL is killed in the middle of notifying and comes back after 20 s: nothing is lost, nobody is notified twice', async () => {
  const people = alerts.crowd(80)
  await alerts.follows(people)
  const [before, during] = [alerts.goesLive(), alerts.goesLive()]
  const notified = () => alerts.counts(people, during).filter((count) => count > 0).length
  await eventually(() => expect(notified()).toBeGreaterThan(20), 60_000)
  await cluster.kill()
  expect(notified()).toBeLessThan(people.length)
  const after = alerts.goesLive()
  await delay(20_000)
  // The leader gave that up meanwhile, with messages whose end nobody could store.
  expect(alerts.logged('no longer leads')).toBeGreaterThan(0)
  expect(alerts.logged('could not be stored yet')).toBeGreaterThan(1)
  await cluster.startAgain()
  for (const name of [before, during, after]) {
    await eventually(() => expect(Math.min(...alerts.counts(people, name))).toBe(1), 120_000)
  }
  await eventually(async () => expect(await alerts.waiting()).toBe(0), 90_000)
  for (const name of [before, during, after]) {
    expect(alerts.counts(people, name)).toEqual(people.map(() => 1))
  }
  const { telegram } = alerts.harness
  const [ada] = telegram.circumstances.crowd(1)
  if (ada === undefined) throw new Error('nobody is there')
  telegram.people.text(ada, ada, '/help')
  await telegram.people.waitFor(ada, (message) => message.text.includes('Commands'))
})
