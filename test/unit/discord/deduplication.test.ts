import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada, ben, club } from '../../../sandbox/discord/cast.ts'
import type { DiscordServer } from '../../../sandbox/discord/server.ts'
import { type Connection, connection, startServer, textOf, token } from './discord-chat.ts'

const patience = { timeout: 20_000 }

let server: DiscordServer
let bots: Connection[]
beforeEach(async () => {
  server = await startServer({ maxConcurrency: 16 })
  bots = []
})
afterEach(async () => {
  await Promise.all(bots.map(({ platform }) => platform.stop()))
  await server.stop()
})

async function bot(): Promise<Connection> {
  const made = connection(server.root, token)
  bots.push(made)
  await made.platform.start()
  return made
}

/** Has each event sent twice, as Discord may. */
function repeatEvents(): void {
  const { events } = server.world
  const repeated = new Set<object>()
  events.on('dispatch', (event) => {
    if (repeated.has(event)) return
    repeated.add(event)
    events.emit('dispatch', event)
  })
}

const ask = (term: string) => server.people.slash(ada.id, club.id, 'ask', { term })

test('an interaction and a message that Discord sends twice are handled once', async () => {
  const { bot: asked, log } = await bot()
  repeatEvents()
  const asking = ask('moon')
  await asking.message()
  const { id } = server.people.text(ben.id, server.people.dm(ben.id), '/ask sun')
  await expect.poll(() => asked.lines, patience).toContain('ask sun')
  await ask('stars').message()
  expect(asked.lines).toEqual(['ask moon', 'ask sun', 'ask stars'])
  const [first, second] = asked.asked
  expect([first?.context.update, second?.context.update]).toEqual([asking.interaction?.id, id])
  expect(log.of('error')).toEqual([])
})

test('an interaction that two replicas receive gets one answer, and is no error', async () => {
  const [one, other] = [await bot(), await bot()]
  expect(server.shards).toEqual(['0/1', '0/1'])
  const answers = await Promise.all([0, 1, 2].map((time) => ask(`moon ${time}`).message()))
  expect(answers.map(textOf)).toEqual([0, 1, 2].map((time) => `ask "moon ${time}"`))
  // Discord has refused the responses of one of them.
  const refused = () => server.calls.filter(({ status }) => status === 400)
  await expect.poll(() => refused().length, patience).toBe(3)
  expect(server.people.messages(club.id, ada.id)).toHaveLength(3)
  expect([...one.log.of('error'), ...other.log.of('error')]).toEqual([])
})
