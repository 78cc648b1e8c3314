import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada, ben, club } from '../../../sandbox/discord/cast.ts'
import type { DiscordServer } from '../../../sandbox/discord/server.ts'
import type { UpdateDeduplication } from '../../../src/core/inbox.ts'
import { type Connection, connection, startServer, textOf, token } from './discord-chat.ts'

let server: DiscordServer
let bots: Connection[]
let asked: [platform: string, id: string][]
beforeEach(async () => {
  server = await startServer()
  bots = []
  asked = []
})
afterEach(async () => {
  await Promise.all(bots.map(({ platform }) => platform.stop()))
  await server.stop()
})

async function bot(isFirst: () => Promise<boolean>, isSingleNode = false): Promise<Connection> {
  const deduplication: UpdateDeduplication = {
    isFirst: (platform, id) => {
      asked.push([platform, id])
      return isFirst()
    },
  }
  const made = connection(server.root, token, { deduplication, isSingleNode })
  bots.push(made)
  await made.platform.start()
  return made
}

const ask = (term: string) => server.people.slash(ada.id, club.id, 'ask', { term })

test('what another replica has is left alone, whatever it is', async () => {
  const { bot: lines } = await bot(async () => asked.length > 2)
  const asking = ask('moon')
  const { id } = server.people.text(ben.id, server.people.dm(ben.id), '/ask sun')
  await expect
    .poll(() => asked, { timeout: 20_000 })
    .toEqual([
      ['discord', asking.interaction?.id],
      ['discord', id],
    ])
  // What is asked after them is answered: they would have been before.
  await ask('stars').message()
  expect(lines.lines).toEqual(['ask stars'])
  expect(asking.interaction?.acknowledged).toBeUndefined()
})

test('what stands in servers is nobody’s, and nobody is asked of it', async () => {
  await bot(async () => true)
  server.people.text(ada.id, club.id, '/ask sun')
  await ask('moon').message()
  expect(asked).toHaveLength(1)
})

test('where the database says nothing for a second, people are answered', async () => {
  await bot(() => new Promise(() => undefined))
  expect(textOf(await ask('moon').message())).toBe('ask moon')
})

test('who is alone asks nobody', async () => {
  const { log } = await bot(() => Promise.reject(new Error('no database')), true)
  expect(textOf(await ask('moon').message())).toBe('ask moon')
  expect([asked, log.of('warn')]).toEqual([[], []])
})
