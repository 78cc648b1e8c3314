import { createServer } from 'node:net'

export interface OldPostgres {
  url: string
  close(): Promise<void>
}

/** A PostgreSQL of some version, as far as saying which it is. https://www.postgresql.org/docs/current/protocol.html */
export async function oldPostgres(version: string): Promise<OldPostgres> {
  const server = createServer((socket) => {
    let isReady = false
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      if (!isReady) {
        isReady = true
        socket.write(Buffer.concat([message('R', int32(0)), ready]))
      } else if (data.toString('latin1', 0, 1) === 'Q') {
        const row = message('D', Buffer.concat([int16(1), int32(version.length), text(version)]))
        socket.write(Buffer.concat([columns, row, message('C', text('SHOW\0')), ready]))
      } else {
        socket.end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `postgres://gavel:secret@127.0.0.1:${address.port}/gavel`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function message(type: string, body: Buffer): Buffer {
  return Buffer.concat([text(type), int32(body.length + 4), body])
}

function text(value: string): Buffer {
  return Buffer.from(value, 'utf8')
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const ready = message('Z', text('I'))
const typeOfText = 25
const columns = message(
  'T',
  Buffer.concat([
    int16(1),
    text('server_version\0'),
    int32(0),
    int16(0),
    int32(typeOfText),
    int16(-1),
    int32(-1),
    int16(0),
  ]),
)
