import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club, lodge, news } from '../../../sandbox/telegram/cast.ts'
import type { LocalisedView } from '../../../src/core/view.ts'
import { says, viewOf } from '../core/scripted-bot.ts'
import { picture, pictured } from './pictured.ts'
import { startFrontedChat, toChat } from './telegram-chat.ts'

type Fronted = Awaited<ReturnType<typeof startFrontedChat>>

let chat: Fronted
beforeEach(async () => {
  chat = await startFrontedChat()
})
afterEach(() => chat.stop())

const toClub = toChat(club.id)
const toNews = toChat(news.id)
const here = (id: number = club.id) => chat.server.people.messages(id)
const last = (id: number = club.id) => here(id).at(-1)
const calls = (method: string) =>
  chat.server.calls.of(method).filter(({ status }) => status === 200)
/** Calls that carried the picture itself. */
const uploads = () =>
  ['sendPhoto', 'editMessageMedia'].flatMap((method) =>
    calls(method).filter(({ payload }) => JSON.stringify(payload).includes('attach://')),
  )
const bytesOf = (fileId = '') => chat.server.api.files.get(fileId)?.bytes

describe('a message with a picture', () => {
  test('is one message: the photo, with the text and the buttons below it', async () => {
    const view = await pictured('Fish & <chips>')
    const sent = await chat.platform.send(
      toClub,
      { ...view, buttons: [[{ label: 'Card', line: 'asset 0x42' }]] },
      'k',
    )
    expect(here()).toHaveLength(1)
    expect(last()).toMatchObject({ id: Number(sent.message), text: 'Fish & <chips>' })
    expect(last()?.photo).toMatchObject({ width: 600, height: 315 })
    expect(
      last()
        ?.buttons.flat()
        .map(({ text }) => text),
    ).toEqual(['Card'])
    expect(bytesOf(last()?.photo?.fileId)).toEqual(Buffer.from((await picture('red')).bytes))
  })

  test('is uploaded once, however many chats get it at once', async () => {
    const view = await pictured('live')
    const targets = [toClub, toNews, toChat(lodge.id)]
    await Promise.all(targets.map((to) => chat.platform.send(to, view, 'k')))
    chat.bot.on('ask card', { view, outcome: 'answered' })
    chat.server.people.text(ben.id, ben.id, '/ask card')
    await chat.sees(ben.id, 'live')
    for (const id of [club.id, news.id, lodge.id, ben.id]) expect(last(id)?.photo).toBeDefined()
    expect(uploads()).toHaveLength(1)
  })

  test('is uploaded again if Telegram no longer has it', async () => {
    const view = await pictured('live')
    await chat.platform.send(toClub, view, 'k')
    const refused = {
      ok: false,
      error_code: 400,
      description: 'Bad Request: wrong file identifier/HTTP URL specified',
    }
    let refusals = 1
    chat.front.mishap = (method) =>
      method === 'sendPhoto' && refusals-- > 0
        ? { status: 400, body: JSON.stringify(refused) }
        : undefined
    await chat.platform.send(toNews, view, 'k')
    expect(last(news.id)?.photo).toBeDefined()
    expect(uploads()).toHaveLength(2)
    await chat.platform.send(toNews, view, 'k')
    expect(uploads()).toHaveLength(2)
  })

  test('that one chat refuses is uploaded by the next', async () => {
    chat.server.people.kick(club.id)
    const view = await pictured('live')
    const sends = [toClub, toNews].map((to) => chat.platform.send(to, view, 'k'))
    const [lost, sent] = await Promise.allSettled(sends)
    expect(lost?.status).toBe('rejected')
    expect(sent?.status).toBe('fulfilled')
    expect(last(news.id)?.photo).toBeDefined()
  })

  test.each([
    ['fits', 1024, true],
    ['is one too many', 1025, false],
  ])('keeps all of its text: if that %s', async (_, length, hasPhoto) => {
    const words = '<'.repeat(length)
    const image = 'https://example.org/otter.png'
    await chat.platform.send(toClub, { ...(await pictured(words)), image }, 'k')
    expect(last()?.text).toBe(words)
    expect(last()?.photo !== undefined).toBe(hasPhoto)
    expect(last()?.preview?.url).toBe(hasPhoto ? undefined : image)
  })

  test('goes without it if the chat takes no pictures', async () => {
    chat.server.circumstances.botMay(club.id, 'texts')
    await chat.platform.send(toClub, await pictured('live'), 'k')
    expect(last()).toMatchObject({ text: 'live', photo: undefined })
  })

  test('goes without it if Telegram can’t read it', async () => {
    const bytes = Buffer.from('no picture')
    const broken = { key: 'broken', name: 'card.png', type: 'image/png', bytes }
    await chat.platform.send(toClub, { ...viewOf('live'), picture: broken }, 'k')
    expect(last()).toMatchObject({ text: 'live', photo: undefined })
  })
})

