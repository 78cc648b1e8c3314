import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { byteServer, listeningLog } from './server.ts'
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
