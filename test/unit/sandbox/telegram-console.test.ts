import { run } from '@grammyjs/runner'
import { Bot, InlineKeyboard } from 'grammy'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Listening, listen } from '../../../sandbox/http.ts'
import { ada, ben, club, news } from '../../../sandbox/telegram/cast.ts'
import { telegramConsole } from '../../../sandbox/telegram/console.ts'
import type { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { startTelegram, token } from './telegram-call.ts'

let server: TelegramServer
let web: Listening
let base: string

beforeEach(async () => {
  server = await startTelegram()
  web = await listen(telegramConsole(server).fetch)
  base = `http://127.0.0.1:${web.port}`
})

afterEach(async () => {
  await web.stop()
  await server.stop()
})

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: JSON.parse((await response.text()) || '{}') }
}

const get = async (path: string) => (await fetch(base + path)).json()

test('the state names people, places, what they may do and the commands they see', async () => {
  await new Bot(token, { client: { apiRoot: server.root } }).api.setMyCommands([
    { command: 'start', description: 'Begin' },
  ])
  const state = await get('/state')
  expect(state).toMatchObject({
    bot: { name: 'Gavel', username: 'gavel_bot' },
    people: [
      {
        name: 'Ada',
        places: [{ chatId: ada.id, kind: 'private', started: false }, {}, { canWrite: true }, {}],
      },
      { name: 'Ben', places: [{ commands: [{ command: 'start' }] }, {}, { canWrite: false }, {}] },
    ],
  })
})

test('what a person does on the page reaches the bot, and its answers the page', async () => {
  const bot = new Bot(token, { client: { apiRoot: server.root } })
  bot.command('start', (context) =>
    context.reply('hi', { reply_markup: new InlineKeyboard().text('Go', 'go') }),
  )
  bot.callbackQuery('go', (context) => context.answerCallbackQuery('went'))
  bot.on('inline_query', (context) =>
    context.answerInlineQuery([
      { type: 'article', id: '1', title: 'T', input_message_content: { message_text: 'sent' } },
    ]),
  )
  const runner = run(bot)
  try {
    expect(await post('/text', { person: ada.id, chat: ada.id, text: '/start' })).toMatchObject({
      status: 200,
    })
    const { id } = await server.people.waitFor(ada.id, ({ text }) => text === 'hi')
    expect(await get(`/messages?chat=${ada.id}`)).toMatchObject([
      { text: '/start' },
      { id, text: 'hi' },
    ])
    const pressed = await post('/press', {
      person: ada.id,
      chat: ada.id,
      message: id,
      row: 0,
      column: 0,
    })
    expect(pressed.body).toEqual({ kind: 'answer', text: 'went', alert: false, url: '' })
    const { body } = await post('/inline', {
      person: ben.id,
      chat: club.id,
      query: 'q',
      offset: '',
    })
    expect(body.results).toEqual([{ id: '1', title: 'T', description: '', thumbnail: '' }])
    await post('/choose', { person: ben.id, chat: club.id, answer: body.answer, result: '1' })
    expect(await get(`/messages?chat=${club.id}`)).toMatchObject([
      { text: 'sent', viaBot: 'gavel_bot' },
    ])
  } finally {
    await runner.stop()
  }
})

test('changes are pushed as they happen', async () => {
  const response = await fetch(`${base}/events`)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) throw new Error('no stream')
  expect((await reader.read()).value).toContain('event: open')
  server.people.text(ada.id, ada.id, 'hello')
  expect((await reader.read()).value).toContain('"text":"hello"')
  await reader.cancel()
})

test('pictures are shown, anything else is only downloaded', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
  const upload = {
    person: ada.id,
    chat: ada.id,
    name: 'a.svg',
    type: 'image/svg+xml',
    data: svg,
    caption: '',
  }
  expect((await post('/upload', { ...upload, asPhoto: true })).status).toBe(409)
  await post('/upload', { ...upload, asPhoto: false })
  const [message] = server.people.messages(ada.id)
  const file = await fetch(`${base}/file/${message?.document?.fileId}`)
  expect(file.headers.get('content-type')).toBe('application/octet-stream')
  expect(file.headers.get('content-disposition')).toBe('attachment')
  await file.body?.cancel()
})

test('what an app would not allow is refused with a sentence', async () => {
  expect(await post('/text', { person: ben.id, chat: news.id, text: 'x' })).toEqual({
    status: 409,
    body: { message: 'only administrators write in a channel' },
  })
  expect((await post('/text', { person: ben.id })).status).toBe(400)
  await post('/text', { person: ada.id, chat: ada.id, text: 'x' })
  await post('/block', { person: ada.id, blocked: true })
  expect((await post('/text', { person: ada.id, chat: ada.id, text: 'x' })).body).toEqual({
    message: 'the bot is blocked here',
  })
})

test('another site cannot drive the sandbox', async () => {
  const body = { person: ada.id, chat: ada.id, text: 'x' }
  expect((await post('/text', body, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await post('/text', body, { 'content-type': 'text/plain' })).status).toBe(415)
  expect(server.people.messages(ada.id)).toEqual([])
})
