import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Bot } from '../../sandbox/bot.ts'
import { PostgresCluster } from '../postgres-cluster.ts'
import { AlertTown, eventually, type Subscriber } from './alert-town.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let cluster: PostgresCluster
let alerts: AlertTown
beforeEach(async () => {
  cluster = await PostgresCluster.start()
  alerts = await AlertTown.start({
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
  const [first] = alerts.town.running().filter((bot) => has(bot) >= 0)
  if (first === undefined) throw new Error(`nobody has the role ${role}`)
  return first
}

function saysHas(line: Bot['logs'][number], role: string): boolean {
  return line.msg === 'this replica has a role' && line.role === role
}

/** Kills the replica that has a role; resolves with the seconds until another has it. */
async function killHolder(role: string): Promise<number> {
  const victim = holder(role)
  const killed = performance.now()
  await victim.kill()
  await eventually(() => expect(holder(role)).not.toBe(victim), 60_000)
  return (performance.now() - killed) / 1000
}

function crowd(each: number): Subscriber[] {
  const { telegram, discord } = alerts.town
  const people = telegram.circumstances.crowd(each)
  const guests = Array.from({ length: each }, (_, index) => discord.world.join(`guest${index}`))
  return [
    ...people.map((id) => ({ platform: 'telegram', kind: 'person', id: `${id}` }) as const),
    ...guests.map((guest) => {
      return { platform: 'discord', kind: 'chat', id: discord.world.dm(guest).channel.id } as const
    }),
  ]
}

/** How many of them were told. */
function tellings(people: readonly Subscriber[], name: string): number {
  return people.filter((each) => alerts.told(each, name).length > 0).length
}

/** Everybody was told; returns how many messages were too many. */
async function everybodyTold(people: readonly Subscriber[], name: string): Promise<number> {
  const counts = () => people.map((each) => alerts.told(each, name).length)
  await eventually(() => expect(Math.min(...counts())).toBeGreaterThan(0), 120_000)
  await eventually(async () => expect(await alerts.waiting()).toBe(0), 90_000)
  return counts().reduce((sum, count) => sum + count - 1, 0)
}

function refusals(): number {
  const { telegram, discord } = alerts.town
  return telegram.api.tally.refused + discord.world.tally.refusals
}

test('one replica watches and one tells: each of them has each alert once', async () => {
  const people = crowd(20)
  await alerts.follows(people)
  const names = [alerts.goesLive(), alerts.goesLive()]
  for (const name of names) expect(await everybodyTold(people, name)).toBe(0)
  expect(refusals()).toBe(0)
})

test('the replica that watches is killed: another watches soon, and nothing is lost', async () => {
  const people = crowd(10)
  await alerts.follows(people)
  const name = alerts.goesLive()
  const seconds = await killHolder('watch')
  const later = alerts.goesLive()
  for (const each of [name, later]) expect(await everybodyTold(people, each)).toBe(0)
  process.stdout.write(`another watched after ${seconds.toFixed(1)} s\n`)
})

test('the replica that tells is killed in the middle of it: everybody is told, and at most one twice', async () => {
  const people = crowd(100)
  await alerts.follows(people)
  const name = alerts.goesLive()
  await eventually(() => expect(tellings(people, name)).toBeGreaterThan(20))
  const seconds = await killHolder('telegram alerts')
  const duplicates = await everybodyTold(people, name)
  process.stdout.write(`another told after ${seconds.toFixed(1)} s, ${duplicates} told twice\n`)
  expect(duplicates).toBeLessThanOrEqual(1)
})

test('the replica that tells is asked to stop in the middle of it: it ends with code 0, and nobody is told twice', async () => {
  const people = crowd(60)
  await alerts.follows(people)
  const name = alerts.goesLive()
  await eventually(() => expect(tellings(people, name)).toBeGreaterThan(20))
  const exit = await holder('telegram alerts').stop()
  expect(exit).toEqual({ code: 0, signal: null })
  expect(await everybodyTold(people, name)).toBe(0)
})

test('PostgreSQL is killed and comes back after 20 s: nothing is lost, nothing told twice', async () => {
  const people = crowd(20)
  await alerts.follows(people)
  const before = alerts.goesLive()
  await everybodyTold(people, before)
  await cluster.kill()
  const name = alerts.goesLive()
  await delay(20_000)
  await cluster.startAgain()
  const back = performance.now()
  const duplicates = await everybodyTold(people, name)
  const seconds = (performance.now() - back) / 1000
  process.stdout.write(`all were told ${seconds.toFixed(1)} s later, ${duplicates} twice\n`)
  expect(duplicates).toBeLessThanOrEqual(1)
  expect(people.map((each) => alerts.told(each, before).length)).toEqual(people.map(() => 1))
  const { telegram } = alerts.town
  const [ada] = telegram.circumstances.crowd(1)
  if (ada === undefined) throw new Error('nobody is there')
  telegram.people.text(ada, ada, '/help')
  await telegram.people.waitFor(ada, (message) => message.text.includes('What you can ask'))
})
