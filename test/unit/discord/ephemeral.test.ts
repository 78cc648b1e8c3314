import { type APIMessage, MessageFlags } from 'discord-api-types/v10'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ada, ben, club } from '../../../sandbox/discord/cast.ts'
import { ClientRefusal } from '../../../sandbox/discord/people.ts'
import type { Button } from '../../../src/core/view.ts'
import { discord } from '../../../src/discord/platform.ts'
import { refuses, says } from '../core/scripted-bot.ts'
import { type Chat, controlOf, deferred, isEphemeral, startChat, textOf } from './discord-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const launch = () => chat.server.people.slash(ada.id, club.id, 'launch')
const press = (message: APIMessage, label: string, person: string = ada.id) =>
  chat.server.people.click(person, message.channel_id, message.id, controlOf(message, label))
const adaReads = () => chat.reads(club.id, ada.id)
const benReads = () => chat.reads(club.id, ben.id)

const line = `launch from:${club.id}`
const next: Button<string> = { label: 'Next', line: 'launching skip k3f9a2bc.12 description' }

describe('a menu', () => {
  test('is shown to nobody else in a server, also behind a button of a public message', async () => {
    const menu = await chat.server.people.slash(ada.id, club.id, 'alerts').message()
    expect([textOf(menu), isEphemeral(menu)]).toEqual(['alerts', true])
    chat.bot.on('ask otter', says('card', [{ label: 'Alerts', line: 'alerts' }]))
    const card = await chat.server.people.slash(ada.id, club.id, 'ask', { term: 'otter' }).message()
    const opened = await press(card, 'Alerts').message()
    expect([textOf(opened), isEphemeral(opened)]).toEqual(['alerts', true])
    expect(benReads()).toEqual(['card'])
  })

  test('goes on in its own message', async () => {
    chat.bot.on('alerts', says('menu', [{ label: 'Mute', line: 'alerts mute' }]))
    const menu = await chat.server.people.slash(ada.id, club.id, 'alerts').message()
    expect((await press(menu, 'Mute').message()).id).toBe(menu.id)
    expect(adaReads()).toEqual(['alerts mute'])
  })
})

describe('a command that is answered to the asker alone', () => {
  test('is shown to nobody else in a server, and knows its channel without a request', async () => {
    const [, , command] = chat.server.people.commands(ada.id, club.id)
    expect([command?.name, command?.options ?? []]).toEqual(['launch', []])
    chat.bot.on(line, says('first'))
    const message = await launch().message()
    expect([textOf(message), isEphemeral(message)]).toEqual(['first', true])
    expect(benReads()).toEqual([])
    const context = {
      platform: discord,
      user: ada.id,
      chat: club.id,
      ephemeral: true,
      isPrivate: false,
      locale: 'en',
      update: expect.any(String),
    }
    expect(chat.bot.asked).toEqual([{ line, context }])
  })

  test.each([
    ['is answered', says('at last')],
    ['is refused', refuses('at last')],
  ])('and %s late is announced to them alone, too', async (_, answer) => {
    const come = deferred(chat, line)
    const asked = launch()
    expect(await asked.taken).toBe('thinking')
    expect([adaReads(), benReads()]).toEqual([['…'], []])
    come(answer)
    expect(isEphemeral(await asked.message())).toBe(true)
    expect([adaReads(), benReads()]).toEqual([['at last'], []])
    const flags = chat.server.calls
      .filter(({ route, method }) => route.endsWith('/messages/:id') && method === 'PATCH')
      .map(({ body }) => z.object({ flags: z.number() }).parse(body).flags)
    expect(flags).toEqual([MessageFlags.IsComponentsV2])
  })
})

