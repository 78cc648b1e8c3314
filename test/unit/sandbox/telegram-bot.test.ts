import { run } from '@grammyjs/runner'
import { Bot, type Context, GrammyError, InlineKeyboard, InputFile, Keyboard } from 'grammy'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada, ben, club, news } from '../../../sandbox/telegram/cast.ts'
import { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { call, startTelegram, token } from './telegram-call.ts'

let server: TelegramServer
let bot: Bot

beforeEach(async () => {
  server = await startTelegram()
  bot = new Bot(token, { client: { apiRoot: server.root } })
})

afterEach(() => server.stop())

const keyboard = new InlineKeyboard()
  .text('More', 'more')
  .url('Site', 'https://example.com/a')
  .row()
  .copyText('Copy', '0x1')
  .switchInlineCurrent('Search', 'otter')

function teach(): void {
  bot.command('start', (context) =>
    context.reply(`Hello <b>${context.from?.first_name}</b>`, {
      parse_mode: 'HTML',
      reply_markup: keyboard,
    }),
  )
  bot.callbackQuery('more', async (context) => {
    await context.editMessageText('more of it', { reply_markup: keyboard })
    await context.answerCallbackQuery({ text: 'here you are', show_alert: true })
  })
  bot.on('inline_query', (context) =>
    context.answerInlineQuery(
      [
        {
          type: 'article',
          id: 'a',
          title: `About ${context.inlineQuery.query}`,
          input_message_content: {
            message_text: 'inline',
            link_preview_options: { is_disabled: true },
          },
          reply_markup: keyboard,
        },
        {
          type: 'photo',
          id: 'p',
          photo_url: 'https://example.com/p.jpg',
          thumbnail_url: 'https://example.com/t.jpg',
          caption: 'a picture',
        },
      ],
      { next_offset: '2', cache_time: 60, button: { text: 'Open', start_parameter: 'x' } },
    ),
  )
  bot.on('channel_post:text', (context) => context.reply(`posted ${context.channelPost.text}`))
  bot.on('message:chat_shared', (context) =>
    context.reply(`got ${context.msg.chat_shared.chat_id}`),
  )
  bot.on('message:document', (context) => echoDocument(context))
}

async function echoDocument(context: Context): Promise<void> {
  const { file_path } = await context.getFile()
  const response = await fetch(`${server.root}/file/bot${token}/${file_path}`)
  await context.replyWithDocument(new InputFile(await response.bytes(), 'echo ö.txt'), {
    caption: 'yours',
  })
}

/** Runs the bot while `talk` happens. */
async function running(talk: () => Promise<void>): Promise<void> {
  teach()
  await bot.init()
  const runner = run(bot)
  try {
    await talk()
  } finally {
    await runner.stop()
  }
}

test('a command is answered, a button answers and edits', () =>
  running(async () => {
    const { people } = server
    people.text(ada.id, ada.id, '/start')
    const hello = await people.waitFor(ada.id, ({ text }) => text === 'Hello Ada')
    expect(hello.entities).toEqual([{ type: 'bold', offset: 6, length: 3 }])
    expect(await people.press(ada.id, ada.id, hello.id, { label: 'More' })).toEqual({
      kind: 'answer',
      text: 'here you are',
      alert: true,
      url: '',
    })
    expect(people.messages(ada.id).at(-1)).toMatchObject({
      id: hello.id,
      text: 'more of it',
      edited: true,
    })
    expect(await people.press(ada.id, ada.id, hello.id, { row: 0, column: 1 })).toEqual({
      kind: 'link',
      url: 'https://example.com/a',
    })
    expect(await people.press(ada.id, ada.id, hello.id, { label: 'Copy' })).toEqual({
      kind: 'copied',
      text: '0x1',
    })
  }))

test('a button that nobody answers times out, and its query is worth nothing afterwards', () =>
  running(async () => {
    const { people } = server
    people.text(ada.id, ada.id, '/start')
    const { id } = await people.waitFor(ada.id, () => true)
    const unanswered = people.press(ada.id, ada.id, id, { data: 'unknown' }, 50)
    expect(await unanswered).toEqual({ kind: 'no answer' })
    await expect(people.press(ada.id, ada.id, id, { label: 'None' })).rejects.toThrow('"More"')
  }))

test('inline mode lists results, sends one, and the sent message can be edited', () =>
  running(async () => {
    const { people } = server
    const answer = await people.inline(ben.id, 'otter')
    expect(answer).toMatchObject({
      nextOffset: '2',
      button: { text: 'Open', startParameter: 'x' },
      results: [
        { id: 'a', title: 'About otter' },
        { id: 'p', photoUrl: 'https://example.com/p.jpg' },
      ],
    })
    const [article, photo] = answer?.results ?? []
    if (!article || !photo) throw new Error('results are missing')
    const sent = people.choose(ben.id, club.id, { query: 'otter', result: article })
    expect(people.messages(club.id)).toMatchObject([
      { text: 'inline', viaBot: 'gavel_bot', sender: { name: 'Ben' } },
    ])
    await people.press(ada.id, club.id, sent.message_id, { label: 'More' })
    expect(people.messages(club.id)).toMatchObject([{ text: 'more of it', edited: true }])
    people.choose(ben.id, club.id, { query: 'otter', result: photo })
    expect(people.messages(club.id)[1]).toMatchObject({
      text: 'a picture',
      photo: { url: 'https://example.com/p.jpg' },
    })
  }))

test('the same inline query is served from the cache for as long as the bot said', () =>
  running(async () => {
    await server.people.inline(ben.id, 'cached')
    await server.people.inline(ada.id, 'cached')
    await server.people.inline(ada.id, 'other')
    expect(server.calls.of('answerInlineQuery')).toHaveLength(2)
  }))

test('files go both ways, with names that are not ASCII', () =>
  running(async () => {
    const { people } = server
    const bytes = Buffer.from('payload')
    people.document(ada.id, ada.id, { name: 'a.txt', type: 'text/plain', bytes })
    const echoed = await people.waitFor(ada.id, ({ document }) => document !== undefined)
    expect(echoed).toMatchObject({ text: 'yours', document: { name: 'echo ö.txt', size: 7 } })
    expect(server.api.files.get(echoed.document?.fileId ?? '')?.bytes).toEqual(bytes)
  }))

test('photos must be pictures', async () => {
  server.people.text(ada.id, ada.id, '/start')
  const png = Buffer.alloc(64)
  png.write('\x89PNG\r\n\x1a\n', 'latin1')
  png.writeUInt32BE(640, 16)
  png.writeUInt32BE(480, 20)
  const sent = await bot.api.sendPhoto(ada.id, new InputFile(png, 'p.png'), {
    caption: '<i>x</i>',
    parse_mode: 'HTML',
  })
  expect(sent).toMatchObject({
    photo: [{ width: 640, height: 480 }],
    caption: 'x',
    caption_entities: [{ type: 'italic' }],
  })
  const again = await bot.api.sendPhoto(ada.id, sent.photo[0]?.file_id ?? '')
  expect(again.photo[0]?.file_unique_id).toBe(sent.photo[0]?.file_unique_id)
  await bot.api.editMessageCaption(ada.id, sent.message_id, { caption: 'y' })
  await expect(
    bot.api.sendPhoto(ada.id, new InputFile(Buffer.from('no'), 'p.png')),
  ).rejects.toThrow('IMAGE_PROCESS_FAILED')
  png.writeUInt32BE(20_000, 16)
  await expect(bot.api.sendPhoto(ada.id, new InputFile(png, 'p.png'))).rejects.toThrow(
    'PHOTO_INVALID_DIMENSIONS',
  )
})

test('channels and shared chats work', () =>
  running(async () => {
    const { people } = server
    people.text(ada.id, news.id, 'hello')
    expect(await people.waitFor(news.id, ({ text }) => text === 'posted hello')).toMatchObject({
      sender: { id: news.id, name: 'Otter News' },
    })
    people.text(ada.id, ada.id, 'x')
    await bot.api.sendMessage(ada.id, 'pick', {
      reply_markup: new Keyboard().requestChat('Channel', 7, {
        chat_is_channel: true,
        request_title: true,
      }),
    })
    expect(people.messages(ada.id).at(-1)?.keyboard).toMatchObject({
      kind: 'keyboard',
      rows: [[{ text: 'Channel', requestChat: { request_id: 7, chat_is_channel: true } }]],
    })
    people.share(ada.id, 7, news.id)
    await people.waitFor(ada.id, ({ text }) => text === `got ${news.id}`)
  }))

test('grammY sees refusals as its own errors', async () => {
  const failed = bot.api.sendMessage(42, 'x')
  await expect(failed).rejects.toBeInstanceOf(GrammyError)
  await expect(failed).rejects.toMatchObject({
    error_code: 400,
    description: 'Bad Request: chat not found',
  })
})

test('what a bot may ask about chats', async () => {
  expect(await bot.api.getMe()).toMatchObject({ is_bot: true, username: 'gavel_bot' })
  expect(await bot.api.getChat('@otter_news')).toMatchObject({ id: news.id, type: 'channel' })
  expect(await bot.api.getChatMember(club.id, ada.id)).toMatchObject({ status: 'creator' })
  expect(await bot.api.getChatMember(club.id, ben.id)).toMatchObject({ status: 'member' })
  const managers = await bot.api.getChatAdministrators(news.id)
  expect(managers.map(({ user }) => user.first_name)).toEqual(['Ada', 'Gavel'])
})

test('commands are kept by scope and language', async () => {
  const list = [{ command: 'start', description: 'Begin' }]
  await bot.api.setMyCommands(list)
  await bot.api.setMyCommands([{ command: 'manage', description: 'Manage' }], {
    scope: { type: 'all_chat_administrators' },
  })
  expect(await bot.api.getMyCommands()).toEqual(list)
  const { world, commands } = server.api
  const place = world.places.get(club.id)
  if (!place) throw new Error('the club is missing')
  expect(commands.for(ada, place)).toMatchObject([{ command: 'manage' }])
  expect(commands.for(ben, place)).toEqual(list)
  await bot.api.deleteMyCommands()
  expect(await bot.api.getMyCommands()).toEqual([])
})

test('many people at once are all answered', () =>
  running(async () => {
    const report = await server.people.flood({ count: 300, text: '/start' })
    expect(report.latencies).toHaveLength(300)
    expect(report.latencies.every((latency) => latency > 0)).toBe(true)
    expect(server.people.messages(1_000_299)).toHaveLength(2)
  }))

test('a delayed answer keeps no other call waiting', async () => {
  const slow = await TelegramServer.start({
    token,
    answerDelayMs: 300,
  })
  try {
    let answered = 0
    const calls = Array.from({ length: 20 }, () => call(slow, 'getMe').then(() => answered++))
    while (slow.calls.all.length < 20) await new Promise((resolve) => setImmediate(resolve))
    expect(answered).toBe(0)
    await Promise.all(calls)
    expect(answered).toBe(20)
  } finally {
    await slow.stop()
  }
})
