import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada, club, news } from '../../../sandbox/telegram/cast.ts'
import { says } from '../core/scripted-bot.ts'
import { type Chat, startChat } from './telegram-chat.ts'

const words = 'look at $OTTER'
let chat: Chat
beforeEach(async () => {
  chat = await startChat()
  chat.bot.overheards.set(words, says('the card of Moon Otter'))
})
afterEach(() => chat.stop())

test('a message in a group is answered if the bot has a card for it, and not run as a command', async () => {
  // Telegram's privacy mode keeps what is no command from a bot that is a mere member.
  chat.server.people.text(ada.id, club.id, words)
  await chat.settled(ada.id, club.id)
  expect(chat.botTexts(club.id)).not.toContain('the card of Moon Otter')
  chat.server.people.invite(club.id, 'administrator')
  chat.server.people.text(ada.id, club.id, 'what else')
  chat.server.people.text(ada.id, club.id, words)
  await chat.sees(club.id, 'the card of Moon Otter')
  expect(chat.bot.lines).toEqual(['ask settled'])
})

test('a channel’s posts are answered with nothing but what their commands ask for', async () => {
  chat.server.people.text(ada.id, news.id, words)
  await chat.settled(ada.id, news.id)
  const texts = chat.server.people.messages(news.id).map(({ text }) => text)
  expect(texts).not.toContain('the card of Moon Otter')
  expect(texts).toContain(words)
})
