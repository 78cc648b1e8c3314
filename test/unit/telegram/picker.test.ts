import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada, ben, club, lodge, news } from '../../../sandbox/telegram/cast.ts'
import type { SeenMessage } from '../../../sandbox/telegram/shown.ts'
import type { LocalisedView } from '../../../src/core/view.ts'
import { viewOf } from '../core/scripted-bot.ts'
import { type Chat, startChat } from './telegram-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const picker = { channel: 'Pick a channel', group: 'Pick a group', line: 'ask in:' }
const choosing: LocalisedView = {
  ...viewOf('Whose alerts?', [{ label: 'Help', line: 'ask help' }]),
  picker,
}

/** The keyboard that is below a person's message box. */
function keyboard(person: number) {
  const seen = chat.server.people.messages(person)
  const latest = seen.findLast((message) => message.keyboard)?.keyboard
  return latest?.kind === 'keyboard' ? latest : undefined
}

async function offered(person: number = ada.id): Promise<SeenMessage> {
  chat.bot.on('ask where', { view: choosing, outcome: 'answered' })
  const { message_id } = chat.server.people.text(person, person, '/ask where')
  return chat.sees(person, 'below the message box', message_id)
}

function requests(person: number = ada.id): number[] {
  const buttons = keyboard(person)?.rows.flat() ?? []
  return buttons.flatMap(({ requestChat }) => requestChat?.request_id ?? [])
}

test('a view that asks for a chat keeps its buttons, and the picker comes below it', async () => {
  await offered()
  const [answer, below] = chat.server.people.messages(ada.id).slice(-2)
  expect(answer).toMatchObject({ text: 'Whose alerts?', keyboard: undefined })
  expect(answer?.buttons.flat().map(({ text }) => text)).toEqual(['Help'])
  expect(below?.silent).toBe(true)
  expect(keyboard(ada.id)?.oneTime).toBe(true)
  const rights = { can_post_messages: true, can_promote_members: false }
  expect(keyboard(ada.id)?.rows.flat()).toMatchObject([
    {
      text: 'Pick a channel',
      requestChat: {
        chat_is_channel: true,
        user_administrator_rights: rights,
        bot_administrator_rights: rights,
      },
    },
    {
      text: 'Pick a group',
      requestChat: {
        chat_is_channel: false,
        bot_is_member: true,
        user_administrator_rights: { can_manage_chat: true },
      },
    },
  ])
})

test.each([
  ['a channel', 0, news.id],
  ['a group', 1, club.id],
  ['a supergroup', 1, lodge.id],
])('%s that is chosen completes the line, and the picker goes away', async (_, which, place) => {
  await offered()
  chat.server.people.share(ada.id, requests()[which] ?? 0, place)
  await chat.sees(ada.id, `ask in: ${place}`)
  const me = String(ada.id)
  expect(chat.bot.asked.at(-1)).toMatchObject({
    line: `ask in: ${place}`,
    context: { user: me, chat: me, ephemeral: true },
  })
  expect(keyboard(ada.id)).toBeUndefined()
})

test('a choice whose line was deleted is too old, and the picker goes away', async () => {
  await offered()
  const [channel = 0] = requests()
  chat.lines.forget()
  chat.server.people.share(ada.id, channel, news.id)
  await chat.sees(ada.id, 'too old')
  expect(keyboard(ada.id)).toBeUndefined()
  expect(chat.bot.lines).toEqual(['ask where'])
})

test('choosing a chat adds the bot to it', async () => {
  chat.server.people.kick(news.id)
  chat.server.people.kick(club.id)
  const { world } = chat.server.api
  for (const [which, place, role] of [
    [0, news.id, 'administrator'],
    [1, club.id, 'member'],
  ] as const) {
    await offered()
    chat.server.people.share(ada.id, requests()[which] ?? 0, place)
    await chat.sees(ada.id, `ask in: ${place}`)
    expect(world.places.get(place)?.roles.get(world.bot.id)).toBe(role)
  }
})

test('a choice is understood after a restart', async () => {
  await offered()
  const [channel = 0] = requests()
  await chat.platform.stop()
  const later = await chat.restarted()
  chat.server.people.share(ada.id, channel, news.id)
  await chat.sees(ada.id, `ask in: ${news.id}`)
  expect(later.bot.lines).toEqual([`ask in: ${news.id}`])
})

test('in a group there is none', async () => {
  chat.bot.on('ask where', { view: choosing, outcome: 'answered' })
  chat.server.people.text(ben.id, club.id, '/ask where')
  await chat.sees(club.id, 'Whose alerts?')
  await chat.settled(ben.id, club.id)
  expect(chat.botTexts(club.id)).toEqual(['Whose alerts?', 'ask settled'])
})

test('a view has no picker if its line can’t be stored', async () => {
  chat.lines.store = async () => undefined
  chat.bot.on('ask where', { view: choosing, outcome: 'answered' })
  chat.server.people.text(ada.id, ada.id, '/ask where')
  await chat.settled(ada.id)
  expect(chat.botTexts(ada.id)).toEqual(['Whose alerts?', 'ask settled'])
})
