import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Bot } from '../../sandbox/bot.ts'
import { AlertHarness, eventually, type Subscriber } from '../e2e/alert-harness.ts'
import { DiscordUser } from '../e2e/users.ts'
import { PostgresCluster } from '../postgres-cluster.ts'
import { Exposition } from '../unit/metrics/exposition.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let cluster: PostgresCluster
let alerts: AlertHarness
beforeEach(async () => {
  cluster = await PostgresCluster.start()
  alerts = await AlertHarness.start({
    replicas: { count: 3, database: `${cluster.url}/postgres` },
    telegramFloodLimits: true,
    discordRateLimits: true,
  })
})
afterEach(async () => {
  await alerts?.stop()
  await cluster.stop()
})

/** The process that leads. */
function leader(): Bot {
  const found = alerts.harness.running().find(leads)
  if (found === undefined) throw new Error('nobody leads')
  return found
}

function leads({ logs }: Bot): boolean {
  return logs.findLast(({ msg }) => / leads/u.test(String(msg)))?.msg === leadsNow
}

const leadsNow = 'this process leads: it does the background work'

/** The figure by which an operator sees who leads: of each process that runs. */
async function figures(): Promise<number[]> {
  const each = alerts.harness.running().map(async ({ healthUrl }) => {
    const answer = await fetch(new URL('/metrics', healthUrl))
    return new Exposition(await answer.text()).value('gavel_leader') ?? Number.NaN
  })
  return Promise.all(each)
}

/** Resolves with the seconds from now until another process leads. */
async function untilAnotherLeads(victim: Bot): Promise<number> {
  const from = performance.now()
  await eventually(() => expect(leader()).not.toBe(victim), 60_000)
  return (performance.now() - from) / 1000
}

/** Who has the message of which the database does not know that it was sent: nobody sends at this moment. */
async function sentAndUnstored(people: readonly Subscriber[], name: string): Promise<Subscriber[]> {
  const unstored: Subscriber[] = []
  for (const each of people) if ((await alerts.waitingFor(each)) > 0) unstored.push(each)
  // What was on the way at the end of the process has come in by then.
  await delay(500)
  return unstored.filter((each) => alerts.messagesWith(each, name).length > 0)
}

/** How many of them were notified. */
function notifiedCount(people: readonly Subscriber[], name: string): number {
  return people.filter((each) => alerts.messagesWith(each, name).length > 0).length
}

/** Waits until everybody was notified; returns how many messages were too many. */
async function everybodyNotified(people: readonly Subscriber[], name: string): Promise<number> {
  const counts = () => people.map((each) => alerts.messagesWith(each, name).length)
  await eventually(() => expect(Math.min(...counts())).toBeGreaterThan(0), 120_000)
  await eventually(async () => expect(await alerts.waiting()).toBe(0), 90_000)
  return counts().reduce((sum, count) => sum + count - 1, 0)
}

function refusals(): number {
  const { telegram, discord } = alerts.harness
  return telegram.api.tally.refused + discord.world.tally.refused
}

test('one of three processes does the background work: each person has each alert once', async () => {
  const people = alerts.crowd(20)
  await alerts.follows(people)
  // Processes that start at once all set the webhook, which Telegram takes once a second.
  const before = refusals()
  const names = [alerts.goesLive(), alerts.goesLive()]
  for (const name of names) expect(await everybodyNotified(people, name)).toBe(0)
  expect(refusals()).toBe(before)
})

test('the leader is killed: another leads within seconds, hears people, and nothing is lost', async () => {
  const people = alerts.crowd(10)
  await alerts.follows(people)
  const name = alerts.goesLive()
  const victim = leader()
  await victim.kill()
  const seconds = await untilAnotherLeads(victim)
  const later = alerts.goesLive()
  for (const each of [name, later]) expect(await everybodyNotified(people, each)).toBe(0)
  await eventually(async () => expect((await figures()).toSorted()).toEqual([0, 1]))
  const ada = new DiscordUser(alerts.harness)
  await ada.says('/help')
  await ada.sees('Commands')
  process.stdout.write(`another led after ${seconds.toFixed(1)} s\n`)
})

test('the leader is killed in the middle of it: everybody is notified, and twice at most whose message was under way', async () => {
  const people = alerts.crowd(100)
  await alerts.follows(people)
  const name = alerts.goesLive()
  await eventually(() => expect(notifiedCount(people, name)).toBeGreaterThan(20))
  const victim = leader()
  await victim.kill()
  const underWay = await sentAndUnstored(people, name)
  const seconds = await untilAnotherLeads(victim)
  const duplicates = await everybodyNotified(people, name)
  process.stdout.write(
    `another told after ${seconds.toFixed(1)} s; ${underWay.length} were under way, ${duplicates} told twice\n`,
  )
  const twice = people.filter((each) => alerts.messagesWith(each, name).length > 1)
  expect(underWay).toEqual(expect.arrayContaining(twice))
  expect(duplicates).toBe(twice.length)
})

test('the leader is asked to stop in the middle of it: it ends with code 0, and nobody is notified twice', async () => {
  const people = alerts.crowd(60)
  await alerts.follows(people)
  const name = alerts.goesLive()
  await eventually(() => expect(notifiedCount(people, name)).toBeGreaterThan(20))
  const victim = leader()
  const exit = await victim.stop()
  expect(exit).toEqual({ code: 0, signal: null })
  expect(victim.logs.some(({ msg }) => msg === 'stopping')).toBe(true)
  expect(await everybodyNotified(people, name)).toBe(0)
})
