import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, club } from '../../../sandbox/discord/cast.ts'
import type { ChatAddress } from '../../../src/core/adapter.ts'
import { viewOf } from '../core/scripted-bot.ts'
import { type Chat, failure, startChat, textOf, toClub } from './discord-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const send = (to: ChatAddress, words: string, key: string) =>
  chat.platform.send(to, viewOf(words), key)

describe('an edit', () => {
  const unknown = '1300000000000009999'
  const edit = (message: string) => failure(chat.platform.edit(toClub, message, viewOf('y')))

  test('of a deleted or invalid message is given up, but not the channel', async () => {
    for (const id of [unknown, 'x', '../../users/@me']) {
      expect(await edit(id)).toMatchObject({ final: true, loss: undefined })
    }
  })

  test('of another author’s message is given up', async () => {
    const { id } = chat.server.people.text(ada.id, club.id, 'gm')
    expect(await edit(id)).toMatchObject({ final: true, loss: undefined })
  })

  test('of a message in a deleted channel says so', async () => {
    const { message } = await send(toClub, 'x', 'one')
    chat.server.world.removeChannel(club.id)
    expect(await edit(message)).toMatchObject({ final: true, loss: 'gone' })
  })
})

describe('a thread', () => {
  let thread: ChatAddress
  beforeEach(() => {
    thread = { kind: 'chat', id: chat.server.world.startThread(club.id, 'auctions') }
  })
  const reads = () => chat.server.people.messages(thread.id, ada.id).map(textOf)

  test('accepts messages, even if it was archived in the meantime', async () => {
    await send(thread, 'one', 'one')
    chat.server.world.setThread(thread.id, { archived: true, locked: false })
    await send(thread, 'two', 'two')
    expect(reads()).toEqual(['one', 'two'])
  })

  test.each([true, false])('that is locked is lost (archived: %s)', async (archived) => {
    chat.server.world.setThread(thread.id, { archived, locked: true })
    expect(await failure(send(thread, 'x', 'one'))).toMatchObject({
      final: true,
      loss: 'topic-closed',
    })
  })

  test('that was archived is not lost if an edit fails', async () => {
    const { message } = await send(thread, 'one', 'one')
    chat.server.world.setThread(thread.id, { archived: true, locked: false })
    const failed = await failure(chat.platform.edit(thread, message, viewOf('x')))
    expect(failed).toMatchObject({ final: true, loss: undefined })
  })
})
