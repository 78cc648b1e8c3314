import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club } from '../../../sandbox/telegram/cast.ts'
import type { InlineHit } from '../../../src/core/command.ts'
import type { View } from '../../../src/core/view.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { says, viewOf } from '../core/scripted-bot.ts'
import { type Chat, startChat } from './telegram-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const address = '0x4200000000000000000000000000000000000006'
const hit = (view: View, more: Partial<InlineHit> = {}): InlineHit => ({
  id: 'a',
  title: 'Otter',
  about: 'An otter',
  view,
  ...more,
})

/** Ben sends the first card that is found into the group; its message there. */
async function sentCard(view: View) {
  chat.bot.found = { hits: [hit(view)] }
  const answer = await chat.server.people.inline(ben.id, 'otter', '', { chatId: club.id })
  const [result] = answer?.results ?? []
  if (!result) throw new Error('no inline result')
  return chat.server.people.choose(ben.id, club.id, { query: 'otter', result })
}

const clubTexts = () => chat.server.people.messages(club.id).map(({ text }) => text)

test('cards that were found are offered, to be sent as they are', async () => {
  const { message_id } = await sentCard(viewOf('the card'))
  expect(chat.bot.inlined.map(({ term, context }) => [term, context.user])).toEqual([
    ['otter', String(ben.id)],
  ])
  expect(chat.server.people.messages(club.id)).toMatchObject([
    { id: message_id, text: 'the card', viaBot: 'gavel_bot' },
  ])
})

test('titles of strangers are short and harmless, and a picture is offered with them', async () => {
  const image = 'https://example.com/otter.png'
  chat.bot.found = {
    hits: [hit(viewOf('x'), { title: `\u202e${'x'.repeat(100)}`, about: 'y'.repeat(300), image })],
  }
  const [result] = (await chat.server.people.inline(ben.id, 'otter'))?.results ?? []
  expect(result).toMatchObject({
    title: `${'x'.repeat(59)}…`,
    description: `${'y'.repeat(99)}…`,
    thumbnail: image,
  })
})

describe('with nothing to offer, a button says why and leads into the private chat', () => {
  test('no term: what to type, without a query', async () => {
    const answer = await chat.server.people.inline(ben.id, '  ')
    expect(answer?.button).toMatchObject({
      text: 'Type a name, symbol or address',
      startParameter: 'inline',
    })
    expect(chat.bot.inlined).toEqual([])
  })

  test('nothing found', async () => {
    const answer = await chat.server.people.inline(ben.id, 'otter')
    expect(answer?.button?.text).toContain('Nothing matches')
  })

  test('a failure: the notice, which is not cached', async () => {
    chat.bot.found = { hits: [], notice: 'No answer '.repeat(20) }
    const failed = await chat.server.people.inline(ben.id, 'otter')
    expect(failed?.results).toEqual([])
    expect(failed?.button?.text).toMatch(/^No answer No answer/u)
    chat.bot.found = { hits: [hit(viewOf('the card'))] }
    expect((await chat.server.people.inline(ada.id, 'otter'))?.results).toHaveLength(1)
  })
})

describe('a button of a card that was sent', () => {
  const line = `asset ${address} chain:8453`
  const silent = { kind: 'answer', text: '', alert: false, url: '' }

  test.each([false, true])(
    'edits the card, even if it opens a new message elsewhere (%s)',
    async (opens) => {
      const { message_id } = await sentCard({
        ...viewOf('the card'),
        buttons: [[{ label: 'Refresh', line, opens }]],
      })
      chat.bot.on(line, says('refreshed'))
      const pressed = await chat.server.people.press(ada.id, club.id, message_id, {
        label: 'Refresh',
      })
      expect(pressed).toEqual(silent)
      expect(clubTexts()).toEqual(['refreshed'])
      expect(chat.bot.asked).toEqual([
        {
          line,
          context: {
            platform: telegram,
            user: String(ada.id),
            chat: String(ada.id),
            ephemeral: false,
            isPrivate: false,
            update: expect.stringMatching(/^\d+$/u),
          },
        },
      ])
    },
  )

  test('is there again after the edit, and buttons of other commands are never there', async () => {
    const buttons = [
      { label: 'Refresh', line },
      { label: 'Follow', line: `follow ${address} chain:8453`, opens: true },
      { label: 'Site', url: 'https://example.com' },
    ]
    const card = (words: string) => ({ ...viewOf(words), buttons: [buttons] })
    const { message_id } = await sentCard(card('the card'))
    chat.bot.on(line, { view: card('refreshed'), outcome: 'answered' })
    const labels = () =>
      chat.server.people
        .messages(club.id)
        .flatMap((each) => each.buttons.flat().map(({ text }) => text))
    expect(labels()).toEqual(['Refresh', 'Site'])
    await chat.server.people.press(ada.id, club.id, message_id, { label: 'Refresh' })
    expect(clubTexts()).toEqual(['refreshed'])
    expect(labels()).toEqual(['Refresh', 'Site'])
  })

  test.each(['=help', '=assets live', `+assets creator:${address}`, '=start'])(
    'is the only thing that runs there: %s is refused with a notice',
    async (data) => {
      const { message_id } = await sentCard({
        ...viewOf('the card'),
        buttons: [[{ label: 'Refresh', line }]],
      })
      const pressed = await chat.server.people.press(ada.id, club.id, message_id, { data })
      expect(pressed).toMatchObject({ text: expect.stringContaining('too old') })
      expect(clubTexts()).toEqual(['the card'])
      expect(chat.bot.lines).toEqual([])
    },
  )

  test('says so if the message was deleted', async () => {
    const { message_id } = await sentCard({
      ...viewOf('the card'),
      buttons: [[{ label: 'Refresh', line }]],
    })
    chat.bot.on(line, () => {
      const { world } = chat.server.api
      const place = world.places.get(club.id)
      if (place) world.remove(place, message_id)
      return says('refreshed')
    })
    const pressed = await chat.server.people.press(ada.id, club.id, message_id, {
      label: 'Refresh',
    })
    expect(pressed).toEqual({ ...silent, text: 'This message can no longer be changed.' })
    expect(chat.log.of('error')).toEqual([])
  })
})
