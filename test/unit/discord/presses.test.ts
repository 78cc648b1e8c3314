import type { APIMessage } from 'discord-api-types/v10'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club } from '../../../sandbox/discord/cast.ts'
import type { Answer } from '../../../src/core/incoming.ts'
import type { Button } from '../../../src/core/view.ts'
import { later, refuses, says, viewOf } from '../core/scripted-bot.ts'
import {
  adasTurn,
  type Chat,
  controlOf,
  deferred,
  isEphemeral,
  startChat,
  textOf,
} from './discord-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const more: Button<string> = { label: 'More', line: 'ask more' }
const opens: Button<string> = { ...more, asNew: true }

const failed = (words: string): Answer => ({ ...refuses(words), outcome: 'failed' })
const unshowable = says('too much', [
  { label: 'x', url: `https://otter.example/${'x'.repeat(600)}` },
])

/** What Ada asked for in the club: a message with this button. */
function shownCard(button: Button<string>, channelId: string = club.id): Promise<APIMessage> {
  chat.bot.on('ask card', says('the card', [button]))
  return chat.server.people.slash(ada.id, channelId, 'ask', { term: 'card' }).message()
}

const press = (message: APIMessage, personId: string = ada.id) =>
  chat.server.people.click(personId, message.channel_id, message.id, controlOf(message, 'More'))

const adaReads = () => chat.reads(club.id, ada.id)
const benReads = () => chat.reads(club.id, ben.id)

describe('the asker’s own press', () => {
  test('replaces the message by the answer', async () => {
    const card = await shownCard(more)
    expect((await press(card).message()).id).toBe(card.id)
    expect(benReads()).toEqual(['ask more'])
    expect(chat.bot.asked.at(-1)).toEqual({ line: 'ask more', context: adasTurn })
  })

  test('of a button that opens sends a new message and leaves the old one', async () => {
    await press(await shownCard(opens)).message()
    expect(benReads()).toEqual(['the card', 'ask more'])
  })

  // With the default time: Discord waits 3 s.
  test('that takes long is acknowledged in time, and the message changes later', async () => {
    const slow = later()
    chat.bot.on('ask more', slow.script)
    const asked = press(await shownCard(more))
    expect(await asked.taken).toBe('pending-update')
    expect(benReads()).toEqual(['the card'])
    slow.come(says('at last'))
    await asked.message()
    expect(benReads()).toEqual(['at last'])
  })

  test.each([
    ['is refused', refuses('Not like this.'), 'Not like this.'],
    ['fails', failed('Not like this.'), 'explained'],
    ['can’t be shown', unshowable, 'explained'],
  ])(
    'that %s is answered to them alone and leaves the message, quick or slow',
    async (_, answer, told) => {
      const card = await shownCard(more)
      chat.bot.on('ask more', answer)
      const quick = await press(card).message()
      expect([textOf(quick), isEphemeral(quick)]).toEqual([told, true])
      const come = deferred(chat, 'ask more')
      const asked = press(card)
      await asked.taken
      come(answer)
      const message = await asked.message()
      expect([textOf(message), isEphemeral(message)]).toEqual([told, true])
      expect(adaReads()).toEqual(['the card', told, told])
      expect(benReads()).toEqual(['the card'])
      expect(chat.log.of('error')).toEqual([])
    },
  )
})

describe('somebody else’s press', () => {
  test.each([
    ['in place', more],
    ['that opens', opens],
  ])('%s is answered to them alone and leaves the message', async (_, button) => {
    const card = await shownCard(button)
    const message = await press(card, ben.id).message()
    expect([textOf(message), isEphemeral(message)]).toEqual(['ask more', true])
    expect(adaReads()).toEqual(['the card'])
    expect(benReads()).toEqual(['the card', 'ask more'])
    expect(chat.bot.asked.at(-1)?.context.user).toBe(ben.id)
  })

  test.each([
    ['is answered', says('at last'), 'at last'],
    ['is refused', refuses('Not like this.'), 'Not like this.'],
    ['can’t be shown', unshowable, 'explained'],
  ])('that takes long and %s is answered to them alone, too', async (_, answer, told) => {
    const card = await shownCard(more)
    const come = deferred(chat, 'ask more')
    const asked = press(card, ben.id)
    expect(await asked.taken).toBe('thinking')
    expect(adaReads()).toEqual(['the card'])
    come(answer)
    expect(textOf(await asked.message())).toBe(told)
    expect(adaReads()).toEqual(['the card'])
    expect(benReads()).toEqual(['the card', told])
    expect(chat.log.of('error')).toEqual([])
  })

  test('has an ephemeral answer whose buttons change it in place', async () => {
    chat.bot.on('ask more', says('the next', [{ label: 'More', line: 'ask again' }]))
    const own = await press(await shownCard(more), ben.id).message()
    await press(own, ben.id).message()
    expect(benReads()).toEqual(['the card', 'ask again'])
    expect(adaReads()).toEqual(['the card'])
  })
})

test('an item of a list opens as a new message', async () => {
  const items = ['one', 'two'].map((label) => ({
    spans: [label],
    open: { label, line: `ask ${label}` },
  }))
  chat.bot.on('ask card', {
    view: { title: ['List'], blocks: [{ kind: 'list', first: 1, items }] },
    outcome: 'answered',
  })
  const { people } = chat.server
  const list = await people.slash(ada.id, club.id, 'ask', { term: 'card' }).message()
  const values = JSON.stringify(list.components).match(/(?<="value":")[^"]*/gu) ?? []
  await people.select(ada.id, club.id, list.id, 'open0', values.slice(1, 2)).message()
  expect(benReads()).toHaveLength(2)
  expect(benReads().at(-1)).toBe('ask two')
})

describe('a button that is too old', () => {
  test('says so to the person who presses it, and leaves the message', async () => {
    const card = await shownCard({ label: 'More', line: `ask ${'x'.repeat(200)}` })
    chat.lines.forget()
    for (const person of [ada, ben]) {
      const message = await press(card, person.id).message()
      expect(textOf(message)).toContain('These buttons are too old')
      expect(isEphemeral(message)).toBe(true)
    }
    expect(chat.bot.lines).toEqual(['ask card'])
    expect(benReads()[0]).toBe('the card')
  })
})

test('a button whose line is too long for Discord runs it all the same', async () => {
  const line = `ask ${'月'.repeat(100)}`
  await press(await shownCard({ label: 'More', line })).message()
  expect(chat.bot.lines).toEqual(['ask card', line])
})

describe('a press on a message that the bot sent by itself in a server', () => {
  test('is answered to the presser alone, and leaves the message', async () => {
    const view = viewOf('Moon Otter is live', [more])
    await chat.platform.send({ kind: 'chat', id: club.id }, view, 'one')
    const [told] = chat.server.people.messages(club.id, ada.id)
    if (!told) throw new Error('nothing was told')
    for (const person of [ada.id, ben.id]) {
      const shown = await press(told, person).message()
      expect([isEphemeral(shown), textOf(shown)]).toEqual([true, 'ask more'])
    }
    expect(adaReads()).toEqual(['Moon Otter is live', 'ask more'])
  })
})
