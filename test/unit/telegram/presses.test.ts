import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ben, club } from '../../../sandbox/telegram/cast.ts'
import type { Button } from '../../../src/core/view.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { later, refuses, says } from '../core/scripted-bot.ts'
import { type Chat, startChat } from './telegram-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const more: Button<string> = { label: 'More', line: 'ask more' }
const opens: Button<string> = { ...more, asNew: true }

/** A message of the bot in this chat with these buttons. */
async function shownCard(buttons: Button<string>[], chatId: number = ben.id) {
  chat.bot.on('ask card', says('the card', buttons))
  chat.server.people.text(ben.id, chatId, '/ask card')
  return chat.sees(chatId, 'the card')
}

const press = (messageId: number, chatId: number = ben.id) =>
  chat.server.people.press(ben.id, chatId, messageId, { label: 'More' }, 20_000)

const silent = { kind: 'answer', text: '', alert: false, url: '' }

test('the answer replaces the message', async () => {
  const { id } = await shownCard([more])
  expect(await press(id)).toEqual(silent)
  expect(chat.server.people.messages(ben.id).at(-1)).toMatchObject({ id, text: 'ask more' })
  expect(chat.botTexts(ben.id)).toEqual(['ask more'])
})

test('a button that opens sends a new message and leaves the old one', async () => {
  const { id } = await shownCard([opens], club.id)
  expect(await press(id, club.id)).toEqual(silent)
  const answer = await chat.sees(club.id, 'ask more')
  expect(answer.replyTo).toBeUndefined()
  expect(chat.botTexts(club.id)).toEqual(['the card', 'ask more'])
})

test('the command runs for the person who pressed, not for the one who sent it', async () => {
  const { id } = await shownCard([more], club.id)
  await chat.server.people.press(100_001, club.id, id, { label: 'More' })
  expect(chat.bot.asked.at(-1)?.context).toEqual({
    platform: telegram,
    user: '100001',
    chat: String(club.id),
    ephemeral: false,
    isPrivate: false,
    locale: 'en',
    update: expect.stringMatching(/^\d+$/u),
  })
})

test('an answer that changes nothing is a notice, and no second message', async () => {
  const { id } = await shownCard([more])
  chat.bot.on('ask more', says('the card', [more]))
  expect(await press(id)).toEqual({ ...silent, text: 'Nothing has changed.' })
  await chat.settled(ben.id)
  expect(chat.botTexts(ben.id)).toEqual(['the card', 'ask settled'])
  expect(chat.log.of('error')).toEqual([])
})

test('if the message was deleted, the answer is a new one', async () => {
  const { id } = await shownCard([more])
  const slow = later()
  chat.bot.on('ask more', slow.script)
  const pressing = press(id)
  await expect.poll(() => chat.bot.lines, { timeout: 20_000 }).toContain('ask more')
  const place = chat.server.api.world.places.get(ben.id)
  if (place) chat.server.api.world.remove(place, id)
  slow.come(says('at last'))
  await chat.sees(ben.id, 'at last')
  expect(await pressing).toEqual(silent)
  expect(chat.log.of('error')).toEqual([])
})

test('it is answered before the message changes, if that has to wait for its turn', async () => {
  await chat.stop()
  chat = await startChat({}, { limits: { all: 1_000, person: 1, group: 1_000 } })
  const { id } = await shownCard([more])
  // Telegram lets four messages through at once.
  for (const word of ['one', 'two', 'three']) {
    chat.server.people.text(ben.id, ben.id, `/ask ${word}`)
    await chat.sees(ben.id, `ask ${word}`)
  }
  expect(await press(id)).toEqual(silent)
  const message = () => chat.server.people.messages(ben.id).find((each) => each.id === id)
  expect(message()).toMatchObject({ text: 'the card' })
  expect(chat.platform.waiting()).toEqual({ edit: 1, answer: 0, background: 0 })
  await expect.poll(message).toMatchObject({ text: 'ask more' })
  expect(chat.platform.waiting()).toEqual({ edit: 0, answer: 0, background: 0 })
  expect(chat.server.calls.of('answerCallbackQuery')).toHaveLength(1)
})

