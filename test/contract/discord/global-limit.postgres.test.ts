import { afterEach, beforeEach, expect, test } from 'vitest'
import { club } from '../../../sandbox/discord/cast.ts'
import type { DiscordServer } from '../../../sandbox/discord/server.ts'
import { PostgresPubSub } from '../../../src/cluster/pubsub.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'
import {
  type Connection,
  connection,
  limited,
  startServer,
} from '../../unit/discord/discord-chat.ts'

let server: DiscordServer
let database: TestDatabase
let bulletins: PostgresPubSub[]
let platforms: Connection['platform'][]
beforeEach(async () => {
  server = await startServer()
  database = await TestDatabase.make()
  bulletins = []
  platforms = []
})
afterEach(async () => {
  await Promise.all(platforms.map((platform) => platform.stop()))
  await Promise.all(bulletins.map((pubsub) => pubsub.stop()))
  await server.stop()
  await database.remove()
})

async function replica(): Promise<Connection['platform']> {
  const log = createLogger('silent', [])
  const pubsub = new PostgresPubSub({ url: database.address, store: await database.open(), log })
  pubsub.start()
  const { platform } = connection(server.root, undefined, { ...limited, pubsub })
  bulletins.push(pubsub)
  platforms.push(platform)
  await platform.start()
  return platform
}

test('who tells alerts leaves room for what other replicas ask of Discord', async () => {
  const [telling, answering] = [await replica(), await replica()]
  // Of other channels each: what is asked of one channel @discordjs/rest asks one after the other.
  const channels = Array.from({ length: 50 }, (_, each) => String(BigInt(club.id) + BigInt(each)))
  let asking: Promise<void> | undefined
  const ask = async () => {
    await Promise.all(channels.map((each) => answering.title(each)))
    asking = undefined
  }
  const patience = { timeout: 20_000, interval: 100 }
  // For its own it waits for 21 ms at most. Until it listens it hears of nothing.
  await expect
    .poll(() => {
      asking ??= ask()
      return telling.capacity()
    }, patience)
    .toBeGreaterThan(100)
  await asking
  await expect.poll(() => telling.capacity(), patience).toBe(0)
})
