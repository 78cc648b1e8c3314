import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada, ben, club, lodge } from '../../../sandbox/telegram/cast.ts'
import { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { PostgresPubSub } from '../../../src/cluster/pubsub.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'
import { type Connection, connection, toChat, token } from '../../unit/telegram/telegram-chat.ts'

let server: TelegramServer
let database: TestDatabase
let bulletins: PostgresPubSub[]
let platforms: Connection['platform'][]
beforeEach(async () => {
  server = await TelegramServer.start({ token, floodLimits: false })
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

async function replica(): Promise<Connection> {
  const log = createLogger('silent', [])
  const pubsub = new PostgresPubSub({ url: database.address, store: await database.open(), log })
  pubsub.start()
  const made = connection(server.root, token, undefined, { pubsub })
  bulletins.push(pubsub)
  platforms.push(made.platform)
  return made
}

test('who tells alerts leaves room for what other replicas answer', async () => {
  const [telling, answering] = [await replica(), await replica()]
  await answering.platform.start()
  const gap = () => telling.platform.gap(toChat(club.id))
  expect(gap()).toBeLessThan(3.2)
  // Until the one listens the other is not heard.
  await expect
    .poll(
      () => {
        for (const chat of [club.id, lodge.id, ada.id, ben.id]) {
          const person = chat === ben.id ? ben.id : ada.id
          for (let each = 0; each < 10; each += 1) server.people.text(person, chat, '/ask otter')
        }
        return gap()
      },
      { timeout: 20_000, interval: 300 },
    )
    .toBeGreaterThan(3.2)
  expect(telling.platform.capacity()).toBeGreaterThan(0)
  expect(telling.bot.lines).toEqual([])
})
