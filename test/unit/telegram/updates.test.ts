import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ada, ben, club, lodge, news } from '../../../sandbox/telegram/cast.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { later, says, viewOf } from '../core/scripted-bot.ts'
import { gif } from './pictured.ts'
import { type Chat, startChat, startFrontedChat } from './telegram-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

describe('in a private chat', () => {
  test('commands, addresses and words are lines, each by the person in their own chat', async () => {
    const { server, bot, settled } = chat
    for (const text of ['/ask moon', '0x4200000000000000000000000000000000000006', 'gm']) {
      server.people.text(ben.id, ben.id, text)
    }
    await settled(ben.id)
    const context = {
      platform: telegram,
      user: String(ben.id),
      chat: String(ben.id),
      ephemeral: true,
      isPrivate: true,
      locale: 'en',
      update: expect.stringMatching(/^\d+$/u),
      invitations: { group: expect.any(String), channel: expect.any(String) },
    }
    expect(bot.asked.slice(0, 3)).toEqual([
      { line: 'ask moon', context },
      { line: 'asset 0x4200000000000000000000000000000000000006', context },
      { line: 'asset gm', context },
    ])
  })

  test.each([
    ['picture', 'photo'],
    ['file', 'document'],
  ] as const)(
    'a %s alone is answered with where to begin, one with a command below runs it',
    async (_, kind) => {
      const { server, bot, settled } = chat
      await server.people[kind](ben.id, ben.id, gif)
      await server.people[kind](ben.id, ben.id, gif, { caption: '/ask moon' })
      await settled(ben.id)
      expect(bot.lines.slice(0, 2)).toEqual(['start', 'ask moon'])
    },
  )

  test('a sticker is answered with where to begin', async () => {
    const { server, bot, sees, botTexts } = chat
    server.people.text(ben.id, ben.id, '/ask moon')
    const { id } = await sees(ben.id, 'ask moon')
    const sticker = {
      file_id: 's',
      file_unique_id: 's',
      type: 'regular',
      width: 1,
      height: 1,
      is_animated: false,
      is_video: false,
    } as const
    server.api.queue.push({
      message: {
        message_id: id + 100,
        date: 1,
        chat: { ...ben, id: ben.id, type: 'private' },
        from: ben,
        sticker,
      },
    })
    await sees(ben.id, 'start')
    expect(bot.lines).toEqual(['ask moon', 'start'])
    expect(botTexts(ben.id)).toEqual(['ask moon', 'start'])
  })

  test('a card that came through the bot itself is not answered', async () => {
    const { server, bot, settled } = chat
    const view = { title: ['/ask card'], blocks: [] }
    bot.found = { hits: [{ id: 'a', title: 'Card', about: '', view }] }
    const answer = await server.people.inline(ben.id, 'otter')
    const [result] = answer?.results ?? []
    if (!result) throw new Error('no inline result')
    server.people.choose(ben.id, ben.id, { query: 'otter', result })
    await settled(ben.id)
    expect(bot.lines).toEqual(['ask settled'])
  })
})

