import { describe, expect, test } from 'vitest'
import { fileCid } from '../../../sandbox/ipfs/cid.ts'
import { checkMetadata } from '../../../src/launch/metadata.ts'
import { httpServer, nowhere } from '../api/server.ts'
import { gatewayTo, kuboNode, reading } from './ipfs-reading.ts'
import { picture, typed } from './typed-metadata.ts'

describe('metadata that can’t be read are not checked', () => {
  test('without anything to read with', async () => {
    expect(await checkMetadata(undefined, `ipfs://${picture}`, typed)).toEqual({
      kind: 'not checked',
      why: 'this bot has nothing to read IPFS with',
    })
  })

  test('where the URI names no file', async () => {
    const reader = reading('gateway', await nowhere())
    expect(await checkMetadata(reader, 'ipfs://evil\u202e', typed)).toEqual({
      kind: 'not checked',
      why: 'ipfs://evil\\u{202e} names no file on IPFS',
    })
  })

  test('a gateway that gives other bytes is not believed', async () => {
    const node = await kuboNode()
    const gateway = await gatewayTo(node)
    const right = Buffer.from(JSON.stringify(typed))
    // Where the interface stored something else, and the gateway would hide it.
    const uri = `ipfs://${node.provide(Buffer.from('{"name":"Evil Otter"}'))}`
    gateway.fault = { kind: 'lying', cid: node.provide(right) }
    expect(await checkMetadata(reading('gateway', gateway.url), uri, typed)).toEqual({
      kind: 'not checked',
      why: 'the gateway gave other bytes than the CID names',
    })
  })

  test('more than 64 KiB', async () => {
    const why = 'what the gateway gave is larger than 64 KiB'
    const large = { ...typed, description: 'x'.repeat(65_536) }
    const node = await kuboNode()
    const gateway = await gatewayTo(node)
    for (const bytes of [Buffer.from(JSON.stringify(large)), Buffer.alloc(300_000, ' ')]) {
      const uri = node.provide(bytes)
      const check = await checkMetadata(reading('gateway', gateway.url), uri, large)
      expect(check).toEqual({ kind: 'not checked', why })
    }
  })

  test('a folder', async () => {
    const body = '{"Message":"this dag node is a directory","Code":0,"Type":"error"}'
    await using server = await httpServer((_request, response) => response.writeHead(500).end(body))
    const { cid } = fileCid(Buffer.from('x'), { cidVersion: 0, rawLeaves: false })
    expect(await checkMetadata(reading('kubo', server.url), `ipfs://${cid}`, typed)).toEqual({
      kind: 'not checked',
      why: 'the CID does not name a file',
    })
  })

  test.each([
    ['down', { kind: 'down' }, 'the gateway did not give it in time'],
    ['slow', { kind: 'slow', delayMs: 60_000 }, 'the gateway did not give it in time'],
    ['closed', { kind: 'refusing', status: 403 }, 'the gateway can’t or won’t give it'],
    ['broken', { kind: 'malformed' }, 'the gateway gave other bytes than the CID names'],
  ] as const)('through a gateway that is %s', async (_, fault, why) => {
    const node = await kuboNode()
    const gateway = await gatewayTo(node)
    gateway.fault = fault
    const uri = node.provide(Buffer.from(JSON.stringify(typed)))
    const reader = reading('gateway', gateway.url)
    expect(await checkMetadata(reader, uri, typed, { deadlineMs: 400 })).toEqual({
      kind: 'not checked',
      why,
    })
  })

  test('what nobody has', async () => {
    const node = await kuboNode()
    const gateway = await gatewayTo(node)
    for (const [reader, name] of [
      [reading('gateway', gateway.url), 'gateway'],
      [reading('kubo', node.url), 'Kubo node'],
    ] as const) {
      expect(await checkMetadata(reader, picture, typed, { deadlineMs: 400 })).toEqual({
        kind: 'not checked',
        why: `the ${name} did not give it in time`,
      })
    }
  })

  test('through a gateway that redirects elsewhere', async () => {
    const node = await kuboNode()
    const gateway = await gatewayTo(node)
    gateway.redirectsTo = 'https://evil.example/'
    const uri = node.provide(Buffer.from(JSON.stringify(typed)))
    expect(await checkMetadata(reading('gateway', gateway.url), uri, typed)).toEqual({
      kind: 'not checked',
      why: 'the gateway can’t or won’t give it',
    })
  })
})
