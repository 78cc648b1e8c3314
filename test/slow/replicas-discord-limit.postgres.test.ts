import { afterEach, beforeEach, expect, test } from 'vitest'
import { club } from '../../sandbox/discord/cast.ts'
import type { DiscordServer } from '../../sandbox/discord/server.ts'
import { type Connection, connection, limited, startServer } from '../unit/discord/discord-chat.ts'

let server: DiscordServer
let platforms: Connection['platform'][]
beforeEach(async () => {
  server = await startServer({ rateLimits: true })
  platforms = []
})
afterEach(async () => {
  await Promise.all(platforms.map((platform) => platform.stop()))
  await server.stop()
})

async function replica(): Promise<Connection['platform']> {
  const parts = { ...limited, share: () => 1 / 3 }
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