describe('in a group', () => {
  test('our commands are answered as replies, by the person in that chat', async () => {
    const { server, bot, sees } = chat
    const { message_id } = server.people.text(ben.id, club.id, '/ask moon')
    expect((await sees(club.id, 'ask moon')).replyTo?.id).toBe(message_id)
    const context = {
      platform: telegram,
      user: String(ben.id),
      chat: String(club.id),
      ephemeral: false,
      isPrivate: false,
      locale: 'en',
      update: expect.stringMatching(/^\d+$/u),
    }
    expect(bot.asked).toEqual([{ line: 'ask moon', context }])
  })

  test('what is not meant for the bot passes by: other commands, and words though they reply to it', async () => {
    const { server, bot, sees, settled } = chat
    server.people.text(ben.id, club.id, '/ask moon')
    const { id } = await sees(club.id, 'ask moon')
    server.people.text(ben.id, club.id, '/ban Ada')
    server.people.text(ben.id, club.id, 'thank you', { replyTo: id })
    server.people.text(ben.id, club.id, '/ask@another_bot moon', { replyTo: id })
    server.people.text(ben.id, club.id, '/ban@gavel_bot Ada')
    server.people.text(ben.id, club.id, '@gavel_bot Moon Otter')
    await server.people.photo(ben.id, club.id, gif, { caption: '@gavel_bot look' })
    await settled(ben.id, club.id)
    expect(bot.lines).toEqual(['ask moon', 'ban Ada', 'ask settled'])
  })

  test('a reply to the bot is an answer if it asked that person something, and nothing else is', async () => {
    const { server, bot, sees, settled } = chat
    server.people.text(ben.id, club.id, '/ask price')
    const { id, replyTo } = await sees(club.id, 'ask price')
    bot.receiver = async () => says('added')
    server.people.text(ben.id, club.id, 'what?', { replyTo: id })
    await settled(ben.id, club.id)
    bot.isAsking = true
    server.people.text(ben.id, club.id, '0.002')
    server.people.text(ben.id, club.id, '0.002', { replyTo: replyTo?.id ?? 0 })
    const { message_id } = server.people.text(ben.id, club.id, '0.002', { replyTo: id })
    expect((await sees(club.id, 'added')).replyTo?.id).toBe(message_id)
    expect(bot.heard.map(({ heard: { text } }) => text)).toEqual(['0.002'])
    expect(bot.heard[0]?.context).toMatchObject({ chat: String(club.id), isPrivate: false })
    expect(bot.lines).toEqual(['ask price', 'ask settled'])
  })

  test('in a topic the answer stays in the topic', async () => {
    const { server, sees } = chat
    server.people.text(ben.id, lodge.id, '/ask moon', { thread: 3 })
    expect((await sees(lodge.id, 'ask moon')).thread).toBe(3)
    expect(chat.bot.asked[0]?.context.thread).toBe('3')
  })

  test('a press in a topic is one in that topic', async () => {
    const { server, bot, sees } = chat
    bot.on('ask card', says('the card', [{ label: 'More', line: 'ask more' }]))
    server.people.text(ben.id, lodge.id, '/ask card', { thread: 2 })
    const { id } = await sees(lodge.id, 'the card')
    await server.people.press(ben.id, lodge.id, id, { label: 'More' }, 20_000)
    expect(bot.asked[1]?.context).toMatchObject({ thread: '2', user: String(ben.id) })
  })

  test('anonymous administrators are told apart by the group that they speak for', async () => {
    const { server, bot, settled } = chat
    server.circumstances.stands(ada.id, lodge.id, { anonymous: true })
    server.people.text(ada.id, lodge.id, '/ask moon')
    await settled(ben.id, lodge.id)
    const group = String(lodge.id)
    expect(bot.asked[0]?.context).toMatchObject({ user: group, chat: group, asChat: true })
    expect(bot.asked[1]?.context.asChat).toBeUndefined()
  })

  test('an anonymous administrator’s press is their own', async () => {
    const { server, bot, sees } = chat
    server.circumstances.stands(ada.id, lodge.id, { anonymous: true })
    bot.on('ask card', says('the card', [{ label: 'More', line: 'ask more' }]))
    server.people.text(ada.id, lodge.id, '/ask card')
    const { id } = await sees(lodge.id, 'the card')
    await server.people.press(ada.id, lodge.id, id, { label: 'More' }, 20_000)
    expect(bot.asked[1]?.context.user).toBe(String(ada.id))
    expect(bot.asked[1]?.context.asChat).toBeUndefined()
  })

  test('who speaks as another chat does not speak for this one', async () => {
    const { server, bot, settled } = chat
    const message = {
      message_id: 9_000,
      date: 1,
      chat: lodge,
      from: { id: 136_817_688, is_bot: true, first_name: 'Channel' },
      sender_chat: news,
      text: '/ask moon',
    }
    server.api.queue.push({ message })
    await settled(ben.id, lodge.id)
    expect(bot.asked[0]?.context).toMatchObject({ user: String(news.id) })
    expect(bot.asked[0]?.context.asChat).toBeUndefined()
  })
})

test('in a channel commands are answered, other posts pass by', async () => {
  const { server, bot, settled } = chat
  server.people.text(ada.id, news.id, 'We are live')
  server.people.text(ada.id, news.id, '/ask moon')
  await settled(ada.id, news.id)
  expect(bot.lines).toEqual(['ask moon', 'ask settled'])
  const channel = String(news.id)
  expect(bot.asked[0]?.context).toMatchObject({ user: channel, chat: channel, asChat: true })
})