describe('a message that is kept up to date', () => {
  async function sent(view: LocalisedView) {
    const { message } = await chat.platform.send(toClub, view, 'k')
    return message
  }

  test('changes only its text if the picture is the same', async () => {
    const message = await sent(await pictured('10%'))
    await chat.platform.edit(toClub, message, await pictured('20%'))
    expect(here()).toHaveLength(1)
    expect(last()).toMatchObject({ id: Number(message), text: '20%', edited: true })
    expect(calls('editMessageCaption')).toHaveLength(1)
    expect(calls('editMessageMedia')).toHaveLength(0)
  })

  test('changes its picture, which is not uploaded again elsewhere', async () => {
    const message = await sent(await pictured('10%'))
    await chat.platform.edit(toClub, message, await pictured('20%', 'blue'))
    expect(last()).toMatchObject({ id: Number(message), text: '20%' })
    expect(bytesOf(last()?.photo?.fileId)).toEqual(Buffer.from((await picture('blue')).bytes))
    await chat.platform.send(toNews, await pictured('20%', 'blue'), 'k')
    expect(uploads()).toHaveLength(2)
  })

  test.each([true, false])(
    'keeps its picture if there is no new one, and its key is known: %s',
    async (isKnown) => {
      const message = await sent(await pictured('10%'))
      const { platform } = isKnown ? chat : await chat.another()
      await platform.edit(toClub, message, viewOf('20%'))
      expect(last()).toMatchObject({ id: Number(message), text: '20%' })
      expect(last()?.photo).toBeDefined()
      await expect(platform.edit(toClub, message, viewOf('x'.repeat(1_025)))).rejects.toMatchObject(
        { name: 'SendError', final: true },
      )
    },
  )

  test('gets a picture if it had none', async () => {
    const message = await sent(viewOf('10%'))
    await chat.platform.edit(toClub, message, await pictured('20%'))
    expect(here()).toHaveLength(1)
    expect(last()).toMatchObject({ id: Number(message), text: '20%' })
    expect(last()?.photo).toBeDefined()
  })

  test('stays as it is if nothing has changed', async () => {
    for (const view of [viewOf('10%'), await pictured('10%')]) {
      const message = await sent(view)
      await chat.platform.edit(toClub, message, view)
      expect(last()).toMatchObject({ text: '10%', edited: false })
    }
  })

  test('is given up if it was deleted', async () => {
    const message = await sent(viewOf('10%'))
    const place = chat.server.api.world.places.get(club.id)
    if (place) chat.server.api.world.remove(place, Number(message))
    for (const view of [viewOf('20%'), await pictured('20%')]) {
      await expect(chat.platform.edit(toClub, message, view)).rejects.toMatchObject({
        name: 'SendError',
        final: true,
        loss: undefined,
      })
    }
  })
})

describe('an answer that replaces a message', () => {
  async function card(view: LocalisedView): Promise<number> {
    chat.bot.on('ask card', {
      view: { ...view, buttons: [[{ label: 'Next', line: 'ask next' }]] },
      outcome: 'answered',
    })
    chat.server.people.text(ada.id, lodge.id, '/ask card', { thread: 2 })
    return (await chat.sees(lodge.id, 'the card')).id
  }

  const press = (id: number) =>
    chat.server.people.press(ada.id, lodge.id, id, { label: 'Next' }, 20_000)
  const shown = () => here(lodge.id).filter(({ sender }) => sender.isBot)

  test('with a picture replaces a text', async () => {
    const id = await card(viewOf('the card'))
    chat.bot.on('ask next', { view: await pictured('next'), outcome: 'answered' })
    await press(id)
    expect(shown()).toMatchObject([{ id, text: 'next', thread: 2, photo: { width: 600 } }])
  })

  test('without a picture is a new message in the same topic, and the old one is deleted', async () => {
    const id = await card(await pictured('the card'))
    chat.bot.on('ask next', says('next'))
    await press(id)
    expect(shown()).toMatchObject([{ text: 'next', thread: 2, photo: undefined }])
    expect(shown()[0]?.id).not.toBe(id)
  })

  test('leaves an old message that can’t be deleted without buttons', async () => {
    const id = await card(await pictured('the card'))
    chat.bot.on('ask next', says('next'))
    const refused = {
      ok: false,
      error_code: 400,
      description: "Bad Request: message can't be deleted",
    }
    chat.front.mishap = (method) =>
      method === 'deleteMessage' ? { status: 400, body: JSON.stringify(refused) } : undefined
    await press(id)
    expect(shown()).toMatchObject([
      { id, text: 'the card', buttons: [] },
      { text: 'next', thread: 2 },
    ])
  })
})

test('a card that is sent through inline mode has no picture', async () => {
  const view = {
    ...(await pictured('the card')),
    buttons: [[{ label: 'Refresh', line: 'asset 0x42' }]],
  }
  chat.bot.found = { hits: [{ id: '1', title: 'Otter', about: 'A token', view }] }
  const answer = await chat.server.people.inline(ada.id, 'otter')
  const [result] = answer?.results ?? []
  if (!result) throw new Error('nothing was found')
  const { message_id } = chat.server.people.choose(ada.id, club.id, { query: 'otter', result })
  chat.bot.on('asset 0x42', { view: await pictured('refreshed'), outcome: 'answered' })
  await chat.server.people.press(ada.id, club.id, message_id, { label: 'Refresh' }, 20_000)
  expect(last()).toMatchObject({ text: 'refreshed', photo: undefined })
  expect(calls('editMessageText').at(-1)?.payload).not.toHaveProperty('picture')
})
