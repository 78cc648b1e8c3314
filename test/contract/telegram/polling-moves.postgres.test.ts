import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada } from '../../../sandbox/telegram/cast.ts'
import type { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { LockedLeadership } from '../../../src/cluster/locked-leadership.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'
import { LogBook } from '../../unit/core/log-book.ts'
import { Poller, startServer } from '../../unit/telegram/pollers.ts'

let server: TelegramServer
let database: TestDatabase
let all: LockedLeadership[]
beforeEach(async () => {
  server = await startServer()
  database = await TestDatabase.make()
  all = []
})
afterEach(async () => {
  await Promise.all(all.map((each) => each.stop()))
  await server.stop()
  await database.remove()
})

async function process() {
  const poller = new Poller(server)
  const faults: unknown[] = []
  // What has stopped does not start again: whoever comes back is another holder.
  const join = async () => {
    const leadership = new LockedLeadership({
      url: database.address,
      log: createLogger('debug', [], new LogBook()),
      onFault: (error) => faults.push(error),
      everyMs: 100,
    })
    leadership.run('telegram updates', () => poller.begin())
    all.push(leadership)
    await leadership.start()
    return leadership
  }
  return { poller, join, faults, leadership: await join() }
}

test('polling moves from one process to another, and neither takes the other for a foreign poller', async () => {
  const processes = [await process(), await process()]
  const heard = () => processes.flatMap(({ poller }) => poller.heard)
  const said: string[] = []
  let away: (typeof processes)[number] | undefined
  for (let round = 0; round < 6; round += 1) {
    const words = `round ${round}`
    said.push(words)
    server.people.text(ada.id, ada.id, words)
    await expect.poll(heard, { timeout: 20_000, interval: 20 }).toContain(words)
    const leaver = processes.find(({ poller }) => poller.heard.at(-1) === words)
    if (away) away.leadership = await away.join()
    away = leaver
    await away?.leadership.stop()
  }
  expect(heard().toSorted()).toEqual(said)
  for (const { poller, faults } of processes) {
    expect(poller.heard.length).toBeGreaterThan(0)
    expect([poller.fatal, faults, poller.log.of('error')]).toEqual([[], [], []])
  }
})
