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

/** The replica that said last that it has a role. */
function holder(role: string): Bot {
  const has = (bot: Bot) => bot.logs.findLastIndex((line) => saysHas(line, role))
  const [first] = alerts.harness.running().filter((bot) => has(bot) >= 0)
  if (first === undefined) throw new Error(`nobody has the role ${role}`)
  return first
}

function saysHas(line: Bot['logs'][number], role: string): boolean {
  return line.msg === 'this replica has a role' && line.role === role
}

/** What a replica has now that it got at its start, and what it got since. */
function rolesOf(bot: Bot): string[] {
  const said = bot.logs.filter(({ msg }) => msg === 'this replica has a role')
  return [...new Set(said.map(({ role }) => String(role)))].toSorted()
}

/** The figure by which an operator sees who has a role: of each replica that runs. */
async function figuresOf(role: string): Promise<number[]> {
  const each = alerts.harness.running().map(async ({ healthUrl }) => {
    const answer = await fetch(new URL('/metrics', healthUrl))
    return new Exposition(await answer.text()).value('gavel_role', { role }) ?? Number.NaN
  })
  return Promise.all(each)
}

/** Kills the replica that has a role; resolves with the seconds until another has it. */
async function killHolder(role: string): Promise<number> {
  const victim = holder(role)
  await victim.kill()
  return untilAnotherHas(role, victim)
}

/** Resolves with the seconds that it took from now on. */
async function untilAnotherHas(role: string, victim: Bot): Promise<number> {
  const from = performance.now()
  await eventually(() => expect(holder(role)).not.toBe(victim), 60_000)
  return (performance.now() - from) / 1000
}

/** Who has the message of which the database does not know that it was sent: nobody sends at this moment. */
async function sentAndUnstored(people: readonly Subscriber[], name: string): Promise<Subscriber[]> {
  const unstored: Subscriber[] = []
  for (const each of people) if ((await alerts.waitingFor(each)) > 0) unstored.push(each)
  // What was on the way at the end of the process has come in by then.
  await delay(500)
  return unstored.filter((each) => alerts.told(each, name).length > 0)
}

/** How many of them were notified. */
function notifiedCount(people: readonly Subscriber[], name: string): number {
  return people.filter((each) => alerts.told(each, name).length > 0).length
}

/** Waits until everybody was notified; returns how many messages were too many. */
async function everybodyNotified(people: readonly Subscriber[], name: string): Promise<number> {
  const counts = () => people.map((each) => alerts.told(each, name).length)
  await eventually(() => expect(Math.min(...counts())).toBeGreaterThan(0), 120_000)
  await eventually(async () => expect(await alerts.waiting()).toBe(0), 90_000)
  return counts().reduce((sum, count) => sum + count - 1, 0)
}

function refusals(): number {
  const { telegram, discord } = alerts.harness
  return telegram.api.tally.refused + discord.world.tally.refused
}

test('one replica watches and one notifies: each of them has each alert once', async () => {
  const people = alerts.crowd(20)
  await alerts.follows(people)
  // Replicas that start at once all set the webhook, which Telegram takes once a second.
  const before = refusals()
  const names = [alerts.goesLive(), alerts.goesLive()]
  for (const name of names) expect(await everybodyNotified(people, name)).toBe(0)
  expect(refusals()).toBe(before)
})

test('the replica that watches is killed: another watches soon, and nothing is lost', async () => {
  const people = alerts.crowd(10)
  await alerts.follows(people)
  const name = alerts.goesLive()
  const seconds = await killHolder('watch')
  const later = alerts.goesLive()
  for (const each of [name, later]) expect(await everybodyNotified(people, each)).toBe(0)
  process.stdout.write(`another watched after ${seconds.toFixed(1)} s\n`)
})

test('the one replica that has all roles is killed: others have every one of them, and go on', async () => {
  const people = alerts.crowd(5)
  await alerts.follows(people)
  const victim = holder('watch')
  const roles = rolesOf(victim)
  const known = ['clean-up', 'daily summaries', 'discord alerts', 'telegram alerts', 'watch']
  expect(roles).toEqual(expect.arrayContaining(known))
  expect(roles.filter((role) => role.startsWith('discord gateway'))).toHaveLength(1)
  await victim.kill()
  for (const role of roles) {
    await eventually(async () => {
      expect((await figuresOf(role)).toSorted()).toEqual([0, 1])
      expect(holder(role)).not.toBe(victim)
    }, 60_000)
  }
  const name = alerts.goesLive()
  expect(await everybodyNotified(people, name)).toBe(0)
  const ada = new DiscordUser(alerts.harness)
  await ada.says('/help')
  await ada.sees('Commands')
})

test('the replica that notifies is killed in the middle of it: everybody is notified, and twice at most whose message was under way', async () => {
  const people = alerts.crowd(100)
  await alerts.follows(people)
  const name = alerts.goesLive()
  await eventually(() => expect(notifiedCount(people, name)).toBeGreaterThan(20))
  const victim = holder('telegram alerts')
  await victim.kill()
  const underWay = await sentAndUnstored(people, name)
  const seconds = await untilAnotherHas('telegram alerts', victim)
  const duplicates = await everybodyNotified(people, name)
  process.stdout.write(
    `another told after ${seconds.toFixed(1)} s; ${underWay.length} were under way, ${duplicates} told twice\n`,
  )
  const twice = people.filter((each) => alerts.told(each, name).length > 1)
  expect(underWay).toEqual(expect.arrayContaining(twice))
  expect(duplicates).toBe(twice.length)
})

test('the replica that notifies is asked to stop in the middle of it: it ends with code 0, and nobody is notified twice', async () => {
  const people = alerts.crowd(60)
  await alerts.follows(people)
  const name = alerts.goesLive()
  await eventually(() => expect(notifiedCount(people, name)).toBeGreaterThan(20))
  const victim = holder('telegram alerts')
  const exit = await victim.stop()
  expect(exit).toEqual({ code: 0, signal: null })
  expect(victim.logs.some(({ msg }) => msg === 'stopping')).toBe(true)
  expect(await everybodyNotified(people, name)).toBe(0)
})
