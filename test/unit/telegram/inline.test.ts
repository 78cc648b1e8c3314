import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club } from '../../../sandbox/telegram/cast.ts'
import type { InlineHit } from '../../../src/core/command.ts'
import type { LocalisedView } from '../../../src/core/view.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { says, viewOf } from '../core/scripted-bot.ts'
import { type Chat, startChat, toPerson } from './telegram-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const address = '0x4200000000000000000000000000000000000006'
const hit = (view: LocalisedView, more: Partial<InlineHit<string>> = {}): InlineHit<string> => ({
  id: 'a',
  title: 'Otter',
  about: 'An otter',
  view,
  ...more,
})

/** Ben sends the first card that is found into the group; its message there. */
async function sentCard(view: LocalisedView) {
  chat.bot.found = { hits: [hit(view)] }
  const answer = await chat.server.people.inline(ben.id, 'otter', '', { chatId: club.id })
  const [result] = answer?.results ?? []
  if (!result) throw new Error('no inline result')
  return chat.server.people.choose(ben.id, club.id, { query: 'otter', result })
}

const clubTexts = () => chat.server.people.messages(club.id).map(({ text }) => text)

test('cards that were found are offered, to be sent as they are', async () => {
  const { message_id } = await sentCard(viewOf('the card'))
  expect(chat.bot.inlined).toEqual(['otter'])
  expect(chat.server.people.messages(club.id)).toMatchObject([
    { id: message_id, text: 'the card', viaBot: 'gavel_bot' },
  ])
})

test('a card that a person sends to the bot itself says nothing to it', async () => {
  chat.bot.found = { hits: [hit(viewOf('the card'))] }
  const answer = await chat.server.people.inline(ben.id, 'otter', '', { chatId: ben.id })
  const [result] = answer?.results ?? []
  if (!result) throw new Error('no inline result')
  chat.server.people.choose(ben.id, ben.id, { query: 'otter', result })
  await chat.settled(ben.id, ben.id)
  expect(chat.bot.lines).toEqual(['ask settled'])
})

describe('a button that shares a card', () => {
  beforeEach(() => {
    chat.server.people.text(ben.id, ben.id, '/ask otter')
  })
  const share = { label: 'Telegram', url: 'https://t.me/share/url?url=x', inline: 'otter' }

  test('leads to a chat of the person’s choice, where the card is offered', async () => {
    const { message } = await chat.platform.send(toPerson(ben.id), viewOf('x', [share]), 'k')
    const pressed = await chat.server.people.press(ben.id, ben.id, Number(message), {
      label: 'Telegram',
    })
    expect(pressed).toEqual({ kind: 'inline', query: 'otter' })
  })

  test('is a link without inline mode: Telegram would refuse the whole message', async () => {
    chat.server.api.world.hasInline = false
    const { platform } = await chat.restarted()
    const { message } = await platform.send(toPerson(ben.id), viewOf('x', [share]), 'k')
    const pressed = await chat.server.people.press(ben.id, ben.id, Number(message), {
      label: 'Telegram',
    })
    expect(pressed).toEqual({ kind: 'link', url: share.url })
  })
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
  test('no term: what to type', async () => {
    const answer = await chat.server.people.inline(ben.id, '  ')
    expect(answer?.button).toMatchObject({
      text: 'Type a name, ticker or address',
      startParameter: 'inline',
    })
    expect(chat.bot.inlined).toEqual([''])
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
    expect((await chat.server.people.inline(ben.id, 'otter'))?.results).toHaveLength(1)
  })
})

