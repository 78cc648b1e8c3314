import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DiscordServer } from '../../../sandbox/discord/server.ts'
import { LockedLeadership } from '../../../src/cluster/locked-leadership.ts'
import type { Task } from '../../../src/core/task.ts'
import { DiscordAdapter, type DiscordParts } from '../../../src/discord/adapter.ts'
import type { Shards } from '../../../src/discord/platform.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'
import { LogBook } from '../../unit/core/log-book.ts'
import { memoryCallbacks } from '../../unit/core/memory-callbacks.ts'
import { ScriptedBot } from '../../unit/core/scripted-bot.ts'
import { startServer, token } from '../../unit/discord/discord-chat.ts'

const patience = { timeout: 25_000 }

let server: DiscordServer
let database: TestDatabase
let stops: (() => Promise<void>)[]
beforeEach(async () => {
  server = await startServer({ maxConcurrency: 16 })
  database = await TestDatabase.make()
  stops = []
})
afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()))
  await server.stop()
  await database.remove()
})

interface Process {
  platform: DiscordAdapter
  leadership: LockedLeadership
  start: () => Promise<void>
  faults: unknown[]
}

async function process(shards?: Shards): Promise<Process> {
  const faults: unknown[] = []
  const onFault = (error: unknown) => faults.push(error)
  const log = createLogger('debug', [], new LogBook())
  const parts: DiscordParts = {
    token,
    apiRoot: server.root,
    dispatch: new ScriptedBot().dispatch,
    callbacks: memoryCallbacks(),
    log,
    onFatal: onFault,
    ...(shards && { shards }),
  }
  const platform = new DiscordAdapter(parts)
  const leadership = new LockedLeadership({ url: database.address, log, onFault, everyMs: 100 })
  const own: Task[] = []
  for (const { name, begin, inEach } of platform.receivers) {
    if (!inEach) leadership.run(name, begin)
  }
  const start = async () => {
    await platform.start()
    for (const { begin, inEach } of platform.receivers) if (inEach) own.push(begin())
    await Promise.all(own.map(({ ready }) => ready))
    await leadership.start()
  }
  stops.push(async () => {
    await Promise.all([leadership.stop(), ...own.map((task) => task.stop())])
    await platform.stop()
  })
  return { platform, leadership, start, faults }
}

test('ranges of shards are received by a process each, whoever leads', async () => {
  const [one, other] = [
    await process({ ids: [0, 1], count: 4 }),
    await process({ ids: [2, 3], count: 4 }),
  ]
  await one.start()
  await other.start()
  expect(server.shards).toEqual(['0/4', '1/4', '2/4', '3/4'])
  expect([one, other].map(({ platform }) => platform.state())).toEqual(['connected', 'connected'])
})

test('all shards are received by the leader, and by another process when it stops', async () => {
  const [one, other] = [await process(), await process()]
  await one.start()
  await other.start()
  expect([one, other].map(({ platform }) => platform.state())).toEqual(['connected', 'standby'])
  expect(server.shards).toEqual(['0/1'])
  await one.leadership.stop()
  await expect.poll(() => other.platform.state(), patience).toBe('connected')
  expect(server.shards).toEqual(['0/1'])
  expect([...one.faults, ...other.faults]).toEqual([])
})
