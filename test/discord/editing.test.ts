import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, club } from '../../sandbox/discord/cast.ts'
import type { DiscordServer } from '../../sandbox/discord/server.ts'
import { type Destination, SendError } from '../../src/chat/platform.ts'
import { viewOf } from '../chat/scripted-bot.ts'
import { type Connection, connection, startServer, textOf } from './discord-chat.ts'

let server: DiscordServer
let parts: Connection
beforeEach(async () => {
  server = await startServer()
  parts = connection(server.root)
  await parts.platform.start()
})
afterEach(async () => {
  await parts.platform.stop()
  await server.stop()
})

const toClub: Destination = { kind: 'chat', id: club.id }
const send = (to: Destination, words: string, key: string) =>
  parts.platform.send(to, viewOf(words), key)
const failure = async (sending: Promise<unknown>): Promise<SendError> => {
  const error: unknown = await sending.catch((reason: unknown) => reason)
  if (error instanceof SendError) return error
  throw new Error('nothing was refused', { cause: error })
}

describe('an edit', () => {
  const unknown = '1300000000000009999'
  const edit = (message: string) => failure(parts.platform.edit(toClub, message, viewOf('y')))

  test('of a message that is gone or none is given up, and the channel is not', async () => {
    for (const id of [unknown, 'x', '../../users/@me']) {
      expect(await edit(id)).toMatchObject({ final: true, loss: undefined })
    }
  })

  test('of a message of somebody else’s is given up', async () => {
    const { id } = server.people.text(ada.id, club.id, 'gm')
    expect(await edit(id)).toMatchObject({ final: true, loss: undefined })
  })

  test('where the channel is gone says so', async () => {
    const { message } = await send(toClub, 'x', 'one')
    server.world.removeChannel(club.id)
    expect(await edit(message)).toMatchObject({ final: true, loss: 'gone' })
  })
})

describe('a thread', () => {
  let thread: Destination
  beforeEach(() => {
    thread = { kind: 'chat', id: server.world.startThread(club.id, 'auctions') }
  })
  const reads = () => server.people.messages(thread.id, ada.id).map(textOf)

  test('takes messages, also when it was put away in the meantime', async () => {
    await send(thread, 'one', 'one')
    server.world.setThread(thread.id, { archived: true, locked: false })
    await send(thread, 'two', 'two')
    expect(reads()).toEqual(['one', 'two'])
  })

  test.each([true, false])('that is locked is lost (put away: %s)', async (archived) => {
    server.world.setThread(thread.id, { archived, locked: true })
    expect(await failure(send(thread, 'x', 'one'))).toMatchObject({
      final: true,
      loss: 'topic-closed',
    })
  })

  test('that was put away is not lost for an edit that fails', async () => {
    const { message } = await send(thread, 'one', 'one')
    server.world.setThread(thread.id, { archived: true, locked: false })
    const failed = await failure(parts.platform.edit(thread, message, viewOf('x')))
    expect(failed).toMatchObject({ final: true, loss: undefined })
  })
})
