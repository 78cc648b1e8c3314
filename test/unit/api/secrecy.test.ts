import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { byteServer, httpServer, listeningLog } from './server.ts'
import { failure, key, open } from './transport.ts'

describe('an error', () => {
  const body = 'echo-of-the-body'
  const answers: [string, Parameters<typeof byteServer>[0]][] = [
    ['a refusal', (socket) => socket.end(`HTTP/1.1 403 No\r\ncontent-length: 16\r\n\r\n${body}`)],
    ['broken JSON', (socket) => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 16\r\n\r\n${body}`)],
    ['no HTTP', (socket) => socket.end(body)],
    ['a bad header', (socket) => socket.end(`HTTP/1.1 200 OK\r\n${body}\r\n\r\n`)],
    [
      'a broken answer',
      (socket) => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n${body}`),
    ],
    ['a reset', (socket) => void socket.resetAndDestroy()],
    ['silence', () => undefined],
  ]

  test.each(answers)('after %s holds neither key, query nor body', async (_what, answer) => {
    await using server = await byteServer(answer)
    const { log, lines } = listeningLog()
    const transport = open(server.url, { deadlineMs: 300, log })
    const errors = [
      await failure(transport.get('/assets/', { term: 'secret-term' })),
      await failure(transport.post('/ipfs/upload-metadata', {}, { name: 'secret-name' })),
    ]
    const shown = errors.map((error) =>
      inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
    )
    for (const secret of [key, 'secret-term', 'secret-name', body]) {
      expect(`${shown}${lines}`).not.toContain(secret)
    }
    expect(inspect(transport, { depth: Number.POSITIVE_INFINITY, showHidden: true })).not.toContain(
      key,
    )
  })
})

describe('the text of a refusal', () => {
  test('is heard by who asks for it, 500 characters at most, without the key in any form', async () => {
    const key = 'k3y+"with"/signs'
    const echoed = [key, JSON.stringify(key), encodeURIComponent(key)].join(' ')
    await using server = await httpServer((_request, response) => {
      response.writeHead(422).end(`chain_id is required ${echoed} ${'x'.repeat(200_000)}`)
    })
    const heard: string[] = []
    const { log, lines } = listeningLog()
    const transport = open(server.url, { key, log, onRefusal: (text) => void heard.push(text) })
    const error = await failure(transport.get('/assets/', {}))
    expect(heard).toEqual([
      expect.stringMatching(/^chain_id is required \[key\] "\[key\]" \[key\] x+$/u),
    ])
    expect(heard[0]).toHaveLength(500)
    expect(`${inspect(error, { depth: 9, showHidden: true })}${lines}`).not.toContain('chain_id')
  })

  test.each([
    ['as it is', (key: string) => key],
    ['in capitals', (key: string) => key.toUpperCase()],
    ['as JSON', (key: string) => JSON.stringify(key).slice(1, -1)],
    ['as JSON with slashes escaped', (key: string) => key.replaceAll('/', '\\/')],
    [
      'as codes',
      (key: string) => [...key].map((each) => `\\u00${each.charCodeAt(0).toString(16)}`).join(''),
    ],
    ['as a URL', (key: string) => encodeURIComponent(key)],
    ['as base64', (key: string) => Buffer.from(key).toString('base64')],
  ])('and an answer hold no key %s, for who hears refusals', async (_, form) => {
    const key = 'k3y+with/signs.and[more]'
    const echo = form(key)
    await using server = await httpServer((request, response) => {
      const isRefused = request.url?.includes('refused') === true
      response.writeHead(isRefused ? 400 : 200).end(`{"result":"<${echo}>"}`)
    })
    const heard: string[] = []
    const transport = open(server.url, { key, onRefusal: (text) => void heard.push(text) })
    expect(await transport.get('/assets/', {})).toEqual({ result: '<[key]>' })
    await failure(transport.get('/assets/', { term: 'refused' }))
    expect(heard).toEqual(['{"result":"<[key]>"}'])
  })

  test('is empty where it breaks off before a word, and the refusal is one all the same', async () => {
    await using server = await byteServer((socket) =>
      socket.end('HTTP/1.1 400 No\r\ncontent-length: 16\r\n\r\n'),
    )
    const heard: string[] = []
    const transport = open(server.url, { onRefusal: (text) => void heard.push(text) })
    const error = await failure(transport.get('/assets/', {}))
    expect(error).toMatchObject({ kind: 'invalid', status: 400 })
    expect(heard).toEqual([''])
  })
})