describe('one bad hit does not silence the others', () => {
  const image = 'https://example.com/otter.png'
  const good = (id: string) => hit(viewOf(`card ${id}`), { id, image })
  /** With a button that leads to no address. */
  const bad = (id: string) =>
    hit(viewOf('x', [{ label: 'Site', url: 'https://example.com:0/' }]), { id, image })
  const offered = async (...hits: InlineHit<string>[]) => {
    chat.bot.found = { hits }
    const answer = await chat.server.people.inline(ben.id, 'otter')
    await chat.settled(ben.id)
    return answer
  }
  const refusals = () =>
    chat.server.calls.of('answerInlineQuery').filter(({ status }) => status !== 200)
  const ids = (answer: Awaited<ReturnType<typeof offered>>) => answer?.results.map(({ id }) => id)

  test('an asset that is listed twice is offered once', async () => {
    expect(ids(await offered(good('8453:0xab'), good('8453:0xAB'), good('b')))).toHaveLength(2)
    expect(refusals()).toEqual([])
  })

  test('for a picture that Telegram would not fetch, all are offered without one', async () => {
    const odd = { ...good('b'), image: 'https://example.com:0/otter.png' }
    const answer = await offered(good('a'), odd, good('c'))
    expect(ids(answer)).toEqual(['a', 'b', 'c'])
    expect(answer?.results.map(({ thumbnail }) => thumbnail)).toEqual(['', '', ''])
    expect(refusals().map(({ description }) => description)).toEqual([
      'Bad Request: WEBDOCUMENT_URL_INVALID',
    ])
    expect(chat.log.of('warn')).toEqual([expect.stringContaining('"leftOut":[]')])
  })

  test('a message that Telegram refuses is left out, and the log says which', async () => {
    expect(ids(await offered(good('a'), good('b'), bad('c'), good('d')))).toEqual(['a', 'b', 'd'])
    expect(chat.log.of('warn')).toEqual([expect.stringContaining('"leftOut":["c"]')])
    expect(chat.log.of('error')).toEqual([])
  })

  test('of several some are left', async () => {
    const hits = [bad('a'), bad('b'), good('c'), good('d')]
    expect(ids(await offered(...hits))).toEqual(['c', 'd'])
  })

  test('if none is left, the person hears so', async () => {
    const answer = await offered(bad('a'), bad('b'))
    expect(answer?.results).toEqual([])
    expect(answer?.button?.text).toContain('Nothing matches')
    expect((await offered(bad('a')))?.results).toEqual([])
  })

  test('a hit without a visible title has one', async () => {
    const answer = await offered(hit(viewOf('x'), { title: '\u200b' }))
    expect(answer?.results).toHaveLength(1)
    expect(refusals()).toEqual([])
  })
})

test('a query that waited too long is not answered, and no error', async () => {
  const { api } = chat.server
  chat.bot.inline = async () => {
    api.inlineQueries.stop()
    return [hit(viewOf('the card'))]
  }
  expect(await chat.server.people.inline(ben.id, 'otter')).toBeUndefined()
  await chat.settled(ben.id)
  expect(chat.server.calls.of('answerInlineQuery')).toMatchObject([{ status: 400 }])
  expect(chat.log.of('error')).toEqual([])
})

describe('a button of a card that was sent', () => {
  const line = `asset ${address} chain:8453`
  const silent = { kind: 'answer', text: '', alert: false, url: '' }

  test.each([false, true])(
    'edits the card, even if it opens a new message elsewhere (%s)',
    async (opens) => {
      const { message_id } = await sentCard({
        ...viewOf('the card'),
        buttons: [[{ label: 'Refresh', line, asNew: opens }]],
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
            locale: 'en',
            update: expect.stringMatching(/^\d+$/u),
          },
        },
      ])
    },
  )

  test('stays after the edit, and those of other commands are links into the private chat that run them there', async () => {
    const buttons = [
      { label: 'Refresh', line },
      { label: 'Follow', line: `follow ${address} chain:8453`, asNew: true },
      { label: 'Site', url: 'https://example.com' },
    ]
    const card = (words: string) => ({ ...viewOf(words), buttons: [buttons] })
    const { message_id } = await sentCard(card('the card'))
    chat.bot.on(line, { view: card('refreshed'), outcome: 'answered' })
    const labels = () =>
      chat.server.people
        .messages(club.id)
        .flatMap((each) => each.buttons.flat().map(({ text }) => text))
    expect(labels()).toEqual(['Refresh', 'Follow', 'Site'])
    await chat.server.people.press(ada.id, club.id, message_id, { label: 'Refresh' })
    expect(clubTexts()).toEqual(['refreshed'])
    expect(labels()).toEqual(['Refresh', 'Follow', 'Site'])
    const follow = await chat.server.people.press(ada.id, club.id, message_id, { label: 'Follow' })
    const url = follow.kind === 'link' ? new URL(follow.url) : undefined
    expect(url?.pathname).toBe('/gavel_bot')
    chat.server.people.text(ada.id, ada.id, `/start ${url?.searchParams.get('start')}`)
    await chat.sees(ada.id, 'follow 0x')
    expect(chat.bot.lines).toEqual([line, `follow ${address} chain:8453`])
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
