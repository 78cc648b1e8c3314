import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lookUp } from '../../../src/cards/token-image.ts'

const kinds = { v4: 1, v6: 28 }
/** 10.0.0.1, and ::1. */
const records = new Map([
  [kinds.v4, Buffer.from([10, 0, 0, 1])],
  [kinds.v6, Buffer.concat([Buffer.alloc(15), Buffer.from([1])])],
])

/** A name server that knows these addresses of every host; and what kinds it was asked for. */
let socket: Socket
let asked: number[]
let known: Map<number, Buffer>
beforeEach(async () => {
  asked = []
  known = new Map(records)
  socket = createSocket('udp4', (query, { port }) => socket.send(answerTo(query), port))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
})
afterEach(() => {
  socket.close()
})

const found = (host: string) => lookUp(host, [`127.0.0.1:${socket.address().port}`])

function answerTo(query: Buffer): Buffer {
  const end = query.indexOf(0, 12) + 5
  const kind = query.readUInt16BE(end - 4)
  asked.push(kind)
  const address = known.get(kind)
  // An answer with one question, and with one record or none.
  const head = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, address ? 1 : 0, 0, 0, 0, 0])
  query.copy(head, 0, 0, 2)
  if (!address) return Buffer.concat([head, query.subarray(12, end)])
  const record = Buffer.from([0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 60, 0, address.length])
  return Buffer.concat([head, query.subarray(12, end), record, address])
}

test('a host has its addresses of either family, so that each of them is checked', async () => {
  expect((await found('pictures.org')).sort()).toEqual(['10.0.0.1', '::1'])
})

test.each([
  ['IPv4', kinds.v4, '10.0.0.1'],
  ['IPv6', kinds.v6, '::1'],
])('a host may have one of %s alone', async (_, kind, address) => {
  for (const each of records.keys()) if (each !== kind) known.delete(each)
  expect(await found('pictures.org')).toEqual([address])
})

test('a host that nobody knows has none', async () => {
  known.clear()
  expect(await found('pictures.org')).toEqual([])
})

test.each([
  'localhost',
  'db.localhost',
  'printer.local',
  'metadata.google.internal',
  'metadata.google.internal.',
])('nobody is asked for %s', async (host) => {
  expect(await found(host)).toEqual([])
  expect(asked).toEqual([])
})