describe('an answer that can’t be shown is explained', () => {
  test('because Telegram refuses it', async () => {
    const { server, bot, sees, botTexts } = chat
    bot.on('ask moon', says('astray', [{ label: 'x', url: 'no address' }]))
    server.people.text(ben.id, ben.id, '/ask moon')
    await sees(ben.id, 'explained')
    expect(bot.explained.map(({ line }) => line)).toEqual(['ask moon'])
    expect(botTexts(ben.id)).toEqual(['explained'])
  })
})

describe('order', () => {
  test('in one chat answers come in the order of the questions, though the first takes long', async () => {
    const { server, bot, sees, botTexts } = chat
    const slow = later()
    bot.on('ask slow', slow.script)
    server.people.text(ben.id, ben.id, '/ask slow')
    server.people.text(ben.id, ben.id, '/ask quick')
    await expect.poll(() => bot.lines, { timeout: 20_000 }).toContain('ask slow')
    slow.come(says('at last'))
    await sees(ben.id, 'ask quick')
    expect(botTexts(ben.id)).toEqual(['at last', 'ask quick'])
  })

  test('other chats don’t wait for it', async () => {
    const { server, bot, sees, botTexts } = chat
    const slow = later()
    bot.on('ask slow', slow.script)
    server.people.text(ben.id, ben.id, '/ask slow')
    server.people.text(ben.id, club.id, '/ask quick')
    server.people.text(ada.id, ada.id, '/ask quick')
    await sees(club.id, 'ask quick')
    await sees(ada.id, 'ask quick')
    expect(botTexts(ben.id)).toEqual([])
    slow.come(says('at last'))
    await sees(ben.id, 'at last')
  })
})

test('an answer that takes long shows that somebody types', async () => {
  const { server, bot, sees } = chat
  const slow = later()
  bot.on('ask slow', slow.script)
  const typing = new Promise<void>((resolve) => {
    server.people.on('change', (change) => {
      if (change.kind === 'typing' && change.chatId === ben.id) resolve()
    })
  })
  server.people.text(ben.id, ben.id, '/ask slow')
  await typing
  slow.come(says('at last'))
  await sees(ben.id, 'at last')
})

test('a view that asks opens a reply to it, and only for the person who asked', async () => {
  const { server, bot, sees } = chat
  bot.on('ask', { view: { ...viewOf('Which token?'), reply: 'Name' }, outcome: 'answered' })
  server.people.text(ben.id, club.id, '/ask')
  const { keyboard, replyTo } = await sees(club.id, 'Which token?')
  expect(keyboard).toEqual({ kind: 'force', placeholder: 'Name', selective: true })
  expect(replyTo).toBeDefined()
})

test('who floods is told so once', async () => {
  const { server, bot, sees, botTexts } = chat
  bot.floodLimits.person = 2
  for (let count = 0; count < 6; count += 1) server.people.text(ben.id, ben.id, '/ask more')
  server.people.text(ada.id, ada.id, '/ask moon')
  await sees(ben.id, 'a lot at once')
  await expect.poll(() => server.api.queue.length, { timeout: 20_000 }).toBe(0)
  expect(botTexts(ben.id)).toEqual(['ask more', 'ask more', expect.stringContaining('at once')])
  expect(botTexts(ada.id)).toEqual(['ask moon'])
})

test('a hundred updates as long as Telegram makes them come in one answer', async () => {
  const { front, server, bot, stop } = await startFrontedChat()
  onTestFinished(stop)
  server.people.text(ada.id, ada.id, 'gm')
  await expect.poll(() => bot.lines).toHaveLength(1)
  const chat = { id: ben.id, type: 'private', first_name: 'Ben' }
  const from = { id: ben.id, is_bot: false, first_name: 'Ben' }
  const link = {
    type: 'text_link',
    offset: 0,
    length: 9,
    url: `https://otter/${'x'.repeat(2_000)}`,
  }
  const entities = Array.from({ length: 200 }, () => link)
  const result = Array.from({ length: 100 }, (_, index) => {
    const message = { message_id: index + 1, date: 1, chat, from, text: `/ask ${index}`, entities }
    return { update_id: 300_000_000 + index, message }
  })
  let isDue = true
  front.mishap = (method) => {
    if (method !== 'getUpdates' || !isDue) return undefined
    isDue = false
    return { status: 200, body: JSON.stringify({ ok: true, result }) }
  }
  server.people.text(ada.id, ada.id, 'gm')
  await expect.poll(() => bot.lines, { timeout: 10_000 }).toContain('ask 19')
})
