import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada } from '../../../sandbox/telegram/cast.ts'
import type { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { LeaderElector } from '../../../src/cluster/leader-election.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'
import { LogBook } from '../../unit/core/log-book.ts'
import { Poller, startServer } from '../../unit/telegram/pollers.ts'

let server: TelegramServer
let database: TestDatabase
let all: LeaderElector[]
beforeEach(async () => {
  server = await startServer()
  database = await TestDatabase.make()
  all = []
})
afterEach(async () => {
  await Promise.all(all.map((roles) => roles.stop()))
  await Promise.all(all.map((roles) => roles.leave()))
  await server.stop()
  await database.remove()
})

async function replica() {
  const poller = new Poller(server)
  const faults: unknown[] = []
  const store = await database.open()
  // What has stopped does not start again: whoever comes back is another holder.
  const join = async () => {
    const roles = new LeaderElector({
      store,
      log: createLogger('debug', [], new LogBook()),
      onFault: (error) => faults.push(error),
      lease: 1_500,
      renewEvery: 100,
    })
    roles.run('telegram updates', () => poller.begin())
    all.push(roles)
    await roles.start()
    return roles
  }
  return { poller, join, faults, roles: await join() }
}

test('polling moves from one replica to another, and neither takes the other for a foreign poller', async () => {
  const replicas = [await replica(), await replica()]
  const heard = () => replicas.flatMap(({ poller }) => poller.heard)
  const said: string[] = []
  let away: (typeof replicas)[number] | undefined
  for (let round = 0; round < 6; round += 1) {
    const words = `round ${round}`
    said.push(words)
    server.people.text(ada.id, ada.id, words)
    await expect.poll(heard, { timeout: 20_000, interval: 20 }).toContain(words)
    const leaver = replicas.find(({ poller }) => poller.heard.at(-1) === words)
    if (away) away.roles = await away.join()
    away = leaver
    await away?.roles.stop()
  }
  expect(heard().toSorted()).toEqual(said)
  for (const { poller, faults } of replicas) {
    expect(poller.heard.length).toBeGreaterThan(0)
    expect([poller.fatal, faults, poller.log.of('error')]).toEqual([[], [], []])
  }
})
