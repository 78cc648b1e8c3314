import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club } from '../../../sandbox/discord/cast.ts'
import { viewOf } from '../core/scripted-bot.ts'
import { adasTurn, type Chat, isEphemeral, startChat, textOf } from './discord-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const ask = (place: string, person: string = ada.id) =>
  chat.server.people.slash(person, place, 'ask', { term: 'moon' }).message()

describe('a server', () => {
  test.each([
    ['in a thread', () => chat.server.world.startThread(club.id, 'otters')],
    [
      'in a post of a forum',
      () => chat.server.world.startThread(chat.server.world.addForum('ideas'), 'otters'),
    ],
    ['in the chat of a voice channel', () => chat.server.world.addVoice('talk')],
  ])('%s, commands are answered and alerts arrive', async (_, make) => {
    const place = make()
    expect(textOf(await ask(place))).toBe('ask moon')
    expect(chat.bot.asked[0]?.context).toEqual({ ...adasTurn, chat: place })
    await chat.platform.send({ kind: 'chat', id: place }, viewOf('Moon Otter is live'), 'one')
    expect(chat.reads(place, ben.id)).toEqual(['ask moon', 'Moon Otter is live'])
    expect(await chat.platform.manages(place, ada.id)).toBe(true)
    expect(await chat.platform.manages(place, ben.id)).toBe(false)
  })
})

describe('a person who added the bot for themselves', () => {
  const guest = () => ({
    ...adasTurn,
    user: ben.id,
    isGuest: true,
    invitations: { server: expect.stringContaining('oauth2/authorize') },
  })

  test('is answered in a private chat of theirs with others, where the bot is a guest', async () => {
    chat.server.world.install(ben.id)
    const place = chat.server.world.addOthersChat(ben.id)
    expect(isEphemeral(await ask(place, ben.id))).toBe(false)
    expect(chat.bot.asked[0]?.context).toEqual({ ...guest(), chat: place })
    const own = await chat.server.people.slash(ben.id, place, 'launch').message()
    expect([textOf(own), isEphemeral(own)]).toEqual(['launch', true])
  })

  test('is answered in a server that did not add it', async () => {
    chat.server.world.install(ben.id)
    chat.server.world.removeBot()
    expect(textOf(await ask(club.id, ben.id))).toBe('ask moon')
    expect(chat.bot.asked[0]?.context).toEqual({ ...guest(), chat: club.id })
  })

  test('finds the commands in a server that added it, where it is no guest', async () => {
    chat.server.world.install(ben.id)
    await ask(club.id, ben.id)
    expect(chat.bot.asked[0]?.context).toEqual({ ...adasTurn, user: ben.id })
  })
})
