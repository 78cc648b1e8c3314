import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ada, ben, club } from '../../../sandbox/discord/cast.ts'
import { incomingFiles } from '../../../src/discord/files.ts'
import { discord } from '../../../src/discord/platform.ts'
import { createTransport, requestQueue, type Transport } from '../../../src/discord/transport.ts'
import { UserError } from '../../../src/errors.ts'
import { says, viewOf } from '../core/scripted-bot.ts'
import { controlOf, startChat } from './discord-chat.ts'

describe('what people send', () => {
  const otter = { name: 'otter.png', contentType: 'image/png', bytes: Buffer.from('an otter') }

  test('in a private chat is received with the text beside it, and can be read', async () => {
    const chat = await startChat()
    const { people } = chat.server
    const dm = people.dm(ben.id)
    people.text(ben.id, dm, 'my picture', [otter, { ...otter, name: 'b.png' }])
    await expect.poll(() => chat.bot.heard.length, { timeout: 20_000 }).toBe(1)
    const [{ heard, context } = expect.fail('nothing was heard')] = chat.bot.heard
    expect([heard.text, heard.fields]).toEqual(['my picture', {}])
    expect(context).toEqual({
      platform: discord,
      user: ben.id,
      chat: dm,
      ephemeral: true,
      isPrivate: true,
      locale: 'en',
      update: expect.any(String),
      invitations: { server: expect.any(String) },
    })
    expect(heard.files.map(({ name, size }) => [name, size])).toEqual([
      ['otter.png', 8],
      ['b.png', 8],
    ])
    expect(String(await heard.files[0]?.read(8))).toBe('an otter')
    await chat.stop()
  })

  test('through a form can be read too', async () => {
    const chat = await startChat()
    const { people } = chat.server
    const field = {
      id: 'picture',
      label: 'Picture',
      about: '',
      kind: 'file',
      required: true,
    } as const
    chat.bot.forms.set('launching form', { id: 'x', title: 'Picture', fields: [field] })
    const view = { ...viewOf('?'), form: { label: 'Answer', line: 'launching form' } }
    chat.bot.on('ask moon', { view, outcome: 'answered' })
    const message = await people.slash(ada.id, club.id, 'ask', { term: 'moon' }).message()
    const asked = people.click(ada.id, club.id, message.id, controlOf(message, 'Answer'))
    let read = ''
    chat.bot.receiver = async ({ files }) => {
      read = String(await files[0]?.read(100))
      return says('Thanks.')
    }
    const { id } = people.upload(club.id, otter)
    await people.submit(await asked.modal(), { picture: [id] }).message()
    expect(read).toBe('an otter')
    expect(chat.bot.heard[0]?.heard.fields).toEqual({})
    await chat.stop()
  })
})

describe('a file', () => {
  let home: Server
  let transport: Transport
  let asked: string[]
  let answer: RequestListener
  let origin: string
  beforeEach(async () => {
    asked = []
    answer = (_, response) => response.end('12345678')
    home = createServer((request, response) => {
      asked.push(request.url ?? '')
      answer(request, response)
    })
    await new Promise<void>((resolve) => home.listen(0, '127.0.0.1', resolve))
    const address = home.address()
    origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    transport = createTransport({ queue: requestQueue(() => performance.now()) })
  })
  afterEach(async () => {
    await transport.close()
    home.closeAllConnections()
    await new Promise((resolve) => home.close(resolve))
  })

  const read = async (url: string, maxBytes = 8, apiRoot = `${origin}/api`, size = 1) => {
    const [file] = incomingFiles(apiRoot, transport)([{ name: 'x', size, url }])
    try {
      return String(await file?.read(maxBytes))
    } catch (error) {
      expect(error).toBeInstanceOf(UserError)
      return error instanceof Error ? error.message : ''
    }
  }
  const notHad = 'Discord didn’t hand over that file. Send it again.'
  const tooLarge = 'That file is too big. Send one of at most 0 kB.'

  test('is read up to the last byte that is allowed', async () => {
    expect(await read(`${origin}/x?ex=1&hm=2`)).toBe('12345678')
    expect(asked).toEqual(['/x?ex=1&hm=2'])
  })

  test('that is said to be too large is not requested', async () => {
    expect(await read(`${origin}/x`, 3 * 1024 * 1024, undefined, 3 * 1024 * 1024 + 1)).toBe(
      'That file is too big. Send one of at most 3 MB.',
    )
    expect(asked).toEqual([])
  })

  test.each<[string, RequestListener]>([
    ['by its header', (_, response) => response.setHeader('Content-Length', 9).end('123456789')],
    ['on the way', (_, response) => response.write('1234') && response.end('56789')],
    [
      'without end',
      (_, response) => {
        const flood = setInterval(() => response.write('x'.repeat(1000)), 1)
        response.on('close', () => clearInterval(flood))
      },
    ],
  ])('that turns out too large %s is refused', async (_, larger) => {
    answer = larger
    expect(await read(`${origin}/x`)).toBe(tooLarge)
  })

  test.each<[string, RequestListener]>([
    ['is moved', (_, response) => response.writeHead(302, { Location: '/y' }).end()],
    ['is gone', (_, response) => response.writeHead(404).end('gone')],
    ['breaks off', (request, response) => response.write('12') && request.socket.destroy()],
    ['is never answered', (request) => request.socket.destroy()],
  ])('that %s is not retried: it has to be sent again', async (_, broken) => {
    answer = broken
    expect(await read(`${origin}/x`)).toBe(notHad)
    expect(asked).toEqual(['/x'])
  })

  test.each([
    (port: string) => `http://localhost:${port}/x`,
    (port: string) => `https://127.0.0.1:${port}/x`,
    (port: string) => `http://127.0.0.1:${port}@evil.example/x`,
    (port: string) => `http://cdn.discordapp.com:${port}/x`,
    () => 'http://cdn.discordapp.com/x',
    () => 'https://cdn.discordapp.com.evil.example/x',
    () => 'https://cdn.discordapp.com:8443/x',
    () => 'file:///etc/hostname',
    () => `https://otter.example/${'x'.repeat(600)}`,
    () => '',
  ])('on a foreign host is not requested', async (url) => {
    expect(await read(url(new URL(origin).port))).toBe(notHad)
    expect(asked).toEqual([])
  })

  test('is fetched from a stand-in only if that stands in for Discord', async () => {
    expect(await read(`${origin}/x`, 8, 'https://discord.com/api')).toBe(notHad)
    expect(asked).toEqual([])
  })
})
