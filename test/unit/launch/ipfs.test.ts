import { createHash } from 'node:crypto'
import { CID } from 'multiformats/cid'
import { create } from 'multiformats/hashes/digest'
import { describe, expect, test } from 'vitest'
import { fileCid, rawBlockCid } from '../../../sandbox/ipfs/cid.ts'
import type { IpfsFault } from '../../../sandbox/ipfs/server.ts'
import { parseCid } from '../../../src/launch/image.ts'
import { IpfsError, type IpfsReader } from '../../../src/launch/ipfs.ts'
import { httpServer } from '../api/server.ts'
import { gatewayTo, kuboNode, reading } from './ipfs-reading.ts'
import { failure, otherCid, picture, services } from './publishing.ts'

describe('reading', () => {
  const content = Buffer.from('{"name":"Moon Otter"}')
  const deadlineMs = 5_000
  const raw = { cidVersion: 1, rawLeaves: true } as const
  const wrapped = { cidVersion: 0, rawLeaves: false } as const

  /** As the bot names it. */
  function linkOf(cid: string): string {
    const link = parseCid(cid)
    if (link === undefined) throw new Error(`${cid} is no CID of a file`)
    return link
  }

  /** Why it was not read; anything else than an IpfsError fails. */
  async function failure(
    reader: IpfsReader,
    link: string,
    within = deadlineMs,
  ): Promise<IpfsError> {
    try {
      await reader.read(link, within)
    } catch (error) {
      if (error instanceof IpfsError) return error
      throw error
    }
    throw new Error('it was read')
  }

  describe.each(['kubo', 'gateway'] as const)('through a %s', (way) => {
    async function opened() {
      const node = await kuboNode()
      const gateway = await gatewayTo(node)
      const server = way === 'kubo' ? node : gateway
      const asked = () => (way === 'kubo' ? node.reads : gateway.asked)
      return { node, server, asked, reader: reading(way, server.url) }
    }

    test.each([
      ['one raw block', raw],
      ['wrapped in a node of version 0', wrapped],
      ['wrapped in a node of version 1', { cidVersion: 1, rawLeaves: false }],
    ] as const)('a file that is %s is read', async (_, options) => {
      const { node, reader } = await opened()
      for (const bytes of [content, Buffer.alloc(0), Buffer.alloc(65_536, 7)]) {
        const link = linkOf(node.provide(bytes, options))
        expect(Buffer.compare(await reader.read(link, deadlineMs), bytes)).toBe(0)
      }
    })

    test.each([
      ['raw', raw],
      ['wrapped', wrapped],
    ] as const)('a file that is one byte over the limit is too large: %s', async (_, options) => {
      const { node, reader, asked } = await opened()
      const link = linkOf(node.provide(Buffer.alloc(65_537, 7), options))
      expect(await failure(reader, link)).toMatchObject({ kind: 'too large' })
      expect(asked()).toBe(1)
    })

    test('an endless answer is read no further than the limit', async () => {
      let sent = 0
      await using server = await httpServer((_request, response) => {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(16_384))) sent += 16_384
        }
        response.on('drain', more)
        more()
      })
      const reader = reading(way, server.url)
      const link = rawBlockCid(content)
      expect(await failure(reader, link)).toMatchObject({ kind: 'too large' })
      // What lies in the sockets on the way counts too.
      expect(sent).toBeLessThan(16_000_000)
    })

    test('bytes that don’t match the CID are rejected, without a retry', async () => {
      const { node, server, reader, asked } = await opened()
      const link = node.provide(content)
      server.fault = { kind: 'lying', cid: node.provide(Buffer.from('{"name":"Evil Otter"}')) }
      expect(await failure(reader, link)).toMatchObject({ kind: 'other bytes' })
      expect(asked()).toBe(1)
    })

    test.each<[string, IpfsFault, string]>([
      ['down', { kind: 'reset' }, 'unavailable'],
      ['hanging', { kind: 'hang' }, 'unavailable'],
      ['overloaded', { kind: 'status', status: 503 }, 'unavailable'],
      ['at its limit', { kind: 'status', status: 429 }, 'unavailable'],
      ['closed to us', { kind: 'status', status: 401 }, 'refused'],
      ['closed to us without a word', { kind: 'status', status: 403, body: '' }, 'refused'],
    ])('one that is %s fails in time', async (_, fault, kind) => {
      const { node, server, reader } = await opened()
      const link = node.provide(content)
      server.fault = fault
      const begun = performance.now()
      // One that refuses is not asked again, so its answer need not be hurried.
      const within = kind === 'refused' ? deadlineMs : 100
      expect(await failure(reader, link, within)).toMatchObject({ kind })
      expect(performance.now() - begun).toBeLessThan(3_000)
    })

    test('a file that was just added is found once it is there', async () => {
      const { node, reader, asked } = await opened()
      const read = reader.read(rawBlockCid(content), deadlineMs)
      await expect.poll(asked).toBeGreaterThan(0)
      node.provide(content)
      expect(Buffer.from(await read)).toEqual(content)
    })

    test('a read under way is aborted by close, and not retried', async () => {
      const { server, reader, asked } = await opened()
      server.fault = { kind: 'hang' }
      const failed = failure(reader, rawBlockCid(content), 20_000)
      await expect.poll(asked).toBe(1)
      await reader.close()
      expect(await failed).toMatchObject({ kind: 'unavailable' })
      expect(asked()).toBe(1)
    })

    test('no error contains an address, a password or the answer', async () => {
      const answers = [200, 302, 401, 500]
      await using server = await httpServer((_request, response) => {
        const location = 'https://secret.example/'
        response.writeHead(answers.shift() ?? 500, { location }).end('a secret answer')
      })
      const url = server.url.replace('http://', way === 'kubo' ? 'http://ada:secret@' : 'http://')
      for (const _ of [...answers]) {
        const error = await failure(reading(way, url), rawBlockCid(content), 300)
        const told = `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`
        expect(told).not.toMatch(/secret|127\.0\.0\.1/u)
      }
    })
  })

  describe('a Kubo node', () => {
    test('is called as Kubo expects, with the user and password of its address', async () => {
      await using server = await httpServer((_request, response) => response.end(content))
      const reader = reading('kubo', server.url.replace('http://', 'http://ada:p%40ss@'))
      const cid = rawBlockCid(content)
      await reader.read(cid, deadlineMs)
      const [request] = server.requests
      const url = new URL(request?.url ?? '', server.url)
      expect([request?.method, url.pathname]).toEqual(['POST', '/v1/api/v0/cat'])
      expect(Object.fromEntries(url.searchParams)).toEqual({
        arg: `/ipfs/${cid}`,
        length: '65537',
        timeout: '5000ms',
      })
      const sent = `Basic ${Buffer.from('ada:p@ss').toString('base64')}`
      expect(request?.headers.authorization).toBe(sent)
      expect(request?.headers).not.toHaveProperty('user-agent')
    })

    test('is asked for a file in a folder', async () => {
      await using server = await httpServer((_request, response) => response.end(content))
      const folder = linkOf(fileCid(content, wrapped).cid)
      await reading('kubo', server.url).read(`${folder}/token%20data.json`, deadlineMs)
      const { searchParams } = new URL(server.requests[0]?.url ?? '', server.url)
      expect(searchParams.get('arg')).toBe(`/ipfs/${folder}/token data.json`)
    })

    test('that reports a failure after its answer is not trusted', async () => {
      await using server = await httpServer((_request, response) => {
        response.writeHead(200, { trailer: 'X-Stream-Error' })
        response.write('{"name":"Moon')
        response.addTrailers({ 'X-Stream-Error': 'block was not found' })
        response.end()
      })
      const folder = linkOf(fileCid(content, wrapped).cid)
      const error = await failure(reading('kubo', server.url), folder, 300)
      expect(error).toMatchObject({
        kind: 'unavailable',
        message: 'Kubo: failed while it answered',
      })
    })

    test('that says that the CID is a folder is not asked again', async () => {
      const body = '{"Message":"this dag node is a directory","Code":0,"Type":"error"}\n'
      await using server = await httpServer((_request, response) =>
        response.writeHead(500).end(body),
      )
      const folder = linkOf(fileCid(content, wrapped).cid)
      expect(await failure(reading('kubo', server.url), folder)).toMatchObject({ kind: 'no file' })
      expect(server.requests).toHaveLength(1)
    })
  })

  describe('a gateway', () => {
    test('is asked for the block as it is', async () => {
      await using server = await httpServer((_request, response) => response.end(content))
      const cid = rawBlockCid(content)
      await reading('gateway', server.url).read(cid, deadlineMs)
      expect(server.requests[0]).toMatchObject({
        method: 'GET',
        url: `/v1/ipfs/${cid}?format=raw`,
        headers: { accept: 'application/vnd.ipld.raw' },
      })
    })

    test('may redirect to the subdomain of this CID', async () => {
      const node = await kuboNode()
      const gateway = await gatewayTo(node, { subdomains: true })
      const link = node.provide(content)
      expect(Buffer.from(await reading('gateway', gateway.url).read(link, deadlineMs))).toEqual(
        content,
      )
      expect(gateway.asked).toBe(1)
    })

    test.each([
      ['another host', () => 'https://evil.example/'],
      ['another port', (cid: string) => `http://${cid}.ipfs.localhost:9/`],
      ['a name that ends alike', (cid: string, host: string) => `http://${cid}.ipfs.x${host}/`],
      ['a name behind a user', (cid: string, host: string) => `http://${cid}.ipfs.${host}@[::1]/`],
      ['the host of another CID', (_: string, host: string) => `http://bafkqaaa.ipfs.${host}/`],
      ['another protocol', (cid: string, host: string) => `https://${cid}.ipfs.${host}/`],
      ['itself', (cid: string, host: string) => `http://${host}/ipfs/${cid}`],
      ['what is no URL', () => 'http://'],
    ])('that redirects to %s is not followed', async (_, to) => {
      const node = await kuboNode()
      const gateway = await gatewayTo(node)
      const link = node.provide(content)
      for (const name of ['127.0.0.1', 'localhost']) {
        const url = gateway.url.replace('127.0.0.1', name)
        gateway.redirectsTo = to(link, new URL(url).host)
        gateway.asked = 0
        const error = await failure(reading('gateway', url), link)
        expect(error).toMatchObject({ kind: 'refused', message: 'gateway: answered 301' })
        expect(gateway.asked).toBe(1)
      }
    })

    test('can’t prove a file in a folder', async () => {
      const node = await kuboNode()
      const gateway = await gatewayTo(node)
      const folder = linkOf(node.provide(content, wrapped))
      const error = await failure(reading('gateway', gateway.url), `${folder}/token.json`)
      expect(error).toMatchObject({ kind: 'refused' })
      expect(gateway.asked).toBe(0)
    })

    test.each([
      ['a folder', Buffer.from('0a020801', 'hex')],
      ['no node', Buffer.from('{"name":"Moon Otter"}')],
      ['a node of something else', Buffer.from('0a03ffffff', 'hex')],
      ['nothing', Buffer.alloc(0)],
    ])('that returns a block with %s gives no file', async (_, block) => {
      await using server = await httpServer((_request, response) => response.end(block))
      const digest = create(0x12, createHash('sha256').update(block).digest())
      const link = CID.createV1(0x70, digest).toString()
      expect(await failure(reading('gateway', server.url), link)).toMatchObject({ kind: 'no file' })
    })

    test('is not trusted if the hash function of the CID is unknown', async () => {
      await using server = await httpServer((_request, response) => response.end(content))
      const blake2b = create(0xb220, createHash('sha256').update(content).digest())
      const link = CID.createV1(0x55, blake2b).toString()
      expect(await failure(reading('gateway', server.url), link)).toMatchObject({ kind: 'refused' })
      expect(Buffer.from(await reading('kubo', server.url).read(link, deadlineMs))).toEqual(content)
    })
  })
})

