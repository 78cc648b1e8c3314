import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada, club } from '../../../sandbox/discord/cast.ts'
import { says } from '../core/scripted-bot.ts'
import { type Chat, controlOf, startChat, textOf } from './discord-chat.ts'
import { asks, form, formLine } from './form-answers.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const notice = 'its operator has blocked you'

test('buttons and forms of a blocked person that are too old say what any command says', async () => {
  chat.bot.forms.set(formLine, form)
  chat.bot.on('ask card', asks('What is it called?'))
  const message = await chat.server.people.slash(ada.id, club.id, 'ask', { term: 'card' }).message()
  const long = { label: 'More', line: `ask ${'x'.repeat(200)}` }
  chat.bot.on('ask long', says('the card', [long]))
  const card = await chat.server.people.slash(ada.id, club.id, 'ask', { term: 'long' }).message()
  const press = (shown: typeof card, label: string) =>
    chat.server.people.click(ada.id, club.id, shown.id, controlOf(shown, label))
  const modal = await press(message, 'Answer').modal()
  chat.bot.blocked.add(ada.id)
  chat.lines.forget()
  const first = await press(card, 'More').message()
  expect(textOf(first)).toContain(notice)
  const second = await chat.server.people.submit(modal, { name: 'Otter' }).message()
  expect(textOf(second)).toContain(notice)
  expect(chat.bot.heard).toEqual([])
})
