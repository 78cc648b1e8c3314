import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada, ben, club, news } from '../../../sandbox/telegram/cast.ts'
import { says, viewOf } from '../core/scripted-bot.ts'
import { type Chat, startChat } from './telegram-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const silent = { kind: 'answer', text: '', alert: false, url: '' }

test('a blocked person is not invited to the private chat of a command, and others of the group are', async () => {
  chat.bot.blocked.add(String(ben.id))
  chat.server.people.text(ben.id, club.id, '/launch')
  await chat.settled(ada.id, club.id)
  expect(chat.botTexts(club.id)).toEqual(['ask settled'])
  const { message_id } = chat.server.people.text(ada.id, club.id, '/launch')
  await chat.server.people.waitFor(club.id, ({ buttons }) => buttons.length > 0, {
    after: message_id,
  })
})

test('old buttons of a blocked person do nothing, and say nothing again and again', async () => {
  chat.bot.on('ask card', says('the card', [{ label: 'More', line: 'launch' }]))
  chat.server.people.text(ben.id, club.id, '/ask card')
  const { id } = await chat.sees(club.id, 'the card')
  chat.bot.blocked.add(String(ben.id))
  const press = (person: number) =>
    chat.server.people.press(person, club.id, id, { label: 'More' }, 20_000)
  expect(await press(ben.id)).toEqual(silent)
  chat.lines.forget()
  expect(await press(ben.id)).toEqual(silent)
  expect(chat.botTexts(club.id)).toEqual(['the card'])
  expect(await press(ada.id)).toMatchObject({ url: expect.stringContaining('start=') })
})

test('a chat that a blocked person chooses, or a line by a link, is not answered', async () => {
  const picker = { channel: 'Pick a channel', group: 'Pick a group', line: 'ask in:' }
  chat.bot.on('ask where', { view: { ...viewOf('Whose?'), picker }, outcome: 'answered' })
  chat.server.people.text(ada.id, ada.id, '/ask where')
  const { keyboard } = await chat.sees(ada.id, 'below the message box')
  const rows = keyboard?.kind === 'keyboard' ? keyboard.rows.flat() : []
  const [request = 0] = rows.flatMap(({ requestChat }) => requestChat?.request_id ?? [])
  await chat.lines.store('change', 'sixteen-letters-')
  const before = chat.botTexts(ada.id)
  chat.bot.blocked.add(String(ada.id))
  chat.server.people.share(ada.id, request, news.id)
  chat.server.people.text(ada.id, ada.id, '/start sixteen-letters-')
  await expect.poll(() => chat.server.api.queue.length, { timeout: 20_000 }).toBe(0)
  expect(chat.botTexts(ada.id)).toEqual(before)
  chat.bot.blocked.clear()
  chat.server.people.text(ada.id, ada.id, '/start sixteen-letters-')
  await chat.sees(ada.id, '/change')
})
