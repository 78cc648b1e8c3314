import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DiscordServer } from '../../../sandbox/discord/server.ts'
import { LeaderElector } from '../../../src/cluster/leader-election.ts'
import { heldLeases, takeLeases } from '../../../src/db/leases.ts'
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

describe('ranges of shards', () => {
  interface Replica {
    platform: DiscordAdapter
    roles: LeaderElector
    start: () => Promise<void>
    faults: unknown[]
  }

  async function replica(shards?: Shards): Promise<Replica> {
    const store = await database.open()
    const faults: unknown[] = []
    const log = createLogger('silent', [])
    const parts: DiscordParts = {
      token,
      apiRoot: server.root,
      dispatch: new ScriptedBot(),
      callbacks: memoryCallbacks(),
      log: createLogger('debug', [], new LogBook()),
      onFatal: (error) => faults.push(error),
      heldRoles: () => heldLeases(store),
      ...(shards && { shards }),
    }
    const platform = new DiscordAdapter(parts)
    const onFault = (error: unknown) => faults.push(error)
    const roles = new LeaderElector({ store, log, onFault, lease: 1_500, renewEvery: 300 })
    for (const { role, begin } of platform.receivers) roles.run(role, begin)
    const start = async () => {
      await platform.start()
      await roles.start()
    }
    stops.push(async () => {
      await roles.stop()
      await platform.stop()
      await roles.leave()
    })
    return { platform, roles, start, faults }
  }

  const low = { ids: [0, 1], count: 4 }
  const high = { ids: [2, 3], count: 4 }

  test('that don’t overlap are connected by a replica each', async () => {
    const [one, other] = [await replica(low), await replica(high)]
    await one.start()
    await other.start()
    expect(server.shards).toEqual(['0/4', '1/4', '2/4', '3/4'])
    expect([one, other].map(({ platform }) => platform.state())).toEqual(['connected', 'connected'])
  })

  test('that are the same are connected by one, and by the other when it stops', async () => {
    const [one, other] = [await replica(low), await replica(low)]
    await one.start()
    await other.start()
    expect([one, other].map(({ platform }) => platform.state())).toEqual(['connected', 'standby'])
    expect(server.shards).toEqual(['0/4', '1/4'])
    await one.roles.stop()
    await expect.poll(() => other.platform.state(), patience).toBe('connected')
    expect(server.shards).toEqual(['0/4', '1/4'])
  })

  test.each<[string, Shards | undefined, Shards | undefined]>([
    ['overlap', low, { ids: [1, 2], count: 4 }],
    ['are of another number of shards', low, { ids: [4, 5], count: 8 }],
    ['stand beside all', undefined, low],
    ['stand beside some', low, undefined],
  ])('that %s are refused, and nothing is received twice', async (_, first, second) => {
    const running = await replica(first)
    await running.start()
    const heard = server.shards
    const refused = await replica(second)
    await expect(refused.start()).rejects.toMatchObject({
      name: 'PlatformError',
      message: expect.stringMatching(/^DISCORD_SHARDS: another replica has /u),
    })
    expect(server.shards).toEqual(heard)
    expect(running.platform.state()).toBe('connected')
  })

  test('of a replica that was killed are free once its lease ends', async () => {
    const store = await database.open()
    await takeLeases(store, ['discord gateway 0-1/4'], 'who was killed', 200)
    expect(await heldLeases(store)).toEqual(['discord gateway 0-1/4'])
    while ((await heldLeases(store)).length > 0) await delay(20)
    await (await replica()).start()
    expect(server.shards).toEqual(['0/1'])
  })
})
