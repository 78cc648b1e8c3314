import type { ServerResponse } from 'node:http'
import { Api } from 'grammy'
import type { PhotoSize } from 'grammy/types'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ben } from '../../../sandbox/telegram/cast.ts'
import { plainView } from '../../../src/core/catalogue.ts'
import { UserError } from '../../../src/errors.ts'
import { createLogger } from '../../../src/log.ts'
import { IncomingFiles } from '../../../src/telegram/files.ts'
import { transportTo } from '../../../src/telegram/transport.ts'
import { refuses, says } from '../core/scripted-bot.ts'
import { startFrontedChat, token } from './telegram-chat.ts'

type Fronted = Awaited<ReturnType<typeof startFrontedChat>>

const most = 2 * 1024 * 1024

let chat: Fronted
beforeEach(async () => {
  chat = await startFrontedChat()
  // Answers with what it could read of the file.
  chat.bot.receiver = async ({ files: [file] }) => {
    try {
      const bytes = await file?.read(most)
      return says(`read ${bytes?.length}: ${Buffer.from(bytes ?? []).toString('latin1', 0, 20)}`)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      return refuses(error.message)
    }
  }
})
afterEach(() => chat.stop())

const documentOf = (bytes: Buffer, name = 'otter.bin') => ({
  name,
  type: 'application/octet-stream',
  bytes,
})

/** What the bot answers to the next file. */
async function answerTo(send: () => unknown, words = ''): Promise<string> {
  const before = chat.server.people.messages(ben.id).at(-1)?.id ?? 0
  send()
  return (await chat.sees(ben.id, words, before)).text
}

const sendsText = (text = 'an otter') =>
  answerTo(() => chat.server.people.document(ben.id, ben.id, documentOf(Buffer.from(text))))

/** getFile answers this, whatever it is asked for. */
function getFileSays(result: object): void {
  const body = JSON.stringify({
    ok: true,
    result: { file_id: 'x', file_unique_id: 'x', ...result },
  })
  chat.front.mishap = (method) => (method === 'getFile' ? { status: 200, body } : undefined)
}

/** Files are handed out like this. */
function filesAre(serve: (response: ServerResponse) => void): void {
  chat.front.mishap = (method) => (method.startsWith('file_') ? serve : undefined)
}

const unreadable = 'Telegram didn’t hand over that file. Send it again.'
const tooBig = 'That file is too big. Send one of at most 2 MB.'

describe('a file', () => {
  test('is read as it was sent', async () => {
    expect(await sendsText()).toBe('read 8: an otter')
  })

  test('of exactly the max size is read, one byte more is too big', async () => {
    const send = (size: number) =>
      answerTo(() => chat.server.people.document(ben.id, ben.id, documentOf(Buffer.alloc(size))))
    expect(await send(most)).toContain(`read ${most}`)
    expect(await send(most + 1)).toBe(tooBig)
    expect(chat.front.calls.filter((method) => method === 'getFile')).toHaveLength(1)
    expect(chat.front.downloads).toHaveLength(1)
  })

  test('over what Telegram gives to bots is too big', async () => {
    chat.front.mishap = (method) =>
      method === 'getFile'
        ? { status: 400, body: refusal('Bad Request: file is too big') }
        : undefined
    expect(await sendsText()).toBe(tooBig)
    expect(chat.log.of('warn')).toEqual([])
  })

  test('that is a photo is read in its largest size', async () => {
    const { files, queue } = chat.server.api
    await chat.settled(ben.id)
    const size = (text: string, side: number): PhotoSize => ({
      file_id: files.add(documentOf(Buffer.from(text)), 'photos').id,
      file_unique_id: text,
      width: side,
      height: side,
    })
    const photo = [size('medium', 320), size('large', 1280), size('small', 90)]
    const place = { id: ben.id, type: 'private', first_name: 'Ben' } as const
    const message = { message_id: 9_000, date: 1, chat: place, from: ben, photo }
    expect(await answerTo(() => queue.push({ message }))).toBe('read 5: large')
  })
})

describe('a wrong size', () => {
  test('of getFile over the limit ends before the download', async () => {
    getFileSays({ file_path: 'documents/file_1', file_size: most + 1 })
    expect(await sendsText()).toBe(tooBig)
    expect(chat.front.downloads).toEqual([])
  })

  test('of a download’s header over the limit ends before it is read', async () => {
    filesAre((response) => {
      response.writeHead(200, { 'content-length': most + 1 }).write('an')
    })
    expect(await sendsText()).toBe(tooBig)
  })

  test('of an endless download ends at the limit', async () => {
    let sent = 0
    let closed = false
    filesAre((response) => {
      const pour = () => {
        while (!closed && response.write(Buffer.alloc(1 << 16))) sent += 1 << 16
      }
      response.on('drain', pour).on('close', () => {
        closed = true
      })
      response.writeHead(200)
      pour()
    })
    expect(await sendsText()).toBe(tooBig)
    await expect.poll(() => closed, { timeout: 20_000 }).toBe(true)
    expect(sent).toBeLessThan(20 * most)
  })
})