describe('a press on an ephemeral message', () => {
  test('changes it in place, quick or slow', async () => {
    chat.bot.on(line, says('first', [next]))
    chat.bot.on(next.line, says('second', [next]))
    const first = await launch().message()
    const second = await press(first, 'Next').message()
    expect(second.id).toBe(first.id)
    expect(chat.bot.asked.at(-1)?.context.ephemeral).toBe(true)
    const come = deferred(chat, next.line)
    const asked = press(second, 'Next')
    expect(await asked.taken).toBe('pending-update')
    come(says('third'))
    expect((await asked.message()).id).toBe(first.id)
    expect([adaReads(), benReads()]).toEqual([['third'], []])
    expect(isEphemeral(await asked.message())).toBe(true)
  })

  test('that is refused says so beside it, quick or slow, and leaves it', async () => {
    chat.bot.on(line, says('first', [next]))
    chat.bot.on(next.line, refuses('This has already been answered.'))
    const first = await launch().message()
    expect(isEphemeral(await press(first, 'Next').message())).toBe(true)
    const come = deferred(chat, next.line)
    const asked = press(first, 'Next')
    await asked.taken
    come(refuses('Not that either.'))
    expect(isEphemeral(await asked.message())).toBe(true)
    expect(adaReads()).toEqual(['first', 'This has already been answered.', 'Not that either.'])
    expect(benReads()).toEqual([])
  })

  test('that opens a new message sends it to them alone', async () => {
    chat.bot.on(line, says('first', [{ label: 'Card', line: 'ask card', asNew: true }]))
    const first = await launch().message()
    expect(isEphemeral(await press(first, 'Card').message())).toBe(true)
    expect([adaReads(), benReads()]).toEqual([['first', 'ask card'], []])
    expect(chat.bot.asked.at(-1)?.context.ephemeral).toBe(true)
  })

  test('by anybody else is refused', async () => {
    chat.bot.on(line, says('first', [next]))
    const first = await launch().message()
    expect(() => press(first, 'Next', ben.id)).toThrow(ClientRefusal)
  })
})

describe('a button with an ephemeral answer on a public message', () => {
  const shown = async () => {
    chat.bot.on('ask card', says('the card', [next]))
    return chat.server.people.slash(ada.id, club.id, 'ask', { term: 'card' }).message()
  }

  test.each([
    ['the asker', ada.id],
    ['somebody else', ben.id],
  ])('answers %s alone and leaves the message', async (_, person) => {
    const card = await shown()
    const message = await press(card, 'Next', person).message()
    expect([textOf(message), isEphemeral(message)]).toEqual([next.line, true])
    expect(chat.reads(club.id, person)).toEqual(['the card', next.line])
    const other = person === ada.id ? ben.id : ada.id
    expect(chat.reads(club.id, other)).toEqual(['the card'])
    const context = {
      platform: discord,
      user: person,
      chat: club.id,
      ephemeral: true,
      isPrivate: false,
      locale: 'en',
      update: expect.any(String),
    }
    expect(chat.bot.asked.at(-1)).toEqual({ line: next.line, context })
  })

  test('that takes long is announced to the presser alone', async () => {
    const card = await shown()
    const come = deferred(chat, next.line)
    const asked = press(card, 'Next')
    expect(await asked.taken).toBe('thinking')
    expect(benReads()).toEqual(['the card'])
    come(says('at last'))
    await asked.message()
    expect([adaReads(), benReads()]).toEqual([['the card', 'at last'], ['the card']])
  })
})

test('a press in the private chat changes the message in place, and hides nothing', async () => {
  const dm = chat.server.people.dm(ben.id)
  const opens: Button<string> = { label: 'Open', line: 'ask more', asNew: true }
  chat.bot.on('ask card', says('the card', [opens, next]))
  chat.server.people.text(ben.id, dm, '/ask card')
  const card = await chat.server.people.until(dm, ben.id, (messages) =>
    messages.find(({ author }) => author.bot),
  )
  expect(isEphemeral(await press(card, 'Open', ben.id).message())).toBe(false)
  const message = await press(card, 'Next', ben.id).message()
  expect([message.id, isEphemeral(message)]).toEqual([card.id, false])
  expect(chat.bot.asked.at(-1)?.context.ephemeral).toBe(true)
})