describe('a refusal or failure is a notice, and leaves the message', () => {
  test.each([
    ['refused', 'Not like this.', refuses('Not like this.')],
    ['failed', 'explained', { ...refuses('x'), outcome: 'failed' as const }],
  ])('%s', async (_, text, answer) => {
    for (const button of [more, opens]) {
      const { id } = await shownCard([button])
      chat.bot.on('ask more', answer)
      expect(await press(id)).toEqual({ ...silent, text })
      await chat.settled(ben.id)
      expect(new Set(chat.botTexts(ben.id))).toEqual(new Set(['the card', 'ask settled']))
    }
  })
})

test('a refusal longer than Telegram takes in a notice is cut to what it takes', async () => {
  const { id } = await shownCard([more])
  chat.bot.on('ask more', refuses('long '.repeat(100)))
  expect(await press(id)).toMatchObject({ kind: 'answer', alert: true })
})

describe('an answer that can’t be shown is explained in a message of its own', () => {
  test.each([
    ['more buttons than fit', Array.from({ length: 101 }, () => more)],
    ['a link that Telegram refuses', [{ label: 'x', url: 'no address' }]],
  ])('%s', async (_, buttons) => {
    for (const button of [more, opens]) {
      chat.server.api.world.places.get(ben.id)?.messages.clear()
      const { id } = await shownCard([button])
      chat.bot.on('ask more', says('too much', buttons))
      await press(id)
      await chat.sees(ben.id, 'explained', id)
      await chat.settled(ben.id)
      expect(chat.botTexts(ben.id)).toEqual(['the card', 'explained', 'ask settled'])
    }
    expect(chat.bot.explained.map(({ line }) => line)).toEqual(['ask more', 'ask more'])
  })
})

describe('a press with forged data', () => {
  const tooOld = { ...silent, text: 'These buttons are too old. Send the command again.' }

  test.each(['=ask secret', '+ask secret', 'ask secret', '=#0000000000000000', '', '\0', '='])(
    'such as %j is refused with a notice',
    async (data) => {
      const { id } = await shownCard([more])
      const result = await chat.server.people.press(ben.id, ben.id, id, { data }, 20_000)
      expect(result).toEqual(tooOld)
      expect(chat.bot.lines).toEqual(['ask card'])
      expect(chat.botTexts(ben.id)).toEqual(['the card'])
    },
  )

  test('a button whose line was deleted says so', async () => {
    const { id } = await shownCard([{ label: 'More', line: `ask ${'x'.repeat(100)}` }])
    chat.lines.forget()
    expect(await press(id)).toEqual(tooOld)
    expect(chat.bot.lines).toEqual(['ask card'])
  })
})

test('a button whose line is too long for Telegram runs it all the same', async () => {
  const line = `ask ${'月'.repeat(100)}`
  const { id } = await shownCard([{ label: 'More', line }])
  expect(await press(id)).toEqual(silent)
  expect(chat.bot.lines).toEqual(['ask card', line])
})

test('an answer that comes after the press expired still arrives', async () => {
  const { id } = await shownCard([more])
  const slow = later()
  chat.bot.on('ask more', slow.script)
  const pressing = chat.server.people.press(ben.id, ben.id, id, { label: 'More' }, 20_000)
  await expect.poll(() => chat.bot.lines, { timeout: 20_000 }).toContain('ask more')
  chat.server.api.callbacks.stop()
  expect(await pressing).toEqual({ kind: 'no answer' })
  slow.come(says('at last'))
  expect(await chat.sees(ben.id, 'at last')).toMatchObject({ id })
  await chat.settled(ben.id)
  expect(chat.log.of('error')).toEqual([])
})
