import { afterEach, beforeEach, expect, test } from 'vitest'
import { ben, club } from '../../../sandbox/telegram/cast.ts'
import { viewOf } from '../core/scripted-bot.ts'
import { pictured } from './pictured.ts'
import { startFrontedChat, toChat } from './telegram-chat.ts'

let chat: Awaited<ReturnType<typeof startFrontedChat>>
beforeEach(async () => {
  chat = await startFrontedChat()
})
afterEach(() => chat.stop())

const toClub = toChat(club.id)
const seen = () =>
  chat.server.people
    .messages(club.id)
    .filter(({ sender }) => sender.isBot)
    .map(({ text, photo }) => (photo ? `${text} with a photo` : text))
/** The methods that were called to write something. */
const written = () =>
  chat.front.calls.filter((method) => /^(?:send|edit)(?!ChatAction)/u.test(method))

test('if a group takes no photos, one is tried once, whatever is sent or edited next', async () => {
  chat.server.circumstances.botMay(club.id, 'texts')
  const { message } = await chat.platform.send(toClub, await pictured('10%'), 'one')
  await chat.platform.send(toClub, await pictured('live', 'blue'), 'two')
  await chat.platform.edit(toClub, message, await pictured('20%', 'blue'))
  chat.bot.on('ask card', { view: await pictured('the card'), outcome: 'answered' })
  chat.server.people.text(ben.id, club.id, '/ask card')
  await chat.sees(club.id, 'the card')
  expect(seen()).toEqual(['20%', 'live', 'the card'])
  const words = ['sendMessage', 'editMessageText', 'sendMessage']
  expect(written()).toEqual(['sendPhoto', 'sendMessage', ...words])
})

test('a message keeps the photo that it has from before a group took no more', async () => {
  const { message } = await chat.platform.send(toClub, await pictured('10%'), 'one')
  chat.server.circumstances.botMay(club.id, 'texts')
  await chat.platform.send(toClub, await pictured('live', 'blue'), 'two')
  await chat.platform.edit(toClub, message, await pictured('20%'))
  await chat.platform.edit(toClub, message, await pictured('30%', 'blue'))
  expect(seen()).toEqual(['30% with a photo', 'live'])
  expect(written().slice(-2)).toEqual(['editMessageCaption', 'editMessageCaption'])
})

test('a photo that Telegram can’t read says nothing about the group', async () => {
  const bytes = Buffer.from('no picture')
  const broken = { key: 'broken', name: 'card.png', type: 'image/png', bytes }
  await chat.platform.send(toClub, { ...viewOf('live'), picture: broken }, 'one')
  await chat.platform.send(toClub, await pictured('10%'), 'two')
  expect(seen()).toEqual(['live', '10% with a photo'])
})

test('if a bot may write nothing, the group is lost, photo or not', async () => {
  chat.server.circumstances.botMay(club.id, 'nothing')
  const sending = chat.platform.send(toClub, await pictured('10%'), 'one')
  await expect(sending).rejects.toMatchObject({ final: true, loss: 'forbidden' })
})
