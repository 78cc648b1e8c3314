import { afterEach, beforeEach, expect, test } from 'vitest'
import { club } from '../../sandbox/discord/cast.ts'
import type { DiscordServer } from '../../sandbox/discord/server.ts'
import { sendSlots } from '../../src/cluster/cluster.ts'
import { TestDatabase } from '../database.ts'
import { type Connection, connection, limited, startServer } from '../unit/discord/discord-chat.ts'

let server: DiscordServer
let database: TestDatabase
let platforms: Connection['platform'][]
beforeEach(async () => {
  server = await startServer({ rateLimits: true })
  database = await TestDatabase.make()
  platforms = []
})
afterEach(async () => {
  await Promise.all(platforms.map((platform) => platform.stop()))
  await server.stop()
  await database.remove()
})

async function replica(): Promise<Connection['platform']> {
  const reserveSlots = sendSlots(await database.open(), 'discord')
  const parts = { ...limited, replicas: () => 3, reserveSlots }
  const { platform } = connection(server.root, undefined, parts)
  platforms.push(platform)
  await platform.start()
  return platform
}

test('what three replicas ask of Discord at once stays within its limit', async () => {
  const replicas = [await replica(), await replica(), await replica()]
  // Of other channels each: requests for one channel are made one after the other.
  const channels = Array.from({ length: 50 }, (_, each) => String(BigInt(club.id) + BigInt(each)))
  await Promise.all(replicas.flatMap((each) => channels.map((id) => each.title(id))))
  expect(server.world.tally.refused).toBe(0)
})