describe('a path of getFile that leads elsewhere is not followed', () => {
  test.each([
    '../../etc/passwd',
    'documents/../../bot/getMe',
    '..',
    '.',
    '/etc/passwd',
    'documents//file',
    'https://evil.example/file',
    '//evil.example/file',
    '',
  ])('%s', async (file_path) => {
    getFileSays({ file_path })
    expect(await sendsText()).toBe(unreadable)
    expect(chat.front.downloads).toEqual([])
  })

  test('a path with an odd character stays a file name', async () => {
    getFileSays({ file_path: 'documents/a?b#c%2e%2e\\..\r\nx' })
    expect(await sendsText()).toBe(unreadable)
    expect(chat.front.downloads).toEqual([
      `/file/bot${token}/documents/a%3Fb%23c%252e%252e%5C..%0D%0Ax`,
    ])
  })

  test('a missing path is a failure', async () => {
    getFileSays({})
    expect(await sendsText()).toBe(unreadable)
    expect(chat.front.downloads).toEqual([])
  })
})

describe('a file that can’t be loaded is explained, and the next is read', () => {
  const mishaps: [what: string, serve: (response: ServerResponse) => void][] = [
    ['a 404', (response) => response.writeHead(404).end('{}')],
    ['a 500', (response) => response.writeHead(500).end('an otter')],
    [
      'a redirect to another host',
      (response) =>
        response.writeHead(302, { location: 'http://127.0.0.1:9/file_secret' }).end('an otter'),
    ],
    ['a connection that is cut', (response) => response.destroy()],
  ]
  test.each(mishaps)('%s', async (_, serve) => {
    filesAre(serve)
    expect(await sendsText()).toBe(unreadable)
    expect(chat.log.of('warn').join()).toContain('a file could not be read')
    expect(chat.front.downloads).toHaveLength(1)
    chat.front.mishap = () => undefined
    expect(await sendsText('another')).toBe('read 7: another')
  })

  test.each([
    ['refuses', { status: 400, body: refusal('Bad Request: wrong file_id') }],
    ['has no answer', 'reset' as const],
    ['talks nonsense', { status: 200, body: '<html>' }],
  ])('getFile %s', async (_, mishap) => {
    chat.front.mishap = (method) => (method === 'getFile' ? mishap : undefined)
    expect(await sendsText()).toBe(unreadable)
  })

  test('a download that stalls is given up, and its connection closed', async () => {
    let closed = false
    chat.front.mishap = (method) =>
      method.startsWith('file_')
        ? (response) => {
            response.on('close', () => {
              closed = true
            })
            response.writeHead(200, { 'content-length': 8 }).write('an')
          }
        : undefined
    const transport = transportTo({ apiRoot: chat.front.root })
    const api = new Api(token, transport.client)
    const log = createLogger('debug', [], chat.log)
    const files = new IncomingFiles({ api, transport, token, log, deadline: 500 })
    const file = chat.server.api.files.add(documentOf(Buffer.from('an otter')), 'documents')
    const [incoming] = files.of({
      message_id: 1,
      date: 1,
      chat: { id: ben.id, type: 'private', first_name: 'Ben' },
      document: { file_id: file.id, file_unique_id: 'x' },
    })
    await expect(incoming?.read(most)).rejects.toThrow(unreadable)
    await expect.poll(() => closed, { timeout: 20_000 }).toBe(true)
    expect(chat.log.of('warn').join()).toContain('took too long')
    await transport.close()
  })
})

test('no log and no answer contains the token, however a download fails', async () => {
  const serves: ((response: ServerResponse) => void)[] = [
    (response) => response.writeHead(500).end(),
    (response) => response.destroy(),
    (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
    (response) => {
      response.writeHead(200, { 'content-length': 8 }).write('an')
      setImmediate(() => response.destroy())
    },
    (response) => void response.socket?.end('HTTP/1.1 nonsense\r\n\r\n'),
  ]
  const answers: string[] = []
  for (const serve of serves) {
    filesAre(serve)
    answers.push(await sendsText())
  }
  chat.front.mishap = (method) => (method === 'getFile' ? 'reset' : undefined)
  answers.push(await sendsText())
  expect(new Set(answers)).toEqual(new Set([unreadable]))
  expect(chat.log.lines).not.toEqual([])
  const written = JSON.stringify(chat.log.lines)
  expect(written).not.toContain(token)
  expect(written).not.toContain(encodeURIComponent(token))
  const views = chat.bot.explained.map(({ error }) => String(error))
  expect(views.join() + plainView({ title: answers, blocks: [] })).not.toContain(token)
})

const refusal = (description: string) => JSON.stringify({ ok: false, error_code: 400, description })