describe('publishing', () => {
  describe('kubo', () => {
    test('is asked for one pinned raw block of CID version 1, whatever the node’s settings', async () => {
      await using server = await httpServer((_request, response) =>
        response.end(services.kubo.answer(picture.cid)),
      )
      await services.kubo.publisher(server.url).publish(picture)
      const [request] = server.requests
      const url = new URL(request?.url ?? '', server.url)
      expect([request?.method, url.pathname]).toEqual(['POST', '/v1/api/v0/add'])
      expect(Object.fromEntries(url.searchParams)).toEqual({
        'cid-version': '1',
        'raw-leaves': 'true',
        hash: 'sha2-256',
        chunker: 'size-262144',
        pin: 'true',
      })
      expect(request?.headers).not.toHaveProperty('user-agent')
      expect(request?.headers).not.toHaveProperty('authorization')
    })

    test.each(['', '/', '/api/v0', '/api/v0/'])('may be given with %j at the end', async (end) => {
      const server = await services.kubo.start()
      await services.kubo.publisher(`${server.url}${end}`).publish(picture)
      expect(server.pinned).toHaveLength(1)
    })

    test('is sent the name and password of its address', async () => {
      await using server = await httpServer((_request, response) =>
        response.end(services.kubo.answer(picture.cid)),
      )
      const url = server.url.replace('http://', 'http://ada:p%40ss@')
      await services.kubo.publisher(url).publish(picture)
      const sent = `Basic ${Buffer.from('ada:p@ss').toString('base64')}`
      expect(server.requests[0]?.headers.authorization).toBe(sent)
    })

    test('may report progress first: the last line counts', async () => {
      const { answer } = services.kubo
      const lines = `{"Name":"x","Bytes":3}\n${answer(otherCid)}`
      let body = `${lines}${answer(picture.cid)}`
      await using server = await httpServer((_request, response) => response.end(body))
      await services.kubo.publisher(server.url).publish(picture)
      body = `${answer(picture.cid)}${answer(otherCid)}`
      expect(await failure(services.kubo.publisher(server.url))).toMatchObject({
        kind: 'other bytes',
      })
    })

    test('that reports a failure after its answer is not trusted', async () => {
      await using server = await httpServer((_request, response) => {
        response.writeHead(200, { trailer: 'X-Stream-Error' })
        response.write(services.kubo.answer(picture.cid))
        response.addTrailers({ 'X-Stream-Error': 'pin: disk is full' })
        response.end()
      })
      const error = await failure(services.kubo.publisher(server.url))
      expect(error).toMatchObject({
        kind: 'unavailable',
        message: 'kubo: failed while it answered',
      })
    })
  })

  describe('pinata', () => {
    test('is sent the key, and makes the picture public', async () => {
      const server = await services.pinata.start()
      await services.pinata.publisher(`${server.url}/`).publish(picture)
      expect(server.pinned).toMatchObject([{ network: 'public' }])
    })
  })
})
